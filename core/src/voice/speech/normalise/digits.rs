//! What is said digit by digit: telephone numbers, codes, account numbers and `*737#`.

use super::Said;
use super::number::{spelled, spelled_in_groups, whole};
use super::text::Text;

/// Groups of a telephone number, or of a star code.
const GROUPS_MAX: usize = 6;
/// Digits of the longest telephone number (E.164).
const PHONE_DIGITS_MAX: usize = 15;
/// Tokens between a number and the word that says what it is.
const NEAR: usize = 16;
/// Words that make the number beside them a code.
const CODES: [&str; 10] =
    ["code", "codes", "otp", "pin", "passcode", "password", "token", "cvv", "tan", "pincode"];
/// Words that make a longer number beside them one that is not counted with.
const IDENTIFIERS: [&str; 17] = [
    "account",
    "acct",
    "acc",
    "c",
    "no",
    "number",
    "bvn",
    "nin",
    "ref",
    "reference",
    "meter",
    "id",
    "ticket",
    "order",
    "policy",
    "receipt",
    "voucher",
];
/// Words that say behind a number that it is a code.
const VERIFIES: [&str; 3] = ["verify", "verification", "confirm"];
/// Words before a number that is used to verify something.
const USES: [&str; 4] = ["use", "enter", "type", "input"];
/// What may stand between such a word and its number.
const BETWEEN: [&str; 12] =
    ["is", "was", "no", "number", "your", "the", "of", "here", "below", "num", "this", "following"];
/// Signs that may.
const SIGNS_BETWEEN: [char; 12] = [':', '-', '=', '(', '"', '\'', '#', '.', '“', '–', '/', '*'];

/// `+234 803 123 4567`, `0803-123-4567`.
pub(super) fn phone(text: &Text<'_>, at: usize) -> Option<Said> {
    let is_abroad = text.sign(at, '+');
    let mut place = if is_abroad { at + 1 } else { at };
    let first = text.digits(place)?;
    // How many digits there have to be; any number of a foreign one.
    let expected = match first {
        _ if is_abroad && first.starts_with("234") => Some(13),
        _ if is_abroad => None,
        _ if first.starts_with("234") => Some(13),
        _ if first.starts_with('0') && first.len() >= 3 => Some(11),
        _ => return None,
    };
    let mut groups: Vec<&str> = Vec::new();
    let mut digits = 0;
    while groups.len() < GROUPS_MAX
        && let Some(group) = text.digits(place)
        && digits + group.len() <= expected.unwrap_or(PHONE_DIGITS_MAX)
    {
        groups.push(group);
        digits += group.len();
        place += 1;
        let is_open = expected.is_none_or(|expected| digits < expected);
        let goes_on =
            (text.space(place) || text.any_sign(place, &['-', '–'])) && text.digits(place + 1).is_some();
        if !is_open || !goes_on {
            break;
        }
        place += 1;
    }
    let is_whole = expected.map_or(digits >= 8, |expected| digits == expected);
    if !is_whole || text.digits(place).is_some() || text.word(place).is_some() {
        return None;
    }
    let words: Vec<String> = match groups.as_slice() {
        [one] => vec![spelled_in_groups(one)],
        groups => groups.iter().map(|group| spelled(group)).collect(),
    };
    let plus = if is_abroad { "plus " } else { "" };
    Some(Said::words(format!("{plus}{}", words.join(", ")), place))
}

/// `*737*1*5000#`.
pub(super) fn star_code(text: &Text<'_>, at: usize) -> Option<Said> {
    let mut words = Vec::new();
    let mut place = at;
    while words.len() < GROUPS_MAX && text.sign(place, '*') && text.digits(place + 1).is_some() {
        words.push(format!("star {}", spelled(text.written(place + 1))));
        place += 2;
    }
    if words.is_empty() || !text.sign(place, '#') {
        return None;
    }
    Some(Said::words(format!("{}, hash", words.join(", ")), place + 1))
}

/// Whether a word before the place, in the same sentence and with little between, is one of these.
fn follows(text: &Text<'_>, at: usize, words: &[&str]) -> bool {
    let mut place = at;
    for _ in 0..NEAR {
        place = Text::before(place);
        if text.space(place) || text.any_sign(place, &SIGNS_BETWEEN) {
            continue;
        }
        let Some(word) = text.lower(place) else { return false };
        if words.contains(&&*word) {
            return true;
        }
        if !BETWEEN.contains(&&*word) {
            return false;
        }
    }
    false
}

/// Whether the place is behind `account ending`, `card ending in`.
fn is_ending(text: &Text<'_>, at: usize) -> bool {
    let mut place = Text::before(Text::before(at));
    if !text.space(Text::before(at)) {
        return false;
    }
    if text.lower(place).is_some_and(|word| ["in", "with"].contains(&&*word)) {
        place = Text::before(Text::before(place));
    }
    let what = Text::before(Text::before(place));
    text.lower(place).is_some_and(|word| ["ending", "ends"].contains(&&*word))
        && text.lower(what).is_some_and(|word| ["account", "acct", "card", "number"].contains(&&*word))
}

/// The last digits of a number whose others are hidden: `****1234`, `XXXX1234`.
pub(super) fn masked(text: &Text<'_>, at: usize) -> Option<Said> {
    const HIDDEN_MAX: usize = 16;
    if text.sign(Text::before(at), '*') {
        return None;
    }
    let is_masked_by_letters =
        text.lower(at).is_some_and(|word| word.len() >= 2 && word.bytes().all(|it| it == b'x'));
    let hidden = if is_masked_by_letters {
        1
    } else {
        (at..at + HIDDEN_MAX).take_while(|place| text.sign(*place, '*')).count()
    };
    let end = at + hidden;
    let shown = text.digits(end).filter(|digits| digits.len() == 4)?;
    let is_masked = is_masked_by_letters || hidden >= 2;
    // `**5,000`, `**1500.50` and `**5000 naira` are amounts that are marked.
    let goes_on = text.any_sign(end + 1, &[',', '.']) && text.digits(end + 2).is_some();
    let is_amount = text
        .lower(text.past_space(end + 1))
        .is_some_and(|word| matches!(&*word, "naira" | "ngn" | "thousand" | "million" | "billion"));
    let is_whole =
        text.word(end + 1).is_none() && !text.any_sign(end + 1, &['*', '#', '%']) && !goes_on && !is_amount;
    (is_masked && is_whole).then(|| Said::words(format!("ending {}", spelled(shown)), end + 1))
}

/// Whether the sentence goes on with `is your ... code`.
fn is_named_after(text: &Text<'_>, at: usize) -> bool {
    let first = text.past_space(at);
    if first == at || !text.lower(first).is_some_and(|word| ["is", "as"].contains(&&*word)) {
        return false;
    }
    (first + 1..first + NEAR)
        .take_while(|place| text.space(*place) || text.word(*place).is_some() || text.sign(*place, '-'))
        .any(|place| text.lower(place).is_some_and(|word| CODES.contains(&&*word)))
}

/// Whether the number is a code by what follows: `482913 - your code`, `Use 482913 to verify`.
fn is_code_by_what_follows(text: &Text<'_>, at: usize) -> bool {
    let (before, next) = (Text::before(at), text.past_space(at + 1));
    let is_used = || {
        text.lower(Text::before(before)).is_some_and(|word| USES.contains(&&*word))
            && text.lower(next).is_some_and(|word| word == "to")
    };
    // Behind a full stop a code may be spoken of that is not this number, unless the text begins with it.
    let is_beside = text.any_sign(next, &['-', '–', ':']) || at == 0 && text.sign(next, '.');
    if !is_beside && !is_used() {
        return false;
    }
    let is_one = |place: usize| {
        text.lower(place).is_some_and(|word| CODES.contains(&&*word) || VERIFIES.contains(&&*word))
    };
    (next..next + NEAR).take_while(|place| text.digits(*place).is_none()).any(is_one)
}

/// Whether a short prefix stands before the place: `G-482913`.
fn has_prefix(text: &Text<'_>, at: usize) -> bool {
    let dash = Text::before(at);
    text.sign(dash, '-') && text.word(Text::before(dash)).is_some_and(|word| word.len() == 1)
}

/// A code or another number that is not counted with, as the words around it say.
pub(super) fn code(text: &Text<'_>, at: usize) -> Option<Said> {
    let digits = text.digits(at)?;
    // An amount, a time or a date is none.
    let is_part = text.any_sign(at + 1, &['.', ',', ':', '/', '%']) && text.digits(at + 2).is_some();
    if is_part || text.word(at + 1).is_some() || text.sign(at + 1, '%') {
        return None;
    }
    // A code may be written in two halves: `123-456`, `123 456`.
    let second = text.digits(at + 2).filter(|second| {
        digits.len() == 3 && second.len() == 3 && (text.sign(at + 1, '-') || text.space(at + 1))
    });
    if let Some(second) = second
        && follows(text, at, &CODES)
    {
        return Some(Said::words(format!("{}, {}", spelled(digits), spelled(second)), at + 3));
    }
    let is_code = digits.len() >= 3
        && (follows(text, at, &CODES) || is_named_after(text, at + 1) || is_ending(text, at))
        || (5..=8).contains(&digits.len()) && (has_prefix(text, at) || is_code_by_what_follows(text, at))
        || digits.len() >= 5 && follows(text, at, &IDENTIFIERS)
        || digits.len() >= 10;
    is_code.then(|| Said::words(spelled_in_groups(digits), at + 1))
}

/// Three and more numbers with dashes between, which are no range: `123-456-789`.
pub(super) fn dashed(text: &Text<'_>, at: usize) -> Option<Said> {
    let mut groups = vec![spelled(text.digits(at)?)];
    let mut end = at + 1;
    while text.sign(end, '-') && text.digits(end + 1).is_some() {
        groups.push(spelled(text.written(end + 1)));
        end += 2;
    }
    (groups.len() > 2).then(|| Said::words(groups.join(", "), end))
}

/// Three and more numbers with dots between: a version, or an address of a machine.
pub(super) fn dotted(text: &Text<'_>, at: usize) -> Option<Said> {
    let mut parts = vec![whole(text.digits(at)?)];
    let mut end = at + 1;
    while text.sign(end, '.') && text.digits(end + 1).is_some() {
        parts.push(whole(text.written(end + 1)));
        end += 2;
    }
    (parts.len() > 2).then(|| Said::words(parts.join(" point "), end))
}
