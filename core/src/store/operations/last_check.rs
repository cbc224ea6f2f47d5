//! The verdict of the last `talkdrumd check`, one row.

use crate::args;
use crate::error::Result;
use crate::store::Tx;
use crate::time::Time;

/// What `talkdrumd check` found.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct LastCheck {
    pub checked_at: Time,
    pub ok: bool,
    pub findings: i64,
    pub first: Option<String>,
}

/// Notes what a check found, in place of the one before.
pub async fn note(tx: &mut Tx, check: &LastCheck) -> Result<()> {
    tx.run_exactly(
        1,
        "INSERT INTO last_check (id, checked_at, ok, findings, first) VALUES (1, $1, $2, $3, $4) \
         ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at, ok = excluded.ok, \
         findings = excluded.findings, first = excluded.first",
        args![check.checked_at, check.ok, check.findings, check.first.as_deref()],
    )
    .await
}

/// What the last check found.
pub async fn find(tx: &mut Tx) -> Result<Option<LastCheck>> {
    tx.opt("SELECT checked_at, ok, findings, first FROM last_check WHERE id = 1", args![]).await
}
