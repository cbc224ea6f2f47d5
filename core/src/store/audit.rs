//! The rows of the audit trail, which are only ever added.

use crate::args;
use crate::clock::Time;
use crate::error::Result;
use crate::store::Tx;

/// An entry as stored, with the name of whoever made the change.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct AuditRow {
    /// The entry's id, in order of time.
    pub id: i64,
    /// When, in ms.
    pub at: i64,
    /// Who; `None` for the operator at the daemon's command line.
    pub user_id: Option<i64>,
    /// The name of that user.
    pub username: Option<String>,
    /// What was done, as `noun.verb`.
    pub action: String,
    /// To what.
    pub subject: String,
    /// How it was.
    pub before: Option<String>,
    /// How it is since.
    pub after: Option<String>,
}

/// Adds an entry.
pub async fn insert(
    tx: &mut Tx,
    by: Option<i64>,
    action: &str,
    subject: &str,
    before: Option<&str>,
    after: Option<&str>,
    now: Time,
) -> Result<()> {
    tx.run_exactly(
        1,
        "INSERT INTO audit (at, user_id, action, subject, before_text, after_text) VALUES ($1, $2, $3, $4, $5, $6)",
        args![now, by, action, subject, before, after],
    )
    .await
}

/// The newest entries.
pub async fn newest(tx: &mut Tx, limit: i64) -> Result<Vec<AuditRow>> {
    tx.all(
        "SELECT a.id, a.at, a.user_id, u.username, a.action, a.subject, a.before_text AS before, a.after_text AS after \
         FROM audit a LEFT JOIN users u ON u.id = a.user_id ORDER BY a.id DESC LIMIT $1",
        args![limit],
    )
    .await
}
