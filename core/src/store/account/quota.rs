//! What users keep on the platform without paying for it, counted for their quotas.
//!
//! A transaction adds its rows, takes [`lock`], and then counts: of two at the same time, the second counts what the first
//! added. It is the last lock that a transaction takes.

use crate::error::Result;
use crate::model::account::id::UserId;
use crate::store::{Column, Dialect, Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// Added to a user's id: other advisory locks have other keys.
const LOCK: i64 = 0x5144_0000_0000_0000;

/// Until the transaction ends, no other one counts what these users keep. SQLite has one writer and needs no lock.
pub async fn lock(tx: &mut Tx, mut users: Vec<UserId>) -> Result<()> {
    if tx.dialect() == Dialect::Sqlite {
        return Ok(());
    }
    users.sort_unstable();
    users.dedup();
    let sql = "SELECT COUNT(*) FROM (SELECT $1 + id AS key FROM UNNEST($2::BIGINT[]) AS j(id) ORDER BY id OFFSET 0) AS keys \
         CROSS JOIN LATERAL pg_advisory_xact_lock(keys.key)";
    tx.one::<(i64,)>(sql, args![LOCK, vec![Column::of(users)]]).await.map(drop)
}

/// What decides which quota a user has, and what is kept in quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct StandingRow {
    /// The user.
    pub id: UserId,
    /// Whether it is an administrator.
    pub is_admin: bool,
    /// Whether money ever came into a wallet of the account, or an administrator proved the account.
    pub is_funded: bool,
    /// Quotes made and not confirmed.
    pub quotes: i64,
    /// Recipients of these quotes.
    pub recipients: i64,
}

/// How these users stand; of quotes, those that expire after `after`.
pub async fn standings(tx: &mut Tx, users: Vec<UserId>, after: Time) -> Result<Vec<StandingRow>> {
    tx.all(STANDINGS, args![vec![Column::of(users)], after]).await
}

pub(crate) const STANDINGS: Sql = sql!(
    "SELECT u.id, u.role = 'admin' AS is_admin, (g.proven_at IS NOT NULL OR EXISTS (\
       SELECT 1 FROM accounts a JOIN transfers t ON t.credit_account_id = a.id \
       WHERE a.user_id = u.id AND a.kind = 'wallet')) AS is_funded, \
     (SELECT CAST(COUNT(*) AS BIGINT) FROM quotes q \
       WHERE q.user_id = u.id AND q.confirmed_at IS NULL AND COALESCE(q.canary_expires_at, q.expires_at) > $2) AS quotes, \
     (SELECT CAST(COALESCE(SUM(q.size), 0) AS BIGINT) FROM quotes q \
       WHERE q.user_id = u.id AND q.confirmed_at IS NULL AND COALESCE(q.canary_expires_at, q.expires_at) > $2) AS recipients \
     FROM users u LEFT JOIN guards g ON g.user_id = u.id WHERE u.id = ANY($1::BIGINT[])"
);

/// Bytes of files that are kept for imports of a user which are not over; of one that was cut off, while it was heard of
/// after `after`.
pub async fn import_bytes(tx: &mut Tx, user: UserId, after: Time) -> Result<i64> {
    let (bytes,): (i64,) = tx
        .one(
            "SELECT CAST(COALESCE(SUM(kept_bytes), 0) AS BIGINT) FROM contact_imports WHERE user_id = $1 \
             AND kept_bytes > 0 AND (status = 'running' OR (status = 'interrupted' AND seen_at > $2))",
            args![user, after],
        )
        .await?;
    Ok(bytes)
}

/// Entries of a user's imports that could not be taken, as far as they are kept.
pub async fn import_rejects(tx: &mut Tx, user: UserId) -> Result<i64> {
    let (rejects,): (i64,) = tx
        .one(
            "SELECT CAST(COALESCE(SUM(kept_rejects), 0) AS BIGINT) FROM contact_imports \
             WHERE user_id = $1 AND kept_rejects > 0",
            args![user],
        )
        .await?;
    Ok(rejects)
}
