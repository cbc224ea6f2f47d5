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

pub use begin::PaymentRequest;
pub use config::PaymentConfig;
pub use event::PaymentEventOutcome;
pub use manual_credit::credit_by_admin;
pub use service::PaymentService;
pub use settle::require_settled;

pub use crate::model::money::payment::{Payment, PaymentId, PaymentStatus, Provider};
use crate::time::Time;

impl From<Payment> for talkdrum_api::payment::Payment {
    fn from(it: Payment) -> Self {
        let is_settled = it.settled_at.is_some();
        Self {
            id: it.id.0,
            user_id: it.user_id.0,
            username: None,
            provider: it.provider.code().to_owned(),
            payment_ref: it.known_as().to_owned(),
            amount: it.money.amount,
            currency: it.money.currency.code().to_owned(),
            status: it.status.code().to_owned(),
            status_details: it.note,
            payment_url: it.checkout_url.filter(|_| !is_settled),
            live: it.mode.is_live(),
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
