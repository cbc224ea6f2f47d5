//! SMPP 3.4 from the SMSC's side: what a client sends, and what it is sent. Shares no code with the carrier, so that a
//! misreading in one shows against the other.
//!
//! Every function that appends, appends one whole PDU.

use super::args::{IdBase, ReceiptForm};

pub(super) const BIND_RECEIVER: u32 = 1;
pub(super) const BIND_TRANSMITTER: u32 = 2;
pub(super) const SUBMIT_SM: u32 = 4;
pub(super) const DELIVER_SM: u32 = 5;
pub(super) const UNBIND: u32 = 6;
pub(super) const BIND_TRANSCEIVER: u32 = 9;
pub(super) const ENQUIRE_LINK: u32 = 0x15;
pub(super) const DELIVER_SM_RESP: u32 = 0x8000_0005;
pub(super) const GENERIC_NACK: u32 = 0x8000_0000;
pub(super) const RESPONSE: u32 = 0x8000_0000;

pub(super) const OK: u32 = 0;
pub(super) const INVALID_LENGTH: u32 = 0x02;
pub(super) const INVALID_COMMAND: u32 = 0x03;
pub(super) const INVALID_BIND_STATUS: u32 = 0x04;
pub(super) const ALREADY_BOUND: u32 = 0x05;
pub(super) const INVALID_DESTINATION: u32 = 0x0B;
pub(super) const INVALID_PASSWORD: u32 = 0x0E;
pub(super) const INVALID_SYSTEM_ID: u32 = 0x0F;
pub(super) const SUBMIT_FAILED: u32 = 0x45;
pub(super) const THROTTLED: u32 = 0x58;

/// The longest PDU taken.
pub(super) const LEN_MAX: usize = 70_000;

/// A PDU as it lies in the read buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pdu<'a> {
    pub(super) id: u32,
    pub(super) status: u32,
    pub(super) sequence: u32,
    pub(super) body: &'a [u8],
}

/// The next PDU of `octets` and its length; `None` if it is not whole yet.
///
/// # Errors
/// A length that cannot be.
pub(super) fn next(octets: &[u8]) -> Result<Option<(Pdu<'_>, usize)>, u32> {
    let word = |at: usize| {
        octets.get(at..at + 4).map(|word| u32::from_be_bytes([word[0], word[1], word[2], word[3]]))
    };
    let Some(length) = word(0) else { return Ok(None) };
    let whole = length as usize;
    if !(16..=LEN_MAX).contains(&whole) {
        return Err(length);
    }
    let (Some(id), Some(status), Some(sequence)) = (word(4), word(8), word(12)) else { return Ok(None) };
    Ok(octets.get(16..whole).map(|body| (Pdu { id, status, sequence, body }, whole)))
}

/// The fields of a bind that matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bind<'a> {
    pub(super) system_id: &'a [u8],
    pub(super) password: &'a [u8],
}

impl<'a> Bind<'a> {
    pub(super) fn parse(body: &'a [u8]) -> Option<Self> {
        let (system_id, rest) = text(body)?;
        let (password, _) = text(rest)?;
        Some(Self { system_id, password })
    }
}

/// The fields of a submit_sm that matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Submit<'a> {
    /// Type of number and numbering plan of the sender, and the sender.
    pub(super) source: (u8, u8, &'a [u8]),
    pub(super) destination: &'a [u8],
    pub(super) registered_delivery: u8,
    /// short_message or message_payload, and the sar_segment_seqnum that tells parts of one text apart.
    pub(super) text: &'a [u8],
    pub(super) segment: u8,
}

impl<'a> Submit<'a> {
    pub(super) fn parse(body: &'a [u8]) -> Option<Self> {
        let (_, rest) = text(body)?;
        let (&[source_ton, source_npi], rest) = rest.split_first_chunk::<2>()?;
        let (source, rest) = text(rest)?;
        let (_, rest) = rest.split_first_chunk::<2>()?;
        let (destination, rest) = text(rest)?;
        let (_, rest) = rest.split_first_chunk::<3>()?;
        let (_, rest) = text(rest)?;
        let (_, rest) = text(rest)?;
        let (&[registered_delivery, _, _, _, length], rest) = rest.split_first_chunk::<5>()?;
        let (short_message, tlvs) = rest.split_at_checked(length.into())?;
        let source = (source_ton, source_npi, source);
        let plain = Self { source, destination, registered_delivery, text: short_message, segment: 0 };
        plain.with_tlvs(tlvs)
    }

    fn with_tlvs(mut self, mut tlvs: &'a [u8]) -> Option<Self> {
        while !tlvs.is_empty() {
            let (&[tag_high, tag_low, high, low], rest) = tlvs.split_first_chunk::<4>()?;
            let (value, rest) = rest.split_at_checked(u16::from_be_bytes([high, low]).into())?;
            match (tag_high, tag_low) {
                (0x04, 0x24) => self.text = value,
                (0x02, 0x0F) => self.segment = value.first().copied().unwrap_or(0),
                _ => {}
            }
            tlvs = rest;
        }
        Some(self)
    }

    /// The destination as a number, if it is one of 5 to 15 digits.
    pub(super) fn number(&self) -> Option<u64> {
        let digits = self.destination.strip_prefix(b"+").unwrap_or(self.destination);
        if !(5..=15).contains(&digits.len()) {
            return None;
        }
        digits.iter().try_fold(0, |number, digit| {
            digit.is_ascii_digit().then(|| number * 10 + u64::from(digit - b'0'))
        })
    }
}

fn text(octets: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = octets.iter().position(|octet| *octet == 0)?;
    Some((&octets[..end], &octets[end + 1..]))
}

/// Appends a PDU that is a header alone.
pub(super) fn put_bare(out: &mut Vec<u8>, id: u32, status: u32, sequence: u32) {
    put(out, id, status, sequence, |_| {});
}

/// Appends the answer to a bind.
pub(super) fn put_bind_resp(out: &mut Vec<u8>, id: u32, status: u32, sequence: u32) {
    put(out, id | RESPONSE, status, sequence, |out| {
        if status == OK {
            out.extend_from_slice(b"talkdrum\0");
            // sc_interface_version: 3.4
            out.extend_from_slice(&[0x02, 0x10, 0x00, 0x01, 0x34]);
        }
    });
}

/// Appends the answer to a submit_sm; `id` is the message's where it was accepted.
pub(super) fn put_submit_resp(out: &mut Vec<u8>, status: u32, sequence: u32, id: Option<Id>) {
    put(out, SUBMIT_SM | RESPONSE, status, sequence, |out| {
        if let Some(id) = id {
            id.put(out);
            out.push(0);
        }
    });
}

fn put(out: &mut Vec<u8>, id: u32, status: u32, sequence: u32, body: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    for word in [id, status, sequence] {
        out.extend_from_slice(&word.to_be_bytes());
    }
    body(out);
    let length = (out.len() - start) as u32;
    out[start..start + 4].copy_from_slice(&length.to_be_bytes());
}

/// A message id as it is to be written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Id {
    pub(super) number: u64,
    pub(super) base: IdBase,
    pub(super) width: u8,
}

impl Id {
    fn put(self, out: &mut Vec<u8>) {
        let radix = match self.base {
            IdBase::Decimal => 10,
            IdBase::Hex => 16,
        };
        let start = out.len();
        let mut number = self.number;
        loop {
            out.push(b"0123456789ABCDEF"[(number % radix) as usize]);
            number /= radix;
            if number == 0 {
                break;
            }
        }
        while out.len() - start < usize::from(self.width) {
            out.push(b'0');
        }
        out[start..].reverse();
    }
}

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Delivered = 0,
    Undelivered,
    Expired,
}

impl Fate {
    /// `stat`, `err`, message_state.
    const fn words(self) -> (&'static [u8], &'static [u8], u8) {
        match self {
            Self::Delivered => (b"DELIVRD", b"000", 2),
            Self::Undelivered => (b"UNDELIV", b"027", 5),
            Self::Expired => (b"EXPIRED", b"034", 3),
        }
    }
}

/// A receipt to be sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Receipt<'a> {
    pub(super) id: Id,
    pub(super) fate: Fate,
    /// Who got, or did not get, the message.
    pub(super) handset: u64,
    /// The sender of the message, with type of number and numbering plan.
    pub(super) sender: (u8, u8, &'a [u8]),
    /// `YYMMDDhhmm`.
    pub(super) date: [u8; 10],
    pub(super) form: ReceiptForm,
}

/// Appends the deliver_sm of a receipt.
pub(super) fn put_receipt(out: &mut Vec<u8>, sequence: u32, receipt: &Receipt<'_>) {
    let (stat, err, state) = receipt.fate.words();
    let has_text = receipt.form != ReceiptForm::Tlv;
    put(out, DELIVER_SM, OK, sequence, |out| {
        out.extend_from_slice(&[0, 1, 1]);
        Id { number: receipt.handset, base: IdBase::Decimal, width: 0 }.put(out);
        let (ton, npi, sender) = receipt.sender;
        out.extend_from_slice(&[0, ton, npi]);
        out.extend_from_slice(sender);
        out.extend_from_slice(&[0, 0x04, 0, 0, 0, 0, 0, 0, 0, 0]);
        let length_at = out.len();
        out.push(0);
        if has_text {
            put_text(out, receipt, stat, err);
        }
        out[length_at] = (out.len() - length_at - 1) as u8;
        if receipt.form != ReceiptForm::Text {
            out.extend_from_slice(&[0x00, 0x1E, 0, 0]);
            let id_at = out.len();
            receipt.id.put(out);
            out.push(0);
            out[id_at - 1] = (out.len() - id_at) as u8;
            out.extend_from_slice(&[0x04, 0x27, 0, 1, state]);
        }
    });
}

fn put_text(out: &mut Vec<u8>, receipt: &Receipt<'_>, stat: &[u8], err: &[u8]) {
    out.extend_from_slice(b"id:");
    receipt.id.put(out);
    let delivered: &[u8] = if receipt.fate == Fate::Delivered { b"001" } else { b"000" };
    for piece in [
        b" sub:001 dlvrd:",
        delivered,
        b" submit date:",
        &receipt.date,
        b" done date:",
        &receipt.date,
        b" stat:",
        stat,
        b" err:",
        err,
        b" text:",
    ] {
        out.extend_from_slice(piece);
    }
}

/// What a handset makes of its message: UCS-2, cut into parts with a header where it is long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) from: String,
    pub(super) to: String,
    /// The user data header, with its length; empty for a message in one piece.
    pub(super) header: Vec<u8>,
    pub(super) octets: Vec<u8>,
}

/// Appends the deliver_sm of a message from a handset, or of a part of it, in UCS-2.
pub(super) fn put_inbound(out: &mut Vec<u8>, sequence: u32, piece: &Piece) {
    let esm_class = if piece.header.is_empty() { 0 } else { 0x40 };
    let length = piece.header.len() + piece.octets.len();
    put(out, DELIVER_SM, OK, sequence, |out| {
        out.extend_from_slice(&[0, 1, 1]);
        out.extend_from_slice(piece.from.as_bytes());
        out.extend_from_slice(&[0, 1, 1]);
        out.extend_from_slice(piece.to.as_bytes());
        out.extend_from_slice(&[0, esm_class, 0, 0, 0, 0, 0, 0, 8, 0, length as u8]);
        out.extend_from_slice(&piece.header);
        out.extend_from_slice(&piece.octets);
    });
}

#[cfg(test)]
mod tests;
