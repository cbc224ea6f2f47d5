//! The form in which a chunk's delivered messages are kept once they rest: a few bytes each, by column.
//!
//! ```text
//! version 1 | varint of how many messages
//! places:        runs of neighbours: varint of the gap to the run before | varint of the length less one
//! sequences:     runs of the same: varint of the zigzag difference to the value before | varint of the length less one
//! submitted_at:  likewise
//! done_at:       less submitted_at: varint of the zigzag difference to the value before
//! references:    runs of the same kind: kind | varint of the length less one
//!   numbers:     varint of the zigzag difference to the number before
//!   texts:       deflate( for each: varint length, UTF-8 )
//! ```

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use crate::error::{Error, Result};
use crate::model::campaign::audience_chunk::CHUNK_SIZE;
use crate::model::varint::{read_varint, read_zigzag, write_varint, write_zigzag};
use crate::time::Time;

const VERSION: u8 = 1;
/// References that inflate beyond this are damaged. Who packs reads back what longer ones would be.
const REFERENCE_BYTES_MAX: u64 = CHUNK_SIZE as u64 * 1_024;

/// A delivered message that was paid for once: neither its status nor its money changes any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedMessage {
    /// Its place in its chunk.
    pub place: u16,
    /// Of the capture in its chunk.
    pub sequence: i64,
    pub submitted_at: Time,
    pub done_at: Time,
    /// The carrier's reference.
    pub carrier_ref: Option<Box<str>>,
}

/// How a reference is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    None,
    Number(i64),
    Text,
}

impl Kind {
    fn of(reference: Option<&str>) -> Self {
        let Some(text) = reference else { return Self::None };
        match text.parse::<i64>() {
            // `+7` and `007` would be read back as `7`.
            Ok(number) if number.to_string() == text => Self::Number(number),
            _ => Self::Text,
        }
    }

    const fn code(self) -> u8 {
        match self {
            Self::None => 0,
            Self::Number(_) => 1,
            Self::Text => 2,
        }
    }
}

/// Packs messages of one chunk, which are in order of their places.
///
/// # Errors
/// None but [`Error::Io`] of the memory that is written to.
pub fn pack(messages: &[PackedMessage]) -> Result<Vec<u8>> {
    let mut packed = Vec::with_capacity(16 + 8 * messages.len());
    packed.push(VERSION);
    write_varint(messages.len() as u64, &mut packed);
    let mut next = 0;
    for run in messages.chunk_by(|one, next| one.place + 1 == next.place) {
        write_varint(u64::from(run[0].place) - next, &mut packed);
        write_varint(run.len() as u64 - 1, &mut packed);
        next = u64::from(run[0].place) + run.len() as u64;
    }
    write_runs(messages, |message| message.sequence, &mut packed);
    write_runs(messages, |message| message.submitted_at.0, &mut packed);
    let mut previous = 0;
    for message in messages {
        let taken = message.done_at.0.wrapping_sub(message.submitted_at.0);
        write_zigzag(taken.wrapping_sub(previous), &mut packed);
        previous = taken;
    }
    write_references(messages, packed)
}

fn write_runs(messages: &[PackedMessage], value: impl Fn(&PackedMessage) -> i64, packed: &mut Vec<u8>) {
    let mut previous = 0_i64;
    for run in messages.chunk_by(|one, next| value(one) == value(next)) {
        write_zigzag(value(&run[0]).wrapping_sub(previous), packed);
        write_varint(run.len() as u64 - 1, packed);
        previous = value(&run[0]);
    }
}

fn write_references(messages: &[PackedMessage], mut packed: Vec<u8>) -> Result<Vec<u8>> {
    let kinds: Vec<Kind> = messages.iter().map(|message| Kind::of(message.carrier_ref.as_deref())).collect();
    for run in kinds.chunk_by(|one, next| one.code() == next.code()) {
        packed.push(run[0].code());
        write_varint(run.len() as u64 - 1, &mut packed);
    }
    let (mut previous, mut texts) = (0_i64, Vec::new());
    for (kind, message) in kinds.iter().zip(messages) {
        match kind {
            Kind::None => {}
            Kind::Number(number) => {
                write_zigzag(number.wrapping_sub(previous), &mut packed);
                previous = *number;
            }
            Kind::Text => {
                let text = message.carrier_ref.as_deref().unwrap_or_default();
                write_varint(text.len() as u64, &mut texts);
                texts.extend_from_slice(text.as_bytes());
            }
        }
    }
    if texts.is_empty() {
        return Ok(packed);
    }
    let mut encoder = DeflateEncoder::new(packed, Compression::fast());
    encoder
        .write_all(&texts)
        .and_then(|()| encoder.finish())
        .map_err(|source| Error::io("compressing the references of messages", source))
}

/// Reads what [`pack`] wrote.
///
/// # Errors
/// [`Error::Corrupt`] where it did not write it.
pub fn unpack(packed: &[u8]) -> Result<Vec<PackedMessage>> {
    Reader::of(packed).and_then(Reader::messages).ok_or_else(damaged)
}

/// The places of the messages that [`pack`] wrote, in order.
///
/// # Errors
/// As of [`unpack`]; damage behind the places is not seen.
pub fn places(packed: &[u8]) -> Result<Vec<u16>> {
    Reader::of(packed).map(|reader| reader.places).ok_or_else(damaged)
}

fn damaged() -> Error {
    Error::Corrupt("packed messages cannot be read".into())
}

/// Reads column by column. Everything that it gives out is `None` where it cannot have been written.
struct Reader<'a> {
    places: Vec<u16>,
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn of(packed: &'a [u8]) -> Option<Self> {
        let (&VERSION, mut rest) = packed.split_first()? else { return None };
        let count = usize::try_from(read_varint(&mut rest)?).ok().filter(|count| *count <= CHUNK_SIZE)?;
        let mut places = Vec::with_capacity(count);
        let mut next = 0_u64;
        while places.len() < count {
            let first = next.checked_add(read_varint(&mut rest)?)?;
            next = first.checked_add(read_varint(&mut rest)?)?.checked_add(1)?;
            if next > CHUNK_SIZE as u64 {
                return None;
            }
            places.extend((first..next).filter_map(|place| u16::try_from(place).ok()));
        }
        (places.len() == count).then_some(Self { places, rest })
    }

    fn messages(mut self) -> Option<Vec<PackedMessage>> {
        let sequences = self.runs()?;
        let submitted = self.runs()?;
        let mut taken = 0_i64;
        let mut messages = Vec::with_capacity(self.places.len());
        for ((place, sequence), submitted_at) in self.places.iter().zip(sequences).zip(submitted) {
            taken = taken.wrapping_add(read_zigzag(&mut self.rest)?);
            messages.push(PackedMessage {
                place: *place,
                sequence,
                submitted_at: Time(submitted_at),
                done_at: Time(submitted_at.wrapping_add(taken)),
                carrier_ref: None,
            });
        }
        self.references(&mut messages)?;
        Some(messages)
    }

    /// The length of a run, of which `so_far` values were read.
    fn length(&mut self, so_far: usize) -> Option<usize> {
        let length = usize::try_from(read_varint(&mut self.rest)?).ok()?.checked_add(1)?;
        (length <= self.places.len() - so_far).then_some(length)
    }

    fn runs(&mut self) -> Option<Vec<i64>> {
        let (mut values, mut value) = (Vec::with_capacity(self.places.len()), 0_i64);
        while values.len() < self.places.len() {
            value = value.wrapping_add(read_zigzag(&mut self.rest)?);
            let length = self.length(values.len())?;
            values.resize(values.len() + length, value);
        }
        Some(values)
    }

    fn references(&mut self, messages: &mut [PackedMessage]) -> Option<()> {
        let mut kinds: Vec<u8> = Vec::with_capacity(messages.len());
        while kinds.len() < messages.len() {
            let kind = *self.rest.split_off_first()?;
            let length = self.length(kinds.len())?;
            kinds.resize(kinds.len() + length, kind);
        }
        let mut number = 0_i64;
        let mut of_text = Vec::new();
        for (kind, message) in kinds.into_iter().zip(messages) {
            match kind {
                0 => {}
                1 => {
                    number = number.wrapping_add(read_zigzag(&mut self.rest)?);
                    message.carrier_ref = Some(number.to_string().into());
                }
                2 => of_text.push(message),
                _ => return None,
            }
        }
        if of_text.is_empty() {
            return self.rest.is_empty().then_some(());
        }
        let mut plain = Vec::new();
        let mut decoder = DeflateDecoder::new(self.rest).take(REFERENCE_BYTES_MAX);
        decoder.read_to_end(&mut plain).ok()?;
        if decoder.get_ref().total_in() != self.rest.len() as u64 {
            return None;
        }
        let mut plain = plain.as_slice();
        for message in of_text {
            let length = usize::try_from(read_varint(&mut plain)?).ok()?;
            message.carrier_ref = Some(std::str::from_utf8(plain.split_off(..length)?).ok()?.into());
        }
        plain.is_empty().then_some(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn message(place: u16, sequence: i64, reference: Option<&str>) -> PackedMessage {
        let submitted_at = Time(1_796_000_000_000 + i64::from(place) / 100);
        PackedMessage {
            place,
            sequence,
            submitted_at,
            done_at: Time(submitted_at.0 + 4_000 + i64::from(place) % 7),
            carrier_ref: reference.map(Into::into),
        }
    }

    fn any_reference() -> impl Strategy<Value = Option<String>> {
        prop_oneof![
            Just(None),
            any::<i64>().prop_map(|number| Some(number.to_string())),
            "[0-9]{1,24}".prop_map(Some),
            "[0-9a-f]{8}-[0-9a-f]{4}".prop_map(Some),
            ".{0,40}".prop_map(Some),
        ]
    }

    proptest! {
        #[test]
        fn what_is_packed_is_read_back(
            rows in proptest::collection::btree_map(
                0_u16..4_096,
                (any::<i64>(), any::<i64>(), any::<i64>(), any_reference()),
                0..300,
            ),
        ) {
            let messages: Vec<PackedMessage> = rows
                .into_iter()
                .map(|(place, (sequence, submitted_at, done_at, reference))| PackedMessage {
                    place,
                    sequence,
                    submitted_at: Time(submitted_at),
                    done_at: Time(done_at),
                    carrier_ref: reference.map(Into::into),
                })
                .collect();
            let packed = pack(&messages).unwrap();
            let held: Vec<u16> = messages.iter().map(|message| message.place).collect();
            prop_assert_eq!(places(&packed).unwrap(), held);
            prop_assert_eq!(unpack(&packed).unwrap(), messages);
        }

        #[test]
        fn what_was_not_packed_is_refused_or_read_and_never_more_than_a_chunk(
            bytes in proptest::collection::vec(any::<u8>(), 0..200),
        ) {
            let mut packed = vec![VERSION];
            packed.extend(bytes);
            if let Ok(messages) = unpack(&packed) {
                prop_assert!(messages.len() <= CHUNK_SIZE);
            }
        }
    }

    #[test]
    fn a_cut_is_seen_wherever_it_is() {
        let references = [Some("17"), Some("ab-01"), None];
        let messages: Vec<PackedMessage> = (0..90)
            .map(|place| message(place * 3, i64::from(place / 40), references[usize::from(place) % 3]))
            .collect();
        let packed = pack(&messages).unwrap();
        for end in 0..packed.len() {
            assert!(unpack(&packed[..end]).is_err(), "{end} of {}", packed.len());
        }
    }

    #[test]
    fn a_message_takes_a_few_bytes() {
        let bytes = |reference: fn(u16) -> String| {
            let messages: Vec<PackedMessage> = (0..4_096)
                .map(|place| message(place, i64::from(place / 500), Some(&reference(place))))
                .collect();
            pack(&messages).unwrap().len()
        };
        assert!(bytes(|place| (1_839_180_961_541_120 + i64::from(place)).to_string()) < 3 * 4_096);
        // Sixteen bytes of chance in each.
        const FACTOR: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
        assert!(bytes(|place| format!("{:032x}", u128::from(place + 1).wrapping_mul(FACTOR))) < 22 * 4_096);
    }
}
