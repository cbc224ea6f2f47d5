//! A text as it is said in Nigeria, before an engine reads it.
//!
//! Engines drop the naira sign, read `12/03/2026` month first and `0803 123 4567` as three numbers. Money, numbers,
//! dates, times, telephone numbers, codes and common abbreviations become words here, and letters of Nigerian languages,
//! which English voices spell, become plain ones; all other text stays as it is, and so do web and e-mail addresses. A text is read once, and no rule looks further than a few tokens ahead, so the
//! time is linear. The result has no control characters and no `[`, with which espeak-ng would read phonemes.

mod abbreviation;
mod date;
mod digits;
mod money;
mod number;
mod text;

use number::Number;
use text::Text;

/// The result has at most so many times the bytes of the text.
pub const GROWTH_MAX: usize = 16;

/// What is said for some tokens.
#[derive(Debug)]
struct Said {
    words: String,
    /// The place behind those tokens.
    end: usize,
    /// Whether a dash behind it means `to`.
    is_quantity: bool,
}

impl Said {
    fn words(words: impl Into<String>, end: usize) -> Self {
        Self { words: words.into(), end, is_quantity: false }
    }

    fn quantity(words: impl Into<String>, end: usize) -> Self {
        Self { words: words.into(), end, is_quantity: true }
    }
}

/// The text in words, at most [`GROWTH_MAX`] times as long.
pub fn normalise(written: &str) -> String {
    let plain = plain(written);
    let text = Text::of(&plain);
    let mut out = Spoken::default();
    let mut at = 0;
    while at < text.len() {
        if is_chunk_start(&text, at) && is_address(&text, at) {
            let end = text.chunk_end(at);
            (at..end).for_each(|place| out.written(text.written(place)));
            at = end;
            continue;
        }
        let Some(said) = said(&text, at) else {
            out.written(text.written(at));
            at += 1;
            continue;
        };
        out.words(&said.words);
        at = said.end;
        // `10-15`, `N500 - N1,000`
        let dash = text.past_space(at);
        let next = text.past_space(dash + 1);
        let is_range = said.is_quantity
            && text.any_sign(dash, &['-', '–'])
            && (text.digits(next).is_some() || money::begins(&text, next))
            && text.space(at) == text.space(dash + 1);
        if is_range {
            out.words("to");
            at = next;
        }
    }
    out.finish()
}

/// A letter with a dot or a hook as English voices know it.
fn plain_letter(letter: char) -> char {
    match letter {
        'ẹ' => 'e',
        'Ẹ' => 'E',
        'ị' => 'i',
        'Ị' => 'I',
        'ọ' => 'o',
        'Ọ' => 'O',
        'ụ' => 'u',
        'Ụ' => 'U',
        'ṣ' => 's',
        'Ṣ' => 'S',
        'ṅ' | 'ǹ' => 'n',
        'Ṅ' | 'Ǹ' => 'N',
        'ḿ' => 'm',
        'Ḿ' => 'M',
        'ɓ' => 'b',
        'Ɓ' => 'B',
        'ɗ' => 'd',
        'Ɗ' => 'D',
        'ƙ' => 'k',
        'Ƙ' => 'K',
        'ƴ' => 'y',
        'Ƴ' => 'Y',
        other => other,
    }
}

/// Without control characters, invisible signs, accents that stand behind their letters, and brackets.
fn plain(written: &str) -> String {
    let is_invisible = |sign: &char| matches!(sign, '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{feff}' | '\u{ad}');
    let visible = written.chars().filter(|sign| !is_invisible(sign));
    visible
        .map(|sign| match sign {
            '\n' | '\u{2028}' | '\u{2029}' => '\n',
            '[' | ']' => ' ',
            other if other.is_control() || other.is_whitespace() => ' ',
            other => plain_letter(other),
        })
        .collect()
}

fn is_chunk_start(text: &Text<'_>, at: usize) -> bool {
    text.is_gap(Text::before(at)) && !text.is_gap(at)
}

/// Whether what stands up to the next space is a web or e-mail address.
fn is_address(text: &Text<'_>, at: usize) -> bool {
    let end = text.chunk_end(at);
    let word = |place: usize| text.word(place).is_some() || text.digits(place).is_some();
    text.lower(at).is_some_and(|word| word == "www") && text.sign(at + 1, '.')
        || (at..end).any(|place| match text.written(place) {
            ":" => text.sign(place + 1, '/') && text.sign(place + 2, '/'),
            "@" => place > at && word(Text::before(place)) && text.word(place + 1).is_some(),
            // `bit.ly/3x4`
            "/" => {
                place > at + 2
                    && text.word(place - 1).is_some_and(|word| word.len() >= 2)
                    && text.sign(place - 2, '.')
                    && word(place - 3)
            }
            _ => false,
        })
}

/// What is said for the tokens that begin at a place; `None` where they stay as they are.
fn said(text: &Text<'_>, at: usize) -> Option<Said> {
    let before = Text::before(at);
    if text.digits(at).is_some() {
        // `B2B` is a name.
        let is_in_name = text.word(before).is_some() || text.sign(before, '_');
        return if is_in_name { None } else { number(text, at) };
    }
    if text.word(at).is_some() {
        let money = money::after_currency(text, at);
        return money
            .or_else(|| digits::masked(text, at))
            .or_else(|| date::month_first(text, at))
            .or_else(|| abbreviation::abbreviation(text, at));
    }
    if let Some(money) = money::after_currency(text, at) {
        return Some(money);
    }
    match text.written(at) {
        "*" => digits::star_code(text, at).or_else(|| digits::masked(text, at)),
        // What the messages of one-time codes begin with, for the telephone's own eyes.
        "<" if at == 0 && text.sign(1, '#') && text.sign(2, '>') => Some(Said::words("", 3)),
        "+" => digits::phone(text, at),
        "-" | "−"
            if text.is_gap(before) && (text.digits(at + 1).is_some() || money::begins(text, at + 1)) =>
        {
            Some(Said::words("minus", at + 1))
        }
        "#" if text.is_gap(before) && text.digits(at + 1).is_some() => Some(Said::words("number", at + 1)),
        "₦" => Some(Said::words("naira", at + 1)),
        "&" => Some(Said::words("and", at + 1)),
        "@" if text.is_gap(before) => Some(Said::words("at", at + 1)),
        _ => None,
    }
}

/// What is said for a number and what belongs to it.
fn number(text: &Text<'_>, at: usize) -> Option<Said> {
    let special = digits::phone(text, at)
        .or_else(|| number::fraction(text, at))
        .or_else(|| date::date(text, at))
        .or_else(|| date::verse(text, at))
        .or_else(|| date::time(text, at))
        .or_else(|| digits::code(text, at))
        .or_else(|| digits::dashed(text, at))
        .or_else(|| digits::dotted(text, at))
        .or_else(|| date::lone_year(text, at));
    if special.is_some() {
        return special;
    }
    let number = Number::at(text, at)?;
    let counted = money::before_currency(text, &number).or_else(|| abbreviation::unit(text, &number));
    if counted.is_some() {
        return counted;
    }
    let end = number.end;
    let suffix = text.lower(end).unwrap_or_default();
    if matches!(&*suffix, "st" | "nd" | "rd" | "th")
        && number.decimals.is_empty()
        && let Some(value) = number.whole.parse().ok().filter(|_| number.whole.len() <= 9)
    {
        return Some(Said::quantity(number::ordinal(value), end + 1));
    }
    // `4G` is a name, too; what has separators is none.
    if text.word(end).is_some() && end == at + 1 {
        return None;
    }
    if text.sign(end, '%') {
        return Some(Said::quantity(format!("{} percent", number.words()), end + 1));
    }
    if number.whole == "24" && text.sign(end, '/') && text.written(end + 1) == "7" {
        return Some(Said::words("twenty-four seven", end + 2));
    }
    Some(Said::quantity(number.words(), end))
}

/// The text that was said so far.
#[derive(Debug, Default)]
struct Spoken {
    out: String,
    /// Whether what is written next has to keep its distance.
    ends_in_words: bool,
}

impl Spoken {
    fn words(&mut self, words: &str) {
        if self.out.ends_with(|last: char| last.is_alphanumeric() || matches!(last, ',' | '.' | ')')) {
            self.out.push(' ');
        }
        self.out.push_str(words);
        self.ends_in_words = true;
    }

    fn written(&mut self, written: &str) {
        let is_word = written.starts_with(char::is_alphanumeric);
        if self.ends_in_words && is_word {
            self.out.push(' ');
        }
        self.ends_in_words = false;
        match written.contains('\n') {
            true => self.out.push('\n'),
            false if written.starts_with(' ') => self.out.push(' '),
            false => self.out.push_str(written),
        }
    }

    fn finish(self) -> String {
        self.out.trim().to_owned()
    }
}

#[cfg(test)]
mod tests;
