//! Recipients out of bytes of any size: a pasted list, a sentence, a text file, a table saved by a spreadsheet.
//!
//! Bytes are pushed in pieces of any size; numbers and rejects come out through a [`Sink`]. The first 32 KiB decide
//! encoding and layout, then everything streams: memory stays below a few hundred KiB whatever the size of the input.
//!
//! The one invariant: how the bytes were cut into pieces changes nothing, and every field that was meant to be a
//! number comes out, as a recipient or as a reject with its line.

mod decode;
mod fields;
mod layout;
mod row;
mod table;
mod text;

use decode::Decoder;
pub use decode::InputEncoding;
pub use fields::{FieldsBuf, RowFields};
use layout::{Layout, Shape};
use table::TableReader;
use text::TextReader;

use super::{Msisdn, RejectReason};
use crate::error::{Error, Result};

/// Bytes looked at before encoding and layout are decided.
const HEAD_MAX: usize = 32 * 1024;
/// Bytes decoded at a time.
const STEP: usize = 64 * 1024;
/// Bytes in one field.
const FIELD_MAX: usize = 4 * 1024;
/// Bytes in one row of a table.
const ROW_MAX: usize = 64 * 1024;
/// Columns of a table.
const COLUMNS_MAX: usize = 64;
/// Characters of a column's title in a sentence.
const TITLE_CHARACTERS: usize = 60;
/// Bytes of a rejected text that are passed on.
const REJECT_TEXT_MAX: usize = 120;

/// Where recipients and rejects go.
pub trait Sink {
    /// The merge columns of a table, once, before its first recipient. Not called for lists and prose.
    fn columns(&mut self, _columns: &[String]) {}

    /// A number, with the line (from 1) where its row or field begins and the merge fields of its row.
    fn recipient(&mut self, line: u64, number: Msisdn, fields: RowFields<'_>);

    /// A field that is no recipient: its line, its text (at most 120 bytes of it), and why.
    fn reject(&mut self, line: u64, text: &str, reason: RejectReason);

    /// The columns of a table whose numbers were read, and those that hold numbers, too, and were not read. Called
    /// once, at the end of a table.
    fn number_columns(&mut self, _read: &[String], _unread: &[String]) {}
}

/// What the caller knows about the input. The default finds everything out by itself.
#[derive(Clone, Debug, Default)]
pub struct IntakeOptions {
    /// The text is a form field: UTF-8, a list or prose, never a table with merge columns.
    pub form: bool,
    /// Separates the columns of the table: one ASCII character.
    pub delimiter: Option<char>,
    /// Whether the first row of the table names its columns.
    pub header: Option<bool>,
    /// The columns with the numbers.
    pub phone_columns: PhoneColumns,
}

/// The columns of a table that are read as numbers. Empty: the one column that looks most like it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhoneColumns {
    /// Each by its title (any case) or as `column3`. A row is read in this order.
    pub names: Vec<String>,
    /// The form's field that names them, for errors.
    pub field: &'static str,
}

impl Default for PhoneColumns {
    fn default() -> Self {
        Self { names: Vec::new(), field: "column" }
    }
}

/// What was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IntakeSummary {
    /// Rows of a table (without the header), or non-empty fields of a list.
    pub rows: u64,
    /// Numbers given to the sink, duplicates included.
    pub recipients: u64,
    /// Rejects given to the sink.
    pub rejects: u64,
    /// How the bytes were understood.
    pub encoding: InputEncoding,
    /// What separates the columns, when it is a table.
    pub delimiter: Option<char>,
    /// Whether the first row was a header.
    pub header: bool,
    /// The columns the numbers came from, when it is a table.
    pub phone_columns: Vec<String>,
    /// Columns that also hold numbers and were not read, as the table titles them.
    pub unread_columns: Vec<String>,
    /// The merge columns, in order: every column of the table but the first with numbers.
    pub columns: Vec<String>,
}

/// A streaming reader of recipients. Feed it, then [`Intake::finish`].
#[derive(Debug)]
pub struct Intake {
    options: IntakeOptions,
    head: Vec<u8>,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    Head,
    Body(Box<Body>),
    /// What is wrong with the input as a whole; told at the end.
    Failed(Option<Error>),
}

#[derive(Debug)]
struct Body {
    decoder: Decoder,
    /// Decoded and not yet consumed.
    text: String,
    reader: Reader,
    layout: Layout,
}

#[derive(Debug)]
enum Reader {
    Table(Box<TableReader>),
    Text(TextReader),
}

/// What a reader counts.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    rows: u64,
    recipients: u64,
    rejects: u64,
}

impl Intake {
    /// A reader that has seen nothing.
    pub fn new(options: IntakeOptions) -> Self {
        Self { options, head: Vec::new(), stage: Stage::Head }
    }

    /// Takes the next bytes, of any number.
    pub fn feed(&mut self, bytes: &[u8], sink: &mut impl Sink) {
        let mut bytes = bytes;
        if matches!(self.stage, Stage::Head) {
            let room = (HEAD_MAX - self.head.len()).min(bytes.len());
            self.head.extend_from_slice(&bytes[..room]);
            bytes = &bytes[room..];
            if self.head.len() == HEAD_MAX {
                self.open(false, sink);
            }
        }
        if let Stage::Body(body) = &mut self.stage {
            body.feed(bytes, sink);
        }
    }

    /// The merge columns, known once the first 32 KiB were fed: every column of the table but the first with
    /// numbers.
    pub fn columns(&self) -> &[String] {
        match &self.stage {
            Stage::Body(body) => &body.layout.columns,
            Stage::Head | Stage::Failed(_) => &[],
        }
    }

    /// Reads what is left and says what was found. An empty input is an empty summary.
    ///
    /// # Errors
    /// A rule error when the bytes are a workbook or another binary file, or the column asked for is not there.
    pub fn finish(mut self, sink: &mut impl Sink) -> Result<IntakeSummary> {
        if matches!(self.stage, Stage::Head) {
            self.open(true, sink);
        }
        match self.stage {
            Stage::Body(body) => Ok(body.finish(sink)),
            Stage::Failed(error) => error.map_or_else(|| Ok(IntakeSummary::default()), Err),
            Stage::Head => Ok(IntakeSummary::default()),
        }
    }

    /// Decides encoding and layout from the head, and reads it.
    fn open(&mut self, complete: bool, sink: &mut impl Sink) {
        let head = std::mem::take(&mut self.head);
        self.stage = match Body::open(&head, complete, &self.options) {
            Ok(mut body) => {
                if !body.layout.columns.is_empty() {
                    sink.columns(&body.layout.columns);
                }
                body.read(false, sink);
                Stage::Body(body)
            }
            Err(error) => Stage::Failed(Some(error)),
        };
    }
}

impl Body {
    fn open(head: &[u8], complete: bool, options: &IntakeOptions) -> Result<Box<Self>> {
        let mut decoder = if options.form {
            Decoder::utf8()
        } else {
            decode::refuse_binary(head)?;
            Decoder::detect(head)
        };
        let mut text = String::with_capacity(2 * STEP);
        decoder.decode(head, false, &mut text);
        let mut layout = layout::detect(&text, complete, options)?;
        let lines = 1 + row::count_lines(&text[..layout.skip]);
        text.drain(..layout.skip);
        layout.skip = 0;
        let reader = match layout.shape {
            Shape::Table { delimiter } => {
                Reader::Table(Box::new(TableReader::new(delimiter, &layout, lines)))
            }
            Shape::Text(setting) => Reader::Text(TextReader::new(setting, lines)),
        };
        Ok(Box::new(Self { decoder, text, reader, layout }))
    }

    fn feed(&mut self, bytes: &[u8], sink: &mut impl Sink) {
        for piece in bytes.chunks(STEP) {
            self.decoder.decode(piece, false, &mut self.text);
            self.read(false, sink);
        }
    }

    /// Lets the reader consume the whole rows or fields of the text, and keeps the rest.
    fn read(&mut self, last: bool, sink: &mut impl Sink) {
        let consumed = match &mut self.reader {
            Reader::Table(reader) => reader.read(&self.text, last, sink),
            Reader::Text(reader) => reader.read(&self.text, last, sink),
        };
        self.text.drain(..consumed);
    }

    fn finish(mut self, sink: &mut impl Sink) -> IntakeSummary {
        self.decoder.decode(&[], true, &mut self.text);
        self.read(true, sink);
        let (tally, delimiter, unread) = match self.reader {
            Reader::Table(reader) => {
                let unread = reader.unread_columns(&self.layout);
                let read = self.layout.phones.iter().filter_map(|place| self.layout.seen.get(*place));
                let read: Vec<String> = read.map(|seen| seen.title.clone()).collect();
                sink.number_columns(&read, &unread);
                (reader.tally(), Some(reader.delimiter()), unread)
            }
            Reader::Text(reader) => (reader.tally(), None, Vec::new()),
        };
        IntakeSummary {
            rows: tally.rows,
            recipients: tally.recipients,
            rejects: tally.rejects,
            encoding: self.decoder.encoding(),
            delimiter,
            header: self.layout.header,
            phone_columns: self.layout.phone_names,
            unread_columns: unread,
            columns: self.layout.columns,
        }
    }
}

/// Reads a form field, such as `contacts`: numbers separated by anything, or a sentence with numbers in it.
pub fn extract(text: &str, sink: &mut impl Sink) -> IntakeSummary {
    let mut intake = Intake::new(IntakeOptions { form: true, ..IntakeOptions::default() });
    intake.feed(text.as_bytes(), sink);
    // Only binary files and columns asked for can fail, and a form has neither.
    intake.finish(sink).unwrap_or_default()
}

/// The notice to a customer about a column that was not read.
pub fn unread_notice(column: &str) -> String {
    format!("The column '{}' also holds numbers: not read", shown_title(column))
}

/// The title of a column as it is shown: its first 60 characters, without control characters.
pub fn shown_title(column: &str) -> String {
    column.chars().filter(|sign| !sign.is_control()).take(TITLE_CHARACTERS).collect()
}

/// The beginning of a rejected text: its first line, at most 120 bytes.
fn snippet(text: &str) -> &str {
    let text = text.trim_start();
    let line = text.split(['\n', '\r']).next().unwrap_or_default().trim_end();
    match line
        .char_indices()
        .map(|(at, sign)| at + sign.len_utf8())
        .take_while(|end| *end <= REJECT_TEXT_MAX)
        .last()
    {
        Some(end) => &line[..end],
        None => line,
    }
}

#[cfg(test)]
mod tests;
