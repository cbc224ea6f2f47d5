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
    /// The fields without their quotation marks, when the row had any.
    unquoted: String,
    is_quoted: bool,
}

impl Row {
    pub(super) fn new(delimiter: u8) -> Self {
        let mut ends = [false; 256];
        for byte in [delimiter, b'\n', b'\r'] {
            ends[usize::from(byte)] = true;
        }
        let spans = Vec::with_capacity(COLUMNS_MAX);
        Self { delimiter, ends, spans, unquoted: String::new(), is_quoted: false }
    }

    pub(super) const fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// Whether it had no quotation marks, and so stood on one line.
    pub(super) const fn is_plain(&self) -> bool {
        !self.is_quoted
    }

    /// The fields: where each stands in [`Row::text`].
    pub(super) fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// The text the spans point into.
    pub(super) fn text<'a>(&'a self, text: &'a str) -> &'a str {
        if self.is_quoted { &self.unquoted } else { text }
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
        self.is_quoted = false;
        let bytes = text.as_bytes();
        let mut start = from;
        loop {
            let end = match self.field(text, start, last) {
                Field::Until(end) => end,
                Field::More if start - from > ROW_MAX || bytes.len() - from > ROW_MAX + FIELD_MAX => {
                    return Next::Broken(RejectReason::RowTooLong, start);
                }
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
        self.start_unquoting(text);
        let start = self.unquoted.len();
        let mut from = open;
        loop {
            let quote = bytes[from..].iter().take(FIELD_MAX + 1).position(|byte| *byte == b'"');
            let Some(quote) = quote.map(|at| from + at).filter(|quote| quote - open <= FIELD_MAX) else {
                let unclosed = last || bytes.len() - open > FIELD_MAX;
                return if unclosed { Field::Broken(RejectReason::UnterminatedQuote) } else { Field::More };
            };
            self.unquoted.push_str(&text[from..quote]);
            if bytes.get(quote + 1) == Some(&b'"') {
                self.unquoted.push('"');
                from = quote + 2;
                continue;
            }
            let blanks = bytes[quote + 1..].iter().take(FIELD_MAX).take_while(|byte| **byte == b' ').count();
            let end = quote + 1 + blanks;
            match bytes.get(end) {
                None if !last => return Field::More,
                Some(byte) if !self.ends[usize::from(*byte)] => {
                    if text[open..quote].contains(['\n', '\r']) {
                        return Field::Broken(RejectReason::UnterminatedQuote);
                    }
                    return self.after_quote(text, open, quote, start, last);
                }
                _ => {
                    self.close(start);
                    return Field::Until(end);
                }
            }
        }
    }

    /// `"Ada" Obi`: the mark was no end, the rest up to the next delimiter belongs to the field.
    fn after_quote(&mut self, text: &str, open: usize, quote: usize, start: usize, last: bool) -> Field {
        let bytes = text.as_bytes();
        let end = bytes[quote..].iter().position(|byte| self.ends[usize::from(*byte)]);
        let end = end.map_or(bytes.len(), |at| quote + at);
        if end - open > FIELD_MAX {
            return Field::Broken(RejectReason::FieldTooLong);
        }
        if end == bytes.len() && !last {
            return Field::More;
        }
        self.unquoted.push_str(&text[quote..end]);
        self.close(start);
        Field::Until(end)
    }

    fn push(&mut self, text: &str, start: usize, end: usize) {
        if self.is_quoted {
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

    /// From the first quotation mark of a row on its fields are copied; those before it follow.
    fn start_unquoting(&mut self, text: &str) {
        if self.is_quoted {
            return;
        }
        self.is_quoted = true;
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
