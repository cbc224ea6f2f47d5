//! How providers differ: the requests they want, and the answers, receipts and messages that they give.
//!
//! A provider is a pure translator: it knows no network, no clock, no store. Invariant: a reading has an outcome for
//! each item, and `Accepted` or `Refused` only where the provider answered that.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::HeaderMap;
use serde_json::Value;
use talkdrum_api::kind::Kind;

use super::outgoing::Outgoing;
use crate::carrier::smpp::concatenation_reference as concatenation;
use crate::carrier::{InboundPart, Reference, Refusal};
use crate::content::{Body, Encoding, gsm7};
use crate::model::message::id::MessageId;
use crate::model::message::receipt_state::ReceiptState;
use crate::phone::Msisdn;
use crate::time::Time;

/// Words of a provider are kept up to here.
const WORDS_MAX: usize = 160;

/// A short message, or a whole text, to one number.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) message: MessageId,
    /// Which short message of it; `None` for the whole.
    pub(super) part: Option<u8>,
    pub(super) to: Msisdn,
    pub(super) from: Arc<str>,
    pub(super) body: Arc<Body>,
    /// Our own id for it, new with every try.
    pub(super) ours: Box<str>,
    pub(super) expires_at: Option<Time>,
}

impl Item {
    /// The text, whole.
    pub(super) fn text(&self) -> String {
        let parts = self.body.parts.iter();
        match self.body.encoding {
            Encoding::Ucs2 => parts.map(|part| utf16(&part.data)).collect(),
            Encoding::Gsm7 => {
                gsm7::decode(&parts.flat_map(|part| part.data.iter().copied()).collect::<Vec<u8>>())
            }
            Encoding::Binary => String::new(),
        }
    }

    /// How long it is still of use.
    pub(super) fn validity(&self, now: Time) -> Option<Duration> {
        self.expires_at.map(|expiry| expiry.since(now))
    }

    /// The reference that is ours.
    pub(super) fn own_reference(&self) -> Reference {
        reference(&self.ours)
    }

    /// The user data header of a part: ports, and the place among several (3GPP TS 23.040, 9.2.3.24).
    pub(super) fn header(&self) -> Vec<u8> {
        let mut elements = Vec::new();
        if let Some((to, from)) = self.body.ports {
            let ([t1, t2], [f1, f2]) = (to.to_be_bytes(), from.to_be_bytes());
            elements.extend([5, 4, t1, t2, f1, f2]);
        }
        let total = u8::try_from(self.body.parts.len()).unwrap_or(u8::MAX);
        if let Some(part) = self.part.filter(|_| total > 1) {
            let [_, reference] = concatenation(self.message).to_be_bytes();
            elements.extend([0, 3, reference, total, part + 1]);
        }
        if !elements.is_empty() {
            elements.insert(0, u8::try_from(elements.len()).unwrap_or(u8::MAX));
        }
        elements
    }

    /// The octets of the part at hand.
    pub(super) fn part_data(&self) -> &[u8] {
        self.body.parts.get(usize::from(self.part.unwrap_or(0))).map_or(&[], |part| &part.data)
    }
}

/// UTF-16BE as text.
pub(super) fn utf16(octets: &[u8]) -> String {
    let units = octets.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// What a request is built with.
#[derive(Debug)]
pub(super) struct Context<'a> {
    pub(super) key: &'a str,
    pub(super) now: Time,
    /// Where receipts are to be sent, when that is known.
    pub(super) receipts_to: Option<&'a str>,
}

/// What became of one item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The provider has it; without a reference its receipt cannot be told.
    Accepted(Option<Reference>),
    /// For good.
    Refused(Refusal),
    /// For now: certainly not taken.
    Throttled(Refusal),
    /// Certainly not taken, and nothing else will be until the operator corrects it: credit, credentials.
    Held(Refusal),
    /// It may have been sent.
    Unknown,
}

/// What an answer says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Of each item, in their order.
    Each(Vec<Outcome>),
    /// Of the request as a whole.
    Whole(Outcome),
    /// Nothing that is understood: the status decides.
    Unclear,
}

/// A receipt as a provider reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The reference of the message.
    pub reference: Reference,
    /// The handset.
    pub to: Option<Msisdn>,
    /// What it says.
    pub state: ReceiptState,
    /// Why, where it failed.
    pub error: Option<Box<str>>,
    /// When the network was done.
    pub done_at: Option<Time>,
}

/// A message from a handset as a provider hands it on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The handset.
    pub from: String,
    /// Our number or short code.
    pub to: String,
    /// What it says; empty for a part of a longer one.
    pub text: String,
    /// The provider's id for it: a message with the same id is a repeat.
    pub reference: Option<String>,
    /// The part that it is, where the provider does not join them.
    pub part: Option<InboundPart>,
}

/// What a callback tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallbackReport {
    /// What became of our messages.
    pub reports: Vec<Report>,
    /// What handsets sent.
    pub messages: Vec<Said>,
}

/// A callback as it came.
#[derive(Clone, Copy, Debug)]
pub struct Callback<'a> {
    /// Its headers.
    pub headers: &'a HeaderMap,
    /// The query, undecoded.
    pub query: &'a str,
    /// The raw body.
    pub body: &'a [u8],
}

/// What a provider returns to a poll; each report once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// What became of our messages.
    Reports,
    /// What handsets sent.
    Inbox,
}

impl Asked {
    pub(super) const ALL: [Self; 2] = [Self::Reports, Self::Inbox];

    /// In lines of logs and traces.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Reports => "reports",
            Self::Inbox => "inbox",
        }
    }
}

/// A provider.
pub(super) trait Provider: Send + Sync + fmt::Debug {
    /// The kinds it carries.
    fn kinds(&self) -> Vec<Kind>;

    /// Messages in one request, by the provider's own limit.
    fn batch_max(&self) -> u32 {
        1
    }

    /// Whether messages of one request must share text and sender.
    fn shares_text(&self) -> bool {
        true
    }

    /// Whether a message is handed over short message by short message.
    fn by_part(&self, body: &Body) -> bool {
        let _ = body;
        false
    }

    /// Whether it needs a key at all.
    fn needs_key(&self) -> bool {
        true
    }

    /// Whether its receipts bear the reference that is ours, so that it is known before any answer.
    fn takes_our_reference(&self) -> bool {
        false
    }

    /// The request that sends these items: one, or several that go together.
    fn request(&self, items: &[Item], context: &Context<'_>) -> Outgoing;

    /// What the answer says.
    fn read(&self, items: &[Item], status: u16, body: &[u8]) -> Reading;

    /// The receipts of a callback; `None` when it is none that is understood.
    fn receipts(&self, callback: &Callback<'_>) -> Option<Vec<Report>>;

    /// The messages from handsets in a callback; none where it is something else.
    fn messages(&self, callback: &Callback<'_>) -> Vec<Said>;

    /// Whether the callback is signed by the provider; `None` where it signs nothing.
    fn is_signed(&self, callback: &Callback<'_>) -> Option<bool> {
        let _ = callback;
        None
    }

    /// How often that is asked for; `None` where it is not, as the provider calls.
    fn poll_every(&self, what: Asked) -> Option<Duration> {
        let _ = what;
        None
    }

    /// The request that asks for that; `None` where the provider has none.
    fn poll(&self, what: Asked, context: &Context<'_>) -> Option<Outgoing> {
        let _ = (what, context);
        None
    }
}

/// A refusal in the provider's words.
pub(super) fn refusal(words: &str) -> Refusal {
    let words = words.trim();
    let words = if words.is_empty() { "the carrier refused it and did not say why" } else { words };
    let shown = words.chars().take(WORDS_MAX).map(|c| if c.is_control() { ' ' } else { c });
    Refusal::in_words(shown.collect::<String>(), false)
}

/// A provider's name for a message, as answers and receipts both give it.
pub(super) fn reference(id: &str) -> Reference {
    Reference(id.trim().to_lowercase().into())
}

/// A name for one of several messages that share a provider's id.
pub(super) fn shared_reference(id: &str, to: Msisdn) -> Reference {
    Reference(format!("{}:{to}", id.trim().to_lowercase()).into())
}

/// A number as providers write it, with or without `+`.
pub(super) fn number(text: &str) -> Option<Msisdn> {
    let digits: String = text.chars().filter(char::is_ascii_digit).take(16).collect();
    digits.parse().ok().and_then(Msisdn::from_digits)
}

/// A string, or a number as one.
pub(super) fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Whether the error is about credit or the account, so that every other message would fail as well.
pub(super) fn is_account_trouble(words: &str) -> bool {
    let words = words.to_lowercase();
    [
        "insufficient",
        "balance",
        "credit",
        "inactive",
        "suspended",
        "not active",
        "daily limit",
        "api key",
        "apikey",
    ]
    .iter()
    .any(|sign| words.contains(sign))
}

/// What a status says where the body does not.
pub(super) fn by_status(status: u16, words: &str) -> Outcome {
    let said = |plain: &str| {
        let words = words.trim();
        refusal(&if words.is_empty() { plain.to_owned() } else { format!("{plain}: {words}") })
    };
    match status {
        401 | 402 | 403 | 407 => {
            Outcome::Held(said(&format!("the provider refused the credentials (HTTP {status})")))
        }
        300..=399 | 404 | 405 | 410 => {
            Outcome::Held(said(&format!("the provider's address is not the right one (HTTP {status})")))
        }
        429 => Outcome::Throttled(said("the provider's rate limit was exceeded")),
        400 | 406 | 409 | 411..=428 | 430..=499 => {
            Outcome::Refused(said(&format!("refused with HTTP {status}")))
        }
        // 2xx with an answer that cannot be read, 408, 5xx: the provider may have taken it.
        _ => Outcome::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Part;
    use crate::model::campaign::id::ChunkId;

    #[test]
    fn single_messages_one_after_another_have_different_concatenation_references() {
        let part = || Part { data: Box::new([1]) };
        let parts = vec![part(), part()];
        let body =
            Body { kind: Kind::Text, encoding: Encoding::Gsm7, flash: false, ports: None, parts, call: None };
        let item = |chunk: ChunkId| Item {
            message: MessageId::new(chunk, 0),
            part: Some(1),
            to: Msisdn::from_digits(2_348_031_234_567).unwrap(),
            from: "Talkdrum".into(),
            body: Arc::new(body.clone()),
            ours: "td".into(),
            expires_at: None,
        };
        let references: std::collections::BTreeSet<u8> =
            (1..=64).map(|chunk| item(ChunkId(chunk)).header()[3]).collect();
        assert!(references.len() > 40, "{references:?}");
        for chunk in 1..64 {
            assert_ne!(item(ChunkId(chunk)).header()[3], item(ChunkId(chunk + 1)).header()[3], "{chunk}");
        }
        assert_eq!(item(ChunkId(9)).header()[..3], [5, 0, 3]);
    }
}
