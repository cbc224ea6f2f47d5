//! One phone number out of one piece of text, in any form people and spreadsheets write it. Default region: Nigeria.
//!
//! Three steps: the fast path for Nigerian mobiles, then the text reduced to its digits, then libphonenumber, which
//! is only ever shown digits (so that it never reads letters as keys or text as extensions).
//!
//! The one invariant: no guess. What can be read as two valid numbers, or lost digits on its way, is refused.

use rlibphonenumber::{
    NumberLengthType, ParseError, PhoneNumber, PhoneNumberFormat, PhoneNumberType, ValidationError,
};

use super::{Msisdn, RejectReason, nigeria};

/// The digits after +234 of a Nigerian mobile number.
const NATIONAL: usize = 10;
/// Fifteen of E.164 behind `009` and a trunk zero, and one to see that it is too long.
const DIGITS_MAX: usize = 20;

/// Whether digits without `+` or `00` may be a foreign number, as in `447911123456`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bare {
    Foreign,
    NigerianOnly,
}

/// Reads one number: `0803...`, `803...`, `234803...`, `+234803...`, `2340803...`, `009234...`, `00` or `+` and any
/// country code, a foreign number that lacks its `+`; with spaces, dashes, brackets, dots, quotes, non-breaking spaces,
/// digits of other scripts, and what spreadsheets do (`8.031234567E+09`, `8031234567.0`, a lost leading zero).
///
/// # Errors
/// The reason why it is no number an SMS can go to.
#[inline]
pub fn parse(text: &str) -> Result<Msisdn, RejectReason> {
    parse_as(text, Bare::Foreign)
}

/// [`parse`], with a say about foreign numbers that lack their `+`.
#[inline]
pub(super) fn parse_as(text: &str, bare: Bare) -> Result<Msisdn, RejectReason> {
    match nigeria::read(text.as_bytes()) {
        Some(number) => Ok(number),
        None => parse_slowly(text, bare),
    }
}

#[cold]
fn parse_slowly(text: &str, bare: Bare) -> Result<Msisdn, RejectReason> {
    let text = text.trim_matches(is_filler);
    let text = match text.get(..4) {
        Some(scheme) if scheme.eq_ignore_ascii_case("tel:") => &text[4..],
        _ => text,
    };
    let digits = match undo_spreadsheet(text) {
        Some(digits) => digits?,
        None => Digits::collect(text)?,
    };
    digits.resolve(bare)
}

/// What cannot be seen: blanks, control characters (an old file ends with one), and the marks of direction and width
/// that come along when a number is copied from a chat.
pub(super) fn is_blank(sign: char) -> bool {
    sign.is_whitespace()
        || sign.is_control()
        || matches!(sign, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(sign, '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// What may surround or separate the digits of a number without changing it.
pub(crate) fn is_filler(sign: char) -> bool {
    is_blank(sign)
        || matches!(sign, '-' | '.' | '(' | ')' | '/' | '\'' | '"' | '[' | ']' | '_' | '`' | '=' | '·' | '´')
        // Dashes and curly quotes.
        || matches!(sign, '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{ff0d}' | '\u{2018}'..='\u{201f}')
}

/// A plus sign, plain or full width.
pub(crate) const fn is_plus(sign: char) -> bool {
    matches!(sign, '+' | '\u{ff0b}')
}

/// The zeros of the scripts whose digits are read, ASCII first; nine more follow each.
const ZEROS: [u32; 7] = [0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xff10];

/// The value of a decimal digit: ASCII, Arabic-Indic, Persian, N'Ko, Devanagari, Bengali or full width.
pub(crate) fn digit(sign: char) -> Option<u8> {
    ZEROS
        .iter()
        .find_map(|zero| (sign as u32).checked_sub(*zero).filter(|value| *value < 10))
        .map(|v| v as u8)
}

/// How a digit of this value is written in scripts other than ASCII.
pub(crate) fn foreign_digits(value: u8) -> impl Iterator<Item = char> {
    ZEROS[1..].iter().filter_map(move |zero| char::from_u32(zero + u32::from(value)))
}

/// The digits of a number, as ASCII, and whether a plus stood before them.
#[derive(Clone, Copy, Debug)]
struct Digits {
    ascii: [u8; DIGITS_MAX],
    count: usize,
    plus: bool,
}

impl Digits {
    const NONE: Self = Self { ascii: [0; DIGITS_MAX], count: 0, plus: false };

    fn push(&mut self, value: u8) -> Result<(), RejectReason> {
        let place = self.ascii.get_mut(self.count).ok_or(RejectReason::TooLong)?;
        *place = b'0' + value;
        self.count += 1;
        Ok(())
    }

    /// The digits of the text, if nothing but filler is between them.
    fn collect(text: &str) -> Result<Self, RejectReason> {
        let mut digits = Self::NONE;
        let mut foreign = false;
        let mut overflow = false;
        for sign in text.chars() {
            if let Some(value) = digit(sign) {
                overflow |= digits.push(value).is_err();
            } else if is_plus(sign) && digits.count == 0 {
                digits.plus = true;
            } else {
                foreign |= !is_filler(sign);
            }
        }
        match digits.count {
            0 => Err(RejectReason::NoDigits),
            _ if foreign => Err(RejectReason::NotANumber),
            _ if overflow => Err(RejectReason::TooLong),
            _ => Ok(digits),
        }
    }

    fn as_str(&self) -> &str {
        std::str::from_utf8(&self.ascii[..self.count]).unwrap_or_default()
    }

    fn resolve(&self, bare: Bare) -> Result<Msisdn, RejectReason> {
        let text = self.as_str();
        // No calling code begins with zero: a plus before it was put there by a form or a habit.
        let plus = self.plus && !text.starts_with('0');
        let value = text.parse().ok().filter(|_| text.len() < DIGITS_MAX);
        if let Some(number) = value.and_then(|value| nigeria::mobile(plus, value, text.len())) {
            return Ok(number);
        }
        match text.strip_prefix("00") {
            _ if plus => international(text),
            Some(rest) => after_idd(rest),
            None => national(text, bare),
        }
    }
}

/// After `00`: the international prefix nearly everywhere; Nigeria's own is `009`.
fn after_idd(rest: &str) -> Result<Msisdn, RejectReason> {
    let usual = international(rest);
    let Some(rest) = rest.strip_prefix('9') else { return usual };
    let own = international(rest);
    match (usual, own) {
        (Ok(usual), Ok(own)) if usual != own => Err(RejectReason::Ambiguous),
        (Err(_), own) if own.is_ok() || rest.starts_with("234") => own,
        (usual, _) => usual,
    }
}

/// Digits that begin with a calling code.
fn international(digits: &str) -> Result<Msisdn, RejectReason> {
    if let Some(national) = digits.strip_prefix("234") {
        return nigerian(national);
    }
    let number = PhoneNumber::parse(format!("+{digits}"), None).map_err(|error| match error {
        ParseError::InvalidCountryCode => RejectReason::UnknownCountry,
        ParseError::TooLongNsn => RejectReason::TooLong,
        ParseError::TooShortAfterIdd | ParseError::TooShortNsn => RejectReason::TooShort,
        ParseError::NotANumber(_) => RejectReason::TooShort,
    })?;
    judge(&number)
}

/// Digits as a Nigerian would dial them, or a foreign number without its plus.
fn national(digits: &str, bare: Bare) -> Result<Msisdn, RejectReason> {
    let with_code = digits.strip_prefix("234").filter(|rest| rest.len() + 1 >= NATIONAL);
    // Whatever is Nigerian and a mobile was recognised before: for this caller there is nothing left to find out.
    if bare == Bare::NigerianOnly {
        return Err(RejectReason::Invalid);
    }
    let at_home = nigerian(with_code.unwrap_or(digits));
    if at_home.is_ok() || with_code.is_some() || !may_lack_plus(digits) {
        return at_home;
    }
    match international(digits) {
        Ok(number) => Ok(number),
        Err(RejectReason::Landline) if !begins_like_a_mobile(digits) => Err(RejectReason::Landline),
        Err(_) => at_home,
    }
}

/// Shorter digits, and ten that look like a Nigerian mobile with a mistake in it, are no foreign number: with so many
/// small countries nearly any would be.
fn may_lack_plus(digits: &str) -> bool {
    !digits.starts_with('0')
        && (digits.len() > NATIONAL || digits.len() == NATIONAL && !begins_like_a_mobile(digits))
}

fn begins_like_a_mobile(national: &str) -> bool {
    national.starts_with(['7', '8', '9'])
}

/// A Nigerian number without its country code, with or without the trunk zero.
fn nigerian(digits: &str) -> Result<Msisdn, RejectReason> {
    let significant = digits.strip_prefix('0').unwrap_or(digits);
    match significant.len() {
        9 if begins_like_a_mobile(significant) => return Err(RejectReason::NineDigits),
        0..NATIONAL => return Err(RejectReason::TooShort),
        _ => {}
    }
    let number = PhoneNumber::parse(format!("+234{significant}"), None).map_err(|_| RejectReason::TooLong)?;
    judge(&number).map_err(|reason| match reason {
        RejectReason::Invalid if significant.len() > NATIONAL => RejectReason::TooLong,
        reason => reason,
    })
}

/// libphonenumber's verdict. A fixed line or a service takes no SMS; kinds that may (personal, pager, VoIP, fixed or
/// mobile alike) are kept.
fn judge(number: &PhoneNumber) -> Result<Msisdn, RejectReason> {
    use PhoneNumberType as Type;
    match number.get_type() {
        Type::FixedLine => Err(RejectReason::Landline),
        Type::TollFree | Type::PremiumRate | Type::SharedCost | Type::UAN | Type::VoiceMail => {
            Err(RejectReason::NotMobile)
        }
        Type::Unknown => Err(why_invalid(number)),
        Type::Mobile | Type::FixedLineOrMobile | Type::VoIP | Type::PersonalNumber | Type::Pager => {
            e164(number).ok_or(RejectReason::TooLong)
        }
    }
}

fn e164(number: &PhoneNumber) -> Option<Msisdn> {
    let written = number.format_as(PhoneNumberFormat::E164);
    written.strip_prefix('+')?.parse().ok().and_then(Msisdn::from_digits)
}

fn why_invalid(number: &PhoneNumber) -> RejectReason {
    match number.is_possible_with_reason() {
        Ok(NumberLengthType::IsPossible) => RejectReason::Invalid,
        Ok(NumberLengthType::IsPossibleLocalOnly) | Err(ValidationError::TooShort) => RejectReason::TooShort,
        Err(ValidationError::TooLong) => RejectReason::TooLong,
        Err(ValidationError::InvalidLength) => RejectReason::Invalid,
        Err(ValidationError::InvalidCountryCode) => RejectReason::UnknownCountry,
    }
}

/// What a spreadsheet makes of a number: `8.03E+09`, `8031234567.0`, `8,031,234,567`. `None` for any other text.
fn undo_spreadsheet(text: &str) -> Option<Result<Digits, RejectReason>> {
    let (plus, text) = text.strip_prefix('+').map_or((false, text), |rest| (true, rest));
    if let Some((mantissa, exponent)) = text.split_once(['e', 'E']) {
        return undo_exponent(mantissa, exponent);
    }
    let (whole, fraction) = text.rsplit_once('.').unwrap_or((text, "0"));
    let zeros = !fraction.is_empty() && fraction.len() <= 2 && fraction.bytes().all(|byte| byte == b'0');
    let damaged = whole.len() < text.len() || whole.contains(',');
    if !zeros || !damaged || whole.len() < 9 || !is_grouped(whole) {
        return None;
    }
    let digits = whole.bytes().filter(u8::is_ascii_digit).map(|byte| byte - b'0');
    Some(gather(digits).map(|digits| Digits { plus, ..digits }))
}

/// Plain digits, or digits with a comma before every three of them.
fn is_grouped(whole: &str) -> bool {
    let plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = whole.split(',');
    let first = parts.next().unwrap_or_default();
    plain(first)
        && (first.len() <= 3 || !whole.contains(','))
        && parts.all(|part| part.len() == 3 && plain(part))
}

/// Scientific notation with a point or a decimal comma. Exact only when the mantissa still has every digit.
fn undo_exponent(mantissa: &str, exponent: &str) -> Option<Result<Digits, RejectReason>> {
    let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once(['.', ',']).unwrap_or((mantissa, ""));
    let exponent = exponent.strip_prefix('+').unwrap_or(exponent);
    if whole.is_empty() || exponent.is_empty() || exponent.len() > 2 {
        return None;
    }
    if !plain(whole) || !plain(fraction) || !plain(exponent) {
        return None;
    }
    let exponent: usize = exponent.parse().ok()?;
    let spare = fraction.get(exponent..).unwrap_or_default();
    if fraction.len() < exponent {
        return Some(Err(RejectReason::SpreadsheetRounded));
    }
    if spare.bytes().any(|byte| byte != b'0') {
        return None;
    }
    let kept = fraction.len() - spare.len();
    Some(gather(whole.bytes().chain(fraction.bytes().take(kept)).map(|byte| byte - b'0')))
}

fn gather(mut values: impl Iterator<Item = u8>) -> Result<Digits, RejectReason> {
    let mut digits = Digits::NONE;
    values.try_for_each(|value| digits.push(value))?;
    Ok(digits)
}

#[cfg(test)]
mod tests;
