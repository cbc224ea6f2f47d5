//! One row of a table: fields between delimiters, quotation marks honoured (RFC 4180, read leniently).
//!
//! Not `csv-core`: it takes whatever follows an unclosed quotation mark, to the end of the file, for one field.
//!
//! The one invariant: what is said of a row depends on its own bytes alone, never on how much of the text after it
//! has arrived.

use super::fields::Span;
use super::{COLUMNS_MAX, FIELD_MAX, ROW_MAX};
use crate::phone::RejectReason;

/// What stands where a row was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// A row; the next one begins at this byte.
    Row(usize),
    /// The end of the row has not arrived yet.
    More,
    /// No row can be made of it; reading resumes on the line after this byte.
    Broken(RejectReason, usize),
}

/// How far one field went.
enum Field {
    /// It ended before this byte: a delimiter, a line end or the end of the text.
    Until(usize),
    More,
    Broken(RejectReason),
}

/// The fields of the row read last. Reused, so that reading allocates nothing.
#[derive(Debug)]
pub(super) struct Row {
    delimiter: u8,
    /// Bytes that end an unquoted field.
    ends: [bool; 256],
    spans: Vec<Span>,
    /// The fields without their quotation marks, when some cannot be lent from the text as they stand.
    unquoted: String,
    is_copied: bool,
    is_one_line: bool,
}

impl Row {
    pub(super) fn new(delimiter: u8) -> Self {
        let mut ends = [false; 256];
        for byte in [delimiter, b'\n', b'\r'] {
            ends[usize::from(byte)] = true;
        }
        let spans = Vec::with_capacity(COLUMNS_MAX);
        Self { delimiter, ends, spans, unquoted: String::new(), is_copied: false, is_one_line: true }
    }

    pub(super) const fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// Whether no field of it holds a line end.
    pub(super) const fn is_one_line(&self) -> bool {
        self.is_one_line
    }

    /// The fields: where each stands in [`Row::text`].
    pub(super) fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// The text the spans point into.
    pub(super) fn text<'a>(&'a self, text: &'a str) -> &'a str {
        if self.is_copied { &self.unquoted } else { text }
    }

    /// The fields without blanks around them, for looking at a sample.
    pub(super) fn cells<'a>(&'a self, text: &'a str) -> impl Iterator<Item = &'a str> {
        let text = self.text(text);
        self.spans.iter().map(|span| span.of(text))
    }

    /// Reads the row that begins at `from`; `last` when nothing follows the text.
    pub(super) fn read(&mut self, text: &str, from: usize, last: bool) -> Next {
        self.spans.clear();
        self.unquoted.clear();
        self.is_copied = false;
        self.is_one_line = true;
        let bytes = text.as_bytes();
        let mut start = from;
        loop {
            let end = match self.field(text, start, last) {
                Field::Until(end) => end,
                Field::More => return Next::More,
                Field::Broken(reason) => return Next::Broken(reason, start),
            };
            if end - from > ROW_MAX {
                return Next::Broken(RejectReason::RowTooLong, start);
            }
            match bytes.get(end) {
                Some(byte) if *byte == self.delimiter => {
                    if self.spans.len() == COLUMNS_MAX {
                        return Next::Broken(RejectReason::TooManyColumns, start);
                    }
                    start = end + 1;
                    if start - from > ROW_MAX {
                        return Next::Broken(RejectReason::RowTooLong, start);
                    }
                }
                Some(b'\r') if end + 1 == bytes.len() && !last => return Next::More,
                Some(b'\r') if bytes.get(end + 1) == Some(&b'\n') => return Next::Row(end + 2),
                Some(_) => return Next::Row(end + 1),
                None => return Next::Row(end),
            }
        }
    }

    fn field(&mut self, text: &str, start: usize, last: bool) -> Field {
        let bytes = text.as_bytes();
        let mut begin = start;
        while bytes.get(begin) == Some(&b' ') && begin - start < FIELD_MAX {
            begin += 1;
        }
        if bytes.get(begin) == Some(&b'"') {
            return self.quoted(text, begin + 1, last);
        }
        let end = bytes[begin..].iter().position(|byte| self.ends[usize::from(*byte)]);
        let end = end.map_or(bytes.len(), |at| begin + at);
        if end - start > FIELD_MAX {
            return Field::Broken(RejectReason::FieldTooLong);
        }
        if end == bytes.len() && !last {
            return Field::More;
        }
        self.push(text, start, end);
        Field::Until(end)
    }

    /// The field behind an opening quotation mark. It may hold line ends, and doubled marks; one that closes in the
    /// middle of its first line goes on as plain text, one that closes in the middle of a later line was stray.
    fn quoted(&mut self, text: &str, open: usize, last: bool) -> Field {
        let bytes = text.as_bytes();
        let mut from = open;
        let (mut doubled, mut lines) = (false, false);
        let quote = loop {
            let Some(quote) = Self::find_quote(bytes, open, from, &mut lines) else {
                let unclosed = last || bytes.len() - open > FIELD_MAX;
                return if unclosed { Field::Broken(RejectReason::UnterminatedQuote) } else { Field::More };
            };
            if bytes.get(quote + 1) != Some(&b'"') {
                break quote;
            }
            doubled = true;
            from = quote + 2;
        };
        self.is_one_line &= !lines;
        let blanks = bytes[quote + 1..].iter().take(FIELD_MAX).take_while(|byte| **byte == b' ').count();
        let end = quote + 1 + blanks;
        match bytes.get(end) {
            None if !last => Field::More,
            Some(byte) if !self.ends[usize::from(*byte)] => {
                if lines {
                    Field::Broken(RejectReason::UnterminatedQuote)
                } else {
                    self.plain_after(text, open, quote, last)
                }
            }
            _ => {
                if doubled {
                    self.push_undoubled(text, &text[open..quote], "");
                } else {
                    self.push(text, open, quote);
                }
                Field::Until(end)
            }
        }
    }

    /// The next quotation mark, if it stands within the bounds of the field that opened, and whether lines end before.
    fn find_quote(bytes: &[u8], open: usize, from: usize, lines: &mut bool) -> Option<usize> {
        let until = bytes.len().min(open + FIELD_MAX + 1);
        let mut place = from;
        while place < until {
            match bytes[place] {
                b'"' => return Some(place),
                b'\n' | b'\r' => *lines = true,
                _ => {}
            }
            place += 1;
        }
        None
    }

    /// `"Ada" Obi`: the mark was no end, the rest up to the next delimiter belongs to the field.
    fn plain_after(&mut self, text: &str, open: usize, quote: usize, last: bool) -> Field {
        let bytes = text.as_bytes();
        let end = bytes[quote..].iter().position(|byte| self.ends[usize::from(*byte)]);
        let end = end.map_or(bytes.len(), |at| quote + at);
        if end - open > FIELD_MAX {
            return Field::Broken(RejectReason::FieldTooLong);
        }
        if end == bytes.len() && !last {
            return Field::More;
        }
        self.push_undoubled(text, &text[open..quote], &text[quote..end]);
        Field::Until(end)
    }

    /// A field whose text differs from how it stands: doubled marks become one, and a plain rest follows.
    fn push_undoubled(&mut self, text: &str, quoted: &str, rest: &str) {
        self.start_copying(text);
        let start = self.unquoted.len();
        for (place, part) in quoted.split("\"\"").enumerate() {
            if place > 0 {
                self.unquoted.push('"');
            }
            self.unquoted.push_str(part);
        }
        self.unquoted.push_str(rest);
        self.close(start);
    }

    fn push(&mut self, text: &str, start: usize, end: usize) {
        if self.is_copied {
            let begin = self.unquoted.len();
            self.unquoted.push_str(&text[start..end]);
            self.close(begin);
        } else {
            self.spans.push(Span { start: start as u32, end: end as u32 });
        }
    }

    fn close(&mut self, start: usize) {
        self.spans.push(Span { start: start as u32, end: self.unquoted.len() as u32 });
    }

    /// From the first such field of a row on its fields are copied; those before it follow.
    fn start_copying(&mut self, text: &str) {
        if self.is_copied {
            return;
        }
        self.is_copied = true;
        for span in &mut self.spans {
            let start = self.unquoted.len();
            self.unquoted.push_str(&text[span.start as usize..span.end as usize]);
            *span = Span { start: start as u32, end: self.unquoted.len() as u32 };
        }
    }
}

/// How many lines end in the text: LF, CRLF or CR.
pub(super) fn count_lines(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let ends = |at: usize| match bytes[at] {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    (0..bytes.len()).filter(|at| ends(*at)).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Vec<String>> {
        let mut row = Row::new(b',');
        let mut from = 0;
        let mut rows = Vec::new();
        while from < text.len() {
            match row.read(text, from, true) {
                Next::Row(next) => {
                    rows.push(row.cells(text).map(str::to_owned).collect());
                    from = next;
                }
                other => {
                    rows.push(vec![format!("{other:?}")]);
                    break;
                }
            }
        }
        rows
    }

    #[test]
    fn fields_lines_and_quotation_marks_are_told_apart() {
        assert_eq!(rows("a,b\r\nc,d\re\n"), [vec!["a", "b"], vec!["c", "d"], vec!["e"]]);
        assert_eq!(rows("a,\"b,\"\"c\"\"\nd\", \"e\" ,f\n"), [["a", "b,\"c\"\nd", "e", "f"]]);
        assert_eq!(rows("\"Ada\" Obi,x\n"), [["Ada\" Obi", "x"]]);
        assert_eq!(rows("5\" disk,x"), [["5\" disk", "x"]]);
        assert_eq!(rows(",,\n"), [["", "", ""]]);
    }

    #[test]
    fn a_mark_that_closes_nowhere_or_on_another_line_is_broken() {
        let broken = format!("{:?}", Next::Broken(RejectReason::UnterminatedQuote, 2));
        assert_eq!(rows("a,\"b\nc,d"), [[broken.clone()]]);
        assert_eq!(rows("a,\"b\n\"c,d\n"), [[broken]]);
    }

    #[test]
    fn a_row_that_may_go_on_waits_for_more() {
        let mut row = Row::new(b',');
        for text in ["a", "a,b", "a,b\r", "\"a", "\"a\"", "\"a\" ", "\"a\"b"] {
            assert_eq!(row.read(text, 0, false), Next::More, "{text}");
        }
        assert_eq!(row.read("a,b\r\n", 0, false), Next::Row(5));
    }

    #[test]
    fn lines_are_counted_by_every_kind_of_end() {
        assert_eq!(count_lines("a\nb\r\nc\rd"), 3);
    }
}
