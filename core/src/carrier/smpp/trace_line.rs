//! A PDU in one line, for the trace: what it asks, of whom, and what it says of a message, but not its text.
//!
//! Octets of a text or a password never get into a line, whatever the PDU looks like.

use std::fmt::Write as _;

use super::command::{
    ALERT_NOTIFICATION, BIND_RECEIVER, BIND_TRANSCEIVER, BIND_TRANSMITTER, DATA_SM, DELIVER_SM, ENQUIRE_LINK,
    GENERIC_NACK, HEADER, Header, OUTBIND, RESPONSE, SUBMIT_SM, UNBIND, reason,
};
use super::deliver::{Delivery, message_id};
use super::frame::word;
use super::receipt::ReceiptText;
use crate::carrier::masked_number;

/// The lines of PDUs that go out, one behind the other.
pub(super) fn outgoing(mut octets: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    while let Some(length) = word(octets, 0).and_then(|length| usize::try_from(length).ok()) {
        let Some((pdu, rest)) = octets.split_at_checked(length.max(HEADER)) else { break };
        let field = |at| word(pdu, at).unwrap_or_default();
        let header = Header { id: field(4), status: field(8), sequence: field(12) };
        lines.push(line("->", header, &pdu[HEADER..]));
        octets = rest;
    }
    lines
}

/// The line of a PDU that came in.
pub(super) fn incoming(header: Header, body: &[u8]) -> String {
    line("<-", header, body)
}

fn line(way: &str, header: Header, body: &[u8]) -> String {
    let mut line = format!("{way} {} #{}", name(header.id), header.sequence);
    if header.id & RESPONSE != 0 {
        let _ = write!(line, " status=0x{:08X}", header.status);
        if header.status != 0 {
            let _ = write!(line, " ({})", reason(header.status));
        }
    }
    match header.id {
        DELIVER_SM | SUBMIT_SM => describe(&mut line, Delivery::of_deliver_sm(body)),
        DATA_SM => describe(&mut line, Delivery::of_data_sm(body)),
        id if id & RESPONSE != 0 && matches!(id & !RESPONSE, SUBMIT_SM | DELIVER_SM | DATA_SM) => {
            let named = String::from_utf8_lossy(message_id(body));
            if !named.is_empty() {
                let _ = write!(line, " message_id={}", plain(&named));
            }
        }
        // The system_id comes first in a bind and in its answer; the password right behind it.
        id if matches!(id & !RESPONSE, BIND_RECEIVER | BIND_TRANSMITTER | BIND_TRANSCEIVER) => {
            let _ = write!(line, " system_id={}", plain(&String::from_utf8_lossy(message_id(body))));
            if id & RESPONSE == 0 {
                line.push_str(" password=********");
            }
        }
        _ => {}
    }
    line
}

fn describe(line: &mut String, delivery: Option<Delivery<'_>>) {
    let Some(delivery) = delivery else {
        line.push_str(" (unreadable)");
        return;
    };
    let seen = delivery.seen();
    let (from, to) = (String::from_utf8_lossy(seen.source), String::from_utf8_lossy(seen.destination));
    let _ = write!(
        line,
        " from={} to={} esm_class=0x{:02X} data_coding=0x{:02X}",
        masked_number(&plain(&from)),
        masked_number(&plain(&to)),
        seen.esm_class,
        seen.data_coding,
    );
    if let Some(id) = seen.receipted_message_id {
        let _ = write!(line, " receipted_message_id={}", plain(&String::from_utf8_lossy(id)));
    }
    if let Some(state) = seen.message_state {
        let _ = write!(line, " message_state={state}");
    }
    let text = ReceiptText::parse(seen.text);
    if text.is_receipt() {
        for (name, value) in [("id", text.id), ("stat", text.stat), ("err", text.err)] {
            if let Some(value) = value {
                let value: String = plain(&String::from_utf8_lossy(value)).chars().take(40).collect();
                let _ = write!(line, " {name}:{value}");
            }
        }
    }
    let _ = write!(line, " text=[{} octets, {}]", seen.text.len(), coding(seen.data_coding));
}

/// Without signs that would break a terminal's line.
fn plain(text: &str) -> String {
    text.chars().map(|sign| if sign.is_control() { '?' } else { sign }).collect()
}

const fn coding(data_coding: u8) -> &'static str {
    match data_coding & 0x0F {
        0x00 => "the carrier's default alphabet",
        0x01 => "ASCII",
        0x03 => "Latin 1",
        0x08 => "UCS-2",
        0x02 | 0x04 => "binary",
        _ => "another coding",
    }
}

fn name(id: u32) -> String {
    let request = match id & !RESPONSE {
        0 if id == GENERIC_NACK => return "generic_nack".to_owned(),
        BIND_RECEIVER => "bind_receiver",
        BIND_TRANSMITTER => "bind_transmitter",
        BIND_TRANSCEIVER => "bind_transceiver",
        SUBMIT_SM => "submit_sm",
        DELIVER_SM => "deliver_sm",
        DATA_SM => "data_sm",
        UNBIND => "unbind",
        ENQUIRE_LINK => "enquire_link",
        OUTBIND => "outbind",
        ALERT_NOTIFICATION => "alert_notification",
        other => return format!("command 0x{other:08X}"),
    };
    if id & RESPONSE == 0 { request.to_owned() } else { format!("{request}_resp") }
}

#[cfg(test)]
mod tests {
    use super::super::command::{
        BindRequest, DELIVER_SM_RESP, ESME_ROK, SUBMIT_SM_RESP, put_bind, put_c_string, put_delivery_resp,
        put_header,
    };
    use super::*;

    fn sm(source: &str, destination: &str, text: &[u8]) -> Vec<u8> {
        let mut body = vec![0];
        for address in [source, destination] {
            body.extend([1, 1]);
            put_c_string(&mut body, address.as_bytes());
        }
        body.extend([0, 0, 0, 0, 0, 1, 0, 0, 0, u8::try_from(text.len()).unwrap()]);
        body.extend_from_slice(text);
        body
    }

    #[test]
    fn a_submission_shows_neither_its_text_nor_its_whole_number() {
        let header = Header { id: SUBMIT_SM, status: 0, sequence: 7 };
        let line = line("->", header, &sm("WEBSMS", "2348031234567", b"your code is 123456"));
        assert_eq!(
            line,
            "-> submit_sm #7 from=WEBSMS to=234********67 esm_class=0x00 data_coding=0x00 \
             text=[19 octets, the carrier's default alphabet]"
        );
    }

    #[test]
    fn a_receipt_shows_what_it_says_of_the_message_but_not_the_messages_text() {
        let text = b"id:0A1F sub:001 dlvrd:001 submit date:2611211200 done date:2611211201 stat:DELIVRD err:000 text:your code";
        let header = Header { id: DELIVER_SM, status: 0, sequence: 8 };
        let line = incoming(header, &sm("2348031234567", "WEBSMS", text));
        assert!(line.contains(" id:0A1F stat:DELIVRD err:000 text=["), "{line}");
        assert!(!line.contains("your"), "{line}");
    }

    #[test]
    fn a_bind_hides_its_password_and_pdus_in_a_row_are_told_apart() {
        let mut octets = Vec::new();
        let bind = BindRequest {
            id: BIND_TRANSCEIVER,
            system_id: "talkdrum",
            password: "s3cret",
            system_type: "",
            interface_version: 0x34,
            address_range: "",
        };
        put_bind(&mut octets, bind, 1);
        put_header(&mut octets, ENQUIRE_LINK, ESME_ROK, 2);
        put_delivery_resp(&mut octets, DELIVER_SM_RESP, ESME_ROK, 3);
        put_header(&mut octets, SUBMIT_SM_RESP, 0x58, 4);
        let lines = outgoing(&octets);
        assert_eq!(lines[0], "-> bind_transceiver #1 system_id=talkdrum password=********");
        assert_eq!(lines[1], "-> enquire_link #2");
        assert_eq!(lines[2], "-> deliver_sm_resp #3 status=0x00000000");
        assert!(lines[3].starts_with("-> submit_sm_resp #4 status=0x00000058 (throttled"), "{}", lines[3]);
        assert!(!lines.concat().contains("s3cret"));
    }

    #[test]
    fn noise_is_a_line_too() {
        assert_eq!(outgoing(&[0, 0, 0, 3, 1]), Vec::<String>::new());
        let header = Header { id: SUBMIT_SM, status: 0, sequence: 1 };
        assert_eq!(incoming(header, &[1, 2, 3]), "<- submit_sm #1 (unreadable)");
    }
}
