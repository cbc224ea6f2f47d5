//! The rows of sessions.
//!
//! A token is never stored, only its SHA-256.

use crate::args;
use crate::error::Result;
use crate::model::account::id::{SessionId, UserId};
use crate::model::account::user::{Role, UserStatus};
use crate::store::Tx;
use crate::store::operations::purge::bounded;
use crate::time::Time;

/// What a session's row and its user's say at one moment.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct SessionRow {
    /// The session's id.
    pub id: SessionId,
    /// Whose it is.
    pub user_id: UserId,
    /// When it was last used, to the minute.
    pub last_seen_at: Time,
    /// When it ends whatever happens.
    pub expires_at: Time,
    /// The user's name.
    pub username: String,
    /// The user's role.
    pub role: Role,
    /// The user's status.
    pub status: UserStatus,
}

/// Adds a session and returns its id.
pub async fn insert(
    tx: &mut Tx,
    token_hash: &[u8],
    user_id: UserId,
    now: Time,
    expires_at: Time,
) -> Result<SessionId> {
    let (id,): (SessionId,) = tx
        .one(
            "INSERT INTO sessions (token_hash, user_id, created_at, last_seen_at, expires_at) \
             VALUES ($1, $2, $3, $3, $4) RETURNING id",
            args![token_hash, user_id, now, expires_at],
        )
        .await?;
    Ok(id)
}

/// The session of a token, expired or not, with its user.
pub async fn by_token(tx: &mut Tx, token_hash: &[u8]) -> Result<Option<SessionRow>> {
    tx.opt(
        "SELECT s.id, s.user_id, s.last_seen_at, s.expires_at, u.username, u.role, u.status \
         FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.token_hash = $1",
        args![token_hash],
    )
    .await
}

/// Notes that a session was used. Never moves the time back.
pub async fn touch(tx: &mut Tx, id: SessionId, now: Time) -> Result<()> {
    tx.run("UPDATE sessions SET last_seen_at = $2 WHERE id = $1 AND last_seen_at < $2", args![id, now])
        .await?;
    Ok(())
}

/// When the user of a session last proved who they are: at the sign-in, or by the password since.
pub async fn proven_at(tx: &mut Tx, id: SessionId) -> Result<Option<Time>> {
    let row: Option<(Time,)> =
        tx.opt("SELECT COALESCE(proven_at, created_at) FROM sessions WHERE id = $1", args![id]).await?;
    Ok(row.map(|(at,)| at))
}

/// Notes that the user of a session gave the password again.
pub async fn prove(tx: &mut Tx, id: SessionId, now: Time) -> Result<()> {
    tx.run("UPDATE sessions SET proven_at = $2 WHERE id = $1", args![id, now]).await?;
    Ok(())
}

/// Ends one session.
pub async fn delete(tx: &mut Tx, id: SessionId) -> Result<()> {
    tx.run("DELETE FROM sessions WHERE id = $1", args![id]).await?;
    Ok(())
}

/// Ends all sessions of a user.
pub async fn delete_all(tx: &mut Tx, user_id: UserId) -> Result<u64> {
    tx.run("DELETE FROM sessions WHERE user_id = $1", args![user_id]).await
}

/// Ends all sessions of a user but one.
pub async fn delete_others(tx: &mut Tx, user_id: UserId, kept: SessionId) -> Result<u64> {
    tx.run("DELETE FROM sessions WHERE user_id = $1 AND id <> $2", args![user_id, kept]).await
}

/// Ends one session of a user; false when the user has none of this id.
pub async fn delete_of(tx: &mut Tx, user_id: UserId, id: SessionId) -> Result<bool> {
    let touched = tx.run("DELETE FROM sessions WHERE id = $1 AND user_id = $2", args![id, user_id]).await?;
    Ok(touched == 1)
}

/// Notes where a session was begun, and with what.
pub async fn describe(tx: &mut Tx, id: SessionId, client: &str, address: &str) -> Result<()> {
    tx.run("UPDATE sessions SET client = $2, address = $3 WHERE id = $1", args![id, client, address]).await?;
    Ok(())
}

/// A session as its owner sees it.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct ShownSession {
    /// The session's id.
    pub id: SessionId,
    /// When it began.
    pub created_at: Time,
    /// When it was last used, to the minute.
    pub last_seen_at: Time,
    /// When it ends whatever happens.
    pub expires_at: Time,
    /// What the client calls itself.
    pub client: String,
    /// Where it signed in from.
    pub address: String,
}

/// The sessions of a user that are not over, newest use first, and how many there are.
pub async fn of_user(
    tx: &mut Tx,
    user_id: UserId,
    (now, seen_after): (Time, Time),
    (offset, limit): (i64, i64),
) -> Result<(Vec<ShownSession>, i64)> {
    let (total,): (i64,) = tx
        .one(
            "SELECT COUNT(*) FROM sessions WHERE user_id = $1 AND expires_at > $2 AND last_seen_at > $3",
            args![user_id, now, seen_after],
        )
        .await?;
    let rows = tx
        .all(
            "SELECT id, created_at, last_seen_at, expires_at, client, address FROM sessions \
             WHERE user_id = $1 AND expires_at > $2 AND last_seen_at > $3 \
             ORDER BY last_seen_at DESC, id DESC LIMIT $4 OFFSET $5",
            args![user_id, now, seen_after, limit, offset],
        )
        .await?;
    Ok((rows, total))
}

/// Deletes a bounded number of sessions that expired before `before`. Until it is deleted, a request with the token of an
/// expired session is answered that it expired.
pub async fn purge(tx: &mut Tx, before: Time) -> Result<u64> {
    tx.run(bounded!("sessions", "id", "expires_at < $1"), args![before]).await
}
