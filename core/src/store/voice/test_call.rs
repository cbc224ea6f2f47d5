//! The rows of test calls, as far as they are counted: of whom, to which phone and when.
//!
//! A transaction that adds one takes [`lock`] before it counts, so that of two at once the second counts the first.

use crate::args;
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::store::Tx;
use crate::store::db::advisory_lock::AdvisoryLock;
use crate::store::operations::purge::bounded;
use crate::time::Time;

/// Until the transaction ends, no other one counts test calls.
pub async fn lock(tx: &mut Tx) -> Result<()> {
    AdvisoryLock::TestCalls.take(tx).await
}

/// When test calls of a user, and those to a phone, began since `since`, newest first.
pub async fn began(tx: &mut Tx, user: UserId, phone: &str, since: Time, limit: i64) -> Result<Vec<Time>> {
    let rows: Vec<(Time,)> = tx
        .all(
            "SELECT began_at FROM voice_test_calls WHERE (user_id = $1 OR phone = $2) AND began_at > $3 \
             ORDER BY began_at DESC LIMIT $4",
            args![user, phone, since, limit],
        )
        .await?;
    Ok(rows.into_iter().map(|(at,)| at).collect())
}

/// When the newest but `after` of all test calls since `since` began; `None` when there were not so many.
pub async fn nth_newest(tx: &mut Tx, since: Time, after: i64) -> Result<Option<Time>> {
    let row: Option<(Time,)> = tx
        .opt(
            "SELECT began_at FROM voice_test_calls WHERE began_at > $1 ORDER BY began_at DESC LIMIT 1 OFFSET $2",
            args![since, after],
        )
        .await?;
    Ok(row.map(|(at,)| at))
}

/// Notes that one begins.
pub async fn note(tx: &mut Tx, user: UserId, phone: &str, now: Time) -> Result<()> {
    tx.run(
        "INSERT INTO voice_test_calls (user_id, phone, began_at) VALUES ($1, $2, $3)",
        args![user, phone, now],
    )
    .await?;
    Ok(())
}

/// Forgets some of those that began before `before`; how many.
pub async fn purge(tx: &mut Tx, before: Time) -> Result<u64> {
    tx.run(bounded!("voice_test_calls", "id", "began_at < $1"), args![before]).await
}
