//! The numbers within one field: a cell of a table, an entry of a list, a sentence.
//!
//! The one invariant: a field is tried whole before it is taken apart, so `0803 123 4567` stays one number.

use super::parse::{Bare, digit, is_blank, is_filler, is_plus, parse, parse_as};
use super::{Msisdn, RejectReason};

/// The most pieces one number is put together from: `+234 (0) 803 12 34 56 7`.
const PIECES_MAX: usize = 8;
/// Fewer digits than this in a sentence are a date, a price or a count.
const DIGITS_IN_PROSE: usize = 7;
/// Fewer digits than this beside a number of a list are its place or an extension.
const DIGITS_IN_LIST: usize = 4;
/// Fifteen of E.164 and an international prefix.
const DIGITS_MAX: usize = 20;

/// How strict to be with what is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// Fields are meant to be numbers: one without any is a reject.
    List,
    /// Sentences with numbers in them: words and short runs of digits are none of our business.
    Prose,
}

/// One finding in a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found<'a> {
    Number(Msisdn),
    Bad(&'a str, RejectReason),
}

/// Calls `found` for every number of the field in order, and for what was meant to be one.
pub(super) fn read_field<'a>(field: &'a str, setting: Setting, found: &mut impl FnMut(Found<'a>)) {
    let field = field.trim_matches(|sign: char| is_blank(sign) || sign == '"');
    if field.is_empty() {
        return;
    }
    let whole = match parse(field) {
        Ok(number) => return found(Found::Number(number)),
        // One number and a spoilt one: taking it apart, at a decimal comma say, would only show pieces of it.
        Err(reason @ RejectReason::SpreadsheetRounded) => return found(Found::Bad(field, reason)),
        Err(reason) => reason,
    };
    let mut nothing = true;
    let mut note = |finding| {
        nothing = false;
        found(finding);
    };
    let pieces = pieces(field);
    let mut rest = &pieces[..];
    while let Some(first) = rest.first() {
        let run = rest.iter().take_while(|piece| piece.numeric).count();
        if run == 0 {
            read_word(first.of(field), &mut note);
            rest = &rest[1..];
        } else {
            read_run(field, &rest[..run], setting, &mut note);
            rest = &rest[run..];
        }
    }
    if nothing && setting == Setting::List {
        found(Found::Bad(field, whole));
    }
}

/// A part of a field between blanks or slashes; digits and their punctuation only when `numeric`.
#[derive(Clone, Copy, Debug)]
struct Piece {
    start: usize,
    end: usize,
    digits: usize,
    numeric: bool,
    plus: bool,
}

impl Piece {
    fn of(self, field: &str) -> &str {
        &field[self.start..self.end]
    }
}

fn pieces(field: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let is_break =
        |sign: char| sign.is_whitespace() || matches!(sign, '/' | ',' | ';' | ':' | '|' | '<' | '>');
    let is_ornament = |sign: char| matches!(sign, '!' | '?' | '…' | '*' | '#' | '~' | '•' | '{' | '}');
    let mut at = 0;
    for part in field.split_inclusive(is_break) {
        let start = at + part.len() - part.trim_start_matches(is_ornament).len();
        let body =
            part.trim_start_matches(is_ornament).trim_end_matches(is_break).trim_end_matches(is_ornament);
        let digits = body.chars().filter(|sign| digit(*sign).is_some()).count();
        let numeric = body.chars().all(|sign| digit(sign).is_some() || is_plus(sign) || is_filler(sign));
        // A dash on its own neither is a number nor ends one; a colon or comma ends it like a word.
        if !body.is_empty() && (digits > 0 || !numeric) {
            let plus = body.trim_start_matches(is_filler).starts_with(is_plus);
            pieces.push(Piece { start, end: start + body.len(), digits, numeric, plus });
        }
        if part.ends_with([',', ';', ':', '|', '<', '>']) {
            pieces.push(Piece { start, end: start, digits: 0, numeric: false, plus: false });
        }
        at += part.len();
    }
    pieces
}

/// A piece with letters or signs in it: spreadsheet notation, or something that looks like a spoilt number.
fn read_word<'a>(word: &'a str, found: &mut impl FnMut(Found<'a>)) {
    let longest = word.split(|sign| digit(sign).is_none()).map(|run| run.chars().count()).max().unwrap_or(0);
    if longest == 0 {
        return;
    }
    match parse(word) {
        Ok(number) => found(Found::Number(number)),
        Err(reason @ RejectReason::SpreadsheetRounded) => found(Found::Bad(word, reason)),
        Err(reason) if longest >= DIGITS_IN_PROSE && !word.contains('@') => found(Found::Bad(word, reason)),
        Err(_) => {}
    }
}

/// Pieces of digits in a row: the longest that make one number, again and again; what is left over is judged together.
fn read_run<'a>(field: &'a str, run: &[Piece], setting: Setting, found: &mut impl FnMut(Found<'a>)) {
    let mut left = 0;
    let mut place = 0;
    while place < run.len() {
        let Some((count, number)) = longest_number(field, &run[place..]) else {
            place += 1;
            continue;
        };
        read_left_over(field, &run[left..place], setting, found);
        found(Found::Number(number));
        place += count;
        left = place;
    }
    read_left_over(field, &run[left..], setting, found);
}

fn longest_number(field: &str, run: &[Piece]) -> Option<(usize, Msisdn)> {
    let (mut digits, mut count) = (0, 0);
    for piece in run.iter().take(PIECES_MAX) {
        digits += piece.digits;
        if digits > DIGITS_MAX || (count > 0 && piece.plus) {
            break;
        }
        count += 1;
    }
    (1..=count).rev().find_map(|count| {
        let bare = if count == 1 { Bare::Foreign } else { Bare::NigerianOnly };
        let number = parse_as(&field[run[0].start..run[count - 1].end], bare).ok()?;
        Some((count, number))
    })
}

fn read_left_over<'a>(field: &'a str, left: &[Piece], setting: Setting, found: &mut impl FnMut(Found<'a>)) {
    let (Some(first), Some(last)) = (left.first(), left.last()) else { return };
    let digits = left.iter().map(|piece| piece.digits).sum();
    let dialled = left.len() == 1 || first.plus || first.of(field).starts_with('0');
    judge(&field[first.start..last.end], digits, dialled, setting, found);
}

/// Whether digits that make no number were meant to: `dialled` when they begin like one, or stand alone.
fn judge<'a>(
    text: &'a str,
    digits: usize,
    dialled: bool,
    setting: Setting,
    found: &mut impl FnMut(Found<'a>),
) {
    let meant = match setting {
        Setting::List => digits >= DIGITS_IN_LIST,
        Setting::Prose => digits >= DIGITS_IN_PROSE && dialled && !is_date(text),
    };
    if meant {
        found(parse(text).map_or_else(|reason| Found::Bad(text, reason), Found::Number));
    }
}

/// `2026-10-30`, `30.10.2026` and the like.
fn is_date(text: &str) -> bool {
    let text = text.trim_matches(is_filler);
    let lengths = |sign: char| {
        let mut parts = text.split(sign).map(|part| part.len());
        (parts.next(), parts.next(), parts.next(), parts.next())
    };
    ['-', '.'].into_iter().map(lengths).any(|lengths| {
        matches!(
            lengths,
            (Some(4), Some(1 | 2), Some(1 | 2), None) | (Some(1 | 2), Some(1 | 2), Some(4), None)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(field: &str, setting: Setting) -> Vec<String> {
        let mut findings = Vec::new();
        read_field(field, setting, &mut |found| {
            findings.push(match found {
                Found::Number(number) => number.to_string(),
                Found::Bad(text, reason) => format!("{text}: {}", reason.code()),
            });
        });
        findings
    }

    #[test]
    fn a_field_is_tried_whole_before_it_is_split() {
        assert_eq!(read("0803 123 4567", Setting::List), ["2348031234567"]);
        assert_eq!(read("08031234567 08021234567", Setting::List), ["2348031234567", "2348021234567"]);
        assert_eq!(read("0803 123 4567 0802 123 4567", Setting::List), ["2348031234567", "2348021234567"]);
        assert_eq!(read("08031234567/08021234567", Setting::List), ["2348031234567", "2348021234567"]);
        assert_eq!(read("08031234567 - +44 7911 123456", Setting::List), ["2348031234567", "447911123456"]);
    }

    #[test]
    fn prose_gives_its_numbers_and_nothing_else() {
        for (text, numbers) in [
            ("call 0803-123-4567 or +44 7911 123456 before 10.30", vec!["2348031234567", "447911123456"]),
            ("Tel:08031234567.", vec!["2348031234567"]),
            ("(0803) 123 4567!", vec!["2348031234567"]),
            ("1. 08031234567 Ada", vec!["2348031234567"]),
            ("on 2026-10-30, 30/10/2026 or 30.10.2026 for N1500 at 10:30", vec![]),
            ("write to ada08031234567@example.com", vec![]),
            ("no digits here", vec![]),
            ("my numbers: 0803 123 4567 and 0802 123 4567, 24 hours", vec!["2348031234567", "2348021234567"]),
        ] {
            assert_eq!(read(text, Setting::Prose), numbers, "{text}");
        }
    }

    #[test]
    fn what_was_meant_to_be_a_number_is_not_dropped_silently() {
        assert_eq!(read("call 080312345 now", Setting::Prose), ["080312345: too_short"]);
        assert_eq!(
            read("0803 123 456 0802 123 4567", Setting::List),
            ["0803 123 456: nine_digits", "2348021234567"]
        );
        assert_eq!(read("call 08031234567x", Setting::Prose), ["08031234567x: not_a_number"]);
        assert_eq!(read("sent to 8.03E+09 today", Setting::Prose), ["8.03E+09: spreadsheet_rounded"]);
        assert_eq!(read("08031234567 12345", Setting::List), ["2348031234567", "12345: too_short"]);
        assert_eq!(read("Ada", Setting::List), ["Ada: no_digits"]);
        assert_eq!(read("12", Setting::List), ["12: too_short"]);
    }

    #[test]
    fn a_foreign_number_in_pieces_needs_its_plus_in_prose_only() {
        assert_eq!(read("Ada 44 7911 123456", Setting::List), ["447911123456"]);
        assert_eq!(read("in 44 7911 123456 ways", Setting::Prose), Vec::<String>::new());
    }
}
