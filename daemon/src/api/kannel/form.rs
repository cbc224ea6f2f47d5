//! A call's parameters as a message: which are kept, which are left out, and which are refused.

use std::collections::HashSet;
use std::time::Duration;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use serde::Deserialize;
use talkdrum_api::kind::Kind;
use talkdrum_core::Time;
use talkdrum_core::content::{Content, ContentFields};
use talkdrum_core::model::webhook::receipt_callback::{CallbackDetails, ReceiptCallback};
use talkdrum_core::phone;
use talkdrum_core::webhook::endpoint::Reach;
use talkdrum_core::webhook::receipt_callback;
use utoipa::{IntoParams, ToSchema};

use super::params::Params;
use super::reply::Reply;

/// Numbers in one call.
pub(super) const NUMBERS_MAX: usize = 50;
/// Kannel's longest account, in characters.
const LONGEST_ACCOUNT: usize = 64;
/// The longest billing information, in characters.
const LONGEST_BILLING: usize = 255;

/// The parameters, as Kannel names them. Others are left out, as Kannel leaves out what it does not know.
#[derive(Deserialize, IntoParams, ToSchema)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "kebab-case")]
#[expect(dead_code, reason = "for the document: a text may be of any charset, so the bytes are read")]
pub(super) struct SendSms {
    /// The user's name, or the beginning of the API key that lists show (`td_` and eight digits). `user` is the same.
    username: String,
    /// An API key with the scope `send`. `pass` is the same.
    password: String,
    /// The number, in any form; up to 50 with spaces between them, each a message of its own.
    to: String,
    /// What it says, in `charset`.
    text: String,
    /// The sender id: `WEBSMS`, or an approved one.
    from: String,
    /// The charset of `text`; UTF-8 when it is left out, with `coding` 2 UTF-16BE.
    charset: Option<String>,
    /// 0 for GSM 7 bit, which is meant when it is left out, 2 for UCS-2. 1 (8 bit) is refused.
    coding: Option<i64>,
    /// 0 for a flash message; 1 is an ordinary one. 2 and 3 are refused.
    mclass: Option<i64>,
    /// Minutes that it waits: up to a year.
    deferred: Option<i64>,
    /// Events that `dlr-url` is called for, a sum of 1 delivered, 2 not delivered, 8 accepted by the carrier, 16 refused by
    /// it. 4 and 32 are taken and never happen. `dlrmask` is the same.
    dlr_mask: Option<i64>,
    /// Called by GET for these events, with Kannel's placeholders; at most 2,000 bytes. `dlrurl` is the same.
    dlr_url: Option<String>,
    /// Repeated by the placeholder `%o`.
    account: Option<String>,
    /// Repeated by the placeholder `%B`.
    binfo: Option<String>,
    /// `espees` or `paystack` (alias `naira`), which is meant when it is left out. Kannel has no such parameter.
    #[serde(rename = "payment_method")]
    payment_method: Option<String>,
}

/// A call that can be carried out.
#[derive(Debug)]
pub(super) struct Call {
    /// The numbers as they were written, each once.
    pub(super) numbers: Vec<String>,
    /// What is longer than any number: it gets no message.
    pub(super) too_long: Vec<String>,
    pub(super) sender: String,
    pub(super) payment_method: String,
    pub(super) kind: Kind,
    pub(super) text: String,
    pub(super) start: Option<Time>,
    callback: Option<ReceiptCallback>,
}

impl Call {
    /// Reads a call in the order of Kannel's checks. `service` is the user's name.
    ///
    /// # Errors
    /// 400 with Kannel's text, where it has one.
    pub(super) fn read(params: &Params, service: &str, reach: Reach, now: Time) -> Result<Self, Reply> {
        let (numbers, too_long) = numbers(params)?;
        refuse_unsupported(params)?;
        let sender = params.text(&["from"]);
        if sender.is_empty() {
            return Err(Reply::refused("Sender missing and no global set, rejected"));
        }
        let account = params.text(&["account"]);
        if account.chars().count() > LONGEST_ACCOUNT || account.contains(['[', ']', '\n', '\r']) {
            return Err(Reply::refused("Account field misformed or too long, rejected"));
        }
        let billing = params.text(&["binfo"]);
        if billing.chars().count() > LONGEST_BILLING {
            return Err(Reply::refused("BInfo field too long, rejected"));
        }
        let details = CallbackDetails {
            to: String::new(),
            from: sender.chars().take(LONGEST_ACCOUNT).collect(),
            service: service.to_owned(),
            account,
            billing,
        };
        let mask = params.number(&["dlr-mask", "dlrmask"], "DLR-Mask", 0..=63)?;
        let longest = CallbackDetails { to: "+".repeat(LONGEST_NUMBER), ..details };
        let url = params.text(&["dlr-url", "dlrurl"]);
        let callback = receipt_callback::parse(&url, mask, longest, reach)?;
        let coding = params.number(&["coding"], "Coding", 0..=2)?.unwrap_or(0);
        let kind = kind(params, coding)?;
        // Both are taken as hints: how long and by which queue a carrier keeps trying is the platform's.
        params.number(&["validity"], "Validity", 0..=i64::from(u32::MAX))?;
        let deferred = params.number(&["deferred"], "Deferred", 0..=i64::from(u32::MAX))?;
        params.number(&["priority"], "Priority", 0..=3)?;
        let minutes = deferred.filter(|minutes| *minutes > 0).map(i64::unsigned_abs);
        Ok(Self {
            numbers,
            too_long,
            sender,
            payment_method: Some(params.text(&["payment_method"]))
                .filter(|method| !method.is_empty())
                .unwrap_or_else(|| "paystack".to_owned()),
            kind,
            text: text(params, coding)?,
            start: minutes.map(|minutes| now + Duration::from_secs(minutes.saturating_mul(60))),
            callback,
        })
    }

    /// What its messages say.
    pub(super) fn content(&self) -> talkdrum_core::Result<Content> {
        Content::parse(self.kind, &ContentFields { message: Some(&self.text), ..ContentFields::default() })
    }

    /// Where the sender is called about the message to a number.
    pub(super) fn callback(&self, to: &str) -> Option<ReceiptCallback> {
        let mut callback = self.callback.clone()?;
        callback.details.to = to.to_owned();
        Some(callback)
    }
}

/// Bytes of a number as it is written.
const LONGEST_NUMBER: usize = 32;

/// The numbers, each once however it is written, and what is too long for one.
fn numbers(params: &Params) -> Result<(Vec<String>, Vec<String>), Reply> {
    if params.bytes("to").is_none() {
        return Err(Reply::refused("Missing receiver number, rejected"));
    }
    let (mut numbers, mut too_long, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    for number in params.text(&["to"]).split_whitespace() {
        // What is no number is told apart as it is written.
        if !seen.insert(phone::parse(number).map_err(|_| number.to_owned())) {
            continue;
        }
        if seen.len() > NUMBERS_MAX {
            let text = format!("Too many receivers, rejected: at most {NUMBERS_MAX} in a call");
            return Err(Reply::refused(text));
        }
        let list = if number.len() > LONGEST_NUMBER { &mut too_long } else { &mut numbers };
        list.push(number.to_owned());
    }
    match seen.is_empty() {
        true => Err(Reply::refused("Empty receiver number not allowed, rejected")),
        false => Ok((numbers, too_long)),
    }
}

/// What would be another message without them.
fn refuse_unsupported(params: &Params) -> Result<(), Reply> {
    if params.bytes("udh").is_some_and(|udh| !udh.is_empty()) {
        return Err(Reply::refused("UDH is not supported, rejected"));
    }
    for (name, called, most) in [("mwi", "MWI", 7), ("compress", "Compress", 1)] {
        if params.number(&[name], called, 0..=most)?.is_some_and(|number| number > 0 || name == "mwi") {
            return Err(Reply::refused(format!("{called} is not supported, rejected")));
        }
    }
    Ok(())
}

fn kind(params: &Params, coding: i64) -> Result<Kind, Reply> {
    let class = params.number(&["mclass"], "MClass", 0..=3)?;
    match (class, coding) {
        (Some(2 | 3), _) => Err(Reply::refused("MClass 2 and 3 are not supported, rejected")),
        (_, 1) => Err(Reply::refused("Coding 1 (8 bit) is not supported, rejected")),
        (Some(0), 2) => Err(Reply::refused("MClass 0 with coding 2 is not supported, rejected")),
        (Some(0), _) => Ok(Kind::Flash),
        (_, 2) => Ok(Kind::Unicode),
        _ => Ok(Kind::Text),
    }
}

/// The text, out of its charset.
fn text(params: &Params, coding: i64) -> Result<String, Reply> {
    let bytes = params.bytes("text").unwrap_or_default();
    // Big endian where nothing says otherwise, as SMPP has it; `encoding_rs` takes these for little endian, as browsers do.
    let charset = match params.text(&["charset"]).to_ascii_lowercase().as_str() {
        "" if coding == 2 => Some(UTF_16BE),
        "" => Some(UTF_8),
        "utf-16" | "utf16" | "ucs-2" | "ucs2" | "iso-10646-ucs-2" | "unicode" | "csunicode" => {
            Some(if bytes.starts_with(&[0xFF, 0xFE]) { UTF_16LE } else { UTF_16BE })
        }
        "ucs-2be" => Some(UTF_16BE),
        "ucs-2le" => Some(UTF_16LE),
        label => Encoding::for_label(label.as_bytes()),
    };
    let refused = || Reply::refused("Charset or body misformed, rejected");
    let (text, is_damaged) = charset.ok_or_else(refused)?.decode_with_bom_removal(bytes);
    if is_damaged || text.contains('\0') { Err(refused()) } else { Ok(text.into_owned()) }
}
