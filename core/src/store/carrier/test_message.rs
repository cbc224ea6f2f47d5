//! Test messages: which notices are tests of a carrier.

use crate::args;
use crate::error::Result;
use crate::store::Tx;
use crate::time::Time;

/// How many tests were asked for since `since`.
pub async fn since(tx: &mut Tx, since: Time) -> Result<i64> {
    let row: (i64,) =
        tx.one("SELECT COUNT(*) FROM carrier_tests WHERE created_at > $1", args![since]).await?;
    Ok(row.0)
}

/// Notes that a notice is a test.
pub async fn insert(tx: &mut Tx, notice: i64, carrier: &str, by: i64, now: Time) -> Result<()> {
    tx.run_exactly(
        1,
        "INSERT INTO carrier_tests (notice_id, carrier, requested_by, created_at) VALUES ($1, $2, $3, $4)",
        args![notice, carrier, by, now],
    )
    .await
}

/// A test as it stands.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct TestRow {
    /// The carrier.
    pub carrier: String,
    /// The notice's status.
    pub status: String,
    /// Why it failed.
    pub error: Option<String>,
    /// When it was asked for, in ms.
    pub created_at: i64,
    /// When the last was heard of it, in ms.
    pub done_at: Option<i64>,
}

/// One test.
pub async fn find(tx: &mut Tx, notice: i64) -> Result<Option<TestRow>> {
    tx.opt(
        "SELECT t.carrier, n.status, n.error, t.created_at, n.done_at FROM carrier_tests t \
         JOIN notices n ON n.id = t.notice_id WHERE t.notice_id = $1",
        args![notice],
    )
    .await
}

/// The carrier's references of its parts.
pub async fn references(tx: &mut Tx, notice: i64) -> Result<Vec<String>> {
    let rows: Vec<(String,)> = tx
        .all(
            "SELECT carrier_ref FROM notice_references WHERE notice_id = $1 ORDER BY carrier_ref COLLATE \"binary\" LIMIT 16",
            args![notice],
        )
        .await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}
