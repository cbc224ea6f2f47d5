//! Termii (`POST /api/sms/send`, `/api/sms/send/bulk`).
//!
//! A request has one message id for all its numbers, so references are id and number together.

use hmac::{Hmac, KeyInit as _, Mac as _};
use reqwest::Url;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::Sha512;
use talkdrum_api::kind::Kind;

use super::outgoing::Outgoing;
use super::provider::{
    Callback, Context, Item, Outcome, Provider, Reading, Report, Said, by_status, is_account_trouble, number,
    refusal, shared_reference, word,
};
use crate::carrier::ConfigSecret;
use crate::content::Encoding;
use crate::model::message::receipt_state::ReceiptState;

/// The settings that only Termii has.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Settings {
    /// `generic`, `dnd` or `whatsapp`.
    pub(super) channel: String,
    /// The key that signs callbacks; without it only the secret address protects them.
    pub(super) signature_secret: ConfigSecret,
}

impl Default for Settings {
    fn default() -> Self {
        Self { channel: "generic".into(), signature_secret: ConfigSecret::default() }
    }
}

#[derive(Debug)]
pub(super) struct Termii {
    pub(super) url: Url,
    pub(super) settings: Settings,
}

impl Provider for Termii {
    fn kinds(&self) -> Vec<Kind> {
        vec![Kind::Text, Kind::Unicode]
    }

    fn batch_max(&self) -> u32 {
        100
    }

    fn request(&self, items: &[Item], context: &Context<'_>) -> Outgoing {
        let first = items.first();
        let numbers: Vec<String> = items.iter().map(|item| item.to.to_string()).collect();
        let (path, to) = match numbers.as_slice() {
            [one] => ("/api/sms/send", json!(one)),
            several => ("/api/sms/send/bulk", json!(several)),
        };
        let kind = match first.map(|item| item.body.encoding) {
            Some(Encoding::Ucs2) => "unicode",
            _ => "plain",
        };
        let body = json!({
            "api_key": context.key,
            "to": to,
            "from": first.map(|item| &*item.from),
            "sms": first.map(Item::text),
            "type": kind,
            "channel": self.settings.channel,
        });
        let mut url = self.url.clone();
        url.set_path(&format!("{}{path}", self.url.path().trim_end_matches('/')));
        Outgoing::post_json(url, &body)
    }

    fn read(&self, items: &[Item], status: u16, body: &[u8]) -> Reading {
        let Ok(answer) = serde_json::from_slice::<Value>(body) else { return Reading::Unclear };
        let words = answer["message"].as_str().or(answer["error"].as_str()).unwrap_or_default();
        let is_ok = answer["code"].as_str().is_some_and(|code| code.eq_ignore_ascii_case("ok"));
        let id = word(&answer["message_id_str"]).or_else(|| word(&answer["message_id"]));
        match (status, id) {
            (200..=202, Some(id)) if is_ok || answer["code"].is_null() => Reading::Each(
                items.iter().map(|item| Outcome::Accepted(Some(shared_reference(&id, item.to)))).collect(),
            ),
            (200..=202, None) if is_ok => Reading::Each(vec![Outcome::Accepted(None); items.len()]),
            (200..=202 | 400 | 402..=404 | 422, _) if is_trouble(words) => {
                Reading::Whole(Outcome::Held(refusal(words)))
            }
            // It may have been taken: words alone refuse nothing that was answered with success.
            (200..=299, _) => Reading::Whole(Outcome::Unknown),
            (400 | 402..=404 | 422, _) if !words.is_empty() => {
                Reading::Whole(Outcome::Refused(refusal(words)))
            }
            (400.., _) => Reading::Whole(by_status(status, words)),
            _ => Reading::Unclear,
        }
    }

    fn receipts(&self, callback: &Callback<'_>) -> Option<Vec<Report>> {
        Some(events(callback)?.iter().filter_map(report).collect())
    }

    fn messages(&self, callback: &Callback<'_>) -> Vec<Said> {
        events(callback).unwrap_or_default().iter().filter_map(said).collect()
    }

    fn is_signed(&self, callback: &Callback<'_>) -> Option<bool> {
        let secret = self.settings.signature_secret.reveal();
        if secret.is_empty() {
            return None;
        }
        let given = callback.headers.get("x-termii-signature").and_then(|value| value.to_str().ok());
        let given = given.and_then(|text| hex::decode(text.trim()).ok()).unwrap_or_default();
        // `verify_slice` compares in constant time.
        let expected =
            Hmac::<Sha512>::new_from_slice(secret.as_bytes()).map(|mac| mac.chain_update(callback.body));
        Some(expected.is_ok_and(|mac| mac.verify_slice(&given).is_ok()))
    }
}

/// Whether the account is at fault: credit, credentials, or a sender that is not set up.
fn is_trouble(words: &str) -> bool {
    is_account_trouble(words) || words.to_lowercase().contains("set up on this route")
}

fn events(callback: &Callback<'_>) -> Option<Vec<Value>> {
    let body: Value = serde_json::from_slice(callback.body).ok()?;
    Some(match body {
        Value::Array(events) => events,
        one => vec![one],
    })
}

/// `{"type":"inbound","id","message_id","sender","receiver","message","received_at",...}`.
fn said(event: &Value) -> Option<Said> {
    if !event["type"].as_str()?.eq_ignore_ascii_case("inbound") {
        return None;
    }
    Some(Said {
        from: word(&event["sender"])?,
        to: word(&event["receiver"]).unwrap_or_default(),
        text: event["message"].as_str().unwrap_or_default().to_owned(),
        reference: word(&event["message_id"]).or_else(|| word(&event["id"])),
        part: None,
    })
}

/// Inbound messages and unknown kinds are none.
fn report(event: &Value) -> Option<Report> {
    if event["type"].as_str().is_some_and(|kind| !kind.eq_ignore_ascii_case("outbound")) {
        return None;
    }
    let to = number(&word(&event["receiver"])?)?;
    let id = word(&event["message_id"]).or_else(|| word(&event["id"]))?;
    let status = event["status"].as_str()?.trim();
    let state = state(status);
    let failed = !matches!(state, ReceiptState::Delivered | ReceiptState::Enroute);
    let error = failed.then(|| refusal(status).reason.as_ref().into());
    Some(Report { reference: shared_reference(&id, to), to: Some(to), state, error, done_at: None })
}

/// Termii's statuses are free text that begins with a few known words.
fn state(status: &str) -> ReceiptState {
    let status = status.to_lowercase();
    let begins = |words: &[&str]| words.iter().any(|word| status.starts_with(word));
    if begins(&["delivered"]) {
        ReceiptState::Delivered
    } else if begins(&["expired", "message expired"]) {
        ReceiptState::Expired
    } else if begins(&["rejected", "message rejected", "dnd"]) {
        ReceiptState::Rejected
    } else if begins(&["message failed", "failed", "undelivered", "not delivered"]) {
        ReceiptState::Undelivered
    } else {
        ReceiptState::Enroute
    }
}
