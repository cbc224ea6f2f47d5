//! submit_sm, prepared once for each body and sender and then stamped for each message: a few copies, no look-ups.
//!
//! A stamped PDU differs from its template in command_length, sequence_number, destination, reference
//! and validity_period only. The octets are checked against another codec in the tests.

use std::sync::Arc;

use super::address::{put_digits, put_source};
use super::alphabet::put_default_alphabet;
use super::command::{HEADER, SUBMIT_SM, put_c_string, put_header};
use super::config::{Alphabet, BinaryCoding, Concatenation, FlashMode, SmppConfig};
use super::split;
use crate::content::{Body, Encoding};
use crate::model::message::id::MessageId;
use crate::phone::Msisdn;

const UDHI: u8 = 0x40;
const TLV_DEST_ADDR_SUBUNIT: u16 = 0x0005;
const TLV_SAR_MSG_REF_NUM: u16 = 0x020C;
const TLV_SAR_TOTAL_SEGMENTS: u16 = 0x020E;
const TLV_SAR_SEGMENT_SEQNUM: u16 = 0x020F;
const TLV_MESSAGE_PAYLOAD: u16 = 0x0424;

/// The longest short_message; what is longer goes into message_payload.
const SHORT_MESSAGE_LEN_MAX: usize = 254;

/// What differs from message to message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stamp<'a> {
    pub(super) message: MessageId,
    pub(super) to: Msisdn,
    /// validity_period without its NUL; empty or 16 octets.
    pub(super) validity: &'a [u8],
    pub(super) sequence: u32,
}

/// The submit_sm of one body from one sender.
#[derive(Debug)]
pub(super) struct Template {
    body: Arc<Body>,
    from: Arc<str>,
    /// From the header to dest_addr_npi, with a `+` where destinations have one.
    head: Vec<u8>,
    parts: Vec<PartTemplate>,
}

#[derive(Debug)]
struct PartTemplate {
    /// esm_class to schedule_delivery_time.
    middle: [u8; 4],
    /// registered_delivery to the last TLV.
    tail: Vec<u8>,
    /// Where in `tail` the reference is written, and its octets.
    reference: Option<(usize, usize)>,
}

impl Template {
    fn new(body: &Arc<Body>, from: &Arc<str>, config: &SmppConfig) -> Self {
        let method = split::method(body, config.concatenation);
        let datas = split::parts(body, method);
        let total = datas.len();
        let parts = datas.iter().enumerate();
        let parts = parts.map(|(place, data)| PartTemplate::new(body, method, (place, total), data, config));
        Self {
            body: Arc::clone(body),
            from: Arc::clone(from),
            head: head(from, config),
            parts: parts.collect(),
        }
    }

    fn is_for(&self, body: &Arc<Body>, from: &Arc<str>) -> bool {
        Arc::ptr_eq(&self.body, body) && (Arc::ptr_eq(&self.from, from) || self.from == *from)
    }

    /// How many submit_sm the message takes.
    pub(super) fn parts(&self) -> u8 {
        u8::try_from(self.parts.len()).unwrap_or(u8::MAX)
    }

    /// Appends the submit_sm of one part, which must be below [`Template::parts`].
    pub(super) fn stamp(&self, out: &mut Vec<u8>, part: u8, stamp: &Stamp<'_>) {
        let Some(part) = self.parts.get(usize::from(part)) else { return };
        let start = out.len();
        out.extend_from_slice(&self.head);
        put_digits(out, stamp.to.digits());
        out.push(0);
        out.extend_from_slice(&part.middle);
        put_c_string(out, stamp.validity);
        let tail = out.len();
        out.extend_from_slice(&part.tail);
        if let Some((at, width)) = part.reference {
            let reference = reference(stamp.message).to_be_bytes();
            out[tail + at..tail + at + width].copy_from_slice(&reference[2 - width..]);
        }
        let length = u32::try_from(out.len() - start).unwrap_or(u32::MAX);
        out[start..start + 4].copy_from_slice(&length.to_be_bytes());
        out[start + 12..start + HEADER].copy_from_slice(&stamp.sequence.to_be_bytes());
    }
}

/// The concatenation reference of a message: the same in every try, since a handset joins parts of several tries by
/// it, and spread so that campaigns to one list do not use the same one for the same handset.
pub(in crate::carrier) fn reference(message: MessageId) -> u16 {
    (message.0.cast_unsigned().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48) as u16
}

fn head(from: &str, config: &SmppConfig) -> Vec<u8> {
    let mut head = Vec::with_capacity(HEADER + 32);
    put_header(&mut head, SUBMIT_SM, 0, 0);
    put_c_string(&mut head, config.service_type.as_bytes());
    put_source(&mut head, from, config);
    head.extend_from_slice(&[config.dest_ton, config.dest_npi]);
    if config.dest_plus {
        head.push(b'+');
    }
    head
}

impl PartTemplate {
    fn new(
        body: &Body,
        method: Concatenation,
        (place, total): (usize, usize),
        data: &[u8],
        config: &SmppConfig,
    ) -> Self {
        let (number, total) = (place as u8 + 1, total as u8);
        let (header, reference_in_header) = user_data_header(body, method, number, total);
        let (data_coding, alphabet) = coding(body, config);
        let mut user_data = header;
        let udhi = if user_data.is_empty() { 0 } else { UDHI };
        match body.encoding {
            Encoding::Gsm7 => put_default_alphabet(&mut user_data, data, alphabet),
            Encoding::Ucs2 | Encoding::Binary => user_data.extend_from_slice(data),
        }
        let mut tail = vec![config.registered_delivery, 0, data_coding, 0];
        let user_data_at =
            put_user_data(&mut tail, &user_data, method == Concatenation::Payload && body.parts.len() > 1);
        let mut reference = reference_in_header.map(|(at, width)| (user_data_at + at, width));
        if body.flash && config.flash == FlashMode::DestAddrSubunit {
            put_tlv(&mut tail, TLV_DEST_ADDR_SUBUNIT, &[1]);
        }
        if method == Concatenation::Sar && total > 1 {
            put_tlv(&mut tail, TLV_SAR_MSG_REF_NUM, &[0, 0]);
            reference = Some((tail.len() - 2, 2));
            put_tlv(&mut tail, TLV_SAR_TOTAL_SEGMENTS, &[total]);
            put_tlv(&mut tail, TLV_SAR_SEGMENT_SEQNUM, &[number]);
        }
        Self { middle: [config.esm_class | udhi, config.protocol_id, config.priority, 0], tail, reference }
    }
}

/// Appends sm_length and the user data, in short_message or in message_payload; returns where the user data begins.
fn put_user_data(tail: &mut Vec<u8>, user_data: &[u8], in_payload: bool) -> usize {
    match u8::try_from(user_data.len()) {
        Ok(length) if !in_payload && user_data.len() <= SHORT_MESSAGE_LEN_MAX => {
            tail.push(length);
            tail.extend_from_slice(user_data);
        }
        _ => {
            tail.push(0);
            put_tlv(tail, TLV_MESSAGE_PAYLOAD, user_data);
        }
    }
    tail.len() - user_data.len()
}

fn put_tlv(out: &mut Vec<u8>, tag: u16, value: &[u8]) {
    out.extend_from_slice(&tag.to_be_bytes());
    out.extend_from_slice(&u16::try_from(value.len()).unwrap_or(u16::MAX).to_be_bytes());
    out.extend_from_slice(value);
}

/// The user data header with its length octet (3GPP TS 23.040, 9.2.3.24), and where its reference is.
fn user_data_header(
    body: &Body,
    method: Concatenation,
    number: u8,
    total: u8,
) -> (Vec<u8>, Option<(usize, usize)>) {
    let mut header = vec![0];
    let mut reference = None;
    if let Some((destination, source)) = body.ports {
        header.extend_from_slice(&[0x05, 0x04]);
        header.extend_from_slice(&destination.to_be_bytes());
        header.extend_from_slice(&source.to_be_bytes());
    }
    match method {
        Concatenation::Udh8 if total > 1 => {
            header.extend_from_slice(&[0x00, 0x03, 0, total, number]);
            reference = Some((header.len() - 3, 1));
        }
        Concatenation::Udh16 if total > 1 => {
            header.extend_from_slice(&[0x08, 0x04, 0, 0, total, number]);
            reference = Some((header.len() - 4, 2));
        }
        _ => {}
    }
    if header.len() == 1 {
        return (Vec::new(), None);
    }
    header[0] = (header.len() - 1) as u8;
    (header, reference)
}

/// data_coding, and the alphabet that septets are written in under it: the message classes imply GSM 03.38.
fn coding(body: &Body, config: &SmppConfig) -> (u8, Alphabet) {
    let flash = body.flash.then_some(config.flash);
    match (body.encoding, flash) {
        (Encoding::Gsm7, Some(FlashMode::ClassF0)) => (0xF0, Alphabet::Gsm7),
        (Encoding::Gsm7, Some(FlashMode::Class10)) => (0x10, Alphabet::Gsm7),
        (Encoding::Gsm7, _) => (0x00, config.alphabet),
        (Encoding::Ucs2, Some(FlashMode::ClassF0 | FlashMode::Class10)) => (0x18, config.alphabet),
        (Encoding::Ucs2, _) => (0x08, config.alphabet),
        (Encoding::Binary, _) if config.binary == BinaryCoding::Class1 => (0xF5, config.alphabet),
        (Encoding::Binary, _) => (0x04, config.alphabet),
    }
}

/// The templates used last, newest first.
#[derive(Debug, Default)]
pub(super) struct Templates(Vec<Arc<Template>>);

/// How many are kept: a campaign needs one, merged texts none, several campaigns at once a few.
const TEMPLATES_MAX: usize = 32;

impl Templates {
    /// The template of a body and sender, prepared now if it was not before.
    pub(super) fn get(&mut self, body: &Arc<Body>, from: &Arc<str>, config: &SmppConfig) -> Arc<Template> {
        match self.0.iter().position(|template| template.is_for(body, from)) {
            Some(0) => {}
            Some(place) => self.0[..=place].rotate_right(1),
            None => {
                self.0.truncate(TEMPLATES_MAX - 1);
                self.0.insert(0, Arc::new(Template::new(body, from, config)));
            }
        }
        Arc::clone(&self.0[0])
    }
}

#[cfg(test)]
mod tests;
