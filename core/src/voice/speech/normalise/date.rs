//! Dates, day first, times of day, and verses, which look like times.

use jiff::civil::Date;

use super::Said;
use super::number::{cardinal, ordinal, whole, year};
use super::text::Text;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Books whose chapters and verses are written as times are.
const BOOKS: [&str; 66] = [
    "genesis",
    "exodus",
    "leviticus",
    "numbers",
    "deuteronomy",
    "joshua",
    "judges",
    "ruth",
    "samuel",
    "kings",
    "chronicles",
    "ezra",
    "nehemiah",
    "esther",
    "job",
    "psalm",
    "psalms",
    "proverbs",
    "ecclesiastes",
    "songs",
    "isaiah",
    "jeremiah",
    "lamentations",
    "ezekiel",
    "daniel",
    "hosea",
    "joel",
    "amos",
    "obadiah",
    "jonah",
    "micah",
    "nahum",
    "habakkuk",
    "zephaniah",
    "haggai",
    "zechariah",
    "malachi",
    "matthew",
    "mark",
    "luke",
    "john",
    "acts",
    "romans",
    "corinthians",
    "galatians",
    "ephesians",
    "philippians",
    "colossians",
    "thessalonians",
    "timothy",
    "titus",
    "philemon",
    "hebrews",
    "james",
    "peter",
    "jude",
    "revelation",
    "gen",
    "matt",
    "cor",
    "rom",
    "heb",
    "ps",
    "prov",
    "isa",
    "rev",
];

/// The month that a word names.
fn month(word: &str) -> Option<i8> {
    let lower = word.to_lowercase();
    // `may` is a verb more often.
    if lower.len() < 3 || word == "may" {
        return None;
    }
    let place = MONTHS.iter().position(|month| {
        month.eq_ignore_ascii_case(word) || (lower.len() == 3 && month.to_lowercase().starts_with(&lower))
    });
    let place = if lower == "sept" { Some(8) } else { place };
    i8::try_from(place? + 1).ok()
}

/// The number of at most `most` digits at a place.
fn small(text: &Text<'_>, at: usize, most: usize) -> Option<i16> {
    text.digits(at).filter(|digits| digits.len() <= most)?.parse().ok()
}

/// A year of four digits at a place, or of two when `is_short` may be.
fn year_at(text: &Text<'_>, at: usize, is_short: bool) -> Option<i16> {
    let digits = text.digits(at)?;
    let value: i16 = digits.parse().ok()?;
    match digits.len() {
        4 if (1_000..=2_999).contains(&value) => Some(value),
        2 if is_short => Some(if value < 70 { 2_000 + value } else { 1_900 + value }),
        _ => None,
    }
}

fn in_words(date: Date, has_year: bool) -> String {
    let month = usize::try_from(date.month() - 1).ok().and_then(|place| MONTHS.get(place)).copied();
    let day = ordinal(u64::from(date.day().unsigned_abs()));
    let words = format!("{day} of {}", month.unwrap_or_default());
    if has_year { format!("{words}, {}", year(u64::from(date.year().unsigned_abs()))) } else { words }
}

fn said(year: Option<i16>, month: i8, day: i16, end: usize) -> Option<Said> {
    // A leap year allows every day that a date without a year may have.
    let date = Date::new(year.unwrap_or(2_000), month, i8::try_from(day).ok()?).ok()?;
    Some(Said::quantity(in_words(date, year.is_some()), end))
}

/// The year behind a day and a month, and the place behind it.
fn year_after(text: &Text<'_>, at: usize) -> (Option<i16>, usize) {
    let place = text.past_space(if text.sign(at, ',') { at + 1 } else { at });
    match year_at(text, place, false) {
        Some(year) if place > at && text.word(place + 1).is_none() => (Some(year), place + 1),
        _ => (None, at),
    }
}

/// `12/03/2026`, `12-3-26`, `2026-03-12`.
fn in_digits(text: &Text<'_>, at: usize) -> Option<Said> {
    let separator = ['/', '-', '.'].into_iter().find(|sign| text.sign(at + 1, *sign))?;
    if !text.sign(at + 3, separator) || text.word(at + 5).is_some() {
        return None;
    }
    // A fourth number makes it something else, as in 10.0.0.1.
    if text.sign(at + 5, separator) && text.digits(at + 6).is_some() {
        return None;
    }
    let end = at + 5;
    if text.digits(at).is_some_and(|digits| digits.len() == 4) {
        let month = i8::try_from(small(text, at + 2, 2)?).ok()?;
        return said(Some(year_at(text, at, false)?), month, small(text, at + 4, 2)?, end);
    }
    let (first, second) = (small(text, at, 2)?, small(text, at + 2, 2)?);
    // A version such as 1.2.26 is no date.
    let year = year_at(text, at + 4, separator != '.')?;
    let day_first = said(Some(year), i8::try_from(second).ok()?, first, end);
    day_first.or_else(|| said(Some(year), i8::try_from(first).ok()?, second, end))
}

/// `12/03`: a day and a month of two digits each. `10/10` may be marks.
fn day_and_month(text: &Text<'_>, at: usize) -> Option<Said> {
    let pair = |place: usize| text.digits(place).filter(|digits| digits.len() == 2);
    let (day, month) = (pair(at)?, pair(at + 2)?);
    let goes_on = text.any_sign(at + 3, &['/', '%', '-']) || text.word(at + 3).is_some();
    if !text.sign(at + 1, '/') || goes_on || day == month {
        return None;
    }
    said(None, month.parse().ok()?, day.parse().ok()?, at + 3)
}

/// `12 Mar`, `12th of March, 2026`, `12-Mar-2026`.
fn day_first(text: &Text<'_>, at: usize) -> Option<Said> {
    let day = small(text, at, 2)?;
    let mut place = at + 1;
    if text.lower(place).is_some_and(|suffix| ["st", "nd", "rd", "th"].contains(&&*suffix)) {
        place += 1;
    }
    if text.sign(place, '-') {
        let month = month(text.word(place + 1)?)?;
        let year = text.sign(place + 2, '-').then(|| year_at(text, place + 3, true)).flatten();
        return said(year, month, day, if year.is_some() { place + 4 } else { place + 2 });
    }
    place = text.past_space(place);
    if text.word(place) == Some("of") && text.space(place + 1) {
        place += 2;
    }
    let month = month(text.word(place)?)?;
    place += 1;
    if text.sign(place, '.') && text.space(place + 1) && year_at(text, place + 2, false).is_some() {
        place += 1;
    }
    let (year, end) = year_after(text, place);
    said(year, month, day, end)
}

/// A date that begins with digits.
pub(super) fn date(text: &Text<'_>, at: usize) -> Option<Said> {
    in_digits(text, at).or_else(|| day_and_month(text, at)).or_else(|| day_first(text, at))
}

/// `Mar 12`, `March 12th, 2026`.
pub(super) fn month_first(text: &Text<'_>, at: usize) -> Option<Said> {
    let month = month(text.word(at)?)?;
    let place = text.past_space(if text.sign(at + 1, '.') { at + 2 } else { at + 1 });
    let day = small(text, place, 2)?;
    let mut end = place + 1;
    if text.lower(end).is_some_and(|suffix| ["st", "nd", "rd", "th"].contains(&&*suffix)) {
        end += 1;
    }
    let goes_on = text.any_sign(end, &['%', ':', '.', ',']) && text.digits(end + 1).is_some();
    if place == at + 1 || goes_on || text.word(end).is_some() {
        return None;
    }
    let (year, end) = year_after(text, end);
    said(year, month, day, end)
}

/// A year that a word before it shows to be one: `in 2026`.
pub(super) fn lone_year(text: &Text<'_>, at: usize) -> Option<Said> {
    let value = year_at(text, at, false).filter(|value| (1_900..2_100).contains(value))?;
    let before = Text::before(at);
    let word = text.lower(Text::before(before)).filter(|_| text.space(before))?;
    let is_year = matches!(&*word, "in" | "since" | "year" | "until" | "till" | "during" | "early" | "late")
        || month(&word).is_some();
    is_year.then(|| Said::quantity(year(u64::from(value.unsigned_abs())), at + 1))
}

/// `am` or `p.m.` behind a time, and the place behind it.
fn half(text: &Text<'_>, at: usize) -> Option<(&'static str, usize)> {
    let place = text.past_space(at);
    let halves = |word: &str| match word {
        "am" => Some("A.M."),
        "pm" => Some("P.M."),
        _ => None,
    };
    // The dot that is said ends a sentence as well.
    let past_dot = |end: usize| if text.sign(end, '.') { end + 1 } else { end };
    let word = text.lower(place)?;
    if let Some(half) = halves(&word) {
        return Some((half, past_dot(place + 1)));
    }
    let is_dotted = text.sign(place + 1, '.') && text.lower(place + 2).is_some_and(|word| word == "m");
    let half = halves(&format!("{word}m")).filter(|_| is_dotted)?;
    Some((half, past_dot(place + 3)))
}

fn minutes(minute: i16) -> String {
    match minute {
        1..10 => format!("oh {}", cardinal(u64::from(minute.unsigned_abs()))),
        _ => cardinal(u64::from(minute.unsigned_abs())),
    }
}

/// `8:30am`, `8 pm`, `20:00`.
pub(super) fn time(text: &Text<'_>, at: usize) -> Option<Said> {
    let hour = small(text, at, 2).filter(|hour| *hour < 24)?;
    let has_minutes = text.sign(at + 1, ':');
    let mut end = at + 1;
    let mut minute = 0;
    if has_minutes {
        let digits = text.digits(at + 2).filter(|digits| digits.len() == 2)?;
        minute = digits.parse().ok().filter(|minute| *minute < 60)?;
        end = at + 3;
        // Seconds are not said.
        if text.sign(end, ':') {
            text.digits(end + 1).filter(|digits| digits.len() == 2)?;
            end += 2;
        }
        if text.sign(end, ':') {
            return None;
        }
    }
    let said_half = half(text, end).filter(|_| (1..=12).contains(&hour));
    if said_half.is_none() && (!has_minutes || text.word(end).is_some()) {
        return None;
    }
    let is_padded = text.digits(at).is_some_and(|digits| digits.starts_with('0'));
    let half = match said_half {
        Some((half, place)) => {
            end = place;
            Some(half)
        }
        None if is_padded => Some("A.M."),
        None if hour > 12 => Some("P.M."),
        None => None,
    };
    let of_twelve = cardinal(u64::from(match hour % 12 {
        0 => 12,
        hour => hour.unsigned_abs(),
    }));
    let words = match (hour, minute, half) {
        (0, 0, _) | (12, 0, Some("A.M.")) => "twelve midnight".to_owned(),
        (12, 0, _) => "twelve noon".to_owned(),
        (_, 0, None) => format!("{of_twelve} o'clock"),
        (_, 0, Some(half)) => format!("{of_twelve} {half}"),
        (_, _, Some(half)) => format!("{of_twelve} {} {half}", minutes(minute)),
        (_, _, None) => format!("{of_twelve} {}", minutes(minute)),
    };
    Some(Said::quantity(words, end))
}

/// `John 3:16`, from its digits on.
pub(super) fn verse(text: &Text<'_>, at: usize) -> Option<Said> {
    let before = Text::before(at);
    let book = text.lower(Text::before(before)).filter(|_| text.space(before))?;
    let (chapter, verse) = (text.digits(at)?, text.digits(at + 2)?);
    // `for John 8:30 pm` is a time.
    if !text.sign(at + 1, ':') || !BOOKS.contains(&&*book) || half(text, at + 3).is_some() {
        return None;
    }
    Some(Said::quantity(format!("chapter {} verse {}", whole(chapter), whole(verse)), at + 3))
}
