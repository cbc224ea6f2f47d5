//! The form in which a chunk's recipients are stored: about five bytes a number, fields deflated.
//!
//! ```text
//! version 1 | flags | columns | size u16 LE
//! uniform:  pages | segments          each: size x pages, size x segments
//! numbers:  varint of the zigzag difference to the number before, from 2,340,000,000,000
//! fields:   deflate( for each recipient, for each column: varint length, UTF-8 )
//! ```

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use crate::error::{Error, Result};
use crate::model::varint::{VARINT_BYTES_MAX, read_varint, read_zigzag, write_varint, write_zigzag};
use crate::phone::Msisdn;

/// Recipients in a full chunk; a message's id is its chunk's times this plus its place.
pub const CHUNK_SIZE: usize = 4_096;

/// Bytes before the pages.
const HEAD_BYTES: usize = 5;
/// Bytes of the stored form up to the end of the numbers, at most: all that [`Chunk::decode_without_fields`] looks at.
pub const NUMBERS_BYTES_MAX: usize = HEAD_BYTES + CHUNK_SIZE * (2 + VARINT_BYTES_MAX);

const VERSION: u8 = 1;
const UNIFORM: u8 = 1;
/// Most Nigerian numbers are close to it, so the first difference is short too.
const ORIGIN: u64 = 2_340_000_000_000;
/// Bytes of merge fields with which a chunk is full, however few recipients it has.
const FIELDS_BYTES: usize = 2 << 20;
/// A chunk whose fields inflate beyond this is damaged. Those of before [`FIELDS_BYTES`] may have as much.
const FIELDS_BYTES_MAX: u64 = 4_096 * 65_536;

/// One recipient as it is read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipient<'a> {
    /// Who.
    pub number: Msisdn,
    /// Billed pages.
    pub pages: u8,
    /// Short messages.
    pub segments: u8,
    fields: &'a [Box<str>],
}

impl<'a> Recipient<'a> {
    /// The values of the merge fields, in the order of the audience's columns.
    pub fn fields(&self) -> &'a [Box<str>] {
        self.fields
    }
}

/// A chunk in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    numbers: Vec<Msisdn>,
    pages: Vec<u8>,
    segments: Vec<u8>,
    columns: usize,
    fields: Vec<Box<str>>,
}

impl Chunk {
    /// How many recipients it has.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Never true of a stored chunk.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The numbers in order.
    pub fn numbers(&self) -> &[Msisdn] {
        &self.numbers
    }

    /// Billed pages of the recipient at `place`; one entry serves all when they are the same.
    pub fn pages(&self, place: usize) -> u8 {
        at(&self.pages, place)
    }

    /// Billed pages of the recipients from `from` up to, not including, `to`.
    pub fn pages_between(&self, from: usize, to: usize) -> u64 {
        (from..to.min(self.len())).map(|place| u64::from(self.pages(place))).sum()
    }

    /// The recipient at `place`.
    pub fn recipient(&self, place: usize) -> Option<Recipient<'_>> {
        let number = *self.numbers.get(place)?;
        let fields = self.fields.get(place * self.columns..(place + 1) * self.columns)?;
        Some(Recipient { number, pages: at(&self.pages, place), segments: at(&self.segments, place), fields })
    }

    /// Reads the stored form.
    ///
    /// # Errors
    /// [`Error::Corrupt`] when it is not what [`ChunkBuilder::take`] wrote.
    pub fn decode(data: &[u8]) -> Result<Self> {
        decode(data, true).ok_or_else(|| Error::Corrupt("an audience chunk cannot be read".into()))
    }

    /// Reads the stored form, or its first [`NUMBERS_BYTES_MAX`] bytes, without the merge fields, which are most of a chunk
    /// that has some.
    ///
    /// # Errors
    /// As of [`Self::decode`]; damage behind the numbers is not seen.
    pub fn decode_without_fields(data: &[u8]) -> Result<Self> {
        decode(data, false).ok_or_else(|| Error::Corrupt("an audience chunk cannot be read".into()))
    }

    /// The stored form with [`Msisdn::erased`] in place of a number, and nothing in the merge fields of its recipients. Every
    /// recipient keeps the place, pages and short messages. `None` where the number is not in it.
    ///
    /// # Errors
    /// Those of [`ChunkBuilder::take`].
    pub fn erased(&self, number: Msisdn) -> Result<Option<StoredChunk>> {
        if !self.numbers.contains(&number) {
            return Ok(None);
        }
        let mut builder = ChunkBuilder::new(self.columns);
        for (place, held) in self.numbers.iter().enumerate() {
            let fields =
                self.fields.get(place * self.columns..(place + 1) * self.columns).unwrap_or_default();
            let (held, fields) = if *held == number { (number.erased(), &[][..]) } else { (*held, fields) };
            let (pages, segments) = (at(&self.pages, place), at(&self.segments, place));
            builder.push(held, pages, segments, fields.iter().map(|field| &**field));
        }
        builder.take()
    }

    /// The stored form of these recipients, as it is or its first [`NUMBERS_BYTES_MAX`] bytes, with [`Msisdn::erased`] for every
    /// number and nothing in the merge fields. Every recipient keeps the place, pages and short messages. `None` where all were
    /// erased before.
    ///
    /// # Errors
    /// As of [`Self::decode_without_fields`] and [`ChunkBuilder::take`].
    pub fn all_erased(data: &[u8]) -> Result<Option<StoredChunk>> {
        let chunk = Self::decode_without_fields(data)?;
        if chunk.numbers.iter().all(|held| held.is_erased()) {
            return Ok(None);
        }
        chunk.without_fields_of(data, Msisdn::erased)
    }

    /// The stored form of these recipients, likewise given, with nothing in the merge fields; the numbers stay. `None` where they
    /// have none.
    ///
    /// # Errors
    /// As of [`Self::all_erased`].
    pub fn fields_erased(data: &[u8]) -> Result<Option<StoredChunk>> {
        let chunk = Self::decode_without_fields(data)?;
        if data.get(2).is_none_or(|columns| *columns == 0) {
            return Ok(None);
        }
        chunk.without_fields_of(data, |held| held)
    }

    fn without_fields_of(&self, data: &[u8], held: fn(Msisdn) -> Msisdn) -> Result<Option<StoredChunk>> {
        let mut builder = ChunkBuilder::new(usize::from(data.get(2).copied().unwrap_or_default()));
        for (place, number) in self.numbers.iter().enumerate() {
            builder.push(held(*number), at(&self.pages, place), at(&self.segments, place), []);
        }
        builder.take()
    }

    /// Memory it takes, in bytes, roughly.
    pub fn bytes(&self) -> usize {
        self.numbers.len() * 8
            + self.pages.len()
            + self.segments.len()
            + self.fields.iter().map(|field| field.len() + 16).sum::<usize>()
    }
}

fn at(values: &[u8], place: usize) -> u8 {
    if values.len() == 1 { values[0] } else { values.get(place).copied().unwrap_or_default() }
}

fn decode(data: &[u8], with_fields: bool) -> Option<Chunk> {
    let (&[version, flags, columns, low, high], mut rest) = data.split_first_chunk::<HEAD_BYTES>()?;
    let size = usize::from(u16::from_le_bytes([low, high]));
    if version != VERSION || size == 0 || size > CHUNK_SIZE {
        return None;
    }
    let counts = if flags & UNIFORM != 0 { 1 } else { size };
    let pages = rest.split_off(..counts)?.to_vec();
    let segments = rest.split_off(..counts)?.to_vec();
    let mut numbers = Vec::with_capacity(size);
    let mut previous = ORIGIN;
    for _ in 0..size {
        previous = previous.wrapping_add_signed(read_zigzag(&mut rest)?);
        numbers.push(Msisdn::from_audience(previous)?);
    }
    let columns = if with_fields { usize::from(columns) } else { 0 };
    let mut fields = Vec::with_capacity(size * columns);
    if columns > 0 {
        let mut plain = Vec::new();
        DeflateDecoder::new(rest).take(FIELDS_BYTES_MAX).read_to_end(&mut plain).ok()?;
        let mut plain = plain.as_slice();
        for _ in 0..size * columns {
            let length = usize::try_from(read_varint(&mut plain)?).ok()?;
            fields.push(std::str::from_utf8(plain.split_off(..length)?).ok()?.into());
        }
    }
    Some(Chunk { numbers, pages, segments, columns, fields })
}

/// Collects recipients until a chunk is full.
#[derive(Debug, Default)]
pub struct ChunkBuilder {
    columns: usize,
    numbers: Vec<u8>,
    previous: u64,
    size: usize,
    pages: Vec<u8>,
    segments: Vec<u8>,
    total_pages: u64,
    total_segments: u64,
    fields: Vec<u8>,
}

/// A finished chunk as it is stored.
#[derive(Clone, Debug)]
pub struct StoredChunk {
    /// Recipients.
    pub size: u16,
    /// Their billed pages together.
    pub pages: u64,
    /// Their short messages together.
    pub segments: u64,
    /// The stored form.
    pub data: Vec<u8>,
}

impl ChunkBuilder {
    /// An empty chunk whose recipients have `columns` merge fields each.
    pub fn new(columns: usize) -> Self {
        Self { columns, previous: ORIGIN, ..Self::default() }
    }

    /// How many recipients it holds.
    pub const fn len(&self) -> usize {
        self.size
    }

    /// Whether it holds none.
    pub const fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Whether it must be taken before the next recipient.
    pub const fn is_full(&self) -> bool {
        self.size >= CHUNK_SIZE || self.fields.len() >= FIELDS_BYTES
    }

    /// Bytes of the merge fields that it holds.
    pub const fn field_bytes(&self) -> usize {
        self.fields.len()
    }

    /// Adds a recipient. `fields` yields one value for each column; missing ones are empty.
    pub fn push<'a>(
        &mut self,
        number: Msisdn,
        pages: u8,
        segments: u8,
        fields: impl IntoIterator<Item = &'a str>,
    ) {
        let digits = number.digits();
        let difference = digits.wrapping_sub(self.previous).cast_signed();
        write_zigzag(difference, &mut self.numbers);
        self.previous = digits;
        self.pages.push(pages);
        self.segments.push(segments);
        self.total_pages += u64::from(pages);
        self.total_segments += u64::from(segments);
        let mut fields = fields.into_iter();
        for _ in 0..self.columns {
            let value = fields.next().unwrap_or_default();
            write_varint(value.len() as u64, &mut self.fields);
            self.fields.extend_from_slice(value.as_bytes());
        }
        self.size += 1;
    }

    /// Takes what was collected, leaving an empty builder; `None` when there is nothing.
    pub fn take(&mut self) -> Result<Option<StoredChunk>> {
        if self.is_empty() {
            return Ok(None);
        }
        let full = std::mem::replace(self, Self::new(self.columns));
        let size = u16::try_from(full.size).map_err(|_| Error::Corrupt("a chunk grew too large".into()))?;
        let columns = u8::try_from(full.columns)
            .map_err(|_| Error::field("file", "too_many_columns", "A file may have at most 64 columns"))?;
        let uniform = same(&full.pages) && same(&full.segments);
        let counts = if uniform { 1 } else { full.size };
        let mut data = vec![VERSION, if uniform { UNIFORM } else { 0 }, columns];
        data.extend_from_slice(&size.to_le_bytes());
        data.extend_from_slice(&full.pages[..counts]);
        data.extend_from_slice(&full.segments[..counts]);
        data.extend_from_slice(&full.numbers);
        if columns > 0 {
            let mut encoder = DeflateEncoder::new(data, Compression::fast());
            data = encoder
                .write_all(&full.fields)
                .and_then(|()| encoder.finish())
                .map_err(|source| Error::io("compressing an audience chunk", source))?;
        }
        Ok(Some(StoredChunk { size, pages: full.total_pages, segments: full.total_segments, data }))
    }
}

fn same(values: &[u8]) -> bool {
    values.windows(2).all(|pair| pair[0] == pair[1])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn number(digits: u64) -> Msisdn {
        Msisdn::from_digits(digits).unwrap()
    }

    #[test]
    fn a_chunk_is_read_back_as_it_was_built() {
        let mut builder = ChunkBuilder::new(2);
        builder.push(number(2_348_031_234_567), 1, 1, ["Ada", "12"]);
        builder.push(number(447_911_123_456), 2, 3, ["Ọbá\n", ""]);
        let stored = builder.take().unwrap().unwrap();
        assert_eq!((stored.size, stored.pages, stored.segments), (2, 3, 4));
        assert!(builder.is_empty());
        let chunk = Chunk::decode(&stored.data).unwrap();
        let second = chunk.recipient(1).unwrap();
        assert_eq!(second.number, number(447_911_123_456));
        assert_eq!((second.pages, second.segments), (2, 3));
        assert_eq!(second.fields().iter().map(AsRef::as_ref).collect::<Vec<&str>>(), ["Ọbá\n", ""]);
        assert_eq!(chunk.recipient(2), None);
    }

    #[test]
    fn long_fields_fill_a_chunk_early_and_need_not_be_read() {
        let mut builder = ChunkBuilder::new(1);
        let value = "\u{200b}".repeat(1_365);
        while !builder.is_full() {
            builder.push(number(2_348_031_234_567), 1, 1, [value.as_str()]);
        }
        assert_eq!(builder.len(), FIELDS_BYTES.div_ceil(value.len() + 2));
        let stored = builder.take().unwrap().unwrap();
        let whole = Chunk::decode(&stored.data).unwrap();
        let short = Chunk::decode_without_fields(&stored.data).unwrap();
        assert_eq!(
            Chunk::decode_without_fields(&stored.data[..NUMBERS_BYTES_MAX.min(stored.data.len())]).unwrap(),
            short
        );
        assert_eq!((short.numbers(), short.pages(0)), (whole.numbers(), whole.pages(0)));
        assert!(short.bytes() * 100 < whole.bytes());
        assert_eq!(short.recipient(0).unwrap().fields(), &[] as &[Box<str>]);
    }

    #[test]
    fn a_full_chunk_of_plain_numbers_takes_about_five_bytes_each() {
        let mut builder = ChunkBuilder::new(0);
        for step in 0..CHUNK_SIZE as u64 {
            builder.push(number(2_347_000_000_000 + step * 514_229 % 2_199_999_999), 1, 1, []);
        }
        assert!(builder.is_full());
        let stored = builder.take().unwrap().unwrap();
        assert!(stored.data.len() < CHUNK_SIZE * 11 / 2, "{} bytes", stored.data.len());
        let chunk = Chunk::decode(&stored.data).unwrap();
        assert_eq!(chunk.len(), CHUNK_SIZE);
        assert_eq!(chunk.pages_between(10, CHUNK_SIZE), CHUNK_SIZE as u64 - 10);
    }

    #[test]
    fn an_erased_number_leaves_its_places_and_nothing_of_itself() {
        let mut builder = ChunkBuilder::new(2);
        let (erased, kept) = (number(2_348_031_234_567), number(447_911_123_456));
        builder.push(erased, 2, 3, ["Ada", "2348031234567"]);
        builder.push(kept, 1, 1, ["Bisi", "12"]);
        builder.push(erased, 2, 3, ["Ada", "08031234567"]);
        let before = builder.take().unwrap().unwrap();
        let chunk = Chunk::decode(&before.data).unwrap();
        assert!(chunk.erased(number(2_348_039_999_999)).unwrap().is_none());
        let after = chunk.erased(erased).unwrap().unwrap();
        assert_eq!((after.size, after.pages, after.segments), (before.size, before.pages, before.segments));
        let chunk = Chunk::decode(&after.data).unwrap();
        assert_eq!(chunk.numbers(), [erased.erased(), kept, erased.erased()]);
        for place in [0, 2] {
            let recipient = chunk.recipient(place).unwrap();
            assert_eq!((recipient.pages, recipient.segments), (2, 3));
            assert!(recipient.fields().iter().all(|field| field.is_empty()));
        }
        let other = chunk.recipient(1).unwrap();
        assert_eq!(other.fields().iter().map(AsRef::as_ref).collect::<Vec<&str>>(), ["Bisi", "12"]);
        assert!(chunk.erased(erased).unwrap().is_none(), "a second time there is nothing to do");
        assert_eq!(Chunk::decode_without_fields(&after.data).unwrap().numbers(), chunk.numbers());
    }

    #[test]
    fn a_chunk_without_fields_or_numbers_keeps_places_and_pages() {
        let mut builder = ChunkBuilder::new(1);
        let numbers = [number(2_348_031_234_567), number(447_911_123_456)];
        builder.push(numbers[0], 2, 3, ["Your code is 4711"]);
        builder.push(numbers[1], 1, 1, ["Ada"]);
        let before = builder.take().unwrap().unwrap();
        let bare = Chunk::fields_erased(&before.data).unwrap().unwrap();
        assert_eq!(Chunk::decode(&bare.data).unwrap().numbers(), numbers);
        let erased = Chunk::all_erased(&before.data).unwrap().unwrap();
        assert_eq!(Chunk::decode(&erased.data).unwrap().numbers(), numbers.map(Msisdn::erased));
        for after in [&bare, &erased] {
            assert_eq!((after.pages, after.segments), (before.pages, before.segments));
            let chunk = Chunk::decode(&after.data).unwrap();
            assert!((0..2).all(|place| chunk.recipient(place).unwrap().fields() == [Box::from("")]));
        }
        assert!(Chunk::all_erased(&erased.data).unwrap().is_none(), "a second time there is nothing to do");
    }

    #[test]
    fn damage_is_an_error_and_never_a_panic() {
        let mut builder = ChunkBuilder::new(1);
        builder.push(number(2_348_031_234_567), 1, 1, ["x"]);
        let data = builder.take().unwrap().unwrap().data;
        for cut in 0..data.len() {
            assert!(Chunk::decode(&data[..cut]).is_err(), "cut at {cut}");
        }
    }

    proptest! {
        #[test]
        fn any_recipients_survive(rows in prop::collection::vec((1_000_000_u64..999_999_999_999_999, 1_u8..7, ".{0,20}"), 1..200)) {
            let mut builder = ChunkBuilder::new(1);
            for (digits, pages, field) in &rows {
                builder.push(number(*digits), *pages, *pages, [field.as_str()]);
            }
            let chunk = Chunk::decode(&builder.take().unwrap().unwrap().data).unwrap();
            for (place, (digits, pages, field)) in rows.iter().enumerate() {
                let recipient = chunk.recipient(place).unwrap();
                prop_assert_eq!(recipient.number.digits(), *digits);
                prop_assert_eq!(recipient.pages, *pages);
                prop_assert_eq!(&*recipient.fields()[0], field.as_str());
            }
        }

        #[test]
        fn noise_never_panics(data in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = Chunk::decode(&data);
        }
    }
}
