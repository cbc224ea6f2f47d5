//! Lists and prose: fields between commas, semicolons, tabs, bars, quotation marks, line ends, and equals signs, because
//! of `="0803..."`, a spreadsheet's way to write text.
//!
//! The one invariant: a field is handed on only when its end was seen, so pieces of the input never cut one.

use super::fields::RowFields;
use super::{FIELD_MAX, Sink, Tally, snippet};
use crate::phone::candidate::{Found, Setting, read_field};
use crate::phone::parse::is_blank;
use crate::phone::{Msisdn, RejectReason, nigeria};

#[derive(Debug)]
pub(super) struct TextReader {
    setting: Setting,
    line: u64,
    /// Within a field that was rejected for its length.
    skipping: bool,
    tally: Tally,
}

const fn is_break(byte: u8) -> bool {
    matches!(byte, b',' | b';' | b'\t' | b'|' | b'"' | b'=' | b'\n' | b'\r')
}

/// [`is_break`], by look-up.
const BREAKS: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = is_break(byte as u8);
        byte += 1;
    }
    table
};

impl TextReader {
    pub(super) const fn new(setting: Setting, line: u64) -> Self {
        Self { setting, line, skipping: false, tally: Tally { rows: 0, recipients: 0, rejects: 0 } }
    }

    pub(super) const fn tally(&self) -> Tally {
        self.tally
    }

    /// Reads whole fields from the text and returns how many bytes they took.
    pub(super) fn read(&mut self, text: &str, last: bool, sink: &mut impl Sink) -> usize {
        let bytes = text.as_bytes();
        let mut place = 0;
        loop {
            if self.skipping {
                place = end_of_field(bytes, place);
                self.skipping = place == bytes.len();
            }
            let start = match self.skip_breaks(bytes, place, last) {
                Ok(start) => start,
                Err(consumed) => return consumed,
            };
            let (number, after) = plain_number(bytes, start);
            let ended = bytes.get(after).map_or(last, |byte| BREAKS[usize::from(*byte)]);
            if let (Some(number), true) = (number, ended) {
                self.tally.rows += 1;
                self.recipient(number, sink);
                place = after;
                continue;
            }
            let end = end_of_field(bytes, after);
            if end - start > FIELD_MAX {
                place = self.read_part(text, start, sink);
            } else if end < bytes.len() || last {
                self.read_whole(&text[start..end], sink);
                place = end;
            } else {
                return start;
            }
        }
    }

    /// Steps over blanks and breaks to the next field, counting lines. `Err` with what may be consumed when there is
    /// none yet: a carriage return at the very end waits for what comes after it.
    fn skip_breaks(&mut self, bytes: &[u8], from: usize, last: bool) -> Result<usize, usize> {
        let mut place = from;
        while let Some(byte) = bytes.get(place) {
            match byte {
                b'\n' => self.line += 1,
                b'\r' => match bytes.get(place + 1) {
                    Some(b'\n') => {}
                    None if !last => return Err(place),
                    _ => self.line += 1,
                },
                b' ' => {}
                byte if BREAKS[usize::from(*byte)] => {}
                _ => return Ok(place),
            }
            place += 1;
        }
        Err(place)
    }

    #[inline]
    fn recipient(&mut self, number: Msisdn, sink: &mut impl Sink) {
        self.tally.recipients += 1;
        sink.recipient(self.line, number, RowFields::NONE);
    }

    fn reject(&mut self, text: &str, reason: RejectReason, sink: &mut impl Sink) {
        self.tally.rejects += 1;
        sink.reject(self.line, snippet(text), reason);
    }

    fn read_whole(&mut self, field: &str, sink: &mut impl Sink) {
        if field.chars().all(is_blank) {
            return;
        }
        self.tally.rows += 1;
        read_field(field, self.setting, &mut |found| match found {
            Found::Number(number) => self.recipient(number, sink),
            Found::Bad(text, reason) => self.reject(text, reason, sink),
        });
    }

    /// A long sentence is read up to a blank, if it can be one after a word, where no number is cut. Without any blank
    /// it is no text: one reject, and on to the next break.
    fn read_part(&mut self, text: &str, start: usize, sink: &mut impl Sink) -> usize {
        let part = &text[start..text.floor_char_boundary(start + FIELD_MAX)];
        let blanks = || part.rmatch_indices(char::is_whitespace).map(|(at, _)| at).filter(|at| *at > 0);
        let after_word = blanks().find(|at| part[..*at].ends_with(char::is_alphabetic));
        match after_word.or_else(|| blanks().next()) {
            Some(end) => {
                self.read_whole(&part[..end], sink);
                start + end
            }
            None => {
                self.tally.rows += 1;
                self.reject(part, RejectReason::FieldTooLong, sink);
                self.skipping = true;
                start
            }
        }
    }
}

fn end_of_field(bytes: &[u8], from: usize) -> usize {
    bytes[from..].iter().position(|byte| BREAKS[usize::from(*byte)]).map_or(bytes.len(), |at| from + at)
}

/// The Nigerian mobile number in the plain digits that begin here, and where they end.
#[inline]
fn plain_number(bytes: &[u8], start: usize) -> (Option<Msisdn>, usize) {
    let plus = bytes.get(start) == Some(&b'+');
    let from = start + usize::from(plus);
    let (mut digits, mut place) = (0_u64, from);
    while let Some(byte) = bytes.get(place) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        digits = digits.wrapping_mul(10).wrapping_add(u64::from(digit));
        place += 1;
    }
    (nigeria::mobile(plus, digits, place - from), place)
}
