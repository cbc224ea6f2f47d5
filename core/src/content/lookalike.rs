//! Look-alikes: characters outside GSM-7 that a plain one stands for, as phones, word processors and web pages put them
//! into texts that were not meant to be sent at Unicode prices.
//!
//! Invariant: a replacement never changes a number or an amount (`½` and `²` are refused, not flattened), every one is
//! reported, and what has no fair look-alike stays in the text for the alphabet to refuse by name.

use std::borrow::Cow;

use serde::Serialize;

use super::gsm7;

/// One character that was replaced, and how often.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Replacement {
    /// The character as it was written.
    pub from: char,
    /// What is sent in its place; empty when it was invisible and is left out.
    pub to: &'static str,
    /// How many times.
    pub count: u32,
}

/// A text with its look-alikes replaced and its line ends made line feeds, and what was replaced, in order of
/// appearance. Line ends, and accents that were typed as a second character (`e` and U+0301 for `é`), are not reported:
/// they read the same.
pub fn replace(text: &str) -> (Cow<'_, str>, Vec<Replacement>) {
    let mut replacements = Vec::new();
    if gsm7::quick(text).is_some() {
        return (Cow::Borrowed(text), replacements);
    }
    let mut out = String::with_capacity(text.len());
    push(text, &mut out, |from, to| tally(&mut replacements, from, to));
    if out == text { (Cow::Borrowed(text), replacements) } else { (Cow::Owned(out), replacements) }
}

/// Counts one replacement.
pub(super) fn tally(replacements: &mut Vec<Replacement>, from: char, to: &'static str) {
    match replacements.iter_mut().find(|replacement| replacement.from == from) {
        Some(replacement) => replacement.count += 1,
        None => replacements.push(Replacement { from, to, count: 1 }),
    }
}

/// Appends a text with its look-alikes replaced. What `out` held before is never touched.
pub(super) fn push(text: &str, out: &mut String, mut note: impl FnMut(char, &'static str)) {
    let start = out.len();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\r' {
            chars.next_if_eq(&'\n');
            out.push('\n');
        } else if gsm7::width(c).is_some() {
            out.push(c);
        } else if is_combining(c) {
            if !accent(out, start, c) {
                note(c, "");
            }
        } else if let Some(to) = lookalike(c) {
            out.push_str(to);
            note(c, to);
        } else {
            out.push(c);
        }
    }
}

fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}')
}

/// Puts a combining accent on the last letter behind `start`, if GSM-7 has the two as one character.
fn accent(out: &mut String, start: usize, mark: char) -> bool {
    let Some(base) = out.get(start..).and_then(|tail| tail.chars().next_back()) else { return false };
    let Some(composed) = compose(base, mark) else { return false };
    out.pop();
    out.push(composed);
    true
}

fn compose(base: char, mark: char) -> Option<char> {
    Some(match (base, mark) {
        ('a', '\u{300}') => 'à',
        ('e', '\u{300}') => 'è',
        ('i', '\u{300}') => 'ì',
        ('o', '\u{300}') => 'ò',
        ('u', '\u{300}') => 'ù',
        ('e', '\u{301}') => 'é',
        ('E', '\u{301}') => 'É',
        ('n', '\u{303}') => 'ñ',
        ('N', '\u{303}') => 'Ñ',
        ('a', '\u{308}') => 'ä',
        ('A', '\u{308}') => 'Ä',
        ('o', '\u{308}') => 'ö',
        ('O', '\u{308}') => 'Ö',
        ('u', '\u{308}') => 'ü',
        ('U', '\u{308}') => 'Ü',
        ('a', '\u{30A}') => 'å',
        ('A', '\u{30A}') => 'Å',
        ('C', '\u{327}') => 'Ç',
        _ => return None,
    })
}

/// What stands for a character outside GSM-7: `None` when nothing fairly does.
fn lookalike(c: char) -> Option<&'static str> {
    punctuation(c).or_else(|| symbol(c)).or_else(|| letter(c))
}

fn punctuation(c: char) -> Option<&'static str> {
    Some(match c {
        '‘' | '’' | '‚' | '‛' | '′' | '‵' | 'ʹ' | 'ʻ' | 'ʼ' | 'ʽ' | 'ˈ' | '´' | '`' | '‹' | '›' | '｀' => {
            "'"
        }
        '“' | '”' | '„' | '‟' | '″' | '‶' | 'ʺ' | '«' | '»' | '〝' | '〞' => "\"",
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '⁃' | '−' | '﹘' | '﹣' => "-",
        '…' => "...",
        '‥' => "..",
        '․' | '·' | '‧' | '∙' | '。' => ".",
        '、' => ",",
        '•' | '‣' | '◦' | '●' | '▪' | '∗' | '★' | '☆' => "*",
        '⁄' | '∕' => "/",
        '¦' | '∣' => "|",
        '∶' => ":",
        '˜' | '∼' => "~",
        'ˆ' => "^",
        '‗' => "_",
        '‼' => "!!",
        '⁇' => "??",
        '\t' | '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' => " ",
        '\u{0B}' | '\u{85}' | '\u{2028}' | '\u{2029}' => "\n",
        '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}' => "",
        '\u{2066}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' => "",
        _ => return None,
    })
}

fn symbol(c: char) -> Option<&'static str> {
    Some(match c {
        '₦' => "N",
        '₤' | '￡' => "£",
        '￥' => "¥",
        '×' => "x",
        '≤' => "<=",
        '≥' => ">=",
        '→' => "->",
        '←' => "<-",
        '©' => "(c)",
        '®' => "(R)",
        '™' => "(TM)",
        '№' => "No",
        '∆' => "Δ",
        '∑' => "Σ",
        '∏' => "Π",
        '\u{2126}' => "Ω",
        _ => return None,
    })
}

fn letter(c: char) -> Option<&'static str> {
    Some(match c {
        'ﬀ' => "ff",
        'ﬁ' => "fi",
        'ﬂ' => "fl",
        'ﬃ' => "ffi",
        'ﬄ' => "ffl",
        'ﬅ' | 'ﬆ' => "st",
        'Œ' => "OE",
        'œ' => "oe",
        'Ĳ' => "IJ",
        'ĳ' => "ij",
        'ẞ' => "ß",
        'ŉ' => "'n",
        'ɓ' => "b",
        'ɗ' => "d",
        '\u{212A}' => "K",
        '\u{212B}' => "Å",
        'Α' => "A",
        'Β' => "B",
        'Ε' => "E",
        'Ζ' => "Z",
        'Η' => "H",
        'Ι' => "I",
        'Κ' => "K",
        'Μ' => "M",
        'Ν' => "N",
        'Ο' => "O",
        'ο' => "o",
        'Ρ' => "P",
        'Τ' => "T",
        'Υ' => "Y",
        'Χ' => "X",
        '！'..='～' => return full_width(c),
        _ => return accented(c),
    })
}

/// U+0021 to U+007E, with the back-tick's look-alike in its place: full-width forms are these in the same order.
const ASCII: &str = concat!(
    "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "[\\]^_'abcdefghijklmnopqrstuvwxyz{|}~"
);

fn full_width(c: char) -> Option<&'static str> {
    at(ASCII, '！', c)
}

/// The plain letters of accented ones, by code point; `_` where there is none. The letters of Yoruba, Igbo and Hausa
/// with their dots and hooks are among them, as people write them plain in text messages.
fn accented(c: char) -> Option<&'static str> {
    let plain = match c {
        '\u{C0}'..='\u{FF}' => at(LATIN_1, '\u{C0}', c),
        '\u{100}'..='\u{17F}' => at(EXTENDED_A, '\u{100}', c),
        '\u{180}'..='\u{24F}' => at(EXTENDED_B, '\u{180}', c),
        '\u{1E00}'..='\u{1EFF}' => at(ADDITIONAL, '\u{1E00}', c),
        _ => None,
    };
    plain.filter(|plain| *plain != "_")
}

fn at(table: &'static str, first: char, c: char) -> Option<&'static str> {
    let place = (u32::from(c) - u32::from(first)) as usize;
    table.get(place..=place)
}

/// U+00C0 to U+00FF.
const LATIN_1: &str = "AAAAAA_CEEEEIIIIDNOOOOO__UUUUY__aaaaaa_ceeeeiiiidnooooo__uuuuy_y";
/// U+0100 to U+017F.
const EXTENDED_A: &str = "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIi__JjKkkLlLlLlL\
    lLlNnNnNn___OoOoOo__RrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";
/// U+0180 to U+024F.
const EXTENDED_B: &str = "bB_____Cc_D______FfG___IKkl__Nn_Oo__Pp_____tTtTUu_VYyZz_________\
    _____________AaIiOoUuUuUuUuUu_AaAa__GgGgKkOoOo__j___Gg__NnAa____\
    AaAaEeEeIiIiOoOoRrRrUuUuSsTt__Hh______AaEeOoOoOoOoYy____________\
    ________________";
/// U+1E00 to U+1EFF.
const ADDITIONAL: &str = "AaBbBbBbCcDdDdDdDdDdEeEeEeEeEeFfGgHhHhHhHhHhIiIiKkKkKkLlLlLlLlMm\
    MmMmNnNnNnNnOoOoOoOoPpPpRrRrRrRrSsSsSsSsSsTtTtTtTtUuUuUuUuUuVvVv\
    WwWwWwWwWwXxXxYyZzZzZzhtwya_____AaAaAaAaAaAaAaAaAaAaAaAaEeEeEeEe\
    EeEeEeEeIiIiOoOoOoOoOoOoOoOoOoOoOoOoUuUuUuUuUuUuUuYyYyYyYy______";

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(text: &str) -> String {
        replace(text).0.into_owned()
    }

    #[test]
    fn typographers_marks_become_plain_ones() {
        assert_eq!(replaced("“It’s…” – ‘no’\u{A0}—\tyes"), "\"It's...\" - 'no' - yes");
        assert_eq!(replaced("• ₦5,000 × 2 → ©"), "* N5,000 x 2 -> (c)");
    }

    #[test]
    fn every_replacement_is_counted_in_order() {
        let (text, replacements) = replace("₦5 or ₦6 – “deal”");
        assert_eq!(text, "N5 or N6 - \"deal\"");
        let found: Vec<_> = replacements.iter().map(|r| (r.from, r.to, r.count)).collect();
        assert_eq!(found, [('₦', "N", 2), ('–', "-", 1), ('“', "\"", 1), ('”', "\"", 1)]);
    }

    #[test]
    fn plain_text_is_not_copied() {
        for text in ["Hello [world]\n", "Señor café à la €5", ""] {
            assert!(
                matches!(replace(text), (Cow::Borrowed(same), found) if same == text && found.is_empty())
            );
        }
    }

    #[test]
    fn line_ends_become_line_feeds_without_being_reported() {
        let (text, replacements) = replace("a\r\nb\rc\n\r\nd");
        assert_eq!(text, "a\nb\nc\n\nd");
        assert_eq!(replacements, []);
    }

    #[test]
    fn accents_that_gsm7_has_are_kept() {
        assert_eq!(replaced("éÉèùìòàñÑäöüÄÖÜåÅæÆøØßÇ"), "éÉèùìòàñÑäöüÄÖÜåÅæÆøØßÇ");
        let (text, replacements) = replace("cafe\u{301} nin\u{303}o");
        assert_eq!(text, "café niño");
        assert_eq!(replacements, []);
    }

    #[test]
    fn accents_that_gsm7_lacks_leave_the_plain_letter() {
        assert_eq!(replaced("ÀÁÂ ÈÊË ÍÎ ÓÔ ÚÛ Ý áâã ç êë í óô ú ÿ"), "AAA EEE II OO UU Y aaa c ee i oo u y");
        assert_eq!(replaced("Ọláṣubọ̀mí Ụzọ̄ ṅ Ɓauchi ƙasa ɗan ƴa"), "Olasubòmi Uzo n Bauchi kasa dan ya");
        assert_eq!(replaced("Żółć Œuvre ﬁn"), "Zolc OEuvre fin");
        assert_eq!(replaced("m\u{302}"), "m");
    }

    #[test]
    fn an_accent_never_reaches_back_into_what_was_there_before() {
        let mut out = String::from("cafe");
        push("\u{301}s", &mut out, |_, _| ());
        assert_eq!(out, "cafes");
    }

    #[test]
    fn full_width_forms_become_ascii() {
        assert_eq!(replaced("！ＡＢＣ　０１２｀～"), "!ABC 012'~");
    }

    #[test]
    fn invisible_characters_are_left_out() {
        let (text, replacements) = replace("\u{FEFF}a\u{200B}b\u{AD}c");
        assert_eq!(text, "abc");
        assert_eq!(replacements.len(), 3);
    }

    #[test]
    fn what_would_change_an_amount_is_left_to_be_refused() {
        for text in ["1½", "10²", "30°", "¢5", "😀", "Привет", "µ", "\u{0}"] {
            assert_eq!(replaced(text), text);
            assert!(gsm7::septets(text).is_err(), "{text}");
        }
    }

    #[test]
    fn whatever_stands_for_a_character_is_in_gsm7() {
        for c in ('\0'..=char::MAX).filter(|c| gsm7::width(*c).is_none()) {
            if let Some(to) = lookalike(c) {
                assert!(gsm7::septets(to).is_ok(), "U+{:04X} gives {to:?}", u32::from(c));
            }
        }
    }
}
