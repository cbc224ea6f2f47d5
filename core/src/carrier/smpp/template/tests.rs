//! What a stamped submit_sm says, octet by octet and as another codec reads it.

use rusmpp::decode::DecodeWithLength;
use rusmpp::pdus::SubmitSm;
use rusmpp::tlvs::MessageSubmissionRequestTlvValue;
use rusmpp::{Command, Pdu};
use talkdrum_api::kind::Kind;
use tokio_util::bytes::BytesMut;

use super::*;
use crate::content::Part;

fn body(encoding: Encoding, parts: &[&[u8]]) -> Body {
    let parts = parts.iter().map(|data| Part { data: (*data).into() }).collect();
    Body { kind: Kind::Text, encoding, flash: false, ports: None, parts, call: None }
}

fn pdus_of(body: Body, config: &SmppConfig, message: i64) -> Vec<Vec<u8>> {
    let from: Arc<str> = "Talkdrum".into();
    let template = Templates::default().get(&Arc::new(body), &from, config);
    let to = Msisdn::from_digits(2_348_031_234_567).unwrap();
    let stamp = |sequence| Stamp { message: MessageId(message), to, validity: b"", sequence };
    let pdu = |part: u8| {
        let mut out = vec![0xEE; 3];
        template.stamp(&mut out, part, &stamp(u32::from(part) + 100));
        out.split_off(3)
    };
    (0..template.parts()).map(pdu).collect()
}

fn decoded(octets: &[u8]) -> SubmitSm {
    let length = u32::from_be_bytes(octets[..4].try_into().unwrap()) as usize;
    assert_eq!(length, octets.len(), "command_length");
    let (command, _) = Command::decode(&mut BytesMut::from(&octets[4..]), length - 4).unwrap();
    match command.pdu() {
        Some(Pdu::SubmitSm(submit)) => submit.clone(),
        other => panic!("not a submit_sm: {other:?}"),
    }
}

#[test]
fn a_plain_text_is_these_octets() {
    let pdus = pdus_of(body(Encoding::Gsm7, &[b"Hi"]), &SmppConfig::default(), 1);
    let expected = [
        &[0, 0, 0, 60, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 100][..],
        b"\0\x05\0Talkdrum\0\x01\x012348031234567\0",
        &[0, 0, 0, 0, 0, 1, 0, 0, 0, 2],
        b"Hi",
    ]
    .concat();
    let expected = [&u32::try_from(expected.len()).unwrap().to_be_bytes(), &expected[4..]].concat();
    assert_eq!(pdus, [expected]);
    let submit = decoded(&pdus[0]);
    assert_eq!(submit.source_addr.as_str(), "Talkdrum");
    assert_eq!(submit.destination_addr.as_str(), "2348031234567");
    assert_eq!(u8::from(submit.registered_delivery), 1);
    assert_eq!(submit.short_message().as_ref(), b"Hi");
}

#[test]
fn validity_and_plus_are_written_where_they_belong() {
    let config = SmppConfig { dest_plus: true, ..SmppConfig::default() };
    let from: Arc<str> = "32811".into();
    let template = Templates::default().get(&Arc::new(body(Encoding::Gsm7, &[b"x"])), &from, &config);
    let mut out = Vec::new();
    let to = Msisdn::from_digits(2_348_031_234_567).unwrap();
    let validity = b"261121143000000+";
    template.stamp(&mut out, 0, &Stamp { message: MessageId(1), to, validity, sequence: 1 });
    let submit = decoded(&out);
    assert_eq!(submit.destination_addr.as_str(), "+2348031234567");
    assert_eq!(submit.validity_period.as_ref(), b"261121143000000+\0");
}

#[test]
fn parts_share_a_reference_by_each_method() {
    let long = || body(Encoding::Gsm7, &[&[0x41; 153], &[0x42; 40]]);
    let with = |concatenation| SmppConfig { concatenation, ..SmppConfig::default() };
    let reference = reference(MessageId(77)).to_be_bytes();

    for (number, pdu) in (1..).zip(pdus_of(long(), &with(Concatenation::Udh8), 77)) {
        let submit = decoded(&pdu);
        assert_eq!(u8::from(submit.esm_class), 0x40);
        assert_eq!(submit.short_message()[..6], [5, 0, 3, reference[1], 2, number]);
    }
    for (number, pdu) in (1..).zip(pdus_of(long(), &with(Concatenation::Udh16), 77)) {
        let submit = decoded(&pdu);
        assert_eq!(submit.short_message()[..7], [6, 8, 4, reference[0], reference[1], 2, number]);
    }
    for (number, pdu) in (1..).zip(pdus_of(long(), &with(Concatenation::Sar), 77)) {
        let submit = decoded(&pdu);
        assert_eq!(u8::from(submit.esm_class), 0);
        let values: Vec<_> = submit.tlvs().iter().filter_map(|tlv| tlv.value()).cloned().collect();
        assert_eq!(
            values,
            [
                MessageSubmissionRequestTlvValue::SarMsgRefNum(u16::from_be_bytes(reference)).into(),
                MessageSubmissionRequestTlvValue::SarTotalSegments(2).into(),
                MessageSubmissionRequestTlvValue::SarSegmentSeqnum(number).into(),
            ]
        );
    }
}

#[test]
fn a_payload_carries_the_whole_message_once() {
    let config = SmppConfig { concatenation: Concatenation::Payload, ..SmppConfig::default() };
    let pdus = pdus_of(body(Encoding::Gsm7, &[&[0x41; 153], &[0x42; 40]]), &config, 1);
    assert_eq!(pdus.len(), 1);
    let submit = decoded(&pdus[0]);
    assert!(submit.short_message().is_empty());
    assert!(pdus[0].ends_with(&[&[0x04, 0x24, 0, 193][..], &[0x41; 153], &[0x42; 40]].concat()));
    let single = decoded(&pdus_of(body(Encoding::Gsm7, &[b"short"]), &config, 1)[0]);
    assert_eq!(single.short_message().as_ref(), b"short");
}

#[test]
fn data_coding_follows_kind_and_carrier() {
    let coding_of = |body, config: &SmppConfig| u8::from(decoded(&pdus_of(body, config, 1)[0]).data_coding);
    let flash = |encoding| Body { flash: true, ..body(encoding, &[b"Hi"]) };
    let default = SmppConfig::default();
    let class_10 = SmppConfig { flash: FlashMode::Class10, ..SmppConfig::default() };
    let subunit = SmppConfig { flash: FlashMode::DestAddrSubunit, ..SmppConfig::default() };
    let class_1 = SmppConfig { binary: BinaryCoding::Class1, ..SmppConfig::default() };

    assert_eq!(coding_of(body(Encoding::Gsm7, &[b"Hi"]), &default), 0x00);
    assert_eq!(coding_of(body(Encoding::Ucs2, &[b"\0H"]), &default), 0x08);
    assert_eq!(coding_of(flash(Encoding::Gsm7), &default), 0xF0);
    assert_eq!(coding_of(flash(Encoding::Gsm7), &class_10), 0x10);
    assert_eq!(coding_of(flash(Encoding::Ucs2), &default), 0x18);
    assert_eq!(coding_of(flash(Encoding::Ucs2), &subunit), 0x08);
    assert_eq!(coding_of(body(Encoding::Binary, &[b"\x01"]), &default), 0x04);
    assert_eq!(coding_of(body(Encoding::Binary, &[b"\x01"]), &class_1), 0xF5);

    let subunit_pdu = &pdus_of(flash(Encoding::Gsm7), &subunit, 1)[0];
    assert!(subunit_pdu.ends_with(&[0x00, 0x05, 0x00, 0x01, 0x01]));
}

#[test]
fn ports_are_in_a_user_data_header() {
    let push = |parts: &[&[u8]]| Body { ports: Some((2948, 9200)), ..body(Encoding::Binary, parts) };
    let single = decoded(&pdus_of(push(&[b"\x01\x06"]), &SmppConfig::default(), 1)[0]);
    assert_eq!(single.short_message().as_ref(), b"\x06\x05\x04\x0B\x84\x23\xF0\x01\x06");
    assert_eq!(u8::from(single.esm_class), 0x40);
    let many = &pdus_of(push(&[&[1; 128], &[2; 3]]), &SmppConfig::default(), 5)[1];
    let header = [0x0B, 5, 4, 0x0B, 0x84, 0x23, 0xF0, 0, 3, reference(MessageId(5)) as u8, 2, 2];
    assert_eq!(decoded(many).short_message()[..12], header);
}

#[test]
fn a_sender_and_body_seen_again_are_not_prepared_again() {
    let mut templates = Templates::default();
    let config = SmppConfig::default();
    let bodies: Vec<_> = (0..40).map(|_| Arc::new(body(Encoding::Gsm7, &[b"Hi"]))).collect();
    let from: Arc<str> = "A".into();
    let first = templates.get(&bodies[0], &from, &config);
    assert!(Arc::ptr_eq(&first, &templates.get(&bodies[0], &"A".into(), &config)));
    assert!(!Arc::ptr_eq(&first, &templates.get(&bodies[0], &"B".into(), &config)));
    for body in &bodies {
        templates.get(body, &from, &config);
    }
    assert_eq!(templates.0.len(), TEMPLATES_MAX);
}
