//! Africa's Talking (`POST /version1/messaging`).
//!
//! A call answers 201 with a status for each number, all of which may be refusals. Callbacks are not signed: their
//! address is the secret.

use reqwest::Url;
use reqwest::header::{ACCEPT, HeaderName};
use serde::Deserialize;
use serde_json::Value;
use talkdrum_api::kind::Kind;

use super::outgoing::{Outgoing, pairs};
use super::provider::{
    Callback, Context, Item, Outcome, Provider, Reading, Report, Said, by_status, is_account_trouble, number,
    reference, refusal, word,
};
use crate::model::message::receipt_state::ReceiptState;

/// The settings that only Africa's Talking has.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Settings {
    /// The application's name; `sandbox` in the provider's sandbox.
    pub(super) username: String,
}

#[derive(Debug)]
pub(super) struct AfricasTalking {
    pub(super) url: Url,
    pub(super) settings: Settings,
}

impl Provider for AfricasTalking {
    fn kinds(&self) -> Vec<Kind> {
        vec![Kind::Text, Kind::Unicode]
    }

    fn batch_max(&self) -> u32 {
        100
    }

    fn request(&self, items: &[Item], context: &Context<'_>) -> Outgoing {
        let to: Vec<String> = items.iter().map(|item| format!("+{}", item.to)).collect();
        let to = to.join(",");
        let text = items.first().map(Item::text).unwrap_or_default();
        let from = items.first().map_or("", |item| &*item.from);
        let pairs = [
            ("username", self.settings.username.as_str()),
            ("to", &to),
            ("message", &text),
            ("from", from),
            ("bulkSMSMode", "1"),
            ("enqueue", "1"),
        ];
        let mut url = self.url.clone();
        url.set_path(&format!("{}/version1/messaging", self.url.path().trim_end_matches('/')));
        Outgoing::post_form(url, &pairs)
            .header(HeaderName::from_static("apikey"), context.key)
            .header(ACCEPT, "application/json")
    }

    fn read(&self, items: &[Item], status: u16, body: &[u8]) -> Reading {
        let Ok(answer) = serde_json::from_slice::<Value>(body) else {
            // Errors come as plain words.
            return match status {
                400..=499 => Reading::Whole(by_status(status, &String::from_utf8_lossy(body))),
                _ => Reading::Unclear,
            };
        };
        let data = &answer["SMSMessageData"];
        let recipients = data["Recipients"].as_array().map_or(&[][..], Vec::as_slice);
        if status >= 300 {
            return Reading::Unclear;
        }
        if recipients.is_empty() {
            return match data["Message"].as_str() {
                Some(words) if is_account_trouble(words) => Reading::Whole(Outcome::Held(refusal(words))),
                Some(words) if !words.to_lowercase().starts_with("sent") => {
                    Reading::Whole(Outcome::Refused(refusal(words)))
                }
                _ => Reading::Unclear,
            };
        }
        let of = |item: &Item| {
            let is_its = |one: &&Value| one["number"].as_str().and_then(number) == Some(item.to);
            recipients.iter().find(is_its).map_or(Outcome::Unknown, outcome)
        };
        Reading::Each(items.iter().map(of).collect())
    }

    fn receipts(&self, callback: &Callback<'_>) -> Option<Vec<Report>> {
        let fields = pairs(std::str::from_utf8(callback.body).ok()?);
        let field = |name: &str| {
            fields
                .iter()
                .find(|(key, _)| key == name)
                .map(|(_, value)| value.trim())
                .filter(|it| !it.is_empty())
        };
        let state = match field("status")? {
            "Success" => ReceiptState::Delivered,
            "Failed" | "AbsentSubscriber" => ReceiptState::Undelivered,
            "Rejected" => ReceiptState::Rejected,
            "Expired" => ReceiptState::Expired,
            _ => ReceiptState::Enroute,
        };
        Some(vec![Report {
            reference: reference(field("id")?),
            to: field("phoneNumber").and_then(number),
            state,
            error: field("failureReason").map(|words| refusal(words).reason.as_ref().into()),
            done_at: None,
        }])
    }

    /// A message (`from`, `to`, `text`, `id`, `date`, `linkId`), or the provider's notice that a subscriber opted out of
    /// a sender (`phoneNumber`, `senderId`), which is kept as the STOP that it means.
    fn messages(&self, callback: &Callback<'_>) -> Vec<Said> {
        let fields = pairs(&String::from_utf8_lossy(callback.body));
        let field = |name: &str| {
            let found = fields.iter().find(|(key, _)| key == name).map(|(_, value)| value.trim().to_owned());
            found.filter(|value| !value.is_empty())
        };
        if field("status").is_some() {
            return Vec::new();
        }
        let text = fields.iter().find(|(key, _)| key == "text").map(|(_, value)| value.clone());
        let message = match (field("from"), text, field("phoneNumber"), field("senderId")) {
            (Some(from), Some(text), ..) => Some(Said {
                from,
                to: field("to").unwrap_or_default(),
                text,
                reference: field("id"),
                part: None,
            }),
            (None, None, Some(from), Some(to)) => {
                Some(Said { from, to, text: "STOP".to_owned(), reference: None, part: None })
            }
            _ => None,
        };
        message.into_iter().collect()
    }
}

fn outcome(recipient: &Value) -> Outcome {
    let words = recipient["status"].as_str().unwrap_or_default();
    let code = word(&recipient["statusCode"]).and_then(|code| code.parse::<u32>().ok());
    match code {
        Some(100..=102) => Outcome::Accepted(
            word(&recipient["messageId"])
                .filter(|id| !id.eq_ignore_ascii_case("none"))
                .map(|id| reference(&id)),
        ),
        Some(405) => Outcome::Held(refusal(words)),
        Some(401..=409 | 502) => Outcome::Refused(refusal(words)),
        // 500 and 501, errors of the provider's own: it may have gone out.
        _ => Outcome::Unknown,
    }
}
