//! The two providers, and what one of them can say of a payment.

use std::fmt;
use std::str::FromStr;

use talkdrum_api::money::Currency;

use crate::error::{Error, Result};

/// Who takes the payer's money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Provider {
    /// Cards and banks, in Naira.
    Paystack,
    /// The digital currency ESPEES.
    Espees,
}

impl Provider {
    /// The word of database and API.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Paystack => "paystack",
            Self::Espees => "espees",
        }
    }

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
        match text.trim() {
            "paystack" => Ok(Self::Paystack),
            "espees" => Ok(Self::Espees),
            other => Err(Error::field(
                "provider",
                "unknown_provider",
                format!("'{other}' is no payment provider: use paystack or espees"),
            )),
        }
    }
}

/// What a provider says of a payment, compared with what we stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Paid, and every figure is ours.
    Paid,
    /// It says paid, but something is not as we stored it: a person has to look.
    Mismatch(String),
    /// Refused, for the time being: payers can try again on the same page.
    Failed(String),
    /// Not paid yet.
    Waiting(String),
    /// It knows of no such payment.
    Absent(String),
}

/// A text of a provider for our notes: one line, cut.
pub(super) fn note(text: &str) -> String {
    const LONGEST: usize = 200;
    let line: String = text.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
    line.trim().chars().take(LONGEST).collect()
}

/// A provider that does not answer, or not as it should.
pub(super) fn away(provider: Provider, why: impl fmt::Display) -> Error {
    tracing::warn!(provider = provider.code(), why = %note(&why.to_string()), "a payment provider failed");
    Error::unavailable(
        "provider_unavailable",
        format!(
            "{} cannot be reached at the moment. Nothing is lost: try again in a minute",
            provider.label()
        ),
    )
}

/// A provider that understood us and refuses.
pub(super) fn refused(provider: Provider, why: &str) -> Error {
    tracing::warn!(provider = provider.code(), why = %note(why), "a payment provider refused");
    Error::unavailable(
        "provider_refused",
        format!(
            "{} did not take the payment ({}). Nothing was charged: try again, or contact the administrator",
            provider.label(),
            note(why)
        ),
    )
}
