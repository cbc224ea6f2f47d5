//! Telling a number in a text from one whose digits it is a part of.

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
    let digits = at_home(number);
    let before: &[&str] = if number.is_abroad() { &BEFORE_ABROAD } else { &BEFORE_HOME };
    let mut found = None;
    for run in runs(text) {
        let written: String = run.iter().map(|it| it.digit).collect();
        for (at, _) in written.match_indices(&digits) {
            let ends = run.get(at + digits.len()).is_none_or(|next| next.is_apart);
            let begins = before.iter().any(|prefix| {
                let Some(first) = at.checked_sub(prefix.len()) else { return false };
                let is_first = run.get(first).is_some_and(|it| it.is_apart);
                // What a plus begins goes on over signs between its digits.
                let plus = run[..=first].iter().rposition(|it| it.is_plus);
                let is_whole = plus.is_none_or(|plus| plus == first || at + digits.len() - plus > DIGITS);
                is_first && is_whole && written[first..at] == **prefix
            });
            found = Some(found == Some(true) || (ends && begins));
        }
    }
    found
}

struct Digit {
    digit: char,
    /// It is the first of the run, or behind a sign.
    is_apart: bool,
    /// It is behind a plus.
    is_plus: bool,
}

/// The digits of a text that nothing but [`BETWEEN`] and a plus parts.
fn runs(text: &str) -> Vec<Vec<Digit>> {
    let mut runs = vec![Vec::new()];
    let (mut is_apart, mut is_plus) = (true, false);
    for sign in text.chars() {
        match sign {
            '0'..='9' => {
                if let Some(run) = runs.last_mut() {
                    run.push(Digit { digit: sign, is_apart, is_plus });
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
