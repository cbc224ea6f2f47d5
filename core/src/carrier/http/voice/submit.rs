//! The one request that places a call, and what its answer means for the call and for the carrier.
//!
//! [`Submitted::Not`] is said only where the provider, or a connection that was refused, proves that no call was placed.

use std::borrow::Cow;

use serde_json::Value;

use super::fields::ID_MAX;
use super::shared::{Shared, Wait};
use crate::carrier::Refusal;
use crate::carrier::http::outgoing::Exchange;
use crate::carrier::http::provider::{Outcome, word};
use crate::carrier::voice::PlaceError;

/// What the request is filled with.
#[derive(Clone)]
pub(super) struct Values {
    pub(super) to: String,
    pub(super) from: String,
    pub(super) audio_url: String,
    pub(super) reference: String,
    pub(super) callback_url: String,
    pub(super) max_seconds: u64,
    /// How often the clip is played at most, and the keys that end the call.
    pub(super) plays: u8,
    pub(super) digits: String,
}

/// What became of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Submitted {
    /// The provider has it, under this id.
    Begun(String),
    /// Certainly not taken; why.
    Not(PlaceError),
    /// The provider does not place this one, with this HTTP status: it may be the number, or all of them.
    Failed(u16),
    /// It may have been taken; its id is not known.
    InDoubt,
}

/// Sends it, once.
pub(super) async fn submit(shared: &Shared, values: &Values) -> Submitted {
    let config = &shared.config;
    let request = config.submit.fill(|name| match name {
        "to" => Cow::Borrowed(values.to.as_str()),
        "from" => values.from.as_str().into(),
        "audio_url" => values.audio_url.as_str().into(),
        "ref" => values.reference.as_str().into(),
        "callback_url" => values.callback_url.as_str().into(),
        "max_seconds" => values.max_seconds.to_string().into(),
        "plays" => values.plays.to_string().into(),
        "digits" => values.digits.as_str().into(),
        _ => config.link.api_key.reveal().into(),
    });
    let exchange = tokio::select! {
        exchange = request.exchange(&shared.client, config.link.timeout()) => exchange,
        () = shared.cut.cancelled() => Exchange::Lost("the carrier was closed before it answered".into()),
    };
    match exchange {
        Exchange::NotSent(reason) => {
            shared.trouble(&format!("The provider cannot be reached: {reason}"), Wait::Longer);
            Submitted::Not(PlaceError::Down(reason))
        }
        Exchange::Lost(reason) => {
            shared.trouble(&format!("The answer to a call was lost: {reason}"), Wait::Longer);
            Submitted::InDoubt
        }
        // Words in the page of a gateway prove nothing.
        Exchange::Answered { status: status @ 500.., .. } => in_doubt(shared, status),
        Exchange::Answered { status: status @ (403 | 404 | 410), body, .. } => {
            let words = String::from_utf8_lossy(&body).chars().take(160).collect::<String>();
            tracing::warn!(carrier = config.name, status, words, "the provider does not place a call");
            shared.answered();
            Submitted::Failed(status)
        }
        Exchange::Answered { status, body, retry_after } => match config.patterns.refused(status, &body) {
            None | Some(Outcome::Accepted(_)) => taken(shared, values, &body),
            Some(Outcome::Unknown) => in_doubt(shared, status),
            Some(Outcome::Refused(Refusal { reason, .. })) => {
                // What it says may be about our account: it is for the operator.
                tracing::warn!(carrier = config.name, %reason, "the provider refused a call");
                shared.answered();
                Submitted::Not(PlaceError::Refused(format!("the provider refused the call (HTTP {status})")))
            }
            Some(Outcome::Throttled(Refusal { reason, .. })) => {
                let wait = retry_after.map_or(Wait::Longer, Wait::For);
                shared.trouble(&format!("The provider takes no call now: {reason}"), wait);
                Submitted::Not(PlaceError::Down(reason.to_string()))
            }
            Some(Outcome::Held(Refusal { reason, .. })) => {
                shared.trouble(&format!("The provider takes nothing: {reason}"), Wait::Longest);
                Submitted::Not(PlaceError::Down(reason.to_string()))
            }
        },
    }
}

fn in_doubt(shared: &Shared, status: u16) -> Submitted {
    let says = format!("The provider answered HTTP {status}, which does not say whether it calls");
    shared.trouble(&says, Wait::Longer);
    Submitted::InDoubt
}

/// The provider took it: under which id?
fn taken(shared: &Shared, values: &Values, body: &[u8]) -> Submitted {
    let pointer = &shared.config.id_pointer;
    if pointer.is_empty() {
        shared.answered();
        return Submitted::Begun(values.reference.clone());
    }
    let answer = serde_json::from_slice::<Value>(body).unwrap_or_default();
    // It may stand in the address of a poll.
    let is_id = |id: &String| (1..=ID_MAX).contains(&id.len()) && !matches!(id.as_str(), "." | "..");
    if let Some(id) = answer.pointer(pointer).and_then(word).filter(is_id) {
        shared.answered();
        return Submitted::Begun(id);
    }
    let says = format!("The provider took a call, and its answer has no id under `id_pointer` {pointer}");
    shared.trouble(&says, Wait::Longer);
    Submitted::InDoubt
}
