//! Kannel's smsbox (`GET /cgi-bin/sendsms`, user guide chapter 6).
//!
//! Kannel names no message, so its receipts call an address that holds our own reference. Parts are cut here, so that
//! each is answered and reported on its own; `sendsms-user` needs no `concatenation`. A `sms-service` hands messages from
//! handsets on, with `id=%I&from=%p&to=%P&coding=%c&charset=%C&udh=%u&text=%b` behind the same address.

use reqwest::Url;
use serde::Deserialize;
use talkdrum_api::kind::Kind;

use super::outgoing::{Outgoing, escaped, octet_pairs, pairs, push_pair};
use super::provider::{
    Callback, Context, Item, Outcome, Provider, Reading, Report, Said, by_status, number, reference, refusal,
};
use crate::carrier::smpp::concatenation;
use crate::carrier::{InboundPart, Script};
use crate::content::{Body, Encoding, gsm7};
use crate::model::message::receipt_state::ReceiptState;
use crate::time::Time;

/// Delivered, failed, accepted and rejected by the SMSC.
const DLR_MASK: &str = "27";

/// The settings that only Kannel has.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Settings {
    /// Of the `sendsms-user`; its password is the carrier's `api_key` (or `password`).
    pub(super) username: String,
    /// The `smsc-id` to send through; Kannel's own routing when empty.
    pub(super) smsc: String,
    /// For Kannel's access log.
    pub(super) account: String,
}

#[derive(Debug)]
pub(super) struct Kannel {
    pub(super) url: Url,
    pub(super) settings: Settings,
}

impl Provider for Kannel {
    fn kinds(&self) -> Vec<Kind> {
        Kind::SMS.to_vec()
    }

    fn by_part(&self, _body: &Body) -> bool {
        true
    }

    fn takes_our_reference(&self) -> bool {
        true
    }

    fn request(&self, items: &[Item], context: &Context<'_>) -> Outgoing {
        let mut url = self.url.clone();
        let mut query = String::new();
        let mut push = |name: &str, value: &[u8]| push_pair(&mut query, name, value);
        push("username", self.settings.username.as_bytes());
        push("password", context.key.as_bytes());
        if !self.settings.smsc.is_empty() {
            push("smsc", self.settings.smsc.as_bytes());
        }
        if !self.settings.account.is_empty() {
            push("account", self.settings.account.as_bytes());
        }
        if let Some(item) = items.first() {
            push("from", item.from.as_bytes());
            push("to", item.to.to_string().as_bytes());
            match item.body.encoding {
                Encoding::Gsm7 => {
                    push("coding", b"0");
                    push("charset", b"UTF-8");
                    push("text", gsm7::decode(item.part_data()).as_bytes());
                }
                Encoding::Ucs2 => {
                    push("coding", b"2");
                    push("text", item.part_data());
                }
                Encoding::Binary => {
                    push("coding", b"1");
                    push("text", item.part_data());
                }
            }
            let header = item.header();
            if !header.is_empty() {
                push("udh", &header);
            }
            if item.body.flash {
                push("mclass", b"0");
            }
            if let Some(left) = item.validity(context.now) {
                push("validity", (left.as_secs() / 60).max(1).to_string().as_bytes());
            }
            if let Some(address) = context.receipts_to {
                push("dlr-mask", DLR_MASK.as_bytes());
                let address = format!("{address}?id={}&type=%d&to=%p&ts=%T&err=%A", escaped(&item.ours));
                push("dlr-url", address.as_bytes());
            }
        }
        url.set_query(Some(&query));
        Outgoing::get(url)
    }

    fn read(&self, items: &[Item], status: u16, body: &[u8]) -> Reading {
        let words = String::from_utf8_lossy(body);
        let words = words.trim();
        let outcome = match status {
            200..=202 if words.starts_with("0:") || words.starts_with("3:") || words.starts_with("Sent") => {
                Outcome::Accepted(items.first().map(Item::own_reference))
            }
            // Kannel took nothing: its queue is full, or the bearerbox is away.
            503 => Outcome::Throttled(refusal(words)),
            // "Authorization failed" and "Denied": not this message's fault.
            403 => Outcome::Held(refusal(words)),
            400..=499 => by_status(status, words),
            _ => return Reading::Unclear,
        };
        Reading::Whole(outcome)
    }

    fn receipts(&self, callback: &Callback<'_>) -> Option<Vec<Report>> {
        let fields = pairs(callback.query);
        let field = |name: &str| fields.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
        let state = match field("type")? {
            "1" => ReceiptState::Delivered,
            "2" => ReceiptState::Undelivered,
            "16" => ReceiptState::Rejected,
            "4" | "8" | "32" => ReceiptState::Enroute,
            _ => return None,
        };
        let words = field("err").unwrap_or_default();
        let error = words.split("err:").nth(1).and_then(|rest| rest.split_whitespace().next());
        let done_at = field("ts").and_then(|text| text.parse::<i64>().ok()).filter(|at| *at > 0);
        Some(vec![Report {
            reference: reference(field("id").filter(|id| !id.is_empty())?),
            to: field("to").and_then(number),
            state,
            error: error.map(Into::into),
            done_at: done_at.and_then(|seconds| seconds.checked_mul(1_000)).map(Time),
        }])
    }

    fn messages(&self, callback: &Callback<'_>) -> Vec<Said> {
        let fields = octet_pairs(callback.query);
        let octets =
            |name: &str| fields.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_slice());
        let field = |name: &str| {
            let value = octets(name).map(|value| String::from_utf8_lossy(value).trim().to_owned());
            value.filter(|value| !value.is_empty())
        };
        let (None, Some(from), Some(said)) = (field("type"), field("from"), octets("text")) else {
            return Vec::new();
        };
        let charset = field("charset").unwrap_or_default().to_uppercase();
        let (script, said) = match field("coding").as_deref() {
            Some("1") => (Script::Binary, said.to_vec()),
            Some("2") if charset.is_empty() || charset.starts_with("UTF-16") => (Script::Ucs2, said.to_vec()),
            _ if charset == "WINDOWS-1252" || charset == "ISO-8859-1" => (Script::Latin1, said.to_vec()),
            // Kannel hands text on in UTF-8.
            _ => (
                Script::Ucs2,
                String::from_utf8_lossy(said).encode_utf16().flat_map(u16::to_be_bytes).collect(),
            ),
        };
        // Where `sms-combine-concatenated-mo` is off; the header begins with its length.
        let part = octets("udh")
            .and_then(|header| header.split_first())
            .and_then(|(_, elements)| concatenation(elements))
            .and_then(|(reference, total, place)| InboundPart::new(reference, total, place, script, &said));
        let text = if part.is_some() { String::new() } else { script.text(&said) };
        vec![Said { from, to: field("to").unwrap_or_default(), text, reference: field("id"), part }]
    }
}
