//! A text as words, digits, spaces and signs, for rules that look a few tokens ahead.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Letters.
    Word,
    /// ASCII digits.
    Digits,
    /// White space.
    Space,
    /// One other character.
    Sign,
}

fn kind_of(sign: char) -> Kind {
    if sign.is_ascii_digit() {
        Kind::Digits
    } else if sign.is_alphabetic() {
        Kind::Word
    } else if sign.is_whitespace() {
        Kind::Space
    } else {
        Kind::Sign
    }
}

#[derive(Clone, Copy, Debug)]
struct Token<'t> {
    kind: Kind,
    text: &'t str,
}

/// The tokens of a text. A place that does not exist has no token.
#[derive(Debug)]
pub(super) struct Text<'t>(Vec<Token<'t>>);

impl<'t> Text<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let mut tokens: Vec<Token<'t>> = Vec::new();
        let mut begin = 0;
        let mut signs = text.char_indices().peekable();
        while let Some((at, sign)) = signs.next() {
            let kind = kind_of(sign);
            let ends = signs.peek().is_none_or(|(_, next)| kind == Kind::Sign || kind_of(*next) != kind);
            if ends {
                let end = at + sign.len_utf8();
                tokens.push(Token { kind, text: text.get(begin..end).unwrap_or_default() });
                begin = end;
            }
        }
        Self(tokens)
    }

    /// The number of tokens.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The token at a place as it is written; empty where there is none.
    pub(super) fn written(&self, at: usize) -> &'t str {
        self.0.get(at).map_or("", |token| token.text)
    }

    fn of_kind(&self, at: usize, kind: Kind) -> Option<&'t str> {
        self.0.get(at).filter(|token| token.kind == kind).map(|token| token.text)
    }

    /// The digits at a place.
    pub(super) fn digits(&self, at: usize) -> Option<&'t str> {
        self.of_kind(at, Kind::Digits)
    }

    /// The word at a place.
    pub(super) fn word(&self, at: usize) -> Option<&'t str> {
        self.of_kind(at, Kind::Word)
    }

    /// The word at a place in small letters; a long one is none.
    pub(super) fn lower(&self, at: usize) -> Option<String> {
        self.word(at).filter(|word| word.len() <= 20).map(str::to_lowercase)
    }

    /// Whether there is this sign at a place.
    pub(super) fn sign(&self, at: usize, sign: char) -> bool {
        self.of_kind(at, Kind::Sign).is_some_and(|text| text.starts_with(sign))
    }

    /// Whether there is one of these signs at a place.
    pub(super) fn any_sign(&self, at: usize, signs: &[char]) -> bool {
        self.of_kind(at, Kind::Sign).is_some_and(|text| text.starts_with(signs))
    }

    /// Whether there is white space at a place, within a line.
    pub(super) fn space(&self, at: usize) -> bool {
        self.of_kind(at, Kind::Space).is_some_and(|text| !text.contains('\n'))
    }

    /// Whether there is white space at a place, or nothing.
    pub(super) fn is_gap(&self, at: usize) -> bool {
        self.0.get(at).is_none_or(|token| token.kind == Kind::Space)
    }

    /// Whether the text ends at a place, spaces aside.
    pub(super) fn is_end(&self, at: usize) -> bool {
        self.is_gap(at) && at + 1 >= self.len()
    }

    /// Behind one space, where there is one.
    pub(super) fn past_space(&self, at: usize) -> usize {
        if self.space(at) { at + 1 } else { at }
    }

    /// The place before, where there is one.
    pub(super) fn before(at: usize) -> usize {
        // No text has so many tokens.
        at.checked_sub(1).unwrap_or(usize::MAX)
    }

    /// The first place from `at` on that is white space, or the end.
    pub(super) fn chunk_end(&self, at: usize) -> usize {
        (at..self.len()).find(|place| self.is_gap(*place)).unwrap_or(self.len())
    }
}
