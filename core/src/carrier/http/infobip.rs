//! Infobip (`POST /sms/3/messages`), with reports and messages from handsets pushed to us or asked for
//! (`GET /sms/3/reports`, `GET /sms/1/inbox/reports`).
//!
//! The message's id is ours, so that a receipt also finds a message whose answer was lost.

use std::time::Duration;

use reqwest::Url;
use reqwest::header::{ACCEPT, AUTHORIZATION};
use serde::Deserialize;
use serde_json::{Value, json};
use talkdrum_api::kind::Kind;

use super::outgoing::Outgoing;
use super::provider::{
    Asked, Callback, Context, Item, Outcome, Provider, Reading, Report, Said, by_status, number, reference,
    refusal, word,
};
use crate::content::{Body, Encoding};
use crate::model::message::receipt_state::ReceiptState;
use crate::time::Time;

/// Reports or messages asked for at once: the provider's limit. It keeps them for 48 hours.
const LIMIT: &str = "limit=1000";
/// NOT_ENOUGH_CREDITS.
const NO_CREDIT: i64 = 12;
/// REJECTED_DUPLICATE_MESSAGE_ID: it was taken before.
const DUPLICATE: i64 = 23;

/// The settings that only Infobip has.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Settings {
    /// Seconds between two looks for reports; 0 never asks. Where callbacks are set up, leave it at 0: a report is given
    /// out once.
    pub(super) poll_s: u32,
    /// Seconds between two looks for messages from handsets; 0 never asks. The same holds for them.
    pub(super) inbox_poll_s: u32,
}

#[derive(Debug)]
pub(super) struct Infobip {
    pub(super) url: Url,
    pub(super) settings: Settings,
}

impl Infobip {
    fn at(&self, path: &str) -> Url {
        let mut url = self.url.clone();
        url.set_path(&format!("{}{path}", self.url.path().trim_end_matches('/')));
        url
    }
}

impl Provider for Infobip {
    fn kinds(&self) -> Vec<Kind> {
        Kind::SMS.to_vec()
    }

    fn batch_max(&self) -> u32 {
        500
    }

    fn shares_text(&self) -> bool {
        false
    }

    fn by_part(&self, body: &Body) -> bool {
        body.encoding == Encoding::Binary
    }

    fn takes_our_reference(&self) -> bool {
        true
    }

    fn request(&self, items: &[Item], context: &Context<'_>) -> Outgoing {
        let messages: Vec<Value> = items.iter().map(|item| message(item, context)).collect();
        Outgoing::post_json(self.at("/sms/3/messages"), &json!({ "messages": messages }))
            .header(AUTHORIZATION, &format!("App {}", context.key))
            .header(ACCEPT, "application/json")
    }

    fn read(&self, items: &[Item], status: u16, body: &[u8]) -> Reading {
        let Ok(answer) = serde_json::from_slice::<Value>(body) else { return Reading::Unclear };
        if status >= 300 {
            let old = &answer["requestError"]["serviceException"]["text"];
            let words = old.as_str().or(answer["description"].as_str()).unwrap_or_default();
            return if status < 500 { Reading::Whole(by_status(status, words)) } else { Reading::Unclear };
        }
        let answers = answer["messages"].as_array().map_or(&[][..], Vec::as_slice);
        if answers.is_empty() {
            return Reading::Unclear;
        }
        let of = |item: &Item| {
            let is_its = |one: &&Value| one["messageId"].as_str() == Some(&*item.ours);
            answers.iter().find(is_its).map_or(Outcome::Unknown, |one| outcome(item, &one["status"]))
        };
        Reading::Each(items.iter().map(of).collect())
    }

    fn receipts(&self, callback: &Callback<'_>) -> Option<Vec<Report>> {
        let body: Value = serde_json::from_slice(callback.body).ok()?;
        Some(body["results"].as_array()?.iter().filter_map(report).collect())
    }

    fn messages(&self, callback: &Callback<'_>) -> Vec<Said> {
        let body: Value = serde_json::from_slice(callback.body).unwrap_or_default();
        body["results"].as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(said).collect()
    }

    fn poll_every(&self, what: Asked) -> Option<Duration> {
        let every = match what {
            Asked::Reports => self.settings.poll_s,
            Asked::Inbox => self.settings.inbox_poll_s,
        };
        (every != 0).then(|| Duration::from_secs(every.into()))
    }

    fn poll(&self, what: Asked, context: &Context<'_>) -> Option<Outgoing> {
        let mut url = self.at(match what {
            Asked::Reports => "/sms/3/reports",
            Asked::Inbox => "/sms/1/inbox/reports",
        });
        url.set_query(Some(LIMIT));
        let request = Outgoing::get(url).header(AUTHORIZATION, &format!("App {}", context.key));
        Some(request.header(ACCEPT, "application/json"))
    }
}

fn message(item: &Item, context: &Context<'_>) -> Value {
    let content = match item.body.encoding {
        Encoding::Binary => {
            let header = item.header();
            let class = if header.is_empty() { 0 } else { 0x40 };
            let octets = [header.as_slice(), item.part_data()].concat();
            json!({ "hex": hex::encode_upper(octets), "dataCoding": 4, "esmClass": class })
        }
        Encoding::Gsm7 | Encoding::Ucs2 => json!({ "text": item.text() }),
    };
    let mut options = json!({});
    if item.body.flash {
        options["flash"] = json!(true);
    }
    if let Some(left) = item.validity(context.now) {
        // The provider takes 48 hours at most.
        let minutes = (left.as_secs() / 60).clamp(1, 48 * 60);
        options["validityPeriod"] = json!({ "amount": minutes, "timeUnit": "MINUTES" });
    }
    let mut message = json!({
        "sender": &*item.from,
        "destinations": [{ "to": item.to.to_string(), "messageId": &*item.ours }],
        "content": content,
        "options": options,
    });
    if let Some(address) = context.receipts_to {
        message["webhooks"] = json!({ "delivery": { "url": address, "intermediateReport": false } });
    }
    message
}

fn outcome(item: &Item, status: &Value) -> Outcome {
    let words = status["description"].as_str().or(status["name"].as_str()).unwrap_or_default();
    match (status["groupId"].as_i64(), status["id"].as_i64()) {
        (_, Some(NO_CREDIT)) => Outcome::Held(refusal(words)),
        (_, Some(DUPLICATE)) => Outcome::Unknown,
        (Some(0 | 1 | 3), _) => Outcome::Accepted(Some(item.own_reference())),
        (Some(2 | 4 | 5), _) => Outcome::Refused(refusal(words)),
        _ => Outcome::Unknown,
    }
}

fn report(result: &Value) -> Option<Report> {
    let state = match result["status"]["groupId"].as_i64()? {
        2 => ReceiptState::Undelivered,
        3 => ReceiptState::Delivered,
        4 => ReceiptState::Expired,
        5 => ReceiptState::Rejected,
        _ => ReceiptState::Enroute,
    };
    let failed = !matches!(state, ReceiptState::Delivered | ReceiptState::Enroute);
    let words = result["error"]["description"].as_str().or(result["status"]["name"].as_str());
    Some(Report {
        reference: reference(&word(&result["messageId"])?),
        to: word(&result["to"]).as_deref().and_then(number),
        state,
        error: words.filter(|_| failed).map(|words| refusal(words).reason.as_ref().into()),
        done_at: result["doneAt"].as_str().and_then(done_at),
    })
}

/// A result of the format `MO_JSON_2`; one with a status is a report.
fn said(result: &Value) -> Option<Said> {
    if !result["status"].is_null() {
        return None;
    }
    Some(Said {
        from: word(&result["from"])?,
        to: word(&result["to"]).unwrap_or_default(),
        text: result["text"].as_str()?.to_owned(),
        reference: word(&result["messageId"]),
        part: None,
    })
}

/// `2026-11-21T09:30:00.000+0000`, which is no RFC 3339.
fn done_at(text: &str) -> Option<Time> {
    let stamp = jiff::Timestamp::strptime("%Y-%m-%dT%H:%M:%S%.f%z", text).ok()?;
    Some(Time(stamp.as_millisecond()))
}
