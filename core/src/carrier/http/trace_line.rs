//! An exchange with a provider in lines, for the trace: to whom, how much, and what was understood of the answer.
//!
//! Neither addresses' queries, headers nor bodies get into a line, which may hold keys, numbers and texts.

use std::fmt::Write as _;

use super::outgoing::{Exchange, Outgoing};
use super::provider::{Item, Outcome, Reading, Report, Said};
use crate::carrier::trace::masked_words;
use crate::carrier::{Refusal, masked_number};
use crate::content::Encoding;

/// Items of one request that are shown.
const ITEMS_MAX: usize = 5;

/// The line of a request.
pub(super) fn request(request: &Outgoing, items: &[Item]) -> String {
    let host = request.url.host_str().unwrap_or("?");
    let bytes = request.body.as_ref().map_or(0, |(_, body)| body.len());
    let mut line = format!("-> {} {host} body=[{bytes} bytes] messages={}", request.method, items.len());
    for item in items.iter().take(ITEMS_MAX) {
        let octets: usize = match item.part {
            Some(_) => item.part_data().len(),
            None => item.body.parts.iter().map(|part| part.data.len()).sum(),
        };
        let encoding = match item.body.encoding {
            Encoding::Gsm7 => "GSM 7-bit",
            Encoding::Ucs2 => "UCS-2",
            Encoding::Binary => "binary",
        };
        let (from, to) = (masked_number(&item.from), masked_number(&item.to.to_string()));
        let _ = write!(line, "; {} from={from} to={to} text=[{octets} octets, {encoding}]", item.ours);
    }
    if items.len() > ITEMS_MAX {
        line.push_str("; ...");
    }
    line
}

/// What came of a request.
pub(super) fn answer(exchange: &Exchange) -> String {
    match exchange {
        Exchange::Answered { status, body, retry_after } => {
            let wait =
                retry_after.map(|wait| format!(" retry_after={}s", wait.as_secs())).unwrap_or_default();
            format!("HTTP {status} body=[{} bytes]{wait}", body.len())
        }
        Exchange::NotSent(reason) => format!("not sent: {}", masked_words(reason)),
        Exchange::Lost(reason) => format!("the answer was lost: {}", masked_words(reason)),
    }
}

/// What was understood of an answer.
pub(super) fn reading(reading: &Reading) -> String {
    match reading {
        Reading::Whole(whole) => format!("<- understood: all {}", outcome(whole)),
        Reading::Unclear => "<- understood: nothing".to_owned(),
        Reading::Each(outcomes) => {
            let mut line = "<- understood:".to_owned();
            for each in outcomes.iter().take(ITEMS_MAX) {
                let _ = write!(line, " {};", outcome(each));
            }
            if outcomes.len() > ITEMS_MAX {
                let _ = write!(line, " {} more", outcomes.len() - ITEMS_MAX);
            }
            line
        }
    }
}

fn outcome(outcome: &Outcome) -> String {
    let because = |word: &str, refusal: &Refusal| {
        format!("{word} (code {}: {})", refusal.code, masked_words(&refusal.reason))
    };
    match outcome {
        Outcome::Accepted(Some(reference)) => format!("accepted as {}", reference.0),
        Outcome::Accepted(None) => "accepted".to_owned(),
        Outcome::Refused(refusal) => because("refused", refusal),
        Outcome::Throttled(refusal) => because("throttled", refusal),
        Outcome::Held(refusal) => because("held", refusal),
        Outcome::Unknown => "unclear".to_owned(),
    }
}

/// The line of a receipt.
pub(super) fn report(report: &Report) -> String {
    let to = report.to.map_or_else(|| "?".to_owned(), |to| masked_number(&to.to_string()));
    let error = report.error.as_deref().map(|error| format!(" error={}", masked_words(error)));
    let (reference, state) = (&report.reference.0, report.state);
    format!("<- receipt reference={reference} to={to} state={state:?}{}", error.unwrap_or_default())
}

/// The line of a message from a handset.
pub(super) fn said(said: &Said) -> String {
    let (from, to) = (masked_number(&said.from), masked_number(&said.to));
    let mut line = format!("<- message from={from} to={to}");
    match &said.part {
        Some(part) => {
            let octets = part.octets.len();
            let _ = write!(line, " part={} of {} text=[{octets} octets]", part.place, part.total);
        }
        None => {
            let _ = write!(line, " text=[{} characters]", said.text.chars().count());
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use reqwest::Url;

    use super::*;
    use crate::carrier::Reference;
    use crate::model::message::receipt_state::ReceiptState;
    use crate::phone::Msisdn;

    #[test]
    fn a_request_shows_no_query_and_an_answer_no_body() {
        let url = Url::parse("https://sms.example.com/send?password=s3cret&to=2348031234567").unwrap();
        let line = request(&Outgoing::get(url), &[]);
        assert_eq!(line, "-> GET sms.example.com body=[0 bytes] messages=0");
        let answered =
            Exchange::Answered { status: 200, body: b"to 2348031234567".to_vec(), retry_after: None };
        assert_eq!(answer(&answered), "HTTP 200 body=[16 bytes]");
        let lost = Exchange::Lost("no route to 2348031234567".into());
        assert_eq!(answer(&lost), "the answer was lost: no route to 234********67");
    }

    #[test]
    fn a_message_shows_no_text() {
        let said_so = Said {
            from: "+2348031234567".into(),
            to: "30012".into(),
            text: "secret".into(),
            reference: Some("1".into()),
            part: None,
        };
        let line = said(&said_so);
        assert!(line.ends_with("text=[6 characters]") && !line.contains("8031234567"), "{line}");
    }

    #[test]
    fn what_was_understood_names_references_and_masks_numbers() {
        let refusal = Refusal { code: 4, reason: "2348031234567 is on a list".into(), is_carriers: false };
        let each =
            Reading::Each(vec![Outcome::Accepted(Some(Reference("17".into()))), Outcome::Refused(refusal)]);
        assert_eq!(
            reading(&each),
            "<- understood: accepted as 17; refused (code 4: 234********67 is on a list);"
        );
        let receipt = Report {
            reference: Reference("17".into()),
            to: Msisdn::from_digits(2_348_031_234_567),
            state: ReceiptState::Delivered,
            error: None,
            done_at: None,
        };
        assert_eq!(report(&receipt), "<- receipt reference=17 to=234********67 state=Delivered");
    }
}
