//! API keys, for scripts: a user's right, cut down to scopes.
//!
//! A key never allows more than its user's role does.

use std::time::Duration;

use talkdrum_api::purpose::Purpose;

use super::token::SecretToken;
use crate::account::user::right_to_codes;
use crate::entropy::Entropy;
use crate::error::{Error, Result};
pub use crate::model::account::api_key::{KeyScope, Scopes};
use crate::model::account::id::{ApiKeyId, UserId};
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

/// A key to be made; its secret is shown to the owner once, after the commit.
#[derive(Clone, Debug)]
pub struct NewKey {
    /// Whose it will be.
    pub user_id: UserId,
    /// What the owner calls it.
    pub name: String,
    /// What it may do.
    pub scopes: Scopes,
    /// When it ends by itself, if it does.
    pub expires_at: Option<Time>,
    /// The purpose of messages that are sent with it, where they do not say one.
    pub purpose: Option<Purpose>,
    /// The key itself.
    pub secret: SecretToken,
}

impl NewKey {
    /// A new key with a new secret.
    ///
    /// # Errors
    /// A rule on `name` when it is missing or too long.
    pub fn new(user_id: UserId, name: &str, scopes: Scopes, entropy: &dyn Entropy) -> Result<Self> {
        let name = name.trim();
        if name.is_empty() {
            return Err(Error::field("name", "name_required", "Name is required"));
        }
        if name.chars().count() > LONGEST_NAME {
            return Err(Error::field("name", "name_long", "Name must have at most 100 characters"));
        }
        let secret = SecretToken::api_key(entropy);
        Ok(Self { user_id, name: name.to_owned(), scopes, expires_at: None, purpose: None, secret })
    }

    /// The same key, which ends at a time: a day that counts whole, or a time, local ones in `zone`.
    ///
    /// # Errors
    /// A rule on `expires_at` when it cannot be read or is in the past.
    pub fn ending(self, text: &str, zone: &str, now: Time) -> Result<Self> {
        let end = period::to(text, zone)
            .map_err(|error| Error::field("expires_at", "bad_time", error.to_string()))?;
        if end <= now {
            return Err(Error::field("expires_at", "expires_past", "The end of the key is in the past"));
        }
        Ok(Self { expires_at: Some(end), ..self })
    }
}

/// Stores a key and returns its row.
///
/// # Errors
/// `too_many_keys` when the user has 100 in use, or made 200 within a day; `codes_not_allowed` where its purpose is `otp`.
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
    if key.purpose == Some(Purpose::Otp) {
        right_to_codes::require(tx, key.user_id).await?;
    }
    let row = ApiKeyRow {
        id: ApiKeyId::NONE,
        name: key.name.clone(),
        prefix: key.secret.prefix().to_owned(),
        scopes: key.scopes,
        created_at: now,
        last_used_at: None,
        expires_at: key.expires_at,
        purpose: key.purpose,
    };
    let id = rows::insert(tx, key.user_id, key.secret.hash().as_bytes(), &row).await?;
    Ok(ApiKeyRow { id, ..row })
}

/// Revokes a user's key. The daemon then forgets its caller, see [`crate::account::Callers::forget_key`].
///
/// # Errors
/// When the user has no such key in use.
pub async fn revoke(tx: &mut Tx, user_id: UserId, id: ApiKeyId, now: Time) -> Result<()> {
    if rows::revoke(tx, user_id, id, now).await? { Ok(()) } else { Err(Error::NotFound("API key")) }
}
