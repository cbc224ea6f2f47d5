//! Words that English voices say wrongly, as they have to be spelled to be heard rightly.

/// A word in small letters, and its other spelling. espeak-ng begins `naira` as it does `care`.
const WORDS: [(&str, &str); 1] = [("naira", "nyra")];

/// The text with these words respelled, wherever they stand as whole words.
pub(super) fn respell(text: &str) -> String {
    let mut said = String::with_capacity(text.len());
    for part in text.split_inclusive(|sign: char| !sign.is_alphabetic()) {
        let word = part.trim_end_matches(|sign: char| !sign.is_alphabetic());
        let known = WORDS.iter().find(|(known, _)| word.eq_ignore_ascii_case(known));
        said.push_str(known.map_or(word, |(_, other)| other));
        said.push_str(&part[word.len()..]);
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_are_respelled_and_nothing_else_changes() {
        assert_eq!(respell("Five Naira, or naira-notes; nairas é\n"), "Five nyra, or nyra-notes; nairas é\n");
        assert_eq!(respell("naira"), "nyra");
        assert_eq!(respell(""), "");
    }
}
