//! The rows of drafts, and of their files, whose bytes are in [`FILES`]. What is removed or too old goes by [`purge`].

use std::time::Duration;

use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::campaign::id::{DraftFileId, DraftId};
use crate::store::Tx;
use crate::store::db::pieces::{Pieces, pieces};
use crate::time::Time;
use crate::{args, sql};

/// The pieces of the files of drafts.
pub static FILES: Pieces = pieces!("file of a draft", "draft_files", "draft_file_pieces"("file_id", "data"));

/// How long a file may take to be stored.
const STORED_WITHIN: Duration = Duration::from_secs(1_800);
/// How long a draft is kept that nothing is changed in.
pub const KEPT_FOR: Duration = Duration::from_secs(30 * 24 * 3600);

/// A draft without its files.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct DraftRow {
    pub id: DraftId,
    pub form: String,
    pub title: String,
    pub fields: String,
    pub version: i64,
    /// What the page that began it calls it; none where it did not say.
    pub client_key: Option<String>,
    pub created_at: Time,
    pub updated_at: Time,
}

/// A file that is whole.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct FileRow {
    pub id: DraftFileId,
    pub draft_id: DraftId,
    pub name: String,
    pub bytes: i64,
    pub created_at: Time,
}

/// What a draft says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftContent {
    /// What it is shown as.
    pub title: String,
    /// Its fields, an object in JSON.
    pub fields: String,
}

/// What a user keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct DraftUsage {
    /// Bytes of files, also of those that are being stored.
    pub bytes: i64,
    /// Bytes of files that are taken out or given up, and still in the database.
    pub leaving_bytes: i64,
}

/// A user's drafts of a form, or of all, the last changed first and at most so many.
pub async fn list(tx: &mut Tx, user: UserId, form: Option<&str>, limit: i64) -> Result<Vec<DraftRow>> {
    // Without the fields, which may be long.
    tx.all(
        "SELECT id, form, title, '' AS fields, version, client_key, created_at, updated_at FROM drafts \
         WHERE user_id = $1 AND (form = $2 OR $3) ORDER BY updated_at DESC, id DESC LIMIT $4",
        args![user, form.unwrap_or_default(), form.is_none(), limit],
    )
    .await
}

/// How many drafts a user has.
pub async fn count(tx: &mut Tx, user: UserId) -> Result<i64> {
    Ok(tx.one::<(i64,)>("SELECT COUNT(*) FROM drafts WHERE user_id = $1", args![user]).await?.0)
}

/// A user's draft.
pub async fn by_id(tx: &mut Tx, user: UserId, id: DraftId) -> Result<Option<DraftRow>> {
    tx.opt(
        "SELECT id, form, title, fields, version, client_key, created_at, updated_at FROM drafts \
         WHERE id = $1 AND user_id = $2",
        args![id, user],
    )
    .await
}

/// The id of a user's draft by the key that the page which began it gave it.
pub async fn by_key(tx: &mut Tx, user: UserId, key: &str) -> Result<Option<DraftId>> {
    let sql = "SELECT id FROM drafts WHERE user_id = $1 AND client_key = $2";
    Ok(tx.opt::<(DraftId,)>(sql, args![user, key]).await?.map(|(id,)| id))
}

/// The files of a user's drafts, or of one, in the order in which they were added.
pub async fn files(tx: &mut Tx, user: UserId, draft: Option<DraftId>) -> Result<Vec<FileRow>> {
    tx.all(
        "SELECT id, draft_id, name, bytes, created_at FROM draft_files \
         WHERE user_id = $1 AND (draft_id = $2 OR $3) AND purge_at IS NULL ORDER BY id",
        args![user, draft.unwrap_or(DraftId::NONE), draft.is_none()],
    )
    .await
}

/// A file of a user's draft.
pub async fn file(tx: &mut Tx, user: UserId, draft: DraftId, id: DraftFileId) -> Result<Option<FileRow>> {
    tx.opt(
        "SELECT id, draft_id, name, bytes, created_at FROM draft_files \
         WHERE id = $3 AND draft_id = $2 AND user_id = $1 AND purge_at IS NULL",
        args![user, draft, id],
    )
    .await
}

/// Begins a draft; its id, or `None` when the user has one that is called `key`.
pub async fn insert(
    tx: &mut Tx,
    (user, key): (UserId, Option<&str>),
    form: &str,
    written: &DraftContent,
    now: Time,
) -> Result<Option<DraftId>> {
    let id: Option<(DraftId,)> = tx
        .opt(
            "INSERT INTO drafts (user_id, form, title, fields, version, client_key, created_at, updated_at) \
             VALUES ($1, $2, $3, $4, 1, $6, $5, $5) \
             ON CONFLICT (user_id, client_key) WHERE client_key IS NOT NULL DO NOTHING RETURNING id",
            args![user, form, written.title.as_str(), written.fields.as_str(), now, key],
        )
        .await?;
    Ok(id.map(|(id,)| id))
}

/// Saves what a draft of this version says; false when there is none.
pub async fn save(
    tx: &mut Tx,
    (user, id, version): (UserId, DraftId, i64),
    written: &DraftContent,
    now: Time,
) -> Result<bool> {
    let saved = tx
        .run(
            "UPDATE drafts SET title = $4, fields = $5, version = version + 1, updated_at = $6 \
             WHERE id = $1 AND user_id = $2 AND version = $3",
            args![id, user, version, written.title.as_str(), written.fields.as_str(), now],
        )
        .await?;
    Ok(saved > 0)
}

/// Counts a change of a draft of this version; false when there is none.
pub async fn touch(tx: &mut Tx, (user, id, version): (UserId, DraftId, i64), now: Time) -> Result<bool> {
    let touched = tx
        .run(
            "UPDATE drafts SET version = version + 1, updated_at = $4 \
             WHERE id = $1 AND user_id = $2 AND version = $3",
            args![id, user, version, now],
        )
        .await?;
    Ok(touched > 0)
}

/// Deletes a user's draft, where a version is named only that one; false when there is none. Its files go by [`purge`].
pub async fn delete(
    tx: &mut Tx,
    (user, id): (UserId, DraftId),
    version: Option<i64>,
    now: Time,
) -> Result<bool> {
    // First, so that a file that is being completed finds the draft, or finds it gone.
    let sql = "DELETE FROM drafts WHERE id = $1 AND user_id = $2 AND version = COALESCE($3, version)";
    if tx.run(sql, args![id, user, version]).await? == 0 {
        return Ok(false);
    }
    let sql =
        "UPDATE draft_files SET purge_at = $3 WHERE draft_id = $1 AND user_id = $2 AND purge_at IS NULL";
    tx.run(sql, args![id, user, now]).await?;
    Ok(true)
}

/// Bytes of the files that a user keeps.
pub async fn kept(tx: &mut Tx, user: UserId, now: Time) -> Result<DraftUsage> {
    tx.one(
        "SELECT CAST(COALESCE(SUM(bytes), 0) - COALESCE(SUM(gone), 0) AS BIGINT) AS bytes, \
           CAST(COALESCE(SUM(gone), 0) AS BIGINT) AS leaving_bytes FROM \
           (SELECT bytes, CASE WHEN purge_at <= $2 THEN bytes END AS gone FROM draft_files WHERE user_id = $1) AS kept",
        args![user, now],
    )
    .await
}

/// Begins to store a file of a user's draft; its id.
pub async fn begin_file(
    tx: &mut Tx,
    (user, draft): (UserId, DraftId),
    name: &str,
    bytes: i64,
    now: Time,
) -> Result<DraftFileId> {
    let (id,): (DraftFileId,) = tx
        .one(
            "INSERT INTO draft_files (draft_id, user_id, name, bytes, created_at, purge_at) \
             VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
            args![draft, user, name, bytes, now, now + STORED_WITHIN],
        )
        .await?;
    Ok(id)
}

/// Takes a file out of a user's draft; false when it is not there. It goes by [`purge`].
pub async fn remove_file(
    tx: &mut Tx,
    user: UserId,
    draft: DraftId,
    id: DraftFileId,
    now: Time,
) -> Result<bool> {
    let removed = tx
        .run(
            "UPDATE draft_files SET purge_at = $4 \
             WHERE id = $3 AND draft_id = $2 AND user_id = $1 AND purge_at IS NULL",
            args![user, draft, id, now],
        )
        .await?;
    Ok(removed > 0)
}

/// Removes a draft that is too old, or a bounded part of a file that is not seen; how many rows, 0 when there is none left.
pub async fn purge(tx: &mut Tx, now: Time) -> Result<u64> {
    // Each daemon removes another one.
    let old = sql!(
        "SELECT id, user_id FROM drafts WHERE updated_at < $1 ORDER BY updated_at, id LIMIT 1 FOR UPDATE SKIP LOCKED"
    );
    if let Some((id, user)) = tx.opt::<(DraftId, UserId)>(old, args![now - KEPT_FOR]).await? {
        delete(tx, (user, id), None, now).await?;
        return Ok(1);
    }
    FILES.purge(tx, now).await
}
