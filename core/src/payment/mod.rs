//! Payments into wallets: begun at Paystack or ESPEES, and credited by one [`PaymentService::settle`], on request of the
//! payer who comes back, the webhook, the sweeper, or an administrator.
//!
//! A payment's row is stored before its provider hears of it. What a browser or a webhook claims is only a reason to ask
//! the provider; its answer is compared with what we stored, and what we stored is credited. A payment is
//! credited once, by the ledger entry `payment` of `<provider>:<reference>`, in the transaction that makes it `settled`.

mod begin;
mod config;
mod espees;
mod event;
mod kobo;
mod manual_credit;
pub mod paystack;
mod provider;
mod service;
mod settle;
mod status;
mod sweep;
pub mod transfer;
mod wire;

pub use begin::Order;
pub use config::PaymentConfig;
pub use event::Heard;
pub use manual_credit::credit_by_admin;
pub use provider::Provider;
pub use service::PaymentService;
pub use settle::require_settled;
pub use status::Status;
use talkdrum_api::money::{Amount, Money, MoneyError};

use crate::error::{Error, Result};
use crate::store::money::payment::PaymentRow;
use crate::time::Time;

/// A payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment {
    /// Its id.
    pub id: i64,
    /// Whose wallet it goes into.
    pub user_id: i64,
    /// Through whom.
    pub provider: Provider,
    /// Our reference.
    pub reference: String,
    /// The provider's own reference, where it has one.
    pub provider_ref: Option<String>,
    /// Where the payer pays.
    pub checkout_url: Option<String>,
    /// How much of what is credited.
    pub money: Money,
    /// The payer's words.
    pub narration: String,
    /// The client's label.
    pub product_sku: Option<String>,
    /// Where it stands.
    pub status: Status,
    /// The same in words.
    pub note: String,
    /// Whether real money moves.
    pub is_live: bool,
    /// When it expires if it was not paid.
    pub expires_at: Time,
    /// When it began.
    pub created_at: Time,
    /// When it was credited.
    pub settled_at: Option<Time>,
    /// The administrator who credited it by hand.
    pub settled_by: Option<i64>,
    /// When the provider is asked next.
    pub next_check_at: Option<Time>,
    nonce: String,
    checks: i64,
}

impl Payment {
    /// The payment of a row.
    ///
    /// # Errors
    /// Damaged data.
    pub fn of(row: PaymentRow) -> Result<Self> {
        let damaged = |error: Error| Error::Corrupt(format!("payment {}: {error}", row.id));
        Ok(Self {
            id: row.id,
            user_id: row.user_id,
            provider: row.provider.parse().map_err(damaged)?,
            status: row.status.parse().map_err(damaged)?,
            money: Money {
                amount: Amount(row.amount_micros),
                currency: row.currency.parse().map_err(|error: MoneyError| damaged(error.into()))?,
            },
            reference: row.reference,
            provider_ref: row.provider_ref,
            checkout_url: row.checkout_url,
            narration: row.narration,
            product_sku: row.product_sku,
            note: row.note,
            is_live: row.mode == "live",
            expires_at: Time(row.expires_at),
            created_at: Time(row.created_at),
            settled_at: row.settled_at.map(Time),
            settled_by: row.settled_by,
            next_check_at: row.next_check_at.map(Time),
            nonce: row.nonce,
            checks: row.checks,
        })
    }

    /// The reference that payers and the provider's support know: the provider's own, else ours.
    pub fn known_as(&self) -> &str {
        self.provider_ref.as_deref().unwrap_or(&self.reference)
    }
}

impl From<Payment> for talkdrum_api::payment::Payment {
    fn from(it: Payment) -> Self {
        let is_settled = it.settled_at.is_some();
        Self {
            id: it.id,
            user_id: it.user_id,
            username: None,
            provider: it.provider.code().to_owned(),
            payment_ref: it.known_as().to_owned(),
            amount: it.money.amount,
            currency: it.money.currency.code().to_owned(),
            status: it.status.code().to_owned(),
            status_details: it.note,
            payment_url: it.checkout_url.filter(|_| !is_settled),
            live: it.is_live,
            created_at: it.created_at.to_rfc3339(),
            expires_at: it.expires_at.to_rfc3339(),
            settled_at: it.settled_at.map(Time::to_rfc3339),
            next_check_at: it.next_check_at.map(Time::to_rfc3339),
            reference: it.reference,
            narration: it.narration,
            product_sku: it.product_sku,
        }
    }
}

#[cfg(test)]
mod tests;
