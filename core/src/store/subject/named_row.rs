//! A row with the names of its columns, for what is shown as it is.

use serde_json::Value;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{Column as _, ColumnIndex, Decode, FromRow, Row, Type, TypeInfo as _, ValueRef as _};

/// A row: its key, and its other columns in order, each with its name. Bytes are written as hexadecimal digits.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedRow {
    /// What orders the rows of its table.
    pub key: i64,
    /// Columns with their values: integers, texts, or nothing.
    pub columns: Vec<(String, Value)>,
}

impl NamedRow {
    /// A column that is an integer.
    pub fn integer(&self, name: &str) -> Option<i64> {
        self.columns.iter().find(|(column, _)| column == name)?.1.as_i64()
    }
}

impl FromRow<'_, SqliteRow> for NamedRow {
    fn from_row(row: &SqliteRow) -> sqlx::Result<Self> {
        read(row)
    }
}

impl FromRow<'_, PgRow> for NamedRow {
    fn from_row(row: &PgRow) -> sqlx::Result<Self> {
        read(row)
    }
}

fn read<'r, R>(row: &'r R) -> sqlx::Result<NamedRow>
where
    R: Row,
    usize: ColumnIndex<R>,
    i64: Decode<'r, R::Database> + Type<R::Database>,
    String: Decode<'r, R::Database> + Type<R::Database>,
    Vec<u8>: Decode<'r, R::Database> + Type<R::Database>,
{
    let columns = row.columns().iter().skip(1).map(|column| {
        let place = column.ordinal();
        Ok((column.name().to_owned(), value(row, place)?))
    });
    Ok(NamedRow { key: row.try_get(0)?, columns: columns.collect::<sqlx::Result<_>>()? })
}

fn value<'r, R>(row: &'r R, place: usize) -> sqlx::Result<Value>
where
    R: Row,
    usize: ColumnIndex<R>,
    i64: Decode<'r, R::Database> + Type<R::Database>,
    String: Decode<'r, R::Database> + Type<R::Database>,
    Vec<u8>: Decode<'r, R::Database> + Type<R::Database>,
{
    let raw = row.try_get_raw(place)?;
    if raw.is_null() {
        return Ok(Value::Null);
    }
    // SQLite's names, or PostgreSQL's.
    let kind = raw.type_info().name().to_owned();
    Ok(match &*kind {
        "TEXT" => row.try_get::<String, _>(place)?.into(),
        "BLOB" | "BYTEA" => hexadecimal(&row.try_get::<Vec<u8>, _>(place)?).into(),
        _ => row.try_get::<i64, _>(place)?.into(),
    })
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
