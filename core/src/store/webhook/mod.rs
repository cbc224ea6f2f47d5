//! The rows of webhooks: addresses and whose they are.

pub mod campaign_events;
pub mod delivery;
pub mod receipt_call;
pub mod receipt_callback;
pub mod watch;

use crate::args;
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::webhook::endpoint::{EndpointDraft, Subscriptions};
use crate::model::webhook::id::WebhookId;
use crate::store::operations::purge::bounded;
use crate::store::{PURGED_AT_ONCE, Tx};
use crate::time::Time;

/// An address as stored.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct WebhookRow {
    /// The address's id.
    pub id: WebhookId,
    /// Whose it is.
    pub user_id: UserId,
    /// Whose it is, by name.
    pub username: String,
    /// Where requests go.
    pub url: String,
    /// What the owner says of it.
    pub description: String,
    /// The events that it subscribes to.
    pub events: Subscriptions,
    /// Sealed.
    pub secret: String,
    /// Sealed; the one before, while it still signs.
    pub old_secret: Option<String>,
    /// Until when.
    pub old_secret_ends_at: Option<Time>,
    /// Whether it is active.
    pub is_active: bool,
    /// Why it was turned off, when its owner did not.
    pub inactive_reason: Option<String>,
    /// When it was made.
    pub created_at: Time,
    /// When it was changed.
    pub updated_at: Time,
    /// Deliveries still to be made.
    pub pending: i64,
    /// Since when every attempt failed.
    pub failing_since: Option<Time>,
}

macro_rules! columns {
    () => {
        "id, user_id, (SELECT u.username FROM users u WHERE u.id = webhooks.user_id) AS username, url, description, \
         events, secret, old_secret, old_secret_ends_at, is_active, inactive_reason, created_at, updated_at, pending, \
         failing_since"
    };
}

/// Adds an address and returns its id. What its owner confirmed before is not told.
pub async fn insert(
    tx: &mut Tx,
    user_id: UserId,
    draft: &EndpointDraft,
    sealed: &str,
    now: Time,
) -> Result<WebhookId> {
    tx.run(
        "INSERT INTO webhook_users (user_id, campaign_cursor) \
         SELECT $1, COALESCE((SELECT MAX(id) FROM campaigns WHERE user_id = $1), 0) WHERE true \
         ON CONFLICT (user_id) DO NOTHING",
        args![user_id],
    )
    .await?;
    let events = draft.events.clone().unwrap_or_else(Subscriptions::all);
    let (id,): (WebhookId,) = tx
        .one(
            "INSERT INTO webhooks (user_id, url, description, events, secret, is_active, created_at, updated_at) \
             VALUES ($1, $2, $3, $4, $5, true, $6, $6) RETURNING id",
            args![user_id, &draft.url, &draft.description, events.to_string(), sealed, now],
        )
        .await?;
    Ok(id)
}

/// How many addresses a user has.
pub async fn count(tx: &mut Tx, user_id: UserId) -> Result<i64> {
    let (count,): (i64,) = tx.one("SELECT COUNT(*) FROM webhooks WHERE user_id = $1", args![user_id]).await?;
    Ok(count)
}

/// The address of an id.
pub async fn by_id(tx: &mut Tx, id: WebhookId) -> Result<Option<WebhookRow>> {
    tx.opt(concat!("SELECT ", columns!(), " FROM webhooks WHERE id = $1"), args![id]).await
}

/// A user's addresses, in the order in which they were made; there are few.
pub async fn of_user(tx: &mut Tx, user_id: UserId) -> Result<Vec<WebhookRow>> {
    tx.all(concat!("SELECT ", columns!(), " FROM webhooks WHERE user_id = $1 ORDER BY id"), args![user_id])
        .await
}

/// What a search looks at: address, description and user name, in lower case.
macro_rules! searched {
    () => {
        " FROM webhooks WHERE ($1 = '' OR lower((url || ' ' || description) COLLATE \"binary\") LIKE $1 ESCAPE '\\' OR EXISTS \
         (SELECT 1 FROM users u WHERE u.id = webhooks.user_id AND u.username LIKE $1 ESCAPE '\\'))"
    };
}

/// All users' addresses that a `LIKE` pattern in lower case finds (empty: all), newest first.
pub async fn page(tx: &mut Tx, pattern: &str, limit: i64, offset: i64) -> Result<Vec<WebhookRow>> {
    tx.all(
        concat!("SELECT ", columns!(), searched!(), " ORDER BY id DESC LIMIT $2 OFFSET $3"),
        args![pattern, limit, offset],
    )
    .await
}

/// How many there are of those.
pub async fn total(tx: &mut Tx, pattern: &str) -> Result<i64> {
    let (count,): (i64,) = tx.one(concat!("SELECT COUNT(*)", searched!()), args![pattern]).await?;
    Ok(count)
}

/// Changes an address; what it failed at is forgotten.
pub async fn update(
    tx: &mut Tx,
    id: WebhookId,
    draft: &EndpointDraft,
    is_active: bool,
    now: Time,
) -> Result<()> {
    let events = draft.events.as_ref().map(Subscriptions::to_string);
    tx.run_exactly(
        1,
        "UPDATE webhooks SET url = $2, description = $3, events = COALESCE($4, events), is_active = $5, inactive_reason = NULL, \
         failing_since = NULL, quiet_until = 0, updated_at = $6 WHERE id = $1",
        args![id, &draft.url, &draft.description, events, is_active, now],
    )
    .await
}

/// The sealed secrets of up to `limit` webhooks with their ids, the newest first.
pub async fn newest_secrets(tx: &mut Tx, limit: i64) -> Result<Vec<(WebhookId, String)>> {
    tx.all("SELECT id, secret FROM webhooks ORDER BY id DESC LIMIT $1", args![limit]).await
}

/// Sets a new secret and keeps the one before until a time.
pub async fn rotate(tx: &mut Tx, id: WebhookId, sealed: &str, old_ends_at: Time, now: Time) -> Result<()> {
    tx.run_exactly(
        1,
        "UPDATE webhooks SET old_secret = secret, old_secret_ends_at = $3, secret = $2, updated_at = $4 WHERE id = $1",
        args![id, sealed, old_ends_at, now],
    )
    .await
}

/// Deletes an address of a user; true when there is none left. See [`delete`].
pub async fn delete_next_of(tx: &mut Tx, user_id: UserId) -> Result<bool> {
    let next: Option<(WebhookId,)> =
        tx.opt("SELECT id FROM webhooks WHERE user_id = $1 ORDER BY id LIMIT 1", args![user_id]).await?;
    let Some((id,)) = next else { return Ok(true) };
    delete(tx, id).await?;
    Ok(false)
}

/// Deletes a piece of an address: it is turned off and loses a bounded number of its log; true when the address itself is
/// gone. With the last one its owner's campaigns are no longer watched.
pub async fn delete(tx: &mut Tx, id: WebhookId) -> Result<bool> {
    let (user_id,): (UserId,) =
        tx.one("UPDATE webhooks SET is_active = FALSE WHERE id = $1 RETURNING user_id", args![id]).await?;
    let log = bounded!("webhook_deliveries", "id", "webhook_id = $1");
    if tx.run(log, args![id]).await? == PURGED_AT_ONCE {
        return Ok(false);
    }
    let told = bounded!(
        "webhook_chunks",
        "chunk_id",
        "campaign_id IN (SELECT campaign_id FROM webhook_campaigns WHERE user_id = $1) \
         AND NOT EXISTS (SELECT 1 FROM webhooks WHERE user_id = $1 AND id <> $2)"
    );
    if tx.run(told, args![user_id, id]).await? == PURGED_AT_ONCE {
        return Ok(false);
    }
    tx.run_exactly(1, "DELETE FROM webhooks WHERE id = $1", args![id]).await?;
    for forget in [
        "DELETE FROM webhook_users WHERE user_id = $1 AND NOT EXISTS (SELECT 1 FROM webhooks WHERE user_id = $1)",
        "DELETE FROM webhook_campaigns WHERE user_id = $1 AND NOT EXISTS (SELECT 1 FROM webhooks WHERE user_id = $1)",
    ] {
        tx.run(forget, args![user_id]).await?;
    }
    Ok(true)
}
