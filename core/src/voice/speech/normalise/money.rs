//! Amounts of money: `N25,000`, `₦1,500.50`, `NGN 2m`, `$20`, `5000 NGN`.

use super::Said;
use super::number::{Number, cardinal};
use super::text::Text;

/// A currency as it is spoken.
#[derive(Clone, Copy, Debug)]
struct Currency {
    one: &'static str,
    many: &'static str,
    minor_one: &'static str,
    minor_many: &'static str,
}

const NAIRA: Currency = Currency { one: "naira", many: "naira", minor_one: "kobo", minor_many: "kobo" };
const DOLLAR: Currency = Currency { one: "dollar", many: "dollars", minor_one: "cent", minor_many: "cents" };
const POUND: Currency = Currency { one: "pound", many: "pounds", minor_one: "penny", minor_many: "pence" };
const EURO: Currency = Currency { one: "euro", many: "euros", minor_one: "cent", minor_many: "cents" };

fn by_sign(text: &Text<'_>, at: usize) -> Option<Currency> {
    match text.written(at) {
        "₦" => Some(NAIRA),
        "$" => Some(DOLLAR),
        "£" => Some(POUND),
        "€" => Some(EURO),
        _ => None,
    }
}

fn by_code(code: &str) -> Option<Currency> {
    match code {
        "NGN" | "ngn" => Some(NAIRA),
        "USD" | "usd" => Some(DOLLAR),
        "GBP" | "gbp" => Some(POUND),
        "EUR" | "eur" => Some(EURO),
        _ => None,
    }
}

/// The power that a suffix or the next word stands for, and the place behind it.
fn power(text: &Text<'_>, at: usize) -> Option<(&'static str, usize)> {
    let of = |place: usize, is_attached: bool| {
        let word = text.lower(place)?;
        Some(match &*word {
            "k" if is_attached => "thousand",
            "m" | "mn" | "mil" if is_attached => "million",
            "b" | "bn" if is_attached => "billion",
            "thousand" => "thousand",
            "million" => "million",
            "billion" => "billion",
            "trillion" => "trillion",
            _ => return None,
        })
    };
    if let Some(power) = of(at, true) {
        return Some((power, at + 1));
    }
    if !text.space(at) {
        return None;
    }
    of(at + 1, false).map(|power| (power, at + 2))
}

fn said(number: &Number<'_>, power: Option<(&'static str, usize)>, currency: Currency, end: usize) -> Said {
    if let Some((power, end)) = power {
        return Said::quantity(format!("{} {power} {}", number.words(), currency.many), end);
    }
    let minor = match number.decimals {
        "" | "0" | "00" => 0,
        one if one.len() == 1 => 10 * one.parse().unwrap_or(0),
        two if two.len() == 2 => two.parse().unwrap_or(0),
        _ => return Said::quantity(format!("{} {}", number.words(), currency.many), end),
    };
    let whole = Number { whole: number.whole.clone(), decimals: "", ..*number };
    let major = if whole.is_one() { currency.one } else { currency.many };
    let minors = || {
        let name = if minor == 1 { currency.minor_one } else { currency.minor_many };
        format!("{} {name}", cardinal(minor))
    };
    let words = match (minor, whole.whole.trim_start_matches('0').is_empty()) {
        (0, _) => format!("{} {major}", whole.words()),
        (_, true) => minors(),
        (_, false) => format!("{} {major}, {}", whole.words(), minors()),
    };
    Said::quantity(words, end)
}

fn amount(text: &Text<'_>, at: usize, currency: Currency) -> Option<Said> {
    let number = Number::at(text, at)?;
    let power = power(text, number.end);
    // As alerts of banks have it: `N5,000.00CR`.
    let entry = text.lower(number.end).and_then(|word| match &*word {
        "cr" => Some("credit"),
        "dr" => Some("debit"),
        _ => None,
    });
    if let Some(entry) = entry {
        let amount = said(&number, None, currency, number.end);
        return Some(Said::words(format!("{} {entry}", amount.words), number.end + 1));
    }
    // `N5-10k`: the power is that of both.
    if power.is_none()
        && text.any_sign(number.end, &['-', '–'])
        && let Some(most) = Number::at(text, number.end + 1)
        && let Some((power, end)) = self::power(text, most.end).filter(|(_, end)| *end == most.end + 1)
        && number.whole.len() <= 3
    {
        let range = format!("{} to {} {power} {}", number.words(), most.words(), currency.many);
        return Some(Said::quantity(range, end));
    }
    // `N25a` is no amount.
    if power.is_none() && text.word(number.end).is_some() {
        return None;
    }
    Some(said(&number, power, currency, number.end))
}

/// Whether an amount begins at a place.
pub(super) fn begins(text: &Text<'_>, at: usize) -> bool {
    by_sign(text, at).is_some() && text.digits(at + 1).is_some()
        || text.written(at) == "N" && text.digits(at + 1).is_some()
}

/// An amount behind its currency.
pub(super) fn after_currency(text: &Text<'_>, at: usize) -> Option<Said> {
    let before = Text::before(at);
    if let Some(currency) = by_sign(text, at) {
        return amount(text, text.past_space(at + 1), currency);
    }
    // Some write a naira sign so; `#5` alone is a number of something.
    if text.sign(at, '#') {
        let number = Number::at(text, at + 1)?;
        let is_money = number.is_grouped || power(text, number.end).is_some();
        return if is_money { amount(text, at + 1, NAIRA) } else { None };
    }
    if text.digits(before).is_some() {
        return None;
    }
    let word = text.word(at)?;
    if word == "N" {
        if text.digits(at + 1).is_some() {
            return amount(text, at + 1, NAIRA);
        }
        // `Block N 5` has a number.
        let number = Number::at(text, text.past_space(at + 1))?;
        let is_money = number.is_grouped || number.whole.len() >= 3 && !number.whole.starts_with('0');
        return if is_money { amount(text, at + 2, NAIRA) } else { None };
    }
    amount(text, text.past_space(at + 1), by_code(word)?)
}

/// An amount before its currency: `5000 NGN`, `2m naira`.
pub(super) fn before_currency(text: &Text<'_>, number: &Number<'_>) -> Option<Said> {
    let power = power(text, number.end);
    let end = power.map_or(number.end, |(_, end)| end);
    let place = text.past_space(end);
    if let Some(currency) = text.word(place).and_then(by_code) {
        return Some(said(number, power.map(|(power, _)| (power, place + 1)), currency, place + 1));
    }
    // The name of the currency is said as it is written, also without a space.
    let is_named = |word: String| matches!(&*word, "naira" | "kobo" | "dollars" | "pounds" | "euros");
    if power.is_none() && text.lower(number.end).is_some_and(is_named) {
        return Some(Said::quantity(number.words(), number.end));
    }
    // A plain `25k` or `2bn` says its power alone; `2m` may be metres.
    let (power, end) = power?;
    let is_plain = !matches!(&*text.lower(number.end).unwrap_or_default(), "m" | "b");
    let is_naira = text.lower(place).is_some_and(|word| word == "naira");
    (is_plain || is_naira).then(|| Said::quantity(format!("{} {power}", number.words()), end))
}
