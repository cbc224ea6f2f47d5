//! deliver_sm and data_sm from the carrier: receipts, and messages from handsets.
//!
//! A carrier that did not get our answer sends a message again, and nothing in the PDU marks it as a repeat; and a
//! person who sends "YES" twice within a minute means it twice. So a whole message is taken for a repeat only where the
//! carrier numbers its messages ([`Delivery::mark`]); otherwise both are kept, as a duplicate can be seen and a lost
//! message cannot.
//!
//! Invariant: a PDU that cannot be read is `None`, and never ends the session.

use super::alphabet::Script;
use super::config::{ReceiptSource, SmppConfig};
use super::receipt::{ReceiptText, date, state_of_text, state_of_tlv};
use super::reference::canonical;
use crate::carrier::{Event, Inbound, InboundPart, Receipt, ReceiptToken};
use crate::model::message::receipt_state::ReceiptState;
use crate::phone::Msisdn;

const TLV_RECEIPTED_MESSAGE_ID: u16 = 0x001E;
const TLV_USER_MESSAGE_REFERENCE: u16 = 0x0204;
const TLV_NETWORK_ERROR_CODE: u16 = 0x0423;
const TLV_MESSAGE_PAYLOAD: u16 = 0x0424;
const TLV_MESSAGE_STATE: u16 = 0x0427;
const TLV_SAR_MSG_REF_NUM: u16 = 0x020C;
const TLV_SAR_TOTAL_SEGMENTS: u16 = 0x020E;
const TLV_SAR_SEGMENT_SEQNUM: u16 = 0x020F;

const UDHI: u8 = 0x40;
/// Bits 5 to 2 of esm_class name the kind of message (SMPP 3.4, 5.2.12).
const MESSAGE_TYPE: u8 = 0x3C;
const RECEIPT: u8 = 0x04;
const INTERMEDIATE: u8 = 0x20;

/// The fields of a deliver_sm or data_sm that matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Delivery<'a> {
    source: &'a [u8],
    destination: &'a [u8],
    esm_class: u8,
    data_coding: u8,
    short_message: &'a [u8],
    receipted_message_id: Option<&'a [u8]>,
    message_state: Option<u8>,
    network_error_code: Option<&'a [u8]>,
    user_message_reference: Option<u16>,
    sar: Sar,
}

/// The three TLVs that number the parts of a message (SMPP 3.4, 5.3.2.22 to 24).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sar {
    reference: Option<u16>,
    total: Option<u8>,
    place: Option<u8>,
}

/// The fields that a trace looks at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen<'a> {
    pub(super) source: &'a [u8],
    pub(super) destination: &'a [u8],
    pub(super) esm_class: u8,
    pub(super) data_coding: u8,
    pub(super) text: &'a [u8],
    pub(super) receipted_message_id: Option<&'a [u8]>,
    pub(super) message_state: Option<u8>,
}

impl<'a> Delivery<'a> {
    /// Reads the body of a deliver_sm (4.6.1).
    pub(super) fn of_deliver_sm(body: &'a [u8]) -> Option<Self> {
        let mut fields = Fields(body);
        fields.c_string()?;
        let (source, destination) = (fields.address()?, fields.address()?);
        let [esm_class, _, _] = fields.octets()?;
        fields.c_string()?;
        fields.c_string()?;
        let [_, _, data_coding, _, length] = fields.octets()?;
        let short_message = fields.take(length.into())?;
        let delivery = Self { source, destination, esm_class, data_coding, short_message, ..Self::default() };
        Some(delivery.with_tlvs(fields))
    }

    /// Reads the body of a data_sm (4.7.1).
    pub(super) fn of_data_sm(body: &'a [u8]) -> Option<Self> {
        let mut fields = Fields(body);
        fields.c_string()?;
        let (source, destination) = (fields.address()?, fields.address()?);
        let [esm_class, _, data_coding] = fields.octets()?;
        Some(Self { source, destination, esm_class, data_coding, ..Self::default() }.with_tlvs(fields))
    }

    /// Takes the optional parameters in; a broken one ends the reading of them, not of the PDU.
    fn with_tlvs(mut self, mut fields: Fields<'a>) -> Self {
        while let Some((tag, value)) = fields.tlv() {
            match tag {
                TLV_RECEIPTED_MESSAGE_ID => self.receipted_message_id = Some(without_nul(value)),
                TLV_MESSAGE_STATE => self.message_state = value.first().copied(),
                TLV_USER_MESSAGE_REFERENCE => {
                    self.user_message_reference =
                        value.first_chunk().map(|octets| u16::from_be_bytes(*octets));
                }
                TLV_NETWORK_ERROR_CODE => self.network_error_code = Some(value),
                TLV_SAR_MSG_REF_NUM => {
                    self.sar.reference = value.first_chunk().map(|octets| u16::from_be_bytes(*octets));
                }
                TLV_SAR_TOTAL_SEGMENTS => self.sar.total = value.first().copied(),
                TLV_SAR_SEGMENT_SEQNUM => self.sar.place = value.first().copied(),
                TLV_MESSAGE_PAYLOAD if self.short_message.is_empty() => self.short_message = value,
                _ => {}
            }
        }
        self
    }

    /// What a trace shows of it.
    pub(super) fn seen(&self) -> Seen<'a> {
        Seen {
            source: self.source,
            destination: self.destination,
            esm_class: self.esm_class,
            data_coding: self.data_coding,
            text: self.text(),
            receipted_message_id: self.receipted_message_id,
            message_state: self.message_state,
        }
    }

    /// What it tells, acknowledged by `token`. `None` for a receipt that does not say of which message it is.
    pub(super) fn event(&self, config: &SmppConfig, token: ReceiptToken) -> Option<Event> {
        let kind = self.esm_class & MESSAGE_TYPE;
        // Some carriers forget esm_class; both TLVs together are the carrier's word too, not the handset's.
        let has_tlvs = self.receipted_message_id.is_some() && self.message_state.is_some();
        let is_marked = kind == RECEIPT || kind == INTERMEDIATE || has_tlvs;
        if is_marked {
            let text = ReceiptText::parse(self.text());
            return self.receipt(&text, config, token).map(Event::Receipt);
        }
        if config.receipts_without_esm_class {
            let text = ReceiptText::parse(self.text());
            if text.is_receipt() {
                return self.receipt(&text, config, token).map(Event::Receipt);
            }
        }
        Some(Event::Inbound(self.inbound(config, token)))
    }

    fn receipt(&self, text: &ReceiptText<'_>, config: &SmppConfig, token: ReceiptToken) -> Option<Receipt> {
        let by_tlv = (self.receipted_message_id, self.message_state.map(state_of_tlv));
        let by_text = (text.id, text.stat.map(state_of_text));
        let (id, state) = match config.receipts {
            ReceiptSource::Auto => (by_tlv.0.or(by_text.0), by_tlv.1.or(by_text.1)),
            ReceiptSource::Tlv => by_tlv,
            ReceiptSource::Text => by_text,
        };
        let unsaid = if self.esm_class & MESSAGE_TYPE == INTERMEDIATE {
            ReceiptState::Enroute
        } else {
            ReceiptState::Unknown
        };
        Some(Receipt {
            reference: canonical(id.filter(|id| !id.is_empty())?, config.message_id.of_receipts()),
            to: msisdn(self.source),
            from: (!self.destination.is_empty()).then(|| latin1(self.destination)),
            state: state.unwrap_or(unsaid),
            error: self.error(text),
            done_at: text.done_date.and_then(|text| date(text, config.receipt_utc_offset_minutes)),
            token,
        })
    }

    /// The network's error code in decimal, else the text's; none where it only says that there is none.
    fn error(&self, text: &ReceiptText<'_>) -> Option<Box<str>> {
        if let Some([_, high, low]) = self.network_error_code {
            let code = u16::from_be_bytes([*high, *low]);
            return (code != 0).then(|| code.to_string().into_boxed_str());
        }
        text.err.filter(|err| err.iter().any(|octet| *octet != b'0')).map(latin1)
    }

    fn inbound(&self, config: &SmppConfig, token: ReceiptToken) -> Inbound {
        let script = Script::of(self.data_coding, config.alphabet);
        let part = self.part(script);
        // The parts are read together: a character may begin in one and end in the next.
        let text = if part.is_some() { String::new() } else { script.text(self.text()) };
        let mark = if part.is_some() { None } else { self.mark() };
        let (from, to) = (latin1(self.source), latin1(self.destination));
        Inbound { from, to, text, part, reference: None, mark, token }
    }

    /// The number by which a whole message is told from another with the same text: the carrier's, which some write into
    /// receipted_message_id also where there is no receipt, else the handset's (user_message_reference, 5.3.2.17; 0 is
    /// what is written where there is none). Both wrap around, so they count only for a while.
    ///
    /// Acknowledgements by a handset or person carry the numbers of the message that they answer, which two answers share.
    /// The reference of sar is no such number: carriers that cut nothing write the same into every message.
    fn mark(&self) -> Option<Box<str>> {
        if self.esm_class & MESSAGE_TYPE != 0 {
            return None;
        }
        if let Some(id) = self.receipted_message_id.filter(|id| !id.is_empty()) {
            return Some(format!("id {}", latin1(id)).into());
        }
        let reference = self.user_message_reference.filter(|reference| *reference != 0)?;
        Some(format!("reference {reference}").into())
    }

    /// Which part of a longer message it is, by its header or else its TLVs.
    fn part(&self, script: Script) -> Option<InboundPart> {
        let by_tlvs = || {
            let Sar { reference, total, place } = self.sar;
            // Apart from those of headers, which count on their own.
            Some((0x2_0000 | u32::from(reference?), total?, place?))
        };
        let (reference, total, place) = concatenation(self.header()).or_else(by_tlvs)?;
        InboundPart::new(reference, total, place, script, self.text())
    }

    /// The user data header, without its length.
    fn header(&self) -> &'a [u8] {
        match self.short_message {
            [length, rest @ ..] if self.esm_class & UDHI != 0 => {
                rest.get(..usize::from(*length)).unwrap_or_default()
            }
            _ => &[],
        }
    }

    /// The user data without its header.
    fn text(&self) -> &'a [u8] {
        match self.short_message {
            [length, rest @ ..] if self.esm_class & UDHI != 0 => {
                rest.get(usize::from(*length)..).unwrap_or_default()
            }
            whole => whole,
        }
    }
}

/// Reference, number of parts and place in a user data header with an element for it (3GPP TS 23.040, 9.2.3.24.1 with
/// a reference of 8 bits, 9.2.3.24.8 with one of 16).
pub(in crate::carrier) fn concatenation(mut header: &[u8]) -> Option<(u32, u8, u8)> {
    while let [element, length, rest @ ..] = header {
        let (value, after) = rest.split_at_checked(usize::from(*length))?;
        match (element, value) {
            (0x00, [reference, total, place]) => return Some((u32::from(*reference), *total, *place)),
            (0x08, [high, low, total, place]) => {
                return Some((0x1_0000 | u32::from(u16::from_be_bytes([*high, *low])), *total, *place));
            }
            _ => header = after,
        }
    }
    None
}

fn msisdn(address: &[u8]) -> Option<Msisdn> {
    let digits = address.strip_prefix(b"+").unwrap_or(address);
    let number = digits.iter().try_fold(0_u64, |number, octet| match octet {
        b'0'..=b'9' => number.checked_mul(10)?.checked_add(u64::from(octet - b'0')),
        _ => None,
    });
    number.and_then(Msisdn::from_digits)
}

fn latin1(octets: &[u8]) -> Box<str> {
    match std::str::from_utf8(octets) {
        Ok(text) if octets.is_ascii() => text.into(),
        _ => octets.iter().map(|octet| char::from(*octet)).collect(),
    }
}

fn without_nul(value: &[u8]) -> &[u8] {
    value.split(|octet| *octet == 0).next().unwrap_or_default()
}

/// The rest of a body, read field by field.
#[derive(Debug)]
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (field, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(field)
    }

    fn octets<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn c_string(&mut self) -> Option<&'a [u8]> {
        let end = self.0.iter().position(|octet| *octet == 0)?;
        let text = self.take(end)?;
        self.take(1)?;
        Some(text)
    }

    /// An address behind its type of number and numbering plan.
    fn address(&mut self) -> Option<&'a [u8]> {
        self.take(2)?;
        self.c_string()
    }

    fn tlv(&mut self) -> Option<(u16, &'a [u8])> {
        let [tag_high, tag_low, length_high, length_low] = self.octets()?;
        let value = self.take(u16::from_be_bytes([length_high, length_low]).into())?;
        Some((u16::from_be_bytes([tag_high, tag_low]), value))
    }
}

/// The message_id of a submit_sm_resp; empty where a carrier leaves it out.
pub(super) fn message_id(body: &[u8]) -> &[u8] {
    without_nul(body)
}

#[cfg(test)]
mod tests;
