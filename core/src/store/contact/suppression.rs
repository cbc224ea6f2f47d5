//! Numbers that get no messages: of one user, or of the whole platform (scope 0).
//!
//! The opt-out of a number that was erased is stored under its digest ([`Tx::digest`]) in the number's place, which is negative:
//! what looks for a number looks for both.
//!
//! Every change moves the scope's `version` in its own transaction, so that a copy with the same version
//! is the list as it is.

use std::collections::BTreeSet;

use talkdrum_api::purpose::{OptOutReach, Purpose};

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::contact::OptOutSource;
use crate::model::contact::id::SuppressionId;
use crate::phone::Msisdn;
use crate::store::operations::purge::bounded;
use crate::store::{Column, Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// The scope of the whole platform.
pub const PLATFORM: i64 = 0;

/// An opt-out as stored.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct SuppressionRow {
    /// Its id.
    pub id: SuppressionId,
    /// A user's id, or [`PLATFORM`].
    pub scope: i64,
    /// The number in digits; its digest once it was erased.
    pub number: i64,
    /// How it came about.
    pub source: OptOutSource,
    /// Which messages it ends.
    pub reach: OptOutReach,
    /// What was noted with it.
    pub note: String,
    /// Since when.
    pub created_at: Time,
}

/// A scope in figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ScopeRow {
    /// Which.
    pub scope: i64,
    /// Moves with every change.
    pub version: i64,
    /// Moves with every removal, and where an opt-out came to reach more or less far: what was read before does not tell of it.
    pub removals: i64,
    /// How many numbers.
    pub numbers: i64,
}

/// Adds numbers, each once; those that are there stay as they are, but for two things. What ends all messages makes what ends
/// only promotional ones wider: it then has the source of what was written down last. What a person writes down takes over
/// what STOP made: a START that comes then, or waits for this transaction, leaves as much of it as was written down. Returns how
/// many are new.
pub async fn add(
    tx: &mut Tx,
    scope: i64,
    numbers: Vec<i64>,
    notes: Vec<Option<String>>,
    (source, reach): (OptOutSource, OptOutReach),
    now: Time,
) -> Result<i64> {
    begin_change(tx, scope).await?;
    if source != OptOutSource::Stop {
        let rows = vec![Column::of(&numbers), Column::of(&notes)];
        tx.run(TAKE_OVER, args![scope, source, OptOutSource::Stop, reach, rows]).await?;
    }
    if reach == OptOutReach::All {
        let rows = vec![Column::of(&numbers)];
        let widened = tx.run(WIDEN, args![scope, source, rows]).await?;
        note_lost(tx, scope, i64::from(widened > 0), 0).await?;
    }
    let rows = vec![Column::Ints(numbers), Column::Texts(notes)];
    let added = tx.run(ADD, args![scope, source, now, reach, rows]).await?.cast_signed();
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
    "INSERT INTO suppressions (scope, number, source, reach, note, created_at) \
     SELECT $1, j.number, $2, $4, COALESCE(j.note, ''), $3 FROM UNNEST($5::BIGINT[], $6::TEXT[]) AS j (number, note) \
     WHERE true ON CONFLICT (scope, number) DO NOTHING"
);

/// The list stays as it was for sending: its version does not move.
pub(crate) const TAKE_OVER: Sql = sql!(
    "UPDATE suppressions SET source = $2, note = COALESCE(NULLIF(j.note, ''), suppressions.note), \
       kept_reach = CASE WHEN $4 = 'promotional' AND suppressions.reach = 'all' THEN 'promotional' END \
     FROM UNNEST($5::BIGINT[], $6::TEXT[]) AS j (number, note) \
     WHERE suppressions.scope = $1 AND suppressions.number = j.number AND suppressions.source = $3"
);

/// START takes back what STOP made, and never what a person wrote down: how far that reached is kept when STOP ALL makes it
/// wider.
pub(crate) const WIDEN: Sql = sql!(
    "UPDATE suppressions SET reach = 'all', source = CASE WHEN $2 = 'stop' THEN source ELSE $2 END, \
       kept_reach = CASE WHEN source = 'stop' THEN NULL WHEN $2 = 'stop' THEN 'promotional' END \
     WHERE scope = $1 AND (reach = 'promotional' OR (kept_reach IS NOT NULL AND NOT $2 = 'stop')) \
       AND number IN (SELECT j.number FROM UNNEST($3::BIGINT[]) AS j (number))"
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
    let erased = erased_as(tx, number);
    let sql = "DELETE FROM suppressions WHERE scope = $1 AND number IN ($2, $3)";
    let removals = tx.run(sql, args![scope, number, erased]).await?.cast_signed();
    note_lost(tx, scope, removals, removals).await?;
    Ok(removals > 0)
}

/// Removes what STOP made of the opt-outs of a number; false when there is nothing of it. What a person wrote down stays, as far
/// as it reached.
pub async fn take_back(tx: &mut Tx, scope: i64, number: i64) -> Result<bool> {
    begin_change(tx, scope).await?;
    let erased = erased_as(tx, number);
    let sql = "DELETE FROM suppressions WHERE scope = $1 AND number IN ($2, $3) AND source = $4";
    let removals = tx.run(sql, args![scope, number, erased, OptOutSource::Stop]).await?.cast_signed();
    let sql = "UPDATE suppressions SET reach = kept_reach, kept_reach = NULL \
               WHERE scope = $1 AND number IN ($2, $3) AND kept_reach IS NOT NULL";
    let changed = removals + tx.run(sql, args![scope, number, erased]).await?.cast_signed();
    note_lost(tx, scope, changed, removals).await?;
    Ok(changed > 0)
}

/// Users whose messages STOP ended for a number, as itself or as its digest, and who wrote from this sender since a time, in order. Of
/// each user's campaigns the newest 10,000 are looked at.
pub async fn stopped_senders(tx: &mut Tx, number: Msisdn, sender: &str, since: Time) -> Result<Vec<UserId>> {
    let digits = number.digits().cast_signed();
    let sql = "SELECT s.scope FROM suppression_scopes o CROSS JOIN suppressions s \
               WHERE s.scope = o.scope AND o.scope <> $1 AND s.number IN ($2, $3) \
                 AND (s.source = $4 OR s.kept_reach IS NOT NULL) \
                 AND EXISTS (SELECT 1 FROM (SELECT c.sender, c.created_at FROM campaigns c WHERE c.user_id = o.scope \
                     ORDER BY c.id DESC LIMIT 10000) AS sent \
                   WHERE sent.created_at >= $5 AND lower(sent.sender) = lower($6)) \
               GROUP BY s.scope ORDER BY s.scope";
    let erased = erased_as(tx, digits);
    let users: Vec<(UserId,)> =
        tx.all(sql, args![PLATFORM, digits, erased, OptOutSource::Stop, since, sender]).await?;
    Ok(users.into_iter().map(|(user,)| user).collect())
}

/// Removes the opt-out of this id, of this scope; false when there is none.
pub async fn remove_by_id(tx: &mut Tx, scope: i64, id: SuppressionId) -> Result<bool> {
    begin_change(tx, scope).await?;
    let sql = "DELETE FROM suppressions WHERE scope = $1 AND id = $2";
    let removals = tx.run(sql, args![scope, id]).await?.cast_signed();
    note_lost(tx, scope, removals, removals).await?;
    Ok(removals > 0)
}

/// An opt-out of a number, as itself or as its digest.
#[derive(Clone, Copy, Debug, sqlx_macros::FromRow)]
struct OneOfTwo {
    source: OptOutSource,
    reach: OptOutReach,
    /// What START leaves of it, where STOP made it wider.
    kept_reach: Option<OptOutReach>,
    created_at: Time,
}

/// Puts the digest of a number in its place in a scope, and drops the note. One that is there under the digest already becomes
/// one with it: it ends what either ended, and is what a person wrote down where one of them was.
///
/// # Errors
/// `Unreadable` without the key.
pub async fn erase(tx: &mut Tx, scope: i64, number: Msisdn) -> Result<()> {
    let digest = tx.digest(number).ok_or_else(|| Error::Unreadable("erased numbers".into()))?;
    begin_change(tx, scope).await?;
    let numbers = || args![scope, number.digits().cast_signed(), digest];
    let sql = "SELECT source, reach, kept_reach, created_at FROM suppressions \
               WHERE scope = $1 AND number IN ($2, $3) ORDER BY created_at";
    let rows: Vec<OneOfTwo> = tx.all(sql, numbers()).await?;
    let Some(first) = rows.first() else { return Ok(()) };
    let reach = rows.iter().map(|row| row.reach).max().unwrap_or(first.reach);
    let written = || rows.iter().filter(|row| row.source != OptOutSource::Stop);
    let source = written().next().map_or(first.source, |row| row.source);
    let kept = written().map(|row| row.kept_reach.unwrap_or(row.reach)).max().filter(|kept| *kept < reach);
    tx.run("DELETE FROM suppressions WHERE scope = $1 AND number IN ($2, $3)", numbers()).await?;
    tx.run_exactly(
        1,
        "INSERT INTO suppressions (scope, number, source, reach, kept_reach, note, created_at) \
         VALUES ($1, $2, $3, $4, $5, '', $6)",
        args![scope, digest, source, reach, kept, first.created_at],
    )
    .await?;
    note_lost(tx, scope, 1, rows.len() as i64 - 1).await
}

/// What a number is stored as once it was erased; the number itself where no digest can be made of it.
fn erased_as(tx: &Tx, number: i64) -> i64 {
    let digest = Msisdn::from_digits(number.cast_unsigned()).and_then(|number| tx.digest(number));
    digest.unwrap_or(number)
}

/// Removes a bounded number of a scope's numbers, those of a user who is gone; returns how many.
pub async fn remove_some(tx: &mut Tx, scope: i64) -> Result<u64> {
    begin_change(tx, scope).await?;
    let removed = tx.run(bounded!("suppressions", "id", "scope = $1"), args![scope]).await?;
    let removals = removed.cast_signed();
    note_lost(tx, scope, removals, removals).await?;
    Ok(removed)
}

/// Notes that what was read of the list before may not be kept, as `changed` of its opt-outs are gone or reach more or less
/// far; of these, `removed` are gone.
async fn note_lost(tx: &mut Tx, scope: i64, changed: i64, removed: i64) -> Result<()> {
    if changed == 0 {
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

/// The opt-out of a number; the one that was written down since it was erased, where there are two.
pub async fn find(tx: &mut Tx, scope: i64, number: i64) -> Result<Option<SuppressionRow>> {
    let erased = erased_as(tx, number);
    tx.opt(
        "SELECT id, scope, number, source, reach, note, created_at FROM suppressions \
         WHERE scope = $1 AND number IN ($2, $3) ORDER BY number DESC LIMIT 1",
        args![scope, number, erased],
    )
    .await
}

/// The opt-out of this id, of this scope.
pub async fn by_id(tx: &mut Tx, scope: i64, id: SuppressionId) -> Result<Option<SuppressionRow>> {
    tx.opt(
        "SELECT id, scope, number, source, reach, note, created_at FROM suppressions WHERE scope = $1 AND id = $2",
        args![scope, id],
    )
    .await
}

/// Those of the numbers, each once, that get no messages of this purpose, by the scope's list or the platform's.
pub async fn among(tx: &mut Tx, scope: i64, numbers: &[i64], purpose: Purpose) -> Result<Vec<i64>> {
    let (asked, stored) = both_forms(tx, numbers.iter().map(|number| (*number, *number)));
    let rows: Vec<(i64, OptOutReach)> =
        tx.all(AMONG, args![scope, vec![Column::Ints(asked), Column::Ints(stored)]]).await?;
    let ended = rows.into_iter().filter(|(_, reach)| reach.ends(purpose)).map(|(number, _)| number);
    Ok(ended.collect::<BTreeSet<i64>>().into_iter().collect())
}

pub(crate) const AMONG: Sql = sql!(
    "SELECT DISTINCT j.number, s.reach FROM UNNEST($2::BIGINT[], $3::BIGINT[]) AS j (number, stored) \
     CROSS JOIN suppressions s WHERE s.scope IN (0, $1) AND s.number = j.stored"
);

/// Each of these with what it may be stored as: the number, and its digest.
fn both_forms<T: Copy>(tx: &Tx, asked: impl Iterator<Item = (T, i64)> + Clone) -> (Vec<T>, Vec<i64>) {
    let erased = asked.clone().filter_map(|(it, number)| {
        let number = Msisdn::from_digits(number.cast_unsigned())?;
        Some((it, tx.digest(number)?))
    });
    asked.chain(erased).unzip()
}

/// Those of these users and numbers where the number opted out of messages of the user, by the user's list or the
/// platform's, each with which messages that ends; one that is on both may come twice.
pub async fn of_users(tx: &mut Tx, asked: &[(UserId, i64)]) -> Result<Vec<(UserId, i64, OptOutReach)>> {
    let (asked, stored) = both_forms(tx, asked.iter().map(|it| (*it, it.1)));
    let (users, numbers): (Vec<UserId>, Vec<i64>) = asked.into_iter().unzip();
    tx.all(OF_USERS, args![vec![Column::of(users), Column::Ints(numbers), Column::Ints(stored)]]).await
}

pub(crate) const OF_USERS: Sql = sql!(
    "SELECT j.user_id, j.number, s.reach \
     FROM UNNEST($1::BIGINT[], $2::BIGINT[], $3::BIGINT[]) AS j (user_id, number, stored) \
     CROSS JOIN suppressions s WHERE s.scope IN (0, j.user_id) AND s.number = j.stored"
);

/// The figures of a scope and the platform's; what never changed is missing.
pub async fn scopes(tx: &mut Tx, scope: i64) -> Result<Vec<ScopeRow>> {
    tx.all(
        "SELECT scope, version, removals, numbers FROM suppression_scopes WHERE scope IN (0, $1)",
        args![scope],
    )
    .await
}

/// Up to `limit` numbers of a scope, or their digests, that were added after the id `after`: `(id, number, reach)`, in order of
/// ids.
pub async fn added_after(
    tx: &mut Tx,
    scope: i64,
    after: SuppressionId,
    limit: i64,
) -> Result<Vec<(SuppressionId, i64, OptOutReach)>> {
    tx.all(ADDED_AFTER, args![scope, after, limit]).await
}

pub(crate) const ADDED_AFTER: &str =
    "SELECT id, number, reach FROM suppressions WHERE scope = $1 AND id > $2 ORDER BY id LIMIT $3";

/// Up to `limit` opt-outs of a scope after an id, in order of ids: exports.
pub async fn after(tx: &mut Tx, scope: i64, id: SuppressionId, limit: i64) -> Result<Vec<SuppressionRow>> {
    tx.all(
        "SELECT id, scope, number, source, reach, note, created_at FROM suppressions \
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
            "SELECT id, scope, number, source, reach, note, created_at FROM suppressions WHERE id IN \
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
             (($2 <> '' AND number > 0 AND CAST(number AS TEXT) LIKE $2) OR lower(note COLLATE \"binary\") LIKE $3 ESCAPE '\\')",
            args![scope, digits, text],
        )
        .await?;
    let rows = tx
        .all(
            "SELECT id, scope, number, source, reach, note, created_at FROM suppressions WHERE scope = $1 AND \
             (($2 <> '' AND number > 0 AND CAST(number AS TEXT) LIKE $2) OR lower(note COLLATE \"binary\") LIKE $3 ESCAPE '\\') \
             ORDER BY id DESC LIMIT $4 OFFSET $5",
            args![scope, digits, text, limit, offset],
        )
        .await?;
    Ok((rows, total))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::store::{Dialect, Lane};

    const NUMBER: i64 = 2_348_031_234_567;

    both_databases! {
        async fn opt_outs_of_before_there_was_a_reach_end_everything_but_codes(store: Store) {
            let migration = match store.dialect() {
                Dialect::Sqlite => include_str!("../../../../migrations/sqlite/0090_purposes.sql"),
                Dialect::Postgres => include_str!("../../../../migrations/postgres/0090_purposes.sql"),
            };
            let adds = migration.split(';').find(|it| it.contains("ALTER TABLE suppressions ")).unwrap();
            let job = store.write(Lane::Interactive, adds, |tx, adds| {
                Box::pin(async move {
                    tx.run("ALTER TABLE suppressions DROP COLUMN reach", args![]).await?;
                    let sql = "INSERT INTO suppressions (scope, number, source, note, created_at) \
                               VALUES (7, $1, 'stop', '', 1)";
                    tx.run_exactly(1, sql, args![NUMBER]).await?;
                    tx.run(*adds, args![]).await
                })
            });
            job.await.unwrap();
            let mut tx = store.read().await.unwrap();
            for (purpose, ended) in Purpose::ALL.into_iter().zip([1, 1, 0]) {
                assert_eq!(among(&mut tx, 7, &[NUMBER], purpose).await.unwrap().len(), ended, "{purpose:?}");
            }
        }
    }
}
