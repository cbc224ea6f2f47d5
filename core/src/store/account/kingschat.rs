//! The rows of KingsChat accounts and of sign-ins under way.
//!
//! A nonce is spent by the statement that finds it, so a second request finds nothing.

use crate::error::Result;
use crate::model::account::chat_refusal::ChatRefusal;
use crate::model::account::id::{ChatLoginId, SessionId, UserId};
use crate::store::Tx;
use crate::store::operations::purge::bounded;
use crate::time::Time;
use crate::{args, sql};

/// A user's KingsChat account.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct LinkRow {
    /// Whose it is.
    pub user_id: UserId,
    /// KingsChat's id.
    pub provider_id: String,
    /// The user name there, as last seen.
    pub username: Option<String>,
    /// The picture there, as last seen.
    pub avatar_url: Option<String>,
    /// When it was linked.
    pub linked_at: Time,
    /// When it was last signed in with.
    pub last_login_at: Option<Time>,
}

/// A sign-in under way.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct FlowRow {
    /// The row's id.
    pub id: ChatLoginId,
    /// The SHA-256 of the browser's secret.
    pub browser_hash: Vec<u8>,
    /// Whether it signs in; else it links.
    pub signs_in: bool,
    /// Who asked for a link, or whose sign-in it turned out to be.
    pub user_id: Option<UserId>,
    /// When the nonce was spent.
    pub claimed_at: Option<Time>,
    /// When it ended.
    pub settled_at: Option<Time>,
    /// Why it failed.
    pub refusal: Option<ChatRefusal>,
}

/// The account with this id at KingsChat.
pub async fn by_provider(tx: &mut Tx, provider_id: &str) -> Result<Option<LinkRow>> {
    tx.opt(
        "SELECT user_id, provider_id, username, avatar_url, linked_at, last_login_at FROM chat_links \
         WHERE provider_id = $1",
        args![provider_id],
    )
    .await
}

/// The KingsChat account of a user.
pub async fn of_user(tx: &mut Tx, user_id: UserId) -> Result<Option<LinkRow>> {
    tx.opt(
        "SELECT user_id, provider_id, username, avatar_url, linked_at, last_login_at FROM chat_links \
         WHERE user_id = $1",
        args![user_id],
    )
    .await
}

/// Links; false when either is linked already.
pub async fn link(
    tx: &mut Tx,
    user_id: UserId,
    provider_id: &str,
    username: Option<&str>,
    avatar_url: Option<&str>,
    now: Time,
) -> Result<bool> {
    let linked = tx
        .run(
            "INSERT INTO chat_links (user_id, provider_id, username, avatar_url, linked_at) \
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
            args![user_id, provider_id, username, avatar_url, now],
        )
        .await?;
    Ok(linked == 1)
}

/// Notes a sign-in and what the person is called there now.
pub async fn signed_in(
    tx: &mut Tx,
    user_id: UserId,
    username: Option<&str>,
    avatar_url: Option<&str>,
    now: Time,
) -> Result<()> {
    tx.run_exactly(
        1,
        "UPDATE chat_links SET username = $2, avatar_url = $3, last_login_at = $4 WHERE user_id = $1",
        args![user_id, username, avatar_url, now],
    )
    .await
}

/// Ends a link; false when there was none.
pub async fn unlink(tx: &mut Tx, user_id: UserId) -> Result<bool> {
    Ok(tx.run("DELETE FROM chat_links WHERE user_id = $1", args![user_id]).await? == 1)
}

/// Ends the sign-ins under way that are this user's.
pub async fn forget_flows(tx: &mut Tx, user_id: UserId) -> Result<()> {
    tx.run("DELETE FROM chat_logins WHERE user_id = $1", args![user_id]).await?;
    Ok(())
}

/// How many sign-ins are under way, counted up to `most`.
pub async fn under_way(tx: &mut Tx, now: Time, most: i64) -> Result<i64> {
    let (count,): (i64,) = tx
        .one(
            "SELECT COUNT(*) FROM (SELECT 1 AS one FROM chat_logins WHERE expires_at > $1 LIMIT $2) AS open",
            args![now, most],
        )
        .await?;
    Ok(count)
}

/// Begins a sign-in, or a link for a user in one of the user's sessions.
pub async fn begin(
    tx: &mut Tx,
    (origin_hash, browser_hash): (&[u8], &[u8]),
    link_to: Option<(UserId, SessionId)>,
    now: Time,
    expires_at: Time,
) -> Result<()> {
    let purpose = if link_to.is_some() { "link" } else { "login" };
    let (user_id, session_id) = link_to.unzip();
    tx.run_exactly(
        1,
        "INSERT INTO chat_logins (origin_hash, browser_hash, purpose, user_id, created_at, expires_at, session_hash) \
         VALUES ($1, $2, $3, $4, $5, $6, (SELECT token_hash FROM sessions WHERE id = $7))",
        args![origin_hash, browser_hash, purpose, user_id, now, expires_at, session_id],
    )
    .await
}

/// Whether the session that a link was begun in is still there. It stays until the transaction ends.
pub async fn is_session_there(tx: &mut Tx, id: ChatLoginId, now: Time) -> Result<bool> {
    let sql = sql!(
        "SELECT s.id FROM sessions s JOIN chat_logins c ON s.token_hash = c.session_hash AND s.user_id = c.user_id \
         WHERE c.id = $1 AND s.expires_at > $2 FOR SHARE OF s",
    );
    let found: Option<(i64,)> = tx.opt(sql, args![id, now]).await?;
    Ok(found.is_some())
}

/// The sign-in with this nonce, unless the nonce is spent or its time is over.
pub async fn by_origin(tx: &mut Tx, origin_hash: &[u8], now: Time) -> Result<Option<FlowRow>> {
    tx.opt(
        "SELECT id, browser_hash, purpose = 'login' AS signs_in, user_id, claimed_at, settled_at, refusal FROM chat_logins \
         WHERE origin_hash = $1 AND claimed_at IS NULL AND expires_at > $2",
        args![origin_hash, now],
    )
    .await
}

/// The sign-in of this browser, unless its time is over.
pub async fn by_browser(tx: &mut Tx, browser_hash: &[u8], now: Time) -> Result<Option<FlowRow>> {
    tx.opt(
        "SELECT id, browser_hash, purpose = 'login' AS signs_in, user_id, claimed_at, settled_at, refusal FROM chat_logins \
         WHERE browser_hash = $1 AND expires_at > $2",
        args![browser_hash, now],
    )
    .await
}

/// Spends a nonce; false when it was spent before.
pub async fn claim(tx: &mut Tx, id: ChatLoginId, now: Time) -> Result<bool> {
    let claimed = tx
        .run("UPDATE chat_logins SET claimed_at = $2 WHERE id = $1 AND claimed_at IS NULL", args![id, now])
        .await?;
    Ok(claimed == 1)
}

/// Notes what came of a sign-in: a user, or a refusal. False when it is gone.
pub async fn settle(
    tx: &mut Tx,
    id: ChatLoginId,
    user_id: Option<UserId>,
    refusal: Option<ChatRefusal>,
    now: Time,
) -> Result<bool> {
    let settled = tx
        .run(
            "UPDATE chat_logins SET settled_at = $2, user_id = COALESCE($3, user_id), refusal = $4 \
             WHERE id = $1 AND claimed_at IS NOT NULL AND settled_at IS NULL",
            args![id, now, user_id, refusal],
        )
        .await?;
    Ok(settled == 1)
}

/// Removes a finished sign-in; false when another request removed it.
pub async fn finish(tx: &mut Tx, id: ChatLoginId) -> Result<bool> {
    let finished =
        tx.run("DELETE FROM chat_logins WHERE id = $1 AND settled_at IS NOT NULL", args![id]).await?;
    Ok(finished == 1)
}

/// Drops a bounded number of sign-ins whose time is over; returns how many.
pub async fn purge(tx: &mut Tx, now: Time) -> Result<u64> {
    tx.run(bounded!("chat_logins", "id", "expires_at <= $1"), args![now]).await
}
