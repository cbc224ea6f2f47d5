//! Locks that belong to no row: what one transaction counts, no other one counts until it ends.

use crate::args;
use crate::error::Result;
use crate::store::db::sql::Dialect;
use crate::store::db::tx::Tx;

/// What is counted by one transaction at a time. The number is the key of PostgreSQL's advisory lock;
/// `store/account/quota.rs` and `store/db/migrate` have others.
#[derive(Clone, Copy, Debug)]
#[repr(i64)]
pub(crate) enum AdvisoryLock {
    /// Codes that were sent.
    CodeSends = 7_470_716_821,
    /// Test calls.
    TestCalls = 7_470_716_822,
    /// Calls that verify a number.
    OwnNumberCalls = 7_470_716_823,
}

impl AdvisoryLock {
    /// Waits for the lock, which is kept until the transaction ends. SQLite has one writer and needs none.
    pub(crate) async fn take(self, tx: &mut Tx) -> Result<()> {
        if tx.dialect() == Dialect::Sqlite {
            return Ok(());
        }
        let sql = "SELECT CAST(1 AS BIGINT) FROM pg_advisory_xact_lock($1)";
        tx.one::<(i64,)>(sql, args![self as i64]).await.map(drop)
    }
}
