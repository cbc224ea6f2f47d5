//! Tables: one row a recipient, the other columns its merge fields.
//!
//! The one invariant: every row that is not blank gives at least one recipient or one reject.

use super::fields::{Fields, Span};
use super::row::{Next, Row, count_lines};
use super::{Sink, Tally, snippet};
use crate::phone::candidate::{Found, Setting, read_field};
use crate::phone::parse::is_blank;
use crate::phone::{RejectReason, nigeria};

#[derive(Debug)]
pub(super) struct TableReader {
    row: Row,
    phone: usize,
    /// Merge columns: all but the phone.
    columns: usize,
    line: u64,
    /// On a line that was given up.
    skipping: bool,
    tally: Tally,
}

impl TableReader {
    pub(super) fn new(delimiter: u8, phone: usize, columns: usize, line: u64) -> Self {
        Self { row: Row::new(delimiter), phone, columns, line, skipping: false, tally: Tally::default() }
    }

    pub(super) const fn tally(&self) -> Tally {
        self.tally
    }

    pub(super) fn delimiter(&self) -> char {
        char::from(self.row.delimiter())
    }

    /// Reads whole rows from the text and returns how many bytes they took.
    pub(super) fn read(&mut self, text: &str, last: bool, sink: &mut impl Sink) -> usize {
        let mut place = 0;
        while place < text.len() {
            if self.skipping {
                match self.skip_line(text, place, last) {
                    Ok(next) => place = next,
                    Err(consumed) => return consumed,
                }
                continue;
            }
            match self.row.read(text, place, last) {
                Next::More => return place,
                Next::Row(next) => {
                    self.read_row(text, sink);
                    self.line += if self.row.is_one_line() { 1 } else { count_lines(&text[place..next]) };
                    place = next;
                }
                Next::Broken(reason, resume) => {
                    self.tally.rows += 1;
                    self.tally.rejects += 1;
                    sink.reject(self.line, snippet(&text[place..]), reason);
                    self.line += count_lines(&text[place..resume]);
                    self.skipping = true;
                    place = resume;
                }
            }
        }
        place
    }

    /// To the line after this one, or as far as the text goes.
    fn skip_line(&mut self, text: &str, place: usize, last: bool) -> Result<usize, usize> {
        let bytes = text.as_bytes();
        let end = bytes[place..].iter().position(|byte| matches!(byte, b'\n' | b'\r')).ok_or(text.len())?;
        let end = place + end;
        let next = match (bytes[end], bytes.get(end + 1)) {
            (b'\r', Some(b'\n')) => end + 2,
            (b'\r', None) if !last => return Err(end),
            _ => end + 1,
        };
        self.line += 1;
        self.skipping = false;
        Ok(next)
    }

    #[inline]
    fn read_row(&mut self, text: &str, sink: &mut impl Sink) {
        let text = self.row.text(text);
        let spans = self.row.spans();
        let cell = spans.get(self.phone).map_or("", |span| span.of(text));
        let fields = Fields::new(text, spans, self.phone, self.columns);
        if let Some(number) = nigeria::read(cell.as_bytes()) {
            self.tally.rows += 1;
            self.tally.recipients += 1;
            return sink.recipient(self.line, number, fields);
        }
        if cell.is_empty() {
            return read_without_phone(&mut self.tally, self.line, text, spans, sink);
        }
        self.tally.rows += 1;
        let (tally, line) = (&mut self.tally, self.line);
        read_field(cell, Setting::List, &mut |found| match found {
            Found::Number(number) => {
                tally.recipients += 1;
                sink.recipient(line, number, fields);
            }
            Found::Bad(text, reason) => {
                tally.rejects += 1;
                sink.reject(line, snippet(text), reason);
            }
        });
    }
}

/// A row that lacks its number is a reject, shown by its first field; a blank row is nothing.
fn read_without_phone(tally: &mut Tally, line: u64, text: &str, spans: &[Span], sink: &mut impl Sink) {
    let seen = |field: &&str| !field.chars().all(is_blank);
    let Some(first) = spans.iter().map(|span| span.of(text)).find(seen) else { return };
    tally.rows += 1;
    tally.rejects += 1;
    sink.reject(line, snippet(first), RejectReason::Empty);
}
