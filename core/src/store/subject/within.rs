//! Telling a number in a text from one whose digits it is a part of.
//!
//! Digits, pluses and what may stand between them are those that [`crate::phone`] reads: what is a number to it is found.

use std::ops::Range;

use super::at_home;
use crate::phone::{self, Msisdn, digit, is_filler, is_plus};

/// What may stand before the digits of a number that are always written.
const BEFORE_HOME: [&str; 7] = ["", "0", "234", "00234", "009234", "2340", "002340"];
/// The same before the whole of a number abroad.
const BEFORE_ABROAD: [&str; 3] = ["", "00", "009"];
/// The most digits that may stand before those that are always written: `009`, a calling code, a zero, an area.
const BEFORE_MAX: usize = 13;
/// Digits of the longest number.
const DIGITS: usize = 15;

/// Whether a text names the number, with or without signs between its digits. As in `+1 803 123 4567`, its digits may be part of
/// another number: then it does not.
pub(super) fn holds(text: &str, number: Msisdn) -> bool {
    !spans(text, number).is_empty()
}

/// The text with `erased` for the number wherever it names it, with the signs between its digits and a plus before them; `None`
/// where it does not.
pub(super) fn masked(text: &str, number: Msisdn) -> Option<String> {
    let spans = spans(text, number);
    if spans.is_empty() {
        return None;
    }
    let (mut masked, mut done) = (String::with_capacity(text.len()), 0);
    for Range { start, end } in spans {
        masked.push_str(&text[done..start]);
        masked.push_str(&Msisdn::ERASED.to_string());
        done = end;
    }
    masked.push_str(&text[done..]);
    Some(masked)
}

/// Where a text names the number, in bytes and in order; none overlaps another.
fn spans(text: &str, number: Msisdn) -> Vec<Range<usize>> {
    let digits = at_home(number);
    let mut found = Vec::new();
    for Run { digits: run, is_exponential } in runs(text) {
        let written: String = run.iter().map(|it| char::from(b'0' + it.value)).collect();
        // From `free` on no digit is in a span; from `next` on places are looked at.
        let (mut free, mut next) = (0, 0);
        while let Some(at) = written[next..].find(&digits).map(|place| next + place) {
            next = at + 1;
            let end = at + digits.len();
            // `8.0312345670E+9` has zeros behind it that say nothing.
            let are_spare = || is_exponential && run[end..].iter().all(|it| it.value == 0);
            if at < free || run.get(end).is_some_and(|next| !next.is_apart) && !are_spare() {
                continue;
            }
            let is_first = |first: &usize| {
                // What a plus begins goes on over signs between its digits, as far as a number may be long.
                let near = end.saturating_sub(DIGITS).min(*first);
                let plus =
                    run[near..=*first].iter().rposition(|it| it.plus.is_some()).map(|place| near + place);
                let (before, all) = (&written[*first..at], &written[*first..end]);
                // What begins with the plus is another number, or a piece (`+1 0803 123 4567`, `+44 234 803 123 4567`) that is
                // left out.
                let is_anothers = |plus: usize| {
                    let is_whole = before.starts_with('0') || before.starts_with("234");
                    !is_whole || phone::parse(&format!("+{}", &written[plus..end])).is_ok()
                };
                run[*first].is_apart
                    && may_be(number, before, (all, plus == Some(*first)))
                    && plus.is_none_or(|plus| plus == *first || !is_anothers(plus))
            };
            // `001 803 234 5678` is a number of the United States.
            let is_anothers = |first: usize| {
                let may_begin = |from: &usize| run[*from].is_apart && written[*from..end].starts_with("00");
                let mut begins = (end.saturating_sub(DIGITS + 3)..first).filter(may_begin);
                begins.any(|from| phone::parse(&written[from..end]).is_ok_and(|it| it != number))
            };
            // The whole beginning of a run, else as little as may be: further back there may be digits of another number.
            let beginning = (free == 0 && at <= BEFORE_MAX).then_some(0);
            let nearest = (at.saturating_sub(BEFORE_MAX).max(free)..=at).rev();
            let first =
                beginning.into_iter().chain(nearest).find(is_first).filter(|first| !is_anothers(*first));
            if let (Some(first), Some(last)) = (first.map(|first| &run[first]), run.get(end - 1)) {
                found.push(first.plus.unwrap_or(first.at.start)..last.at.end);
                free = end;
            }
        }
    }
    found
}

/// Whether the number is written with these digits before those it always has: as it is stored, or as it is read. What cannot be
/// is not read, as that costs a thousand times as much.
fn may_be(number: Msisdn, before: &str, (digits, has_plus): (&str, bool)) -> bool {
    let is_usual = match number.is_abroad() {
        true => BEFORE_ABROAD.iter().any(|usual| digits == format!("{usual}{number}")),
        false => BEFORE_HOME.contains(&before),
    };
    let is_worth_reading = || match number.is_abroad() {
        true => (number.to_string().len()..=DIGITS + 4).contains(&digits.len()),
        false => before.ends_with('0') || before.ends_with("234"),
    };
    let plus = if has_plus { "+" } else { "" };
    is_usual || is_worth_reading() && phone::parse(&format!("{plus}{digits}")) == Ok(number)
}

struct Digit {
    value: u8,
    /// Its place in the text, in bytes.
    at: Range<usize>,
    /// It is the first of the run, or behind a sign.
    is_apart: bool,
    /// Where the plus begins that it is behind.
    plus: Option<usize>,
}

/// The digits of a text that nothing but fillers and a plus parts.
#[derive(Default)]
struct Run {
    digits: Vec<Digit>,
    /// An exponent follows, as spreadsheets write it.
    is_exponential: bool,
}

fn runs(text: &str) -> Vec<Run> {
    let mut runs = Vec::new();
    let (mut run, mut is_apart, mut plus) = (Run::default(), true, None);
    let mut next = 0;
    while let Some((sign, length)) = first_sign(&text[next..]) {
        let at = next..next + length;
        next = at.end;
        if let Some(value) = digit(sign) {
            run.digits.push(Digit { value, at, is_apart, plus });
            (is_apart, plus) = (false, None);
        } else if is_plus(sign) {
            (is_apart, plus) = (true, Some(at.start));
        } else if is_between(sign) || sign == ',' && is_within_number(text, at.start) {
            is_apart = true;
        } else {
            (is_apart, plus) = (true, None);
            run.is_exponential = matches!(sign, 'e' | 'E');
            runs.push(std::mem::take(&mut run));
        }
    }
    runs.push(run);
    runs
}

/// Lines are read each by itself.
fn is_between(sign: char) -> bool {
    is_filler(sign) && !matches!(sign, '\n' | '\r')
}

/// Whether a comma is that of `8,031,234,567`, or of `8,031234567E+09`.
fn is_within_number(text: &str, comma: usize) -> bool {
    let ahead = &text.as_bytes()[comma + 1..];
    let after = ahead.iter().take(2 * DIGITS).take_while(|byte| byte.is_ascii_digit()).count();
    let behind = text.as_bytes()[..comma].iter().rev().take(4);
    let before = behind.take_while(|byte| byte.is_ascii_digit()).count();
    let is_exponential = after > 0 && matches!(ahead.get(after), Some(b'e' | b'E'));
    (1..=3).contains(&before) && (after == 3 || is_exponential)
}

/// The first sign of a text and how many bytes it takes: in JSON a sign may be written as an escape.
fn first_sign(text: &str) -> Option<(char, usize)> {
    let sign = text.chars().next()?;
    Some(escaped(text).unwrap_or((sign, sign.len_utf8())))
}

fn escaped(text: &str) -> Option<(char, usize)> {
    let escape = text.strip_prefix('\\')?;
    match escape.chars().next()? {
        't' => Some(('\t', 2)),
        sign @ ('"' | '/') => Some((sign, 2)),
        'u' => {
            let code = u32::from_str_radix(escape.get(1..5)?, 16).ok()?;
            Some((char::from_u32(code)?, 6))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::FORMS;
    use super::*;

    #[test]
    fn a_number_is_masked_with_its_signs_and_nothing_beside_it() {
        let home = Msisdn::from_digits(2_348_031_234_567).unwrap();
        for (text, expected) in [
            (r#"{"to":"+234 803-123.4567","n":2}"#, Some(r#"{"to":"erased","n":2}"#)),
            ("08051111111, (0803) 123 4567; 2348031234567", Some("08051111111, (erased; erased")),
            ("08051111111 08031234567 08052222222", Some("08051111111 erased 08052222222")),
            ("+2348031234567\n08031234567", Some("erased\nerased")),
            ("Ọ̀gá 08031234567 ẹ káàbọ̀", Some("Ọ̀gá erased ẹ káàbọ̀")),
            ("+1 803 123 4567", None),
            ("08031234568", None),
        ] {
            assert_eq!(masked(text, home).as_deref(), expected, "{text}");
        }
        let abroad = Msisdn::from_digits(447_911_123_456).unwrap();
        for text in [
            "+44 7911 123456!",
            "+44 (0) 7911 123456!",
            "00447911123456!",
            "009 44 7911 123 456!",
            "447911123456!",
        ] {
            assert_eq!(masked(text, abroad).as_deref(), Some("erased!"), "{text}");
        }
        let as_in_carolina = Msisdn::from_digits(2_348_032_345_678).unwrap();
        assert!(!holds("001 803 234 5678", as_in_carolina) && holds("00 234 803 123 4567", home));
        for text in ["+1 447911123456", "07911123456", "1123456", "+447912123456"] {
            assert!(!holds(text, abroad), "{text}");
        }
    }

    #[test]
    fn digits_of_the_number_before_stay_and_are_in_one_span() {
        for (number, text, expected) in [
            (2_348_031_234_567, "0805 2222 234 0803 1234 567", "0805 2222 234 erased"),
            (2_348_031_234_567, "803 111 2340 8031234567", "803 111 2340 erased"),
            (2_348_031_111_234, "0803 1111 234 0803 1111 234", "erased erased"),
            (2_348_031_232_340, "803 123 2340 803 123 2340", "erased erased"),
            (2_348_031_234_560, "803123456 0 8031234560", "erased erased"),
            (2_348_031_234_562, "803123456 2 34 803123456 2", "erased 34 erased"),
            (2_348_031_234_562, "803123456 2 348031234562", "erased 348031234562"),
            (2_348_080_808_080, "08031111118 08080808080", "08031111118 erased"),
        ] {
            let number = Msisdn::from_digits(number).unwrap();
            assert_eq!(masked(text, number).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_number_is_told_from_one_that_it_is_a_part_of() {
        let home = Msisdn::from_digits(2_348_031_234_567).unwrap();
        for text in [
            "08031234567",
            "0803 123-4567",
            "+234 (0)803 123 4567",
            "+2348031234567",
            "2348031234567",
            "8031234567",
            "009234 8031234567",
            "08051111111 08031234567 08052222222",
            "+14155550123 08031234567",
            "Bisi,08031234567,Jos",
            r#"{"to":"2348031234567"}"#,
        ] {
            assert!(holds(text, home), "{text}");
        }
        for text in [
            "+1 803 123 4567",
            "+18031234567",
            "18031234567",
            "080312345678",
            "99908031234567",
            "08031234568",
        ] {
            assert!(!holds(text, home), "{text}");
        }
        let abroad = Msisdn::from_digits(29_012_345).unwrap();
        assert!(holds("+290 12345", abroad));
        assert!(!holds("08029012345", abroad));
    }

    #[test]
    fn a_long_list_of_one_number_takes_no_longer_than_its_length() {
        let home = Msisdn::from_digits(2_348_031_234_567).unwrap();
        let list = "0803 123 4567 ".repeat(100_000);
        assert_eq!(masked(&list, home).as_deref(), Some("erased ".repeat(100_000).as_str()));
    }

    /// Each is one number to [`phone::parse`], so that a customer can have sent to it.
    #[test]
    fn a_number_is_found_in_every_form_in_which_it_is_read() {
        let home = Msisdn::from_digits(2_348_031_234_567).unwrap();
        for text in FORMS {
            assert_eq!(phone::parse(text), Ok(home), "{text}");
            assert!(holds(text, home), "{text}");
            let json = serde_json::json!({ "contacts": format!("Bisi, {text}; 08051111111") }).to_string();
            let masked = masked(&json, home).unwrap_or_default();
            let left: serde_json::Value = serde_json::from_str(&masked).unwrap();
            assert!(left["contacts"].as_str().unwrap().starts_with("Bisi, "), "{masked}");
            assert!(masked.contains("erased") && masked.contains("08051111111"), "{masked}");
            assert!(!holds(&masked, home), "{masked}");
        }
        assert_eq!(
            masked("+1 0803 123 4567, +1 803 123 4567", home).as_deref(),
            Some("+1 erased, +1 803 123 4567")
        );
        assert_eq!(masked("+44 2348031234567", home).as_deref(), Some("+44 erased"));
        assert_eq!(masked("+1 234 803 1234567", home).as_deref(), Some("+1 erased"));
        assert_eq!(masked(r#"{"to":"0803\u00a0123\t4567"}"#, home).as_deref(), Some(r#"{"to":"erased"}"#));
        assert_eq!(masked("0803–123–4567x", home).as_deref(), Some("erasedx"));
        for text in ["0803123\n4567", "0803,123,4567", "080,312,345,678", "1,8031234567,2"] {
            assert_eq!(holds(text, home), text.starts_with("1,"), "{text}");
        }
    }
}
