//! Opaque secrets that stand for a session (`tds_...`) or an API key (`td_...`): 256 random bits in hexadecimal.

use std::fmt;

use sha2::{Digest as _, Sha256};

use crate::entropy::Entropy;

/// What a session's token starts with.
const SESSION: &str = "tds_";
/// What an API key starts with.
const API_KEY: &str = "td_";
/// What the secrets of a sign-in by KingsChat start with.
const CHAT: &str = "tdc_";
/// Characters of a key that lists show.
const PREFIX: usize = 11;
/// Random bytes in a token.
const RANDOM_BYTES: usize = 32;

/// The SHA-256 of a token: all that is ever stored or cached of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TokenHash(pub [u8; 32]);

/// A token as its owner sees it once. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretToken(String);

/// What kind of secret a text looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Session,
    ApiKey,
}

impl SecretToken {
    /// A new session token.
    pub fn session(entropy: &dyn Entropy) -> Self {
        Self::new(SESSION, entropy)
    }

    /// A new API key.
    pub fn api_key(entropy: &dyn Entropy) -> Self {
        Self::new(API_KEY, entropy)
    }

    /// A new secret of a sign-in by KingsChat.
    pub(crate) fn chat(entropy: &dyn Entropy) -> Self {
        Self::new(CHAT, entropy)
    }

    fn new(prefix: &str, entropy: &dyn Entropy) -> Self {
        use fmt::Write as _;
        let mut random = [0; RANDOM_BYTES];
        entropy.fill(&mut random);
        let mut text = String::with_capacity(prefix.len() + 2 * RANDOM_BYTES);
        text.push_str(prefix);
        for byte in random {
            // Writing to a String cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        Self(text)
    }

    /// The secret itself, to hand to its owner.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What is stored of it.
    pub fn hash(&self) -> TokenHash {
        TokenHash::of(&self.0)
    }

    /// The first characters, to recognise it by; they give nothing away.
    pub fn prefix(&self) -> &str {
        &self.0[..PREFIX]
    }
}

impl fmt::Debug for SecretToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretToken(..)")
    }
}

impl TokenHash {
    /// The hash of a token's text.
    pub fn of(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }

    /// Its bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Whether `prefix` is what lists show of the key `text`.
pub fn is_shown_as(text: &str, prefix: &str) -> bool {
    prefix.len() == PREFIX && text.starts_with(prefix)
}

/// What kind of token `text` can be; for `None` the database need not be asked.
pub(crate) fn kind_of(text: &str) -> Option<TokenKind> {
    let (kind, random) = match text.strip_prefix(SESSION) {
        Some(random) => (TokenKind::Session, random),
        None => (TokenKind::ApiKey, text.strip_prefix(API_KEY)?),
    };
    (random.len() == 2 * RANDOM_BYTES && random.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::SeededEntropy;

    #[test]
    fn a_token_is_recognised_by_its_form_and_never_shown_by_debug() {
        let entropy = SeededEntropy::new(1);
        let session = SecretToken::session(&entropy);
        let key = SecretToken::api_key(&entropy);
        assert_eq!(kind_of(session.reveal()), Some(TokenKind::Session));
        assert_eq!(kind_of(key.reveal()), Some(TokenKind::ApiKey));
        assert!(is_shown_as(key.reveal(), key.prefix()));
        for other in ["", "td_", session.prefix(), &key.reveal()[..12]] {
            assert!(!is_shown_as(key.reveal(), other), "{other}");
        }
        assert_ne!(session.hash(), SecretToken::session(&entropy).hash());
        assert!(!format!("{key:?}").contains(&key.reveal()[3..]));
        for other in ["", "td_", "tds_12", "Bearer", &session.reveal()[..60]] {
            assert_eq!(kind_of(other), None, "{other}");
        }
    }
}
