//! The rows of six-digit codes, and of what was sent lately.
//!
//! The invariants: a try is counted before anybody compares; a code is used at most once.

use crate::args;
use crate::clock::Time;
use crate::error::Result;
use crate::store::purge::bounded;
use crate::store::{Sql, Tx};

/// Stores a new code in the place of the one before. False when the subject failed too often to get another.
pub async fn issue(
    tx: &mut Tx,
    (purpose, subject): (&str, &str),
    code_hash: &[u8],
    now: Time,
    expires_at: Time,
    failures_max: i64,
) -> Result<bool> {
    let touched = tx
        .run(
            "INSERT INTO codes (purpose, subject, code_hash, sent_at, expires_at) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (purpose, subject) DO UPDATE SET code_hash = excluded.code_hash, tries = 0, \
             sent_at = excluded.sent_at, expires_at = excluded.expires_at WHERE codes.failures < $6",
            args![purpose, subject, code_hash, now, expires_at, failures_max],
        )
        .await?;
    Ok(touched == 1)
}

/// Counts a try and returns what it is compared with; `None` when there is no code, or none that may still be tried.
pub async fn count_try(
    tx: &mut Tx,
    (purpose, subject): (&str, &str),
    now: Time,
    tries_max: i64,
    failures_max: i64,
) -> Result<Option<Vec<u8>>> {
    let row: Option<(Vec<u8>,)> = tx
        .opt(
            "UPDATE codes SET tries = tries + 1, failures = failures + 1 WHERE purpose = $1 AND subject = $2 \
             AND code_hash IS NOT NULL AND expires_at > $3 AND tries < $4 AND failures < $5 RETURNING code_hash",
            args![purpose, subject, now, tries_max, failures_max],
        )
        .await?;
    Ok(row.map(|(hash,)| hash))
}

/// Uses a code up. False when somebody else did.
pub async fn consume(tx: &mut Tx, (purpose, subject): (&str, &str), code_hash: &[u8]) -> Result<bool> {
    let touched = tx
        .run(
            "UPDATE codes SET code_hash = NULL, failures = 0 \
             WHERE purpose = $1 AND subject = $2 AND code_hash = $3",
            args![purpose, subject, code_hash],
        )
        .await?;
    Ok(touched == 1)
}

/// When the last code of this purpose and subject was sent.
pub async fn sent_at(tx: &mut Tx, (purpose, subject): (&str, &str)) -> Result<Option<Time>> {
    let row: Option<(i64,)> = tx
        .opt(
            "SELECT sent_at FROM codes WHERE purpose = $1 AND subject = $2 AND code_hash IS NOT NULL",
            args![purpose, subject],
        )
        .await?;
    Ok(row.map(|(at,)| Time(at)))
}

/// Until the transaction ends, nobody else asks what was sent: two at once must not both find room for the last one.
/// SQLite has one writer.
pub async fn lock_sends(tx: &mut Tx) -> Result<()> {
    let sql = Sql::each(
        "SELECT CAST(1 AS BIGINT)",
        "SELECT CAST(1 AS BIGINT) FROM pg_advisory_xact_lock(7470716821)",
    );
    tx.one::<(i64,)>(sql, args![]).await?;
    Ok(())
}

/// When something was sent to this destination since `since`, newest first.
pub async fn sends_to(tx: &mut Tx, destination: &str, since: Time, limit: i64) -> Result<Vec<Time>> {
    let rows: Vec<(i64,)> = tx
        .all(
            "SELECT sent_at FROM code_sends WHERE destination = $1 AND sent_at > $2 ORDER BY sent_at DESC LIMIT $3",
            args![destination, since, limit],
        )
        .await?;
    Ok(rows.into_iter().map(|(at,)| Time(at)).collect())
}

/// When this address had something sent since `since`, newest first.
pub async fn sends_by(tx: &mut Tx, address: &str, since: Time, limit: i64) -> Result<Vec<Time>> {
    let rows: Vec<(i64,)> = tx
        .all(
            "SELECT sent_at FROM code_sends WHERE address = $1 AND address <> '' AND sent_at > $2 \
             ORDER BY sent_at DESC LIMIT $3",
            args![address, since, limit],
        )
        .await?;
    Ok(rows.into_iter().map(|(at,)| Time(at)).collect())
}

/// How much was sent since `since`, to numbers of this prefix and in all.
pub async fn sends_since(tx: &mut Tx, prefix: &str, since: Time) -> Result<(i64, i64)> {
    tx.one(
        "SELECT (SELECT COUNT(*) FROM code_sends WHERE prefix = $1 AND prefix <> '' AND sent_at > $2), \
         (SELECT COUNT(*) FROM code_sends WHERE sent_at > $2)",
        args![prefix, since],
    )
    .await
}

/// Notes that something was sent.
pub async fn note_send(tx: &mut Tx, destination: &str, address: &str, prefix: &str, now: Time) -> Result<()> {
    tx.run(
        "INSERT INTO code_sends (destination, address, prefix, sent_at) VALUES ($1, $2, $3, $4)",
        args![destination, address, prefix, now],
    )
    .await?;
    Ok(())
}

/// Forgets a bounded number of codes and sends from before these times; returns how many.
pub async fn purge(tx: &mut Tx, codes_before: Time, sends_before: Time) -> Result<u64> {
    let codes = tx.run(bounded!("codes", "purpose, subject", "sent_at < $1"), args![codes_before]).await?;
    Ok(codes + tx.run(bounded!("code_sends", "id", "sent_at < $1"), args![sends_before]).await?)
}
