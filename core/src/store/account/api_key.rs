//! The rows of API keys.
//!
//! A key is never stored, only its SHA-256 and the first characters to recognise it by.

use talkdrum_api::purpose::Purpose;

use crate::args;
use crate::error::Result;
use crate::model::account::api_key::Scopes;
use crate::model::account::id::{ApiKeyId, UserId};
use crate::model::account::user::{Role, UserStatus};
use crate::store::Tx;
use crate::time::Time;

/// A key's row without its hash.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct ApiKeyRow {
    /// The key's id.
    pub id: ApiKeyId,
    /// What its owner calls it.
    pub name: String,
    /// Its first characters.
    pub prefix: String,
    /// What it may do.
    pub scopes: Scopes,
    /// When it was made.
    pub created_at: Time,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Time>,
    /// When it ends by itself.
    pub expires_at: Option<Time>,
    /// What messages are for that are sent with it and do not say so.
    pub purpose: Option<Purpose>,
}

/// What a key's row and its user's say at one moment.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct KeyOwnerRow {
    /// The key's id.
    pub id: ApiKeyId,
    /// Whose it is.
    pub user_id: UserId,
    /// What it may do.
    pub scopes: Scopes,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Time>,
    /// When it ends by itself.
    pub expires_at: Option<Time>,
    /// What messages are for that are sent with it and do not say so.
    pub purpose: Option<Purpose>,
    /// The user's name.
    pub username: String,
    /// The user's role.
    pub role: Role,
    /// The user's status.
    pub status: UserStatus,
}

/// Adds a user's key and returns its id. The row's own id is not looked at.
pub async fn insert(tx: &mut Tx, user_id: UserId, key_hash: &[u8], row: &ApiKeyRow) -> Result<ApiKeyId> {
    let ApiKeyRow { id: _, name, prefix, scopes, created_at, last_used_at: _, expires_at, purpose } = row;
    let (id,): (ApiKeyId,) = tx
        .one(
            "INSERT INTO api_keys (user_id, name, prefix, key_hash, scopes, created_at, expires_at, purpose) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id",
            args![user_id, name, prefix, key_hash, *scopes, *created_at, *expires_at, *purpose],
        )
        .await?;
    Ok(id)
}

/// The key with this hash, unless it was revoked, with its user.
pub async fn by_hash(tx: &mut Tx, key_hash: &[u8]) -> Result<Option<KeyOwnerRow>> {
    tx.opt(
        "SELECT k.id, k.user_id, k.scopes, k.last_used_at, k.expires_at, k.purpose, u.username, u.role, u.status \
         FROM api_keys k JOIN users u ON u.id = k.user_id WHERE k.key_hash = $1 AND k.revoked_at IS NULL",
        args![key_hash],
    )
    .await
}

/// A slice of a user's keys in use, newest first, and how many there are in all.
pub async fn page(tx: &mut Tx, user_id: UserId, offset: i64, limit: i64) -> Result<(Vec<ApiKeyRow>, i64)> {
    let total = count(tx, user_id).await?;
    let rows = tx
        .all(
            "SELECT id, name, prefix, scopes, created_at, last_used_at, expires_at, purpose FROM api_keys \
             WHERE user_id = $1 AND revoked_at IS NULL ORDER BY id DESC LIMIT $2 OFFSET $3",
            args![user_id, limit, offset],
        )
        .await?;
    Ok((rows, total))
}

/// How many keys a user made since `since`, revoked ones too.
pub async fn made_since(tx: &mut Tx, user_id: UserId, since: Time) -> Result<i64> {
    let (made,): (i64,) = tx
        .one("SELECT COUNT(*) FROM api_keys WHERE user_id = $1 AND created_at > $2", args![user_id, since])
        .await?;
    Ok(made)
}

/// How many keys of a user are in use.
pub async fn count(tx: &mut Tx, user_id: UserId) -> Result<i64> {
    let (total,): (i64,) = tx
        .one("SELECT COUNT(*) FROM api_keys WHERE user_id = $1 AND revoked_at IS NULL", args![user_id])
        .await?;
    Ok(total)
}

/// Revokes a user's key; false when the user has no such key in use.
pub async fn revoke(tx: &mut Tx, user_id: UserId, id: ApiKeyId, now: Time) -> Result<bool> {
    let touched = tx
        .run(
            "UPDATE api_keys SET revoked_at = $3 WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL",
            args![id, user_id, now],
        )
        .await?;
    Ok(touched == 1)
}

/// Revokes all keys of a user.
pub async fn revoke_all(tx: &mut Tx, user_id: UserId, now: Time) -> Result<u64> {
    tx.run(
        "UPDATE api_keys SET revoked_at = $2 WHERE user_id = $1 AND revoked_at IS NULL",
        args![user_id, now],
    )
    .await
}

/// Notes that a key was used. Never moves the time back.
pub async fn touch(tx: &mut Tx, id: ApiKeyId, now: Time) -> Result<()> {
    tx.run(
        "UPDATE api_keys SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)",
        args![id, now],
    )
    .await?;
    Ok(())
}
