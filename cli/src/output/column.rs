//! Columns: defined once for each kind of row, and used for tables (for people: local times, rounded money) and for
//! CSV (for programs: the API's names, RFC 3339, exact amounts).

use talkdrum_core::money::Amount;

use super::{Align, Table};
use crate::exit::{Failure, Result};
use crate::zone::Zone;

/// A value, not yet in its final form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    /// Words.
    Text(String),
    /// A count or an id.
    Number(i64),
    /// An RFC 3339 time.
    Time(String),
    /// Money, with the decimals people see.
    Money(Amount, u32),
    /// Nothing.
    Empty,
}

impl Cell {
    /// Words.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Words, if there are any.
    pub(crate) fn maybe(text: Option<&String>) -> Self {
        text.map_or(Self::Empty, |text| Self::Text(text.clone()))
    }

    /// A time, if there is one.
    pub(crate) fn time(time: Option<&String>) -> Self {
        time.map_or(Self::Empty, |time| Self::Time(time.clone()))
    }

    /// A charge: five decimals.
    pub(crate) const fn charge(amount: Amount) -> Self {
        Self::Money(amount, 5)
    }

    /// A balance: two decimals.
    pub(crate) const fn balance(amount: Amount) -> Self {
        Self::Money(amount, 2)
    }

    fn for_people(&self, zone: &Zone) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
            Self::Time(time) => zone.show(time),
            Self::Money(amount, decimals) => amount.to_fixed(*decimals),
            Self::Empty => "-".to_owned(),
        }
    }

    fn for_programs(&self) -> String {
        match self {
            Self::Text(text) | Self::Time(text) => text.clone(),
            Self::Number(number) => number.to_string(),
            Self::Money(amount, _) => amount.to_string(),
            Self::Empty => String::new(),
        }
    }
}

/// A column of rows of `T`.
#[derive(Debug)]
pub(crate) struct Column<T> {
    /// The API's name, heading the CSV.
    pub(crate) name: &'static str,
    /// What people read above it.
    pub(crate) head: &'static str,
    /// Where its text stands.
    pub(crate) align: Align,
    /// Its value in a row.
    pub(crate) cell: fn(&T) -> Cell,
}

impl<T> Column<T> {
    /// A column of words.
    pub(crate) const fn left(name: &'static str, head: &'static str, cell: fn(&T) -> Cell) -> Self {
        Self { name, head, align: Align::Left, cell }
    }

    /// A column of numbers.
    pub(crate) const fn right(name: &'static str, head: &'static str, cell: fn(&T) -> Cell) -> Self {
        Self { name, head, align: Align::Right, cell }
    }
}

/// Rows below their headings.
pub(super) fn rows_table<T>(rows: &[T], columns: &[Column<T>], zone: &Zone) -> Table {
    let mut table = Table::with_heads(columns.iter().map(|column| (column.head, column.align)));
    for row in rows {
        table.row(columns.iter().map(|column| (column.cell)(row).for_people(zone)).collect());
    }
    table
}

/// Rows below their headings, as people read them.
pub(crate) fn rows_for_people<T>(rows: &[T], columns: &[Column<T>], zone: &Zone) -> String {
    rows_table(rows, columns, zone).render()
}

/// One row, turned by a quarter.
pub(super) fn record_table<T>(row: &T, columns: &[Column<T>], zone: &Zone) -> Table {
    Table::of_pairs(
        columns.iter().map(|column| (column.head.to_owned(), (column.cell)(row).for_people(zone))),
    )
}

/// Rows as CSV (RFC 4180, line feeds).
pub(super) fn csv_text<T>(rows: &[T], columns: &[Column<T>]) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let failed = |error: csv::Error| Failure::failed(format!("cannot write CSV: {error}"));
    writer.write_record(columns.iter().map(|column| column.name)).map_err(failed)?;
    for row in rows {
        writer
            .write_record(columns.iter().map(|column| (column.cell)(row).for_programs()))
            .map_err(failed)?;
    }
    let bytes = writer.into_inner().map_err(|error| Failure::failed(format!("cannot write CSV: {error}")))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: &[Column<(i64, &str)>] = &[
        Column::right("amount", "Amount", |row| Cell::charge(Amount(row.0))),
        Column::left("name", "Name", |row| Cell::text(row.1)),
    ];

    #[test]
    fn programs_get_exact_amounts_and_people_rounded_ones() {
        let rows = [(1_234_565, "a, \"b\""), (2_000_000, "c")];
        assert_eq!(csv_text(&rows, COLUMNS).unwrap(), "amount,name\n1.234565,\"a, \"\"b\"\"\"\n2,c\n");
        let zone = Zone::from_environment().unwrap();
        let table = rows_table(&rows, COLUMNS, &zone).render();
        assert_eq!(table, " AMOUNT  NAME\n1.23457  a, \"b\"\n2.00000  c\n");
    }
}
