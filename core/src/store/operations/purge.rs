//! Removal of what is too old, a bounded number of rows a transaction: others write between two steps.

use crate::model::account::id::UserId;
use crate::time::Time;

/// Rows that a statement of [`bounded!`] removes at most.
pub const PURGED_AT_ONCE: u64 = 500;

/// Removes at most [`PURGED_AT_ONCE`] rows of a table: `bounded!(table, key, condition)`. The key names the columns of a
/// unique key, as SQLite needs them; PostgreSQL finds the rows by their place.
macro_rules! bounded {
    ($table:literal, $key:literal, $condition:literal) => {
        $crate::store::Sql::each(
            concat!(
                "DELETE FROM ",
                $table,
                " WHERE (",
                $key,
                ") IN (SELECT ",
                $key,
                " FROM ",
                $table,
                " WHERE ",
                $condition,
                " LIMIT 500)"
            ),
            concat!(
                "DELETE FROM ",
                $table,
                " WHERE ctid = ANY(ARRAY(SELECT ctid FROM ",
                $table,
                " WHERE ",
                $condition,
                " LIMIT 500))"
            ),
        )
    };
}
pub(crate) use bounded;

/// A row that goes by its age.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct AgedRow {
    /// Its id.
    pub id: i64,
    /// Whose it is.
    pub user_id: Option<UserId>,
    /// Since when it is kept.
    pub at: Time,
}

impl AgedRow {
    /// Before all rows.
    pub const FIRST: Self = Self { id: 0, user_id: None, at: Time(i64::MIN) };
}

#[cfg(test)]
mod tests;
