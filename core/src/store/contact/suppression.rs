//! Numbers that get no messages: of one user, or of the whole platform (scope 0).
//!
//! Every change moves the scope's `version` in its own transaction, so that a copy with the same version
//! is the list as it is.

use crate::error::Result;
use crate::model::contact::OptOutSource;
use crate::store::operations::purge::bounded;
use crate::store::{Column, Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// The scope of the whole platform.
pub const PLATFORM: i64 = 0;

/// An opt-out as stored.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct SuppressionRow {
    /// Its id.
    pub id: i64,
    /// A user's id, or [`PLATFORM`].
    pub scope: i64,
    /// The number in digits.
    pub number: i64,
    /// How it came about.
    pub source: OptOutSource,
    /// What was noted with it.
    pub note: String,
    /// Since when.
    pub created_at: Time,
}

/// A scope in figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct ScopeRow {
    /// Which.
    pub scope: i64,
    /// Moves with every change.
    pub version: i64,
    /// Moves with every removal.
    pub removals: i64,
    /// How many numbers.
    pub numbers: i64,
}

/// Adds numbers, each once; those that are there stay as they are. Returns how many are new.
pub async fn add(
    tx: &mut Tx,
    scope: i64,
    numbers: Vec<i64>,
    notes: Vec<Option<String>>,
    source: OptOutSource,
    now: Time,
) -> Result<i64> {
    begin_change(tx, scope).await?;
    let rows = vec![Column::Ints(numbers), Column::Texts(notes)];
    let added = tx.run(ADD, args![scope, source, now, rows]).await?.cast_signed();
    if added > 0 {
        tx.run_exactly(
            1,
            "UPDATE suppression_scopes SET version = version + 1, numbers = numbers + $2 WHERE scope = $1",
            args![scope, added],
        )
        .await?;
    }
    Ok(added)
}

const ADD: Sql = sql!(
    "INSERT INTO suppressions (scope, number, source, note, created_at) \
     SELECT $1, j.number, $2, COALESCE(j.note, ''), $3 FROM UNNEST($4::BIGINT[], $5::TEXT[]) AS j (number, note) \
     WHERE true ON CONFLICT (scope, number) DO NOTHING"
);

/// Holds the scope's row, made where it is missing, so that changes of one scope come one after the other.
async fn begin_change(tx: &mut Tx, scope: i64) -> Result<()> {
    tx.run(
        "INSERT INTO suppression_scopes (scope, version, removals, numbers) VALUES ($1, 0, 0, 0) \
         ON CONFLICT (scope) DO UPDATE SET version = suppression_scopes.version",
        args![scope],
    )
    .await
    .map(|_| ())
}

/// Removes the opt-out of a number; false when there is none.
pub async fn remove(tx: &mut Tx, scope: i64, number: i64) -> Result<bool> {
    begin_change(tx, scope).await?;
    let removed =
        tx.run("DELETE FROM suppressions WHERE scope = $1 AND number = $2", args![scope, number]).await?;
    note_removed(tx, scope, removed.cast_signed()).await?;
    Ok(removed == 1)
}

/// Removes a bounded number of a scope's numbers, those of a user who is gone; returns how many.
pub async fn remove_some(tx: &mut Tx, scope: i64) -> Result<u64> {
    begin_change(tx, scope).await?;
    let removed = tx.run(bounded!("suppressions", "id", "scope = $1"), args![scope]).await?;
    note_removed(tx, scope, removed.cast_signed()).await?;
    Ok(removed)
}

async fn note_removed(tx: &mut Tx, scope: i64, removed: i64) -> Result<()> {
    if removed == 0 {
        return Ok(());
    }
    tx.run_exactly(
        1,
        "UPDATE suppression_scopes SET version = version + 1, removals = removals + 1, numbers = numbers - $2 \
         WHERE scope = $1",
        args![scope, removed],
    )
    .await
}

/// The opt-out of a number.
pub async fn find(tx: &mut Tx, scope: i64, number: i64) -> Result<Option<SuppressionRow>> {
    tx.opt(
        "SELECT id, scope, number, source, note, created_at FROM suppressions WHERE scope = $1 AND number = $2",
        args![scope, number],
    )
    .await
}

/// The opt-out of this id, of this scope.
pub async fn by_id(tx: &mut Tx, scope: i64, id: i64) -> Result<Option<SuppressionRow>> {
    tx.opt(
        "SELECT id, scope, number, source, note, created_at FROM suppressions WHERE scope = $1 AND id = $2",
        args![scope, id],
    )
    .await
}

/// Those of the numbers that are suppressed for a user, by the user's list or the platform's.
pub async fn among(tx: &mut Tx, user: i64, numbers: &[i64]) -> Result<Vec<i64>> {
    let rows: Vec<(i64,)> = tx.all(AMONG, args![user, vec![Column::Ints(numbers.to_vec())]]).await?;
    Ok(rows.into_iter().map(|(number,)| number).collect())
}

pub(crate) const AMONG: Sql = sql!(
    "SELECT DISTINCT s.number FROM UNNEST($2::BIGINT[]) AS j (number) CROSS JOIN suppressions s \
     WHERE s.scope IN (0, $1) AND s.number = j.number"
);

/// Those of these users and numbers where the number is suppressed for the user, by the user's list or the platform's; one
/// that is on both may come twice.
pub async fn of_users(tx: &mut Tx, asked: &[(i64, i64)]) -> Result<Vec<(i64, i64)>> {
    let (users, numbers) = asked.iter().copied().unzip();
    tx.all(OF_USERS, args![vec![Column::Ints(users), Column::Ints(numbers)]]).await
}

pub(crate) const OF_USERS: Sql = sql!(
    "SELECT j.user_id, s.number FROM UNNEST($1::BIGINT[], $2::BIGINT[]) AS j (user_id, number) \
     CROSS JOIN suppressions s WHERE s.scope IN (0, j.user_id) AND s.number = j.number"
);

/// The figures of a user's scope and the platform's; what never changed is missing.
pub async fn scopes(tx: &mut Tx, user: i64) -> Result<Vec<ScopeRow>> {
    tx.all(
        "SELECT scope, version, removals, numbers FROM suppression_scopes WHERE scope IN (0, $1)",
        args![user],
    )
    .await
}

/// Up to `limit` numbers of a scope that were added after the id `after`: `(id, number)`, in order of ids.
pub async fn added_after(tx: &mut Tx, scope: i64, after: i64, limit: i64) -> Result<Vec<(i64, i64)>> {
    tx.all(ADDED_AFTER, args![scope, after, limit]).await
}

pub(crate) const ADDED_AFTER: &str =
    "SELECT id, number FROM suppressions WHERE scope = $1 AND id > $2 ORDER BY id LIMIT $3";

/// Up to `limit` opt-outs of a scope after an id, in order of ids: exports.
pub async fn after(tx: &mut Tx, scope: i64, id: i64, limit: i64) -> Result<Vec<SuppressionRow>> {
    tx.all(
        "SELECT id, scope, number, source, note, created_at FROM suppressions \
         WHERE scope = $1 AND id > $2 ORDER BY id LIMIT $3",
        args![scope, id, limit],
    )
    .await
}

/// A slice of a scope's list, newest first, and how many there are.
pub async fn page(tx: &mut Tx, scope: i64, offset: i64, limit: i64) -> Result<(Vec<SuppressionRow>, i64)> {
    let total: Option<(i64,)> =
        tx.opt("SELECT numbers FROM suppression_scopes WHERE scope = $1", args![scope]).await?;
    let rows = tx
        .all(
            "SELECT id, scope, number, source, note, created_at FROM suppressions WHERE id IN \
             (SELECT id FROM suppressions WHERE scope = $1 ORDER BY id DESC LIMIT $2 OFFSET $3) ORDER BY id DESC",
            args![scope, limit, offset],
        )
        .await?;
    Ok((rows, total.map_or(0, |(numbers,)| numbers)))
}

/// Those whose number or note holds the text, newest first, and how many there are.
pub async fn search(
    tx: &mut Tx,
    scope: i64,
    (digits, text): (&str, &str),
    offset: i64,
    limit: i64,
) -> Result<(Vec<SuppressionRow>, i64)> {
    let (total,): (i64,) = tx
        .one(
            "SELECT COUNT(*) FROM suppressions WHERE scope = $1 AND \
             (($2 <> '' AND CAST(number AS TEXT) LIKE $2) OR lower(note COLLATE \"binary\") LIKE $3 ESCAPE '\\')",
            args![scope, digits, text],
        )
        .await?;
    let rows = tx
        .all(
            "SELECT id, scope, number, source, note, created_at FROM suppressions WHERE scope = $1 AND \
             (($2 <> '' AND CAST(number AS TEXT) LIKE $2) OR lower(note COLLATE \"binary\") LIKE $3 ESCAPE '\\') \
             ORDER BY id DESC LIMIT $4 OFFSET $5",
            args![scope, digits, text, limit, offset],
        )
        .await?;
    Ok((rows, total))
}
