//! What an API key may do, as it is stored.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};

words! {
    /// What a key may be used for. Every key may read what its user may read.
    KeyScope {
        /// Nothing but reading.
        Read = "read",
        /// Everything a user does: quotes, sends, payments.
        Send = "send",
        /// The administrator's calls.
        Admin = "admin",
    }
}

/// A set of scopes, never empty. As text: `read,send`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scopes(u8);

talkdrum_api::column!(Scopes, str, |codes| codes.parse().ok());

impl Scopes {
    /// The scopes in these lists, each separated by commas or spaces.
    ///
    /// # Errors
    /// A rule on the field `scopes` when there is none, or one that does not exist.
    pub fn parse<S: AsRef<str>>(lists: &[S]) -> Result<Self> {
        let mut set = 0;
        let words = lists.iter().flat_map(|list| list.as_ref().split([',', ' '])).map(str::trim);
        for word in words.filter(|word| !word.is_empty()) {
            let scope = KeyScope::from_code(word).ok_or_else(|| {
                Error::field(
                    "scopes",
                    "unknown_scope",
                    format!("'{word}' is not a scope: use read, send or admin"),
                )
            })?;
            set |= 1 << scope as u8;
        }
        if set == 0 {
            return Err(Error::field(
                "scopes",
                "scopes_required",
                "Scopes are required: read, send or admin",
            ));
        }
        Ok(Self(set))
    }

    /// Whether a key with these scopes may do what `scope` names.
    pub fn allow(self, scope: KeyScope) -> bool {
        scope == KeyScope::Read || self.0 & (1 << scope as u8) != 0
    }

    /// The scopes as words.
    pub fn codes(self) -> Vec<&'static str> {
        let has = |scope: &&KeyScope| self.0 & (1 << **scope as u8) != 0;
        KeyScope::ALL.iter().filter(has).map(|scope| scope.code()).collect()
    }
}

impl FromStr for Scopes {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::parse(&[text])
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.codes().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_come_as_a_list_or_repeated_and_every_key_reads() {
        let scopes = Scopes::parse(&["send, read", "read"]).unwrap();
        assert_eq!(scopes.to_string(), "read,send");
        assert!(scopes.allow(KeyScope::Send) && !scopes.allow(KeyScope::Admin));
        let admin: Scopes = "admin".parse().unwrap();
        assert!(admin.allow(KeyScope::Read) && admin.allow(KeyScope::Admin) && !admin.allow(KeyScope::Send));
    }

    #[test]
    fn no_scope_and_unknown_scopes_are_refused() {
        assert!(Scopes::parse::<&str>(&[]).is_err());
        assert!(Scopes::parse(&[" , "]).is_err());
        assert!(Scopes::parse(&["write"]).unwrap_err().to_string().contains("'write'"));
    }
}
