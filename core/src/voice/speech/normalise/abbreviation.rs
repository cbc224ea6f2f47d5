//! Abbreviations, and units behind a number.

use super::Said;
use super::number::Number;
use super::text::Text;

/// Said for a word with a dot behind it; in front of a name where it is a title.
const DOTTED: [(&str, &str); 28] = [
    ("mr", "Mister"),
    ("mrs", "Missis"),
    ("ms", "Miz"),
    ("dr", "Doctor"),
    ("prof", "Professor"),
    ("rev", "Reverend"),
    ("pst", "Pastor"),
    ("engr", "Engineer"),
    ("barr", "Barrister"),
    ("alh", "Alhaji"),
    ("hon", "Honourable"),
    ("gov", "Governor"),
    ("rd", "Road"),
    ("ave", "Avenue"),
    ("cres", "Crescent"),
    ("ltd", "Limited"),
    ("dept", "Department"),
    ("govt", "Government"),
    ("approx", "approximately"),
    ("tel", "telephone"),
    ("acct", "account"),
    ("amt", "amount"),
    ("bal", "balance"),
    ("ref", "reference"),
    ("etc", "et cetera"),
    ("vs", "versus"),
    ("est", "established"),
    ("min", "minimum"),
];

/// Said for a word with or without a dot.
const PLAIN: [(&str, &str); 19] = [
    ("mr", "Mister"),
    ("mrs", "Missis"),
    ("dr", "Doctor"),
    ("engr", "Engineer"),
    ("pst", "Pastor"),
    ("acct", "account"),
    ("accts", "accounts"),
    ("amt", "amount"),
    ("txn", "transaction"),
    ("txns", "transactions"),
    ("govt", "government"),
    ("dept", "department"),
    ("ltd", "limited"),
    ("pls", "please"),
    ("plz", "please"),
    ("tmrw", "tomorrow"),
    ("etc", "et cetera"),
    ("vs", "versus"),
    ("approx", "approximately"),
];

fn found(table: &[(&str, &'static str)], word: &str) -> Option<&'static str> {
    table.iter().find(|(short, _)| *short == word).map(|(_, long)| *long)
}

fn is_capitalised(word: Option<&str>) -> bool {
    word.and_then(|word| word.chars().next()).is_some_and(char::is_uppercase)
}

/// `Saint` before a name, `Street` behind one.
fn street_or_saint(text: &Text<'_>, at: usize) -> &'static str {
    let before = Text::before(at);
    let is_behind_name = text.space(before) && is_capitalised(text.word(Text::before(before)));
    let is_before_name = text.space(at + 2) && is_capitalised(text.word(at + 3));
    if is_before_name && !is_behind_name { "Saint" } else { "Street" }
}

/// The abbreviation that begins at a place, with its dot; the dot stays where it also ends the text.
pub(super) fn abbreviation(text: &Text<'_>, at: usize) -> Option<Said> {
    let word = text.lower(at)?;
    let before = Text::before(at);
    // `x.etc` and `Ade's` are other words.
    if text.any_sign(before, &['.', '\'', '’', '/', '-', '@', '_']) || text.digits(before).is_some() {
        return None;
    }
    let letters = |signs: &[char], next: &str| {
        text.any_sign(at + 1, signs) && text.lower(at + 2).is_some_and(|word| word == next)
    };
    if word == "a" && letters(&['/'], "c") {
        return Some(Said::words("account", at + 3));
    }
    let dot_at =
        |place: usize| if text.sign(place, '.') && !text.is_end(place + 1) { place + 1 } else { place };
    if word == "e" && letters(&['.'], "g") {
        return Some(Said::words("for example", dot_at(at + 3)));
    }
    if word == "i" && letters(&['.'], "e") {
        return Some(Said::words("that is", dot_at(at + 3)));
    }
    let is_dotted = text.sign(at + 1, '.') && text.is_gap(at + 2);
    if matches!(&*word, "no" | "nos") && text.written(at) != "no" {
        let place = if text.sign(at + 1, '.') { at + 2 } else { at + 1 };
        let is_number = text.digits(text.past_space(place)).is_some() && place + 1 >= text.past_space(place);
        let may_be_word = place == at + 1 && (word == "nos" || !text.space(place));
        let said = if word == "no" { "number" } else { "numbers" };
        return (is_number && !may_be_word).then(|| Said::words(said, place));
    }
    if word == "no" {
        let is_number = text.sign(at + 1, '.') && text.digits(text.past_space(at + 2)).is_some();
        return is_number.then(|| Said::words("number", at + 2));
    }
    if word == "st" && is_dotted {
        return Some(Said::words(street_or_saint(text, at), dot_at(at + 1)));
    }
    if is_dotted && let Some(long) = found(&DOTTED, &word) {
        return Some(Said::words(long, dot_at(at + 1)));
    }
    let ends = text.is_gap(at + 1) || text.any_sign(at + 1, &[',', ':', ';', ')', '!', '?', '.']);
    found(&PLAIN, &word).filter(|_| ends).map(|long| Said::words(long, at + 1))
}

/// What a unit is called: as it is written, of one, of several, and whether a space may stand before it.
const UNITS: [(&str, &str, &str, bool); 28] = [
    ("kg", "kilogram", "kilograms", true),
    ("g", "gram", "grams", false),
    ("mg", "milligram", "milligrams", true),
    ("km", "kilometre", "kilometres", true),
    ("cm", "centimetre", "centimetres", true),
    ("mm", "millimetre", "millimetres", true),
    ("sqm", "square metre", "square metres", true),
    ("ft", "foot", "feet", true),
    ("ml", "millilitre", "millilitres", true),
    ("cl", "centilitre", "centilitres", true),
    ("KB", "kilobyte", "kilobytes", true),
    ("MB", "megabyte", "megabytes", true),
    ("GB", "gigabyte", "gigabytes", true),
    ("gb", "gigabyte", "gigabytes", false),
    ("mb", "megabyte", "megabytes", false),
    ("TB", "terabyte", "terabytes", true),
    ("kW", "kilowatt", "kilowatts", true),
    ("kVA", "kay V A", "kay V A", true),
    ("KVA", "kay V A", "kay V A", true),
    ("kWh", "kilowatt hour", "kilowatt hours", true),
    ("min", "minute", "minutes", true),
    ("mins", "minute", "minutes", true),
    ("hr", "hour", "hours", true),
    ("hrs", "hour", "hours", true),
    ("sec", "second", "seconds", true),
    ("secs", "second", "seconds", true),
    ("yrs", "year", "years", true),
    ("pcs", "piece", "pieces", true),
];

/// A number with its unit.
pub(super) fn unit(text: &Text<'_>, number: &Number<'_>) -> Option<Said> {
    if text.sign(number.end, '°') && text.written(number.end + 1) == "C" {
        let words = format!("{} degrees Celsius", number.words());
        return Some(Said::quantity(words, number.end + 2));
    }
    let place = text.past_space(number.end);
    let written = text.word(place)?;
    let (_, one, many, _) =
        UNITS.iter().find(|(unit, _, _, spaced)| *unit == written && (*spaced || place == number.end))?;
    if text.digits(place + 1).is_some() {
        return None;
    }
    let unit = if number.is_one() { one } else { many };
    Some(Said::quantity(format!("{} {unit}", number.words()), place + 1))
}
