//! The rows of announcements.

use crate::args;
use crate::error::Result;
use crate::model::platform::id::AnnouncementId;
use crate::store::Tx;
use crate::time::Time;

/// An announcement as stored.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct AnnouncementRow {
    pub id: AnnouncementId,
    pub text: String,
    pub is_active: bool,
    pub created_at: Time,
    pub updated_at: Time,
}

/// Adds an active announcement and returns its id.
pub async fn insert(tx: &mut Tx, text: &str, now: Time) -> Result<AnnouncementId> {
    let row: (AnnouncementId,) = tx
        .one(
            "INSERT INTO announcements (text, is_active, created_at, updated_at) VALUES ($1, TRUE, $2, $2) RETURNING id",
            args![text, now],
        )
        .await?;
    Ok(row.0)
}

/// One announcement.
pub async fn find(tx: &mut Tx, id: AnnouncementId) -> Result<Option<AnnouncementRow>> {
    tx.opt("SELECT id, text, is_active, created_at, updated_at FROM announcements WHERE id = $1", args![id])
        .await
}

/// Rewrites an announcement.
pub async fn update(tx: &mut Tx, id: AnnouncementId, text: &str, is_active: bool, now: Time) -> Result<()> {
    tx.run_exactly(
        1,
        "UPDATE announcements SET text = $2, is_active = $3, updated_at = $4 WHERE id = $1",
        args![id, text, is_active, now],
    )
    .await
}

/// Removes an announcement.
pub async fn delete(tx: &mut Tx, id: AnnouncementId) -> Result<()> {
    tx.run_exactly(1, "DELETE FROM announcements WHERE id = $1", args![id]).await
}

/// How many there are, and how many of them are active.
pub async fn counts(tx: &mut Tx) -> Result<(i64, i64)> {
    tx.one(
        "SELECT COUNT(*), CAST(COALESCE(SUM(CASE WHEN is_active THEN 1 ELSE 0 END), 0) AS BIGINT) FROM announcements",
        args![],
    )
    .await
}

/// A part of all announcements that contain `pattern` (see [`crate::store::db::listing::like_pattern`]), newest first, and how many there are. The
/// table is small: creating is bounded.
pub async fn page(
    tx: &mut Tx,
    pattern: &str,
    offset: i64,
    limit: i64,
) -> Result<(Vec<AnnouncementRow>, i64)> {
    let (total,): (i64,) = tx
        .one(
            "SELECT COUNT(*) FROM announcements WHERE $1 = '' OR lower(text COLLATE \"binary\") LIKE $1 ESCAPE '\\'",
            args![pattern],
        )
        .await?;
    let rows = tx
        .all(
            "SELECT id, text, is_active, created_at, updated_at FROM announcements \
             WHERE $1 = '' OR lower(text COLLATE \"binary\") LIKE $1 ESCAPE '\\' ORDER BY id DESC LIMIT $2 OFFSET $3",
            args![pattern, limit, offset],
        )
        .await?;
    Ok((rows, total))
}

/// The active announcements, oldest first, as banners show them.
pub async fn active(tx: &mut Tx) -> Result<Vec<AnnouncementRow>> {
    tx.all(
        "SELECT id, text, is_active, created_at, updated_at FROM announcements WHERE is_active ORDER BY id LIMIT 1000",
        args![],
    )
    .await
}
