//! The rows of settings: one text value a key, with who set it and when.

use crate::args;
use crate::error::Result;
use crate::store::Tx;
use crate::time::Time;

/// A setting as stored.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct SettingRow {
    /// The value's text.
    pub value: String,
    /// When it was set.
    pub updated_at: Time,
    /// Which admin set it.
    pub updated_by: Option<i64>,
}

/// The setting of a key; `None` when it was never set.
pub async fn get(tx: &mut Tx, key: &str) -> Result<Option<SettingRow>> {
    tx.opt("SELECT value, updated_at, updated_by FROM settings WHERE key = $1", args![key]).await
}

/// Sets a key.
pub async fn put(tx: &mut Tx, key: &str, value: &str, by: i64, now: Time) -> Result<()> {
    tx.run_exactly(
        1,
        "INSERT INTO settings (key, value, updated_at, updated_by) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at, \
         updated_by = excluded.updated_by",
        args![key, value, now, by],
    )
    .await
}

/// Makes a key unset; whether it was set.
pub async fn remove(tx: &mut Tx, key: &str) -> Result<bool> {
    Ok(tx.run("DELETE FROM settings WHERE key = $1", args![key]).await? > 0)
}
