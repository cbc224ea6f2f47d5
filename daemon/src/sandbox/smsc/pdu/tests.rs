//! The SMSC's PDUs, read by a third codec.

use rusmpp::decode::DecodeWithLength;
use rusmpp::{Command, Pdu as Read};
use tokio_util::bytes::BytesMut;

use super::*;
use crate::sandbox::smsc::mailbox::FromHandset;

fn decoded(octets: &[u8]) -> Command {
    let (pdu, length) = next(octets).unwrap().unwrap();
    assert_eq!((length, pdu.body.len() + 16), (octets.len(), octets.len()));
    Command::decode(&mut BytesMut::from(&octets[4..]), length - 4).unwrap().0
}

fn receipt(form: ReceiptForm) -> Receipt<'static> {
    let id = Id { number: 255, base: IdBase::Hex, width: 8 };
    let sender = (5, 0, &b"Talkdrum"[..]);
    Receipt { id, fate: Fate::Undelivered, handset: 2_348_031_234_567, sender, date: *b"2611210931", form }
}

#[test]
fn a_receipt_says_the_same_by_text_and_by_tlv() {
    let mut out = Vec::new();
    put_receipt(&mut out, 5, &receipt(ReceiptForm::Both));
    let command = decoded(&out);
    let Some(Read::DeliverSm(deliver)) = command.pdu() else { panic!("{command:?}") };
    assert_eq!(deliver.source_addr.as_str(), "2348031234567");
    assert_eq!(deliver.destination_addr.as_str(), "Talkdrum");
    assert_eq!(u8::from(deliver.esm_class), 0x04);
    let text = String::from_utf8_lossy(deliver.short_message());
    let expected = "id:000000FF sub:001 dlvrd:000 submit date:2611210931 done date:2611210931 stat:UNDELIV err:027 text:";
    assert_eq!(text, expected);
    assert!(out.ends_with(b"\x00\x1E\x00\x09000000FF\0\x04\x27\x00\x01\x05"));
}

#[test]
fn a_receipt_can_be_text_or_tlv_alone() {
    let mut text = Vec::new();
    put_receipt(&mut text, 5, &receipt(ReceiptForm::Text));
    assert!(text.ends_with(b"err:027 text:"));
    let mut tlv = Vec::new();
    put_receipt(&mut tlv, 5, &receipt(ReceiptForm::Tlv));
    decoded(&tlv);
    assert!(!tlv.windows(3).any(|octets| octets == b"id:"));
}

#[test]
fn answers_are_understood() {
    let mut out = Vec::new();
    put_submit_resp(&mut out, OK, 7, Some(Id { number: 42, base: IdBase::Decimal, width: 10 }));
    let command = decoded(&out);
    let Some(Read::SubmitSmResp(resp)) = command.pdu() else { panic!("{command:?}") };
    assert_eq!(resp.message_id().as_str(), "0000000042");
    let mut out = Vec::new();
    put_bind_resp(&mut out, BIND_TRANSCEIVER, OK, 1);
    decoded(&out);
}

#[test]
fn a_submit_sm_is_read() {
    let head = b"\0\x05\0Talkdrum\0\x01\x012348031239001\0\x40\0\0\0\0\x01\0\0\0\x02Hi";
    let submit = Submit::parse(head).unwrap();
    assert_eq!(submit.source, (5, 0, &b"Talkdrum"[..]));
    assert_eq!(
        (submit.number(), submit.registered_delivery, submit.text),
        (Some(2_348_031_239_001), 1, &b"Hi"[..])
    );
    let with_payload = [&head[..], b"\x04\x24\x00\x03abc\x02\x0F\x00\x01\x02"].concat();
    let submit = Submit::parse(&with_payload).unwrap();
    assert_eq!((submit.text, submit.segment), (&b"abc"[..], 2));
    for end in 0..head.len() {
        assert_eq!(Submit::parse(&head[..end]), None);
    }
}

#[test]
fn an_inbound_message_is_ucs_2_and_a_long_one_comes_in_parts() {
    let short_message = |piece: &Piece| {
        let mut out = Vec::new();
        put_inbound(&mut out, 1, piece);
        let command = decoded(&out);
        let Some(Read::DeliverSm(deliver)) = command.pdu() else { panic!("{command:?}") };
        deliver.short_message().as_ref().to_vec()
    };
    let said =
        |text: &str| FromHandset { from: "2348031234567".into(), to: "32811".into(), text: text.into() };
    let whole = said("STOP").pieces(9);
    assert_eq!((whole.len(), short_message(&whole[0])), (1, b"\0S\0T\0O\0P".to_vec()));
    let parts = said(&"x".repeat(71)).pieces(9);
    assert_eq!(parts.len(), 2);
    assert_eq!(short_message(&parts[1]), b"\x05\0\x03\x09\x02\x02\0x\0x\0x\0x");
}
