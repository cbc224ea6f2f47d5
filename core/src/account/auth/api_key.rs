//! API keys, for scripts: a user's right, cut down to scopes.
//!
//! A key never allows more than its user's role does.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::token::SecretToken;
use crate::entropy::Entropy;
use crate::error::{Error, Result};
use crate::store::Tx;
use crate::store::account::api_key as rows;
use crate::store::account::api_key::ApiKeyRow;
use crate::time::{Time, period};

/// Keys that one user may have in use.
const PER_USER: i64 = 100;
/// Keys that a user makes within a day, revoked ones too.
const MADE_A_DAY: i64 = 200;
/// Within this time they are counted.
const DAY: Duration = Duration::from_hours(24);
/// The longest name of a key, in characters.
const LONGEST_NAME: usize = 100;

/// What a key may be used for. Every key may read what its user may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Nothing but reading.
    Read,
    /// Everything a user does: quotes, sends, payments.
    Send,
    /// The administrator's calls.
    Admin,
}

impl Scope {
    const ALL: [Self; 3] = [Self::Read, Self::Send, Self::Admin];

    /// The word of database and API.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Send => "send",
            Self::Admin => "admin",
        }
    }
}

/// A set of scopes, never empty. As text: `read,send`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scopes(u8);

impl Scopes {
    /// The scopes in these lists, each separated by commas or spaces.
    ///
    /// # Errors
    /// A rule on the field `scopes` when there is none, or one that does not exist.
    pub fn parse<S: AsRef<str>>(lists: &[S]) -> Result<Self> {
        let mut set = 0;
        let words = lists.iter().flat_map(|list| list.as_ref().split([',', ' '])).map(str::trim);
        for word in words.filter(|word| !word.is_empty()) {
            let scope = Scope::ALL.into_iter().find(|scope| scope.code() == word).ok_or_else(|| {
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
    pub fn allow(self, scope: Scope) -> bool {
        scope == Scope::Read || self.0 & (1 << scope as u8) != 0
    }

    /// The scopes as words.
    pub fn codes(self) -> Vec<&'static str> {
        Scope::ALL.into_iter().filter(|scope| self.0 & (1 << *scope as u8) != 0).map(Scope::code).collect()
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

/// A key to be made; its secret is shown to the owner once, after the commit.
#[derive(Clone, Debug)]
pub struct NewKey {
    /// Whose it will be.
    pub user_id: i64,
    /// What the owner calls it.
    pub name: String,
    /// What it may do.
    pub scopes: Scopes,
    /// When it ends by itself, if it does.
    pub expires_at: Option<Time>,
    /// The key itself.
    pub secret: SecretToken,
}

impl NewKey {
    /// A new key with a new secret.
    ///
    /// # Errors
    /// A rule on `name` when it is missing or too long.
    pub fn new(user_id: i64, name: &str, scopes: Scopes, entropy: &dyn Entropy) -> Result<Self> {
        let name = name.trim();
        if name.is_empty() {
            return Err(Error::field("name", "name_required", "Name is required"));
        }
        if name.chars().count() > LONGEST_NAME {
            return Err(Error::field("name", "name_long", "Name must have at most 100 characters"));
        }
        let secret = SecretToken::api_key(entropy);
        Ok(Self { user_id, name: name.to_owned(), scopes, expires_at: None, secret })
    }

    /// The same key, which ends at a time: a day that counts whole, or a time, local ones in `zone`.
    ///
    /// # Errors
    /// A rule on `expires_at` when it cannot be read or has gone by.
    pub fn ending(self, text: &str, zone: &str, now: Time) -> Result<Self> {
        let end = period::to(text, zone)
            .map_err(|error| Error::field("expires_at", "bad_time", error.to_string()))?;
        if end <= now {
            return Err(Error::field("expires_at", "expires_past", "The end of the key has gone by already"));
        }
        Ok(Self { expires_at: Some(end), ..self })
    }
}

/// Stores a key and returns its row.
///
/// # Errors
/// `too_many_keys` when the user has 100 in use, or made 200 within a day.
pub async fn create(tx: &mut Tx, key: &NewKey, now: Time) -> Result<ApiKeyRow> {
    if rows::count(tx, key.user_id).await? >= PER_USER {
        return Err(Error::rule(
            "too_many_keys",
            "You have 100 API keys: revoke one that is not used any more",
        ));
    }
    if rows::made_since(tx, key.user_id, now - DAY).await? >= MADE_A_DAY {
        return Err(Error::rule(
            "too_many_keys",
            "You made 200 API keys within a day: use those that you have, or go on tomorrow",
        ));
    }
    let row = ApiKeyRow {
        id: 0,
        name: key.name.clone(),
        prefix: key.secret.prefix().to_owned(),
        scopes: key.scopes.to_string(),
        created_at: now.millis(),
        last_used_at: None,
        expires_at: key.expires_at.map(Time::millis),
    };
    let id = rows::insert(tx, key.user_id, key.secret.hash().as_bytes(), &row).await?;
    Ok(ApiKeyRow { id, ..row })
}

/// Revokes a user's key. The daemon then forgets its caller, see [`crate::account::Callers::forget_key`].
///
/// # Errors
/// When the user has no such key in use.
pub async fn revoke(tx: &mut Tx, user_id: i64, id: i64, now: Time) -> Result<()> {
    if rows::revoke(tx, user_id, id, now).await? { Ok(()) } else { Err(Error::NotFound("API key")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_come_as_a_list_or_repeated_and_every_key_reads() {
        let scopes = Scopes::parse(&["send, read", "read"]).unwrap();
        assert_eq!(scopes.to_string(), "read,send");
        assert!(scopes.allow(Scope::Send) && !scopes.allow(Scope::Admin));
        let admin: Scopes = "admin".parse().unwrap();
        assert!(admin.allow(Scope::Read) && admin.allow(Scope::Admin) && !admin.allow(Scope::Send));
    }

    #[test]
    fn no_scope_and_unknown_scopes_are_refused() {
        assert!(Scopes::parse::<&str>(&[]).is_err());
        assert!(Scopes::parse(&[" , "]).is_err());
        assert!(Scopes::parse(&["write"]).unwrap_err().to_string().contains("'write'"));
    }
}
