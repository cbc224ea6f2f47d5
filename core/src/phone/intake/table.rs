//! Tables: the numbers of a row are recipients, the other columns their merge fields.
//!
//! The one invariant: every row that is not blank gives at least one recipient or one reject.

use super::fields::{RowFields, Span};
use super::layout::Layout;
use super::row::{Next, Row, count_lines};
use super::{Sink, Tally, snippet};
use crate::phone::candidate::{Found, Setting, read_field};
use crate::phone::parse::is_blank;
use crate::phone::{RejectReason, nigeria};

#[derive(Debug)]
pub(super) struct TableReader {
    row: Row,
    /// The first column with numbers.
    phone: usize,
    /// The other columns with numbers.
    more: Vec<usize>,
    /// Merge columns: all but the first with numbers.
    columns: usize,
    /// Of each column that is not read: cells that are mobile numbers, and cells that are not empty. The places that
    /// are read stay at zero.
    counts: Vec<Count>,
    line: u64,
    /// On a line that was given up.
    skipping: bool,
    tally: Tally,
}

/// What stands in a column that is not read.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    numbers: u64,
    cells: u64,
}

impl TableReader {
    pub(super) fn new(delimiter: u8, layout: &Layout, line: u64) -> Self {
        let (phone, more) = layout.phones.split_first().map_or((0, &[][..]), |(first, more)| (*first, more));
        Self {
            row: Row::new(delimiter),
            phone,
            more: more.to_vec(),
            columns: layout.columns.len(),
            counts: vec![Count::default(); layout.seen.len()],
            line,
            skipping: false,
            tally: Tally::default(),
        }
    }

    /// The columns that hold numbers, too, and were not read: a title that says so over at least one number, or a
    /// number in at least half of the cells.
    pub(super) fn unread_columns(&self, layout: &Layout) -> Vec<String> {
        let is_read = |place: usize| place == self.phone || self.more.contains(&place);
        let columns = layout.seen.iter().zip(&self.counts).enumerate();
        columns
            .filter(|(place, (seen, count))| {
                let is_named = seen.is_named && (count.numbers > 0 || seen.holds_numbers);
                let is_full = count.numbers > 0 && count.numbers * 2 >= count.cells;
                !is_read(*place) && (is_named || is_full || seen.holds_numbers)
            })
            .map(|(_, (seen, _))| seen.title.clone())
            .collect()
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
        let fields = RowFields::new(text, spans, self.phone, self.columns);
        count_unread(&mut self.counts, self.phone, &self.more, text, spans);
        if !self.more.is_empty() {
            let cells = std::iter::once(self.phone).chain(self.more.iter().copied());
            let cells = cells.filter_map(|place| spans.get(place)).map(|span| span.of(text));
            let mut cells = cells.filter(|cell| !cell.is_empty()).peekable();
            if cells.peek().is_none() {
                return read_without_phone(&mut self.tally, self.line, text, spans, sink);
            }
            self.tally.rows += 1;
            return cells.for_each(|cell| read_cell(&mut self.tally, self.line, cell, fields, sink));
        }
        if let Some(number) = nigeria::read(cell.as_bytes()) {
            self.tally.rows += 1;
            self.tally.recipients += 1;
            return sink.recipient(self.line, number, fields);
        }
        if cell.is_empty() {
            return read_without_phone(&mut self.tally, self.line, text, spans, sink);
        }
        self.tally.rows += 1;
        read_cell(&mut self.tally, self.line, cell, fields, sink);
    }
}

/// Every number of a cell, and what was meant to be one.
fn read_cell(tally: &mut Tally, line: u64, cell: &str, fields: RowFields<'_>, sink: &mut impl Sink) {
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

/// Counts what stands in the columns that are not read.
#[inline]
fn count_unread(counts: &mut [Count], phone: usize, more: &[usize], text: &str, spans: &[Span]) {
    for (place, (count, span)) in counts.iter_mut().zip(spans).enumerate() {
        if place == phone || more.contains(&place) {
            continue;
        }
        let cell = span.of(text).as_bytes();
        count.cells += u64::from(!cell.is_empty());
        count.numbers += u64::from(nigeria::read(cell).is_some());
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
