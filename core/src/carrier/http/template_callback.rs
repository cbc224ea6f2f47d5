//! How the callbacks of a templated carrier are read: which field says what, in a query, a form or a JSON body.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::fields::Fields;
use super::provider::{Callback, Report, Said, number, reference, refusal, shared_reference};
use crate::error::{Error, Result};
use crate::model::message::receipt_state::ReceiptState;

/// The settings `[carriers.receipts]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Receipts {
    /// The field with the message's id: a name, or a JSON pointer when it begins with `/`.
    id: String,
    /// The field with the handset's number.
    to: String,
    /// The field with the status.
    status: String,
    /// The field with the reason.
    error: String,
    /// From the provider's statuses, in small letters, to `delivered`, `undelivered`, `expired`, `rejected`, `enroute`.
    states: BTreeMap<String, String>,
}

impl Receipts {
    /// # Errors
    /// `bad_carrier` for a state that does not exist.
    pub(super) fn check(&self) -> Result<()> {
        match self.states.values().find(|name| state(name).is_none()) {
            Some(name) => Err(Error::rule(
                "bad_carrier",
                format!(
                    "`receipts.states`: '{name}' is no state: use delivered, undelivered, expired, rejected or enroute"
                ),
            )),
            None => Ok(()),
        }
    }

    /// The receipt of a callback. `shared` where one id stands for all numbers of a request.
    pub(super) fn read(&self, callback: &Callback<'_>, shared: bool) -> Option<Vec<Report>> {
        if self.id.is_empty() || self.status.is_empty() {
            return None;
        }
        let fields = Fields::of(callback);
        let field = |name: &str| fields.get(name);
        let (id, status) = (field(&self.id)?, field(&self.status)?);
        let to = field(&self.to).as_deref().and_then(number);
        let state = self
            .states
            .get(&status.to_lowercase())
            .and_then(|name| state(name))
            .unwrap_or_else(|| guess(&status));
        let reference = match to {
            Some(to) if shared => shared_reference(&id, to),
            _ => reference(&id),
        };
        let failed = !matches!(state, ReceiptState::Delivered | ReceiptState::Enroute);
        let words = field(&self.error).unwrap_or(status);
        let error = failed.then(|| refusal(&words).reason.as_ref().into());
        Some(vec![Report { reference, to, state, error, done_at: None }])
    }
}

/// The settings `[carriers.inbound]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Inbound {
    /// The field with the provider's id of the message: without one, a callback that comes again is another message.
    id: String,
    /// The field with the handset's number.
    from: String,
    /// The field with our number.
    to: String,
    /// The field with the text.
    text: String,
    /// Fields with the values, in any case, that tell such a callback from a receipt.
    when: BTreeMap<String, String>,
}

impl Inbound {
    /// Whether the callback says that it is a message from a handset.
    pub(super) fn is_named(&self, callback: &Callback<'_>) -> bool {
        !self.when.is_empty() && self.fits(&Fields::of(callback))
    }

    fn fits(&self, fields: &Fields) -> bool {
        let says = |(name, wanted): (&String, &String)| {
            fields.get(name).is_some_and(|value| value.eq_ignore_ascii_case(wanted))
        };
        self.when.iter().all(says)
    }

    /// The message of a callback.
    pub(super) fn read(&self, callback: &Callback<'_>) -> Option<Said> {
        if self.from.is_empty() || self.text.is_empty() {
            return None;
        }
        let fields = Fields::of(callback);
        if !self.fits(&fields) {
            return None;
        }
        Some(Said {
            from: fields.get(&self.from).filter(|from| !from.is_empty())?,
            to: fields.get(&self.to).unwrap_or_default(),
            text: fields.get(&self.text)?,
            reference: fields.get(&self.id).filter(|id| !id.is_empty()),
            part: None,
        })
    }
}

fn state(name: &str) -> Option<ReceiptState> {
    match name {
        "delivered" => Some(ReceiptState::Delivered),
        "undelivered" => Some(ReceiptState::Undelivered),
        "expired" => Some(ReceiptState::Expired),
        "rejected" => Some(ReceiptState::Rejected),
        "enroute" => Some(ReceiptState::Enroute),
        _ => None,
    }
}

/// The statuses of SMPP receipts, which most providers hand on; anything else says nothing final.
fn guess(status: &str) -> ReceiptState {
    match status.to_uppercase().as_str() {
        "DELIVRD" | "DELIVERED" => ReceiptState::Delivered,
        "UNDELIV" | "UNDELIVERED" | "DELETED" | "FAILED" => ReceiptState::Undelivered,
        "EXPIRED" => ReceiptState::Expired,
        "REJECTD" | "REJECTED" => ReceiptState::Rejected,
        _ => ReceiptState::Enroute,
    }
}
