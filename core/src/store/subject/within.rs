//! Telling a number in a text from one whose digits it is a part of.

use std::ops::Range;

use super::at_home;
use crate::phone::Msisdn;

/// Signs that people write between the digits of a number.
const BETWEEN: &str = " -.()";
/// What may stand before the digits of a number that are always written.
const BEFORE_HOME: [&str; 7] = ["", "0", "234", "00234", "009234", "2340", "002340"];
const BEFORE_ABROAD: [&str; 3] = ["", "00", "009"];
/// Digits of the longest number.
const DIGITS: usize = 15;

/// Whether a text names the number, with or without signs between its digits; `None` where its digits are not there at all.
/// As in `+1 803 123 4567`, they may be part of another number, which is false.
pub(super) fn holds(text: &str, number: Msisdn) -> Option<bool> {
    spans(text, number).map(|spans| !spans.is_empty())
}

/// The text with `erased` for the number wherever it names it, with the signs between its digits and a plus before them; `None`
/// where it does not.
pub(super) fn masked(text: &str, number: Msisdn) -> Option<String> {
    let spans = spans(text, number).filter(|spans| !spans.is_empty())?;
    let (mut masked, mut done) = (String::with_capacity(text.len()), 0);
    for Range { start, end } in spans {
        masked.push_str(&text[done..start]);
        masked.push_str(&Msisdn::ERASED.to_string());
        done = end;
    }
    masked.push_str(&text[done..]);
    Some(masked)
}

/// Where a text names the number, in bytes and in order; `None` where its digits are not there at all.
fn spans(text: &str, number: Msisdn) -> Option<Vec<Range<usize>>> {
    let digits = at_home(number);
    let before: &[&str] = if number.is_abroad() { &BEFORE_ABROAD } else { &BEFORE_HOME };
    let mut found = None;
    for run in runs(text) {
        let written: String = run.iter().map(|it| it.digit).collect();
        for (at, _) in written.match_indices(&digits) {
            let spans = found.get_or_insert_with(Vec::new);
            let end = at + digits.len();
            if run.get(end).is_some_and(|next| !next.is_apart) {
                continue;
            }
            let first = before.iter().filter_map(|prefix| {
                let first = at.checked_sub(prefix.len())?;
                let is_first = run.get(first).is_some_and(|it| it.is_apart);
                // What a plus begins goes on over signs between its digits.
                let plus = run[..=first].iter().rposition(|it| it.is_plus);
                let is_whole = plus.is_none_or(|plus| plus == first || end - plus > DIGITS);
                (is_first && is_whole && written[first..at] == **prefix).then_some(first)
            });
            // The longest of what may stand before it.
            if let (Some(first), Some(last)) = (first.min(), run.get(end - 1)) {
                let start = run[first].at - usize::from(text[..run[first].at].ends_with('+'));
                spans.push(start..last.at + 1);
            }
        }
    }
    found
}

struct Digit {
    digit: char,
    /// Its place in the text, in bytes.
    at: usize,
    /// It is the first of the run, or behind a sign.
    is_apart: bool,
    /// It is behind a plus.
    is_plus: bool,
}

/// The digits of a text that nothing but [`BETWEEN`] and a plus parts.
fn runs(text: &str) -> Vec<Vec<Digit>> {
    let mut runs = vec![Vec::new()];
    let (mut is_apart, mut is_plus) = (true, false);
    for (at, sign) in text.char_indices() {
        match sign {
            '0'..='9' => {
                if let Some(run) = runs.last_mut() {
                    run.push(Digit { digit: sign, at, is_apart, is_plus });
                }
                (is_apart, is_plus) = (false, false);
            }
            '+' => (is_apart, is_plus) = (true, true),
            _ if BETWEEN.contains(sign) => is_apart = true,
            _ => {
                (is_apart, is_plus) = (true, false);
                runs.push(Vec::new());
            }
        }
    }
    runs
}

#[cfg(test)]
mod tests {
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
        assert_eq!(masked("+44 7911 123456!", abroad).as_deref(), Some("erased!"));
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
            assert_eq!(holds(text, home), Some(true), "{text}");
        }
        for text in ["+1 803 123 4567", "+18031234567", "18031234567", "080312345678", "99908031234567"] {
            assert_eq!(holds(text, home), Some(false), "{text}");
        }
        assert_eq!(holds("08031234568", home), None);
        let abroad = Msisdn::from_digits(29_012_345).unwrap();
        assert_eq!(holds("+290 12345", abroad), Some(true));
        assert_eq!(holds("08029012345", abroad), Some(false));
    }
}
