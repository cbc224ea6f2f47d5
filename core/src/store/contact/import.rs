//! Imports of contacts and opt-outs: how far each is, and what it could not take.
//!
//! An import that is `completed` or `failed` never changes again. One that is `running` and shows no progress for a while
//! is marked `interrupted`; when the daemon that has its file is back, it continues where it stopped. Numbers are written
//! in ascending order, and each transaction that writes some also records the last one.

use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::contact::id::ImportId;
use crate::model::contact::{ImportStatus, ImportTarget};
use crate::store::operations::purge::bounded;
use crate::store::{Column, PURGED_AT_ONCE, Tx};
use crate::time::Time;
use crate::{args, sql};

/// An import as stored.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ImportRow {
    /// The import's id.
    pub id: ImportId,
    /// Who imports.
    pub user_id: UserId,
    /// What it fills.
    pub target: ImportTarget,
    /// The group, or the scope of the opt-outs.
    pub target_id: i64,
    /// Where it stands.
    pub status: ImportStatus,
    /// Why it failed.
    pub error: Option<String>,
    /// JSON: which column was taken for what.
    pub columns: String,
    /// What the file was called; empty where that is not known.
    pub file_name: String,
    /// Rows of the file so far.
    pub rows_read: i64,
    /// Different numbers in it.
    pub valid: i64,
    /// New ones.
    pub added: i64,
    /// Known ones that changed.
    pub updated: i64,
    /// Known ones that did not.
    pub unchanged: i64,
    /// Numbers given more than once and dropped.
    pub duplicates: i64,
    /// Entries that are no usable number.
    pub invalid: i64,
    /// Contacts taken without a field that could not be used.
    pub warnings: i64,
    /// Numbers of it that are kept, to be sent to.
    pub kept_numbers: i64,
    /// When it began.
    pub created_at: Time,
    /// When it ended.
    pub finished_at: Option<Time>,
}

/// Begins an import and returns its id.
pub async fn insert(
    tx: &mut Tx,
    user: UserId,
    (target, target_id): (ImportTarget, i64),
    (file_name, plan): (&str, &str),
    now: Time,
) -> Result<ImportId> {
    let (id,): (ImportId,) = tx
        .one(
            "INSERT INTO contact_imports (user_id, target, target_id, status, columns, created_at, seen_at, plan, file_name) \
             VALUES ($1, $2, $3, 'running', '{}', $4, $4, $5, $6) RETURNING id",
            args![user, target, target_id, now, plan, file_name],
        )
        .await?;
    Ok(id)
}

/// Notes how many bytes are kept for an import until it is over.
pub async fn note_kept(tx: &mut Tx, id: ImportId, bytes: i64) -> Result<()> {
    tx.run_exactly(1, "UPDATE contact_imports SET kept_bytes = $2 WHERE id = $1", args![id, bytes]).await
}

/// An import that goes on.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Resumed {
    /// Who imports.
    pub user_id: UserId,
    /// What it fills.
    pub target: ImportTarget,
    /// The group, or the scope of the opt-outs.
    pub target_id: i64,
    /// JSON: what was asked for beside the file.
    pub plan: String,
    /// Numbers up to this one are written.
    pub written_to: i64,
    /// How often it went on, this time included.
    pub resumes: i64,
}

/// Removes a bounded number of the rejects of an import that was cut off, which are found again when it goes on; returns
/// how many.
pub async fn clear_rejects(tx: &mut Tx, id: ImportId) -> Result<u64> {
    let cut_off = bounded!(
        "contact_import_rejects",
        "import_id, ordinal",
        "import_id = (SELECT id FROM contact_imports WHERE id = $1 AND status IN ('running', 'interrupted') \
           AND plan <> '')"
    );
    let removed = tx.run(cut_off, args![id]).await?;
    if removed > 0 {
        let kept = "UPDATE contact_imports \
             SET kept_rejects = CASE WHEN kept_rejects > $2 THEN kept_rejects - $2 ELSE 0 END WHERE id = $1";
        tx.run(kept, args![id, removed.cast_signed()]).await?;
    }
    Ok(removed)
}

/// Makes an import that was cut off run again, and counts that; `None` when it ended. Call [`clear_rejects`] until none are
/// left before it reads its file.
pub async fn resume(tx: &mut Tx, id: ImportId, now: Time) -> Result<Option<Resumed>> {
    tx.opt(
        "UPDATE contact_imports SET status = 'running', error = NULL, finished_at = NULL, seen_at = $2, \
             resumes = resumes + 1 WHERE id = $1 AND status IN ('running', 'interrupted') AND plan <> '' \
             RETURNING user_id, target, target_id, plan, written_to, resumes",
        args![id, now],
    )
    .await
}

/// Whether an import ended, or is not there any more.
pub async fn is_over(tx: &mut Tx, id: ImportId) -> Result<bool> {
    let row: Option<(ImportStatus,)> =
        tx.opt("SELECT status FROM contact_imports WHERE id = $1", args![id]).await?;
    Ok(row.is_none_or(|(status,)| status.is_over()))
}

/// How many imports of a user run.
pub async fn running_of(tx: &mut Tx, user: UserId) -> Result<i64> {
    let (running,): (i64,) = tx
        .one("SELECT COUNT(*) FROM contact_imports WHERE status = 'running' AND user_id = $1", args![user])
        .await?;
    Ok(running)
}

/// The import of this id, when it is the user's.
pub async fn by_id(tx: &mut Tx, user: UserId, id: ImportId) -> Result<Option<ImportRow>> {
    tx.opt(
        "SELECT id, user_id, target, target_id, status, error, columns, file_name, rows_read, valid, added, updated, \
         unchanged, duplicates, invalid, warnings, kept_numbers, created_at, finished_at FROM contact_imports \
         WHERE id = $1 AND user_id = $2",
        args![id, user],
    )
    .await
}

/// A slice of a user's imports, newest first, and how many there are.
pub async fn page(tx: &mut Tx, user: UserId, offset: i64, limit: i64) -> Result<(Vec<ImportRow>, i64)> {
    let (total,): (i64,) =
        tx.one("SELECT COUNT(*) FROM contact_imports WHERE user_id = $1", args![user]).await?;
    let rows = tx
        .all(
            "SELECT id, user_id, target, target_id, status, error, columns, file_name, rows_read, valid, added, updated, \
             unchanged, duplicates, invalid, warnings, kept_numbers, created_at, finished_at FROM contact_imports \
             WHERE user_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3",
            args![user, limit, offset],
        )
        .await?;
    Ok((rows, total))
}

/// The counts of a file so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Rows of the file.
    pub rows: i64,
    /// Entries that are no usable number.
    pub invalid: i64,
    /// Contacts taken without a field of theirs.
    pub warnings: i64,
    /// Numbers given more than once; known once everything is read.
    pub duplicates: i64,
    /// Different numbers; known once everything is read.
    pub valid: i64,
}

/// Notes how far reading is; false when the import does not run any more.
pub async fn note_reading(tx: &mut Tx, id: ImportId, so_far: &Reading, now: Time) -> Result<bool> {
    let touched = tx
        .run(
            "UPDATE contact_imports SET rows_read = $2, invalid = $3, warnings = $4, duplicates = $5, valid = $6, \
             seen_at = $7 WHERE id = $1 AND status = 'running'",
            args![id, so_far.rows, so_far.invalid, so_far.warnings, so_far.duplicates, so_far.valid, now],
        )
        .await?;
    Ok(touched == 1)
}

/// Notes which column was taken for what, as JSON.
pub async fn note_columns(tx: &mut Tx, id: ImportId, columns: &str) -> Result<()> {
    tx.run("UPDATE contact_imports SET columns = $2 WHERE id = $1", args![id, columns]).await.map(|_| ())
}

/// Adds what a batch wrote up to a number, in the batch's transaction; false when the import does not run any more.
pub async fn note_written(
    tx: &mut Tx,
    id: ImportId,
    (added, updated, unchanged): (i64, i64, i64),
    to: i64,
    now: Time,
) -> Result<bool> {
    let touched = tx
        .run(
            "UPDATE contact_imports SET added = added + $2, updated = updated + $3, unchanged = unchanged + $4, \
             written_to = $5, seen_at = $6 WHERE id = $1 AND status = 'running'",
            args![id, added, updated, unchanged, to, now],
        )
        .await?;
    Ok(touched == 1)
}

/// Keeps the numbers that a batch wrote, in the batch's transaction: `size` of them from `first` on, in their stored form.
pub async fn keep_numbers(tx: &mut Tx, id: ImportId, (first, size): (i64, i64), data: Vec<u8>) -> Result<()> {
    tx.run(
        "INSERT INTO contact_import_numbers (import_id, first, data) VALUES ($1, $2, $3)",
        args![id, first, data],
    )
    .await?;
    let kept = "UPDATE contact_imports SET kept_numbers = kept_numbers + $2 WHERE id = $1";
    tx.run_exactly(1, kept, args![id, size]).await
}

/// How many numbers are kept of a user's imports.
pub async fn kept_numbers(tx: &mut Tx, user: UserId) -> Result<i64> {
    let sql = "SELECT CAST(COALESCE(SUM(kept_numbers), 0) AS BIGINT) FROM contact_imports \
               WHERE user_id = $1 AND kept_numbers > 0";
    Ok(tx.one::<(i64,)>(sql, args![user]).await?.0)
}

/// The numbers of an import that are kept, piece by piece: the one behind the piece that begins at `after`, with its first.
pub async fn next_numbers(tx: &mut Tx, id: ImportId, after: i64) -> Result<Option<(i64, Vec<u8>)>> {
    tx.opt(
        "SELECT first, data FROM contact_import_numbers WHERE import_id = $1 AND first > $2 ORDER BY first LIMIT 1",
        args![id, after],
    )
    .await
}

/// Ends an import, once. Of one that is over nothing is kept of the number that it came to: only what was cut off goes on there.
pub async fn finish(
    tx: &mut Tx,
    id: ImportId,
    status: ImportStatus,
    error: Option<&str>,
    now: Time,
) -> Result<()> {
    tx.run(
        "UPDATE contact_imports SET status = $2, error = $3, finished_at = $4, kept_bytes = 0, \
           plan = CASE WHEN $2 = 'interrupted' THEN plan ELSE '' END, \
           written_to = CASE WHEN $2 = 'interrupted' THEN written_to ELSE 0 END WHERE id = $1 AND status = 'running'",
        args![id, status, error, now],
    )
    .await
    .map(|_| ())
}

/// Notes a sign of life of imports that run, or wait for their turn.
pub async fn note_alive(tx: &mut Tx, ids: Vec<ImportId>, now: Time) -> Result<()> {
    let sql =
        sql!("UPDATE contact_imports SET seen_at = $1 WHERE status = 'running' AND id = ANY($2::BIGINT[])");
    tx.run(sql, args![now, vec![Column::of(ids)]]).await.map(|_| ())
}

/// Marks imports that gave no sign of life since `before` as interrupted; returns how many.
pub async fn interrupt_silent(tx: &mut Tx, before: Time, error: &str, now: Time) -> Result<u64> {
    tx.run(
        "UPDATE contact_imports SET status = 'interrupted', error = $2, finished_at = $3 \
         WHERE status = 'running' AND seen_at < $1",
        args![before, error, now],
    )
    .await
}

/// Forgets a piece of the oldest import made before `before` that ended: a bounded number of its rejects, or when few are
/// left, itself. Returns how many rows. The newest import is kept, so that no id is given out twice.
pub async fn purge(tx: &mut Tx, before: Time) -> Result<u64> {
    let oldest: Option<(ImportId,)> = tx
        .opt(
            "SELECT id FROM contact_imports WHERE created_at < $1 AND status <> 'running' \
             AND id < (SELECT MAX(id) FROM contact_imports) ORDER BY id LIMIT 1",
            args![before],
        )
        .await?;
    let Some((id,)) = oldest else { return Ok(0) };
    remove_piece(tx, id).await
}

/// The same for the imports of a user who is gone.
pub async fn forget_some(tx: &mut Tx, user: UserId) -> Result<u64> {
    let oldest: Option<(ImportId,)> =
        tx.opt("SELECT id FROM contact_imports WHERE user_id = $1 ORDER BY id LIMIT 1", args![user]).await?;
    let Some((id,)) = oldest else { return Ok(0) };
    remove_piece(tx, id).await
}

async fn remove_piece(tx: &mut Tx, id: ImportId) -> Result<u64> {
    let rejects = bounded!("contact_import_rejects", "import_id, ordinal", "import_id = $1");
    let removed = tx.run(rejects, args![id]).await?;
    if removed == PURGED_AT_ONCE {
        return Ok(removed);
    }
    let numbers = bounded!("contact_import_numbers", "import_id, first", "import_id = $1");
    let pieces = tx.run(numbers, args![id]).await?;
    if pieces == PURGED_AT_ONCE {
        return Ok(removed + pieces);
    }
    Ok(removed + pieces + tx.run("DELETE FROM contact_imports WHERE id = $1", args![id]).await?)
}

/// An entry that could not be taken, or not whole.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ImportRejectRow {
    /// The line of the file, from 1.
    pub line: i64,
    /// The beginning of the entry.
    pub value: String,
    /// Why, as a code.
    pub code: String,
}

/// Stores rejects, the first of which has the ordinal `from`.
pub async fn insert_rejects(tx: &mut Tx, id: ImportId, from: i64, rejects: &[ImportRejectRow]) -> Result<()> {
    let rows = vec![
        Column::of((from..).take(rejects.len())),
        Column::of(rejects.iter().map(|reject| reject.line)),
        Column::of(rejects.iter().map(|reject| &reject.value)),
        Column::of(rejects.iter().map(|reject| &reject.code)),
    ];
    let sql = sql!(
        "INSERT INTO contact_import_rejects (import_id, ordinal, line, value, code) \
         SELECT $1, j.* FROM UNNEST($2::BIGINT[], $3::BIGINT[], $4::TEXT[], $5::TEXT[]) AS j"
    );
    tx.run_exactly(rejects.len() as u64, sql, args![id, rows]).await?;
    let kept = "UPDATE contact_imports SET kept_rejects = kept_rejects + $2 WHERE id = $1";
    tx.run_exactly(1, kept, args![id, rejects.len() as i64]).await
}

/// Up to `limit` rejects of an import from the ordinal `from` on, in order.
pub async fn rejects(tx: &mut Tx, id: ImportId, from: i64, limit: i64) -> Result<Vec<ImportRejectRow>> {
    tx.all(
        "SELECT line, value, code FROM contact_import_rejects WHERE import_id = $1 AND ordinal >= $2 \
         ORDER BY ordinal LIMIT $3",
        args![id, from, limit],
    )
    .await
}
