//! Receipts and inbound messages as carriers send them, octet by octet.

use super::*;
use crate::carrier::smpp::config::MessageIdFormat;
use crate::time::Time;

const TOKEN: ReceiptToken = ReceiptToken { connection: 1, sequence: 2 };

/// A deliver_sm body from 2348031234567 to Talkdrum.
fn deliver_sm(esm_class: u8, data_coding: u8, text: &[u8], tlvs: &[u8]) -> Vec<u8> {
    let length = u8::try_from(text.len()).unwrap();
    [
        &b"\0\x01\x012348031234567\0\x05\0Talkdrum\0"[..],
        &[esm_class, 0, 0, 0, 0, 0, 0, data_coding, 0, length],
        text,
        tlvs,
    ]
    .concat()
}

fn receipt(body: &[u8], config: &SmppConfig) -> Receipt {
    match Delivery::of_deliver_sm(body).unwrap().event(config, TOKEN) {
        Some(Event::Receipt(receipt)) => receipt,
        other => panic!("not a receipt: {other:?}"),
    }
}

fn inbound(body: &[u8], config: &SmppConfig) -> Inbound {
    match Delivery::of_deliver_sm(body).unwrap().event(config, TOKEN) {
        Some(Event::Inbound(inbound)) => inbound,
        other => panic!("not an inbound message: {other:?}"),
    }
}

const TEXT: &[u8] =
    b"id:00FF sub:001 dlvrd:001 submit date:2611210930 done date:2611210931 stat:DELIVRD err:000 text:Hi";

#[test]
fn a_receipt_by_text_is_read() {
    let seen = receipt(&deliver_sm(0x04, 0, TEXT, b""), &SmppConfig::default());
    assert_eq!(&*seen.reference.0, "ff");
    assert_eq!(seen.to, Msisdn::from_digits(2_348_031_234_567));
    assert_eq!(seen.from.as_deref(), Some("Talkdrum"));
    assert_eq!((seen.state, seen.error, seen.token), (ReceiptState::Delivered, None, TOKEN));
    assert_eq!(seen.done_at, Some(Time(1_795_253_460_000)));
}

#[test]
fn tlvs_come_before_the_text_unless_the_configuration_says_otherwise() {
    let tlvs = b"\x00\x1E\x00\x03AB\0\x04\x27\x00\x01\x05\x04\x23\x00\x03\x03\x01\x02";
    let body = deliver_sm(0x04, 0, TEXT, tlvs);
    let seen = receipt(&body, &SmppConfig::default());
    assert_eq!((&*seen.reference.0, seen.state), ("ab", ReceiptState::Undelivered));
    assert_eq!(seen.error.as_deref(), Some("258"));
    let by_text = SmppConfig { receipts: ReceiptSource::Text, ..SmppConfig::default() };
    assert_eq!(&*receipt(&body, &by_text).reference.0, "ff");
    let by_tlv = SmppConfig { receipts: ReceiptSource::Tlv, ..SmppConfig::default() };
    let without = Delivery::of_deliver_sm(&deliver_sm(0x04, 0, TEXT, b""))
        .map(|seen| seen.event(&by_tlv, TOKEN).is_none());
    assert_eq!(without, Some(true));
}

#[test]
fn a_receipts_text_may_be_a_payload() {
    let length = u16::try_from(TEXT.len()).unwrap().to_be_bytes();
    let tlv = [&[0x04, 0x24][..], &length, TEXT].concat();
    let hex = SmppConfig { message_id: MessageIdFormat::HexDeliver, ..SmppConfig::default() };
    assert_eq!(&*receipt(&deliver_sm(0x04, 0, b"", &tlv), &hex).reference.0, "255");
}

#[test]
fn an_intermediate_notification_is_enroute() {
    assert_eq!(
        receipt(&deliver_sm(0x20, 0, b"id:1", b""), &SmppConfig::default()).state,
        ReceiptState::Enroute
    );
}

#[test]
fn a_handset_cannot_forge_a_receipt_unless_the_operator_allows_it() {
    let body = deliver_sm(0x00, 0, TEXT, b"");
    assert!(inbound(&body, &SmppConfig::default()).text.starts_with("id:"));
    let lenient = SmppConfig { receipts_without_esm_class: true, ..SmppConfig::default() };
    assert_eq!(&*receipt(&body, &lenient).reference.0, "ff");
    assert_eq!(inbound(&deliver_sm(0x00, 0, b"STOP", b""), &lenient).text, "STOP");
}

#[test]
fn both_tlvs_make_a_receipt_without_esm_class_and_one_does_not() {
    let id = b"\x00\x1E\x00\x02\x39\0";
    let both = [&id[..], b"\x04\x27\x00\x01\x02"].concat();
    let config = SmppConfig::default();
    assert_eq!(receipt(&deliver_sm(0x00, 0, b"", &both), &config).state, ReceiptState::Delivered);
    assert_eq!(inbound(&deliver_sm(0x00, 0, b"Hi", id), &config).text, "Hi");
}

#[test]
fn an_inbound_message_is_decoded_without_its_header() {
    let config = SmppConfig::default();
    let seen = inbound(&deliver_sm(0x40, 8, b"\x03\x24\x01\x01\x00S\x00T", b""), &config);
    assert_eq!((&*seen.from, &*seen.to, seen.text.as_str()), ("2348031234567", "Talkdrum", "ST"));
    assert_eq!(seen.part, None, "a header that says something else");
    assert_eq!(inbound(&deliver_sm(0x40, 0, b"\x09\x00", b""), &config).text, "");
}

#[test]
fn a_whole_message_is_marked_by_the_carriers_number_else_the_handsets_and_an_acknowledgement_by_none() {
    let mark = |esm_class: u8, tlvs: &[u8]| {
        let body = deliver_sm(esm_class, 0, b"YES", tlvs);
        inbound(&body, &SmppConfig::default()).mark.map(String::from)
    };
    let (id, reference) = (b"\x00\x1E\x00\x03A7\0", b"\x02\x04\x00\x02\x01\x05");
    assert_eq!(mark(0x00, id).as_deref(), Some("id A7"));
    assert_eq!(mark(0x00, reference).as_deref(), Some("reference 261"));
    assert_eq!(mark(0x00, &[&reference[..], id].concat()).as_deref(), Some("id A7"));
    assert_eq!(mark(0x40, b""), None);
    assert_eq!(mark(0x00, b"\x02\x04\x00\x02\x00\x00"), None, "0 says that there is none");
    assert_eq!(mark(0x00, b"\x00\x1E\x00\x01\0"), None, "empty");
    assert_eq!(mark(0x00, b"\x02\x04\x00\x01\x05"), None, "cut short");
    assert_eq!(
        mark(0x00, b"\x02\x0C\x00\x02\x00\x07\x02\x0E\x00\x01\x01\x02\x0F\x00\x01\x01"),
        None,
        "sar alone"
    );
    for acknowledged in [0x08, 0x10] {
        assert_eq!(mark(acknowledged, reference), None, "the reference of what it answers");
    }
}

#[test]
fn a_part_of_a_longer_message_says_which_in_each_of_the_three_ways() {
    let part = |esm_class: u8, text: &[u8], tlvs: &[u8]| {
        let seen = inbound(&deliver_sm(esm_class, 8, text, tlvs), &SmppConfig::default());
        assert_eq!(seen.text, "", "it is read with the others");
        let part = seen.part.unwrap();
        assert_eq!((part.script, &*part.octets), (Script::Ucs2, b"\xD8\x3D".as_slice()));
        (part.reference, part.total, part.place)
    };
    assert_eq!(part(0x40, b"\x05\x00\x03\x07\x02\x01\xD8\x3D", b""), (7, 2, 1));
    assert_eq!(part(0x40, b"\x06\x08\x04\x00\x07\x03\x02\xD8\x3D", b""), (0x1_0007, 3, 2));
    // Behind another element: ports.
    let behind = b"\x0B\x05\x04\x0B\x84\x23\xF0\x00\x03\x07\x02\x02\xD8\x3D";
    assert_eq!(part(0x40, behind, b""), (7, 2, 2));
    let tlvs = b"\x02\x0C\x00\x02\x00\x07\x02\x0E\x00\x01\x02\x02\x0F\x00\x01\x01";
    assert_eq!(part(0x00, b"\xD8\x3D", tlvs), (0x2_0007, 2, 1));
}

#[test]
fn what_cannot_be_a_part_is_a_message_of_its_own() {
    let config = SmppConfig::default();
    for header in [b"\x05\x00\x03\x07\x01\x01", b"\x05\x00\x03\x07\x02\x03", b"\x05\x00\x03\x07\x02\x00"] {
        let seen = inbound(&deliver_sm(0x40, 0, &[header.as_slice(), b"Hi"].concat(), b""), &config);
        assert_eq!((seen.part, seen.text.as_str()), (None, "Hi"), "{header:?}");
    }
    let torn = inbound(&deliver_sm(0x40, 0, b"\x03\x00\x09\x01Hi", b""), &config);
    assert_eq!((torn.part, torn.text.as_str()), (None, "Hi"));
    let half = inbound(&deliver_sm(0, 0, b"Hi", b"\x02\x0C\x00\x02\x00\x07\x02\x0E\x00\x01\x02"), &config);
    assert_eq!((half.part, half.text.as_str()), (None, "Hi"));
}

#[test]
fn a_data_sm_is_read_too() {
    let body = b"\0\x01\x012348031234567\0\x05\0Talkdrum\0\x04\0\0\x00\x1E\x00\x02\x39\0\x04\x27\x00\x01\x02";
    match Delivery::of_data_sm(body).unwrap().event(&SmppConfig::default(), TOKEN) {
        Some(Event::Receipt(seen)) => {
            assert_eq!((&*seen.reference.0, seen.state), ("9", ReceiptState::Delivered));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn no_octets_at_all_make_it_stumble() {
    let whole = deliver_sm(0x04, 0, TEXT, b"\x00\x1E\x00\x03AB\0\x04\x27\x00\x01\x05");
    for end in 0..whole.len() {
        if let Some(seen) = Delivery::of_deliver_sm(&whole[..end]) {
            seen.event(&SmppConfig::default(), TOKEN);
        }
    }
    assert_eq!(Delivery::of_deliver_sm(b"\0\x01"), None);
}
