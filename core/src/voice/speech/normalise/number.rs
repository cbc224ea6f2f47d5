//! Numbers in words, as British and Nigerian English have them: `one hundred and five`.

use super::Said;
use super::text::Text;

const UNITS: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 10] =
    ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const POWERS: [(u64, &str); 4] = [
    (1_000_000_000_000, "trillion"),
    (1_000_000_000, "billion"),
    (1_000_000, "million"),
    (1_000, "thousand"),
];
/// Numbers with more digits are said digit by digit.
const DIGITS_MAX: usize = 15;

fn unit(number: u64) -> &'static str {
    usize::try_from(number).ok().and_then(|place| UNITS.get(place)).copied().unwrap_or_default()
}

fn below_hundred(number: u64) -> String {
    let tens =
        usize::try_from(number / 10).ok().and_then(|place| TENS.get(place)).copied().unwrap_or_default();
    match number {
        0..20 => unit(number).to_owned(),
        _ if number.is_multiple_of(10) => tens.to_owned(),
        _ => format!("{tens}-{}", unit(number % 10)),
    }
}

fn below_thousand(number: u64) -> String {
    match (number / 100, number % 100) {
        (0, rest) => below_hundred(rest),
        (hundreds, 0) => format!("{} hundred", unit(hundreds)),
        (hundreds, rest) => format!("{} hundred and {}", unit(hundreds), below_hundred(rest)),
    }
}

/// `one thousand and five`. Below a thousand trillions, which no text that is read here reaches.
pub(super) fn cardinal(number: u64) -> String {
    if number < 1_000 {
        return below_thousand(number);
    }
    let mut words = Vec::new();
    let mut rest = number;
    for (power, name) in POWERS {
        if rest >= power {
            words.push(format!("{} {name}", cardinal(rest / power)));
            rest %= power;
        }
    }
    match rest {
        0 => {}
        1..100 => words.push(format!("and {}", below_hundred(rest))),
        _ => words.push(below_thousand(rest)),
    }
    words.join(" ")
}

/// `one thousand and fifth`.
pub(super) fn ordinal(number: u64) -> String {
    let words = cardinal(number);
    let (head, last) = match words.rfind([' ', '-']) {
        Some(gap) => words.split_at(gap + 1),
        None => ("", words.as_str()),
    };
    let last = match last {
        "one" => "first".to_owned(),
        "two" => "second".to_owned(),
        "three" => "third".to_owned(),
        "five" => "fifth".to_owned(),
        "eight" => "eighth".to_owned(),
        "nine" => "ninth".to_owned(),
        "twelve" => "twelfth".to_owned(),
        tens if tens.ends_with('y') => format!("{}ieth", tens.trim_end_matches('y')),
        other => format!("{other}th"),
    };
    format!("{head}{last}")
}

/// `twenty twenty-six`.
pub(super) fn year(year: u64) -> String {
    match (year / 100, year % 100) {
        (_, 0) if year.is_multiple_of(1_000) => cardinal(year),
        (20, 1..10) | (0..10 | 100.., _) => cardinal(year),
        (century, 0) => format!("{} hundred", cardinal(century)),
        (century, rest @ 1..10) => format!("{} oh {}", cardinal(century), unit(rest)),
        (century, rest) => format!("{} {}", cardinal(century), below_hundred(rest)),
    }
}

/// Each digit by itself.
pub(super) fn spelled(digits: &str) -> String {
    let words: Vec<&str> =
        digits.bytes().filter(u8::is_ascii_digit).map(|digit| unit(u64::from(digit - b'0'))).collect();
    words.join(" ")
}

/// Digits one by one, with a pause after each few of them.
pub(super) fn spelled_in_groups(digits: &str) -> String {
    let mut rest = digits;
    let mut groups = Vec::new();
    // A telephone number of eleven digits is known by its first four.
    if rest.len() == 11
        && let Some((head, tail)) = rest.split_at_checked(4)
    {
        groups.push(spelled(head));
        rest = tail;
    }
    while rest.len() > 4
        && let Some((head, tail)) = rest.split_at_checked(3)
    {
        groups.push(spelled(head));
        rest = tail;
    }
    groups.push(spelled(rest));
    groups.join(", ")
}

/// Digits as a number, or one by one where they begin with a zero or are too many.
pub(super) fn whole(digits: &str) -> String {
    let value = digits.parse().ok().filter(|_| digits.len() <= DIGITS_MAX);
    match value {
        Some(value) if digits.len() == 1 || !digits.starts_with('0') => cardinal(value),
        _ => spelled_in_groups(digits),
    }
}

/// `1/2`, `2 3/4`.
pub(super) fn fraction(text: &Text<'_>, at: usize) -> Option<Said> {
    let of_one = |place: usize| {
        let is_whole = text.sign(place + 1, '/')
            && text.word(place + 3).is_none()
            && !(text.any_sign(place + 3, &['/', '.', ',', ':']) && text.digits(place + 4).is_some());
        let words = match (text.written(place), text.written(place + 2)) {
            ("1", "2") => "a half",
            ("1", "3") => "a third",
            ("2", "3") => "two thirds",
            ("1", "4") => "a quarter",
            ("3", "4") => "three quarters",
            _ => return None,
        };
        is_whole.then_some(words)
    };
    if let Some(words) = of_one(at) {
        return Some(Said::quantity(words, at + 3));
    }
    let words = of_one(at + 2).filter(|_| text.space(at + 1))?;
    let number = text.digits(at).filter(|digits| digits.len() <= 3)?;
    Some(Said::quantity(format!("{} and {words}", whole(number)), at + 5))
}

/// A number as it is written: `1,500.50`.
#[derive(Debug)]
pub(super) struct Number<'t> {
    /// Its digits before the point, without separators.
    pub(super) whole: String,
    /// Its digits behind the point.
    pub(super) decimals: &'t str,
    /// Whether thousands are separated.
    pub(super) is_grouped: bool,
    /// The place behind it.
    pub(super) end: usize,
}

impl<'t> Number<'t> {
    /// The number that begins at a place.
    pub(super) fn at(text: &Text<'t>, at: usize) -> Option<Self> {
        let first = text.digits(at)?;
        let mut number = Self { whole: first.to_owned(), decimals: "", is_grouped: false, end: at + 1 };
        let may_be_grouped = first.len() <= 3 && !first.starts_with('0');
        while may_be_grouped
            && text.sign(number.end, ',')
            && let Some(group) = text.digits(number.end + 1).filter(|group| group.len() == 3)
        {
            number.whole.push_str(group);
            number.is_grouped = true;
            number.end += 2;
        }
        if text.sign(number.end, '.')
            && let Some(decimals) = text.digits(number.end + 1)
            && !(text.sign(number.end + 2, '.') && text.digits(number.end + 3).is_some())
        {
            number.decimals = decimals;
            number.end += 2;
        }
        Some(number)
    }

    /// It in words.
    pub(super) fn words(&self) -> String {
        let whole = if self.is_grouped || self.decimals.is_empty() || self.whole.len() == 1 {
            whole(&self.whole)
        } else {
            // `00.5` is no code.
            let digits = self.whole.trim_start_matches('0');
            whole(if digits.is_empty() { "0" } else { digits })
        };
        if self.decimals.is_empty() { whole } else { format!("{whole} point {}", spelled(self.decimals)) }
    }

    /// Whether it is one, as for the singular of what it counts.
    pub(super) fn is_one(&self) -> bool {
        self.whole == "1" && self.decimals.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_and_where_it_is_said() {
        for (number, words) in [
            (0, "zero"),
            (13, "thirteen"),
            (21, "twenty-one"),
            (40, "forty"),
            (100, "one hundred"),
            (105, "one hundred and five"),
            (1_000, "one thousand"),
            (1_005, "one thousand and five"),
            (1_105, "one thousand one hundred and five"),
            (25_000, "twenty-five thousand"),
            (108_101, "one hundred and eight thousand one hundred and one"),
            (1_000_001, "one million and one"),
            (2_500_000, "two million five hundred thousand"),
            (
                999_999_999_999_999,
                "nine hundred and ninety-nine trillion nine hundred and ninety-nine billion \
              nine hundred and ninety-nine million nine hundred and ninety-nine thousand nine hundred and ninety-nine",
            ),
        ] {
            assert_eq!(cardinal(number), words);
        }
        cardinal(u64::MAX);
    }

    #[test]
    fn ordinals_and_years_are_said_as_such() {
        for (number, words) in [
            (1, "first"),
            (2, "second"),
            (3, "third"),
            (5, "fifth"),
            (8, "eighth"),
            (9, "ninth"),
            (11, "eleventh"),
            (12, "twelfth"),
            (20, "twentieth"),
            (21, "twenty-first"),
            (100, "one hundredth"),
            (112, "one hundred and twelfth"),
        ] {
            assert_eq!(ordinal(number), words);
        }
        for (number, words) in [
            (2026, "twenty twenty-six"),
            (2000, "two thousand"),
            (2009, "two thousand and nine"),
            (2010, "twenty ten"),
            (1999, "nineteen ninety-nine"),
            (1900, "nineteen hundred"),
            (1905, "nineteen oh five"),
        ] {
            assert_eq!(year(number), words);
        }
    }

    #[test]
    fn long_numbers_and_those_that_begin_with_a_zero_are_said_digit_by_digit() {
        assert_eq!(whole("007"), "zero zero seven");
        assert_eq!(whole("0"), "zero");
        assert_eq!(spelled_in_groups("123456"), "one two three, four five six");
        assert_eq!(spelled_in_groups("1234567"), "one two three, four five six seven");
        assert_eq!(
            spelled_in_groups("08031234567"),
            "zero eight zero three, one two three, four five six seven"
        );
        assert!(whole(&"9".repeat(16)).starts_with("nine nine nine, nine"));
    }
}
