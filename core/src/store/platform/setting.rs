//! The rows of settings: one text value a key, with who set it and when.

use crate::error::Result;
use crate::model::account::id::UserId;
use crate::store::{Column, Tx};
use crate::time::Time;
use crate::{args, sql};

/// A setting as stored.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct SettingRow {
    /// The value's text.
    pub value: String,
    /// When it was set.
    pub updated_at: Time,
    /// Which admin set it.
    pub updated_by: Option<UserId>,
}

/// The setting of a key; `None` when it was never set.
pub async fn get(tx: &mut Tx, key: &str) -> Result<Option<SettingRow>> {
    tx.opt("SELECT value, updated_at, updated_by FROM settings WHERE key = $1", args![key]).await
}

/// The values of different keys, each `None` where it was never set.
pub async fn values<const N: usize>(tx: &mut Tx, keys: [&str; N]) -> Result<[Option<String>; N]> {
    let asked = vec![Column::of(keys)];
    let sql = sql!("SELECT key, value FROM settings WHERE key = ANY($1::TEXT[])");
    let rows: Vec<(String, String)> = tx.all(sql, args![asked]).await?;
    Ok(keys.map(|key| rows.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone())))
}

/// Sets a key.
pub async fn put(tx: &mut Tx, key: &str, value: &str, by: UserId, now: Time) -> Result<()> {
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
