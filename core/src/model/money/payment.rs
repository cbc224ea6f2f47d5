//! Payments as they are stored: through whom, and where one stands.
//!
//! ```text
//!   initiated ──────────> pending ────────────────────────────> settled   (the ledger entry is its proof)
//!       │  provider gave     │  ▲                                  ▲ ▲
//!       │  a page to pay at  │  └─ tried again on the same page    │ │
//!       │                    ├──────────> failed ──────────────────┤ │   late success
//!       │                    │              │                      │ │
//!       ├────────────────────┴──> expired <─┘ ─────────────────────┘ │   late success
//!       │  not paid in time                                           │
//!       └───────────────────────> mismatch ──────────────────────────┘   by a person, or figures that agree at last
//! ```
//!
//! `settled` is final and is entered once, in the transaction that credits the wallet; every other status
//! may still become it, however late.

use std::fmt;
use std::str::FromStr;

use talkdrum_api::money::{Currency, Money};

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::time::Time;

words! {
    /// Who takes the payer's money.
    #[derive(Hash)]
    Provider {
        /// Cards and banks, in Naira.
        Paystack = "paystack",
        /// The digital currency ESPEES.
        Espees = "espees",
    }
}

words! {
    /// Whether a provider's key moves real money.
    PaymentMode {
        /// It does.
        Live = "live",
        /// It does not.
        Test = "test",
    }
}

impl PaymentMode {
    /// Whether real money moves.
    pub const fn is_live(self) -> bool {
        match self {
            Self::Live => true,
            Self::Test => false,
        }
    }
}

words! {
    /// Where a transaction stands, as histories show it: a ledger entry, or a payment that led to none yet.
    TransactionStatus {
        /// It is in the ledger.
        Successful = "successful",
        /// A payment that is begun, and may still come.
        Pending = "pending",
        /// A payment that was refused.
        Failed = "failed",
        /// A payment that was not made in time.
        Expired = "expired",
        /// A payment of other figures than asked for.
        Mismatch = "mismatch",
    }
}

impl From<Option<PaymentStatus>> for TransactionStatus {
    /// Of a payment; a ledger entry has none.
    fn from(payment: Option<PaymentStatus>) -> Self {
        match payment {
            None | Some(PaymentStatus::Settled) => Self::Successful,
            Some(PaymentStatus::Initiated | PaymentStatus::Pending) => Self::Pending,
            Some(PaymentStatus::Failed) => Self::Failed,
            Some(PaymentStatus::Expired) => Self::Expired,
            Some(PaymentStatus::Mismatch) => Self::Mismatch,
        }
    }
}

impl Provider {
    /// The name for people.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Paystack => "Paystack",
            Self::Espees => "ESPEES",
        }
    }

    /// What it takes.
    pub const fn currency(self) -> Currency {
        match self {
            Self::Paystack => Currency::Naira,
            Self::Espees => Currency::Espees,
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Provider {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim();
        Self::from_code(text).ok_or_else(|| {
            Error::field(
                "provider",
                "unknown_provider",
                format!("'{text}' is no payment provider: use paystack or espees"),
            )
        })
    }
}

words! {
    /// Where a payment stands.
    #[derive(Hash)]
    PaymentStatus {
        /// Stored; the provider may or may not have heard of it.
        Initiated = "initiated",
        /// The payer can pay.
        Pending = "pending",
        /// Credited.
        Settled = "settled",
        /// Refused by the provider; the payer may try again on the same page.
        Failed = "failed",
        /// Not paid in time.
        Expired = "expired",
        /// The provider says paid, with other figures than ours: a person has to look.
        Mismatch = "mismatch",
    }
}

impl fmt::Display for PaymentStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for PaymentStatus {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::from_code(text.trim()).ok_or_else(|| {
            let names = Self::ALL.iter().map(|status| status.code()).collect::<Vec<_>>().join(", ");
            Error::field(
                "status",
                "bad_status",
                format!("'{text}' is no status of a payment: use one of {names}"),
            )
        })
    }
}

id! {
    /// The id of a payment.
    PaymentId
}

id! {
    /// The id of an event that a provider told of.
    PaymentEventId
}

/// A payment.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Payment {
    /// Its id.
    pub id: PaymentId,
    /// Whose wallet it goes into.
    pub user_id: UserId,
    /// Through whom.
    pub provider: Provider,
    /// Our reference.
    pub reference: String,
    /// The provider's own reference, where it has one.
    pub provider_ref: Option<String>,
    /// Where the payer pays.
    pub checkout_url: Option<String>,
    /// How much of what is credited.
    #[sqlx(flatten)]
    pub money: Money,
    /// The payer's words.
    pub narration: String,
    /// The client's label.
    pub product_sku: Option<String>,
    /// Where it stands.
    pub status: PaymentStatus,
    /// The same in words.
    pub note: String,
    /// Whether real money moves.
    pub mode: PaymentMode,
    /// When it expires if it was not paid.
    pub expires_at: Time,
    /// When it began.
    pub created_at: Time,
    /// When it was credited.
    pub settled_at: Option<Time>,
    /// The administrator who credited it by hand.
    pub settled_by: Option<UserId>,
    /// When the provider is asked next.
    pub next_check_at: Option<Time>,
    /// What ESPEES must repeat in its confirmation.
    pub nonce: String,
    /// How often the provider was asked.
    pub checks: i64,
}

impl Payment {
    /// The reference that payers and the provider's support know: the provider's own, else ours.
    pub fn known_as(&self) -> &str {
        self.provider_ref.as_deref().unwrap_or(&self.reference)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for status in PaymentStatus::ALL {
            assert_eq!(status.code().parse::<PaymentStatus>().unwrap(), *status);
        }
        assert!("paid".parse::<PaymentStatus>().is_err());
    }
}
