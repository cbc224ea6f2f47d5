//! What a provider can say of a payment.

use std::fmt;

use crate::error::Error;
use crate::model::money::payment::Provider;

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
    Error::ProviderRefused(format!(
        "{} did not take the payment ({}). Nothing was charged: try again, or contact the administrator",
        provider.label(),
        note(why)
    ))
}
