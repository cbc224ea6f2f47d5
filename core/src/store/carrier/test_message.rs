//! Test messages: which notices are tests of a carrier.

use crate::args;
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::platform::id::NoticeId;
use crate::model::platform::notice::NoticeStatus;
use crate::store::Tx;
use crate::time::Time;

/// How many tests were asked for since `since`.
pub async fn since(tx: &mut Tx, since: Time) -> Result<i64> {
    let row: (i64,) =
        tx.one("SELECT COUNT(*) FROM carrier_tests WHERE created_at > $1", args![since]).await?;
    Ok(row.0)
}

/// Notes that a notice is a test.
pub async fn insert(tx: &mut Tx, notice: NoticeId, carrier: &str, by: UserId, now: Time) -> Result<()> {
    tx.run_exactly(
        1,
        "INSERT INTO carrier_tests (notice_id, carrier, requested_by, created_at) VALUES ($1, $2, $3, $4)",
        args![notice, carrier, by, now],
    )
    .await
}

/// What became of a test so far.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct TestRow {
    /// The test: its notice.
    pub id: NoticeId,
    /// The carrier.
    pub carrier: String,
    /// Where the notice stands.
    pub status: NoticeStatus,
    /// The code of a refusal or failure.
    pub error: Option<String>,
    /// When it was asked for.
    pub created_at: Time,
    /// When the last of it was heard.
    pub done_at: Option<Time>,
}

impl TestRow {
    /// Whether nothing more will be heard of it.
    pub const fn is_over(&self) -> bool {
        !matches!(self.status, NoticeStatus::Queued | NoticeStatus::Submitting | NoticeStatus::Sent)
    }
}

/// One test.
pub async fn find(tx: &mut Tx, notice: NoticeId) -> Result<Option<TestRow>> {
    tx.opt(
        "SELECT n.id, t.carrier, n.status, n.error, t.created_at, n.done_at FROM carrier_tests t \
         JOIN notices n ON n.id = t.notice_id WHERE t.notice_id = $1",
        args![notice],
    )
    .await
}

/// The carrier's references of its parts.
pub async fn references(tx: &mut Tx, notice: NoticeId) -> Result<Vec<String>> {
    let rows: Vec<(String,)> = tx
        .all(
            "SELECT carrier_ref FROM notice_references WHERE notice_id = $1 ORDER BY carrier_ref COLLATE \"binary\" LIMIT 16",
            args![notice],
        )
        .await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}
