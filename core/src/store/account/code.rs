//! The rows of six-digit codes, and of what was sent lately.
//!
//! A try is counted before anybody compares; a code is used at most once.

use crate::args;
use crate::error::Result;
use crate::model::account::code_purpose::CodePurpose;
use crate::store::Tx;
use crate::store::db::advisory_lock::AdvisoryLock;
use crate::store::operations::purge::bounded;
use crate::time::Time;

/// Stores a new code in the place of the one before. False when the subject failed too often to get another.
pub async fn issue(
    tx: &mut Tx,
    (purpose, subject): (CodePurpose, &str),
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

/// A try that was counted.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct Try {
    /// What it is compared with.
    pub code_hash: Vec<u8>,
    /// How many tries failed in a row if this one does.
    pub failures: i64,
    /// How many tries this code had, with this one.
    pub tries: i64,
}

/// Counts a try; `None` when there is no code, or none that may still be tried.
pub async fn count_try(
    tx: &mut Tx,
    (purpose, subject): (CodePurpose, &str),
    now: Time,
    tries_max: i64,
    failures_max: i64,
) -> Result<Option<Try>> {
    tx.opt(
        "UPDATE codes SET tries = tries + 1, failures = failures + 1 WHERE purpose = $1 AND subject = $2 \
         AND code_hash IS NOT NULL AND expires_at > $3 AND tries < $4 AND failures < $5 RETURNING code_hash, failures, \
         tries",
        args![purpose, subject, now, tries_max, failures_max],
    )
    .await
}

/// Uses a code up. False when another transaction did. With `forgives` the tries before it that failed are forgotten, and
/// otherwise only that this one was counted.
pub async fn consume(
    tx: &mut Tx,
    (purpose, subject): (CodePurpose, &str),
    code_hash: &[u8],
    forgives: bool,
) -> Result<bool> {
    let touched = tx
        .run(
            "UPDATE codes SET code_hash = NULL, failures = CASE WHEN $4 OR failures < 1 THEN 0 ELSE failures - 1 END \
             WHERE purpose = $1 AND subject = $2 AND code_hash = $3",
            args![purpose, subject, code_hash, forgives],
        )
        .await?;
    Ok(touched == 1)
}

/// Voids the code that was sent at this time, unless another one took its place.
pub async fn void(tx: &mut Tx, (purpose, subject): (CodePurpose, &str), sent_at: Time) -> Result<()> {
    tx.run(
        "UPDATE codes SET code_hash = NULL WHERE purpose = $1 AND subject = $2 AND sent_at = $3",
        args![purpose, subject, sent_at],
    )
    .await?;
    Ok(())
}

/// When the last code of this purpose and subject was sent.
pub async fn sent_at(tx: &mut Tx, (purpose, subject): (CodePurpose, &str)) -> Result<Option<Time>> {
    let row: Option<(Time,)> = tx
        .opt(
            "SELECT sent_at FROM codes WHERE purpose = $1 AND subject = $2 AND code_hash IS NOT NULL",
            args![purpose, subject],
        )
        .await?;
    Ok(row.map(|(at,)| at))
}

/// Until the transaction ends, no other one counts what was sent: two at once must not both find room for the last one.
pub async fn lock_sends(tx: &mut Tx) -> Result<()> {
    AdvisoryLock::CodeSends.take(tx).await
}

/// When something was sent to this destination since `since`, newest first.
pub async fn sends_to(tx: &mut Tx, destination: &str, since: Time, limit: i64) -> Result<Vec<Time>> {
    let rows: Vec<(Time,)> = tx
        .all(
            "SELECT sent_at FROM code_sends WHERE destination = $1 AND sent_at > $2 ORDER BY sent_at DESC LIMIT $3",
            args![destination, since, limit],
        )
        .await?;
    Ok(rows.into_iter().map(|(at,)| at).collect())
}

/// When this address had something sent since `since`, newest first.
pub const BY_ADDRESS: &str = "SELECT sent_at FROM code_sends WHERE address = $1 AND address <> '' AND sent_at > $2 \
                              ORDER BY sent_at DESC LIMIT $3";
/// The same of the 56 bits of an IPv6 address.
pub const BY_SUBNET_56: &str = "SELECT sent_at FROM code_sends WHERE subnet_56 = $1 AND subnet_56 <> '' \
                                AND sent_at > $2 ORDER BY sent_at DESC LIMIT $3";
/// The same of the 48 bits of an IPv6 address.
pub const BY_SUBNET_48: &str = "SELECT sent_at FROM code_sends WHERE subnet_48 = $1 AND subnet_48 <> '' \
                                AND sent_at > $2 ORDER BY sent_at DESC LIMIT $3";

/// When an address or subnet had something sent since `since`, newest first: [`BY_ADDRESS`], [`BY_SUBNET_56`] or
/// [`BY_SUBNET_48`].
pub async fn sends_by(
    tx: &mut Tx,
    sql: &'static str,
    name: &str,
    since: Time,
    limit: i64,
) -> Result<Vec<Time>> {
    let rows: Vec<(Time,)> = tx.all(sql, args![name, since, limit]).await?;
    Ok(rows.into_iter().map(|(at,)| at).collect())
}

/// How much of a budget was sent since `since`, to numbers of this prefix and in all.
pub async fn sends_since(tx: &mut Tx, budget: &str, prefix: &str, since: Time) -> Result<(i64, i64)> {
    tx.one(
        "SELECT (SELECT COUNT(*) FROM code_sends \
           WHERE prefix = $1 AND prefix <> '' AND budget = $2 AND sent_at > $3), \
         (SELECT COUNT(*) FROM code_sends WHERE budget = $2 AND sent_at > $3)",
        args![prefix, budget, since],
    )
    .await
}

/// Something that was sent, by the names it is counted under.
#[derive(Clone, Debug)]
pub struct Send<'a> {
    /// `sms:234...` or `email:...`.
    pub destination: &'a str,
    /// The client's address; empty where it identifies no client.
    pub address: &'a str,
    /// The 56 bits of an IPv6 address; empty for others.
    pub subnet_56: &'a str,
    /// Its 48 bits.
    pub subnet_48: &'a str,
    /// Of the number; empty for e-mail.
    pub prefix: &'a str,
    /// Out of which budget.
    pub budget: &'a str,
}

/// Notes that something was sent.
pub async fn note_send(tx: &mut Tx, send: &Send<'_>, now: Time) -> Result<()> {
    let Send { destination, address, subnet_56, subnet_48, prefix, budget } = *send;
    tx.run(
        "INSERT INTO code_sends (destination, address, subnet_56, subnet_48, prefix, budget, sent_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        args![destination, address, subnet_56, subnet_48, prefix, budget, now],
    )
    .await?;
    Ok(())
}

/// Forgets a bounded number of codes and sends from before these times; returns how many.
pub async fn purge(tx: &mut Tx, codes_before: Time, sends_before: Time) -> Result<u64> {
    let codes = tx.run(bounded!("codes", "purpose, subject", "sent_at < $1"), args![codes_before]).await?;
    Ok(codes + tx.run(bounded!("code_sends", "id", "sent_at < $1"), args![sends_before]).await?)
}
