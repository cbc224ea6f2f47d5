//! Columns: defined once for each kind of row, and used for tables (for people: local times, rounded money) and for
//! CSV (for programs: the API's names, RFC 3339, exact amounts).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use talkdrum_api::money::Amount;
use talkdrum_api::spreadsheet;

use super::plain::one_line;
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
            Self::Text(text) => one_line(text),
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

/// The columns that are asked for by name. A command that changes something looks at them before it does, so that a name
/// that is misspelt changes nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    names: Vec<String>,
    are_known: Arc<AtomicBool>,
}

impl Columns {
    /// The columns of these names; all where there are none.
    pub(crate) fn named(names: Vec<String>) -> Self {
        Self { names, are_known: Arc::default() }
    }

    /// Whether a choice was made.
    pub(super) fn are_named(&self) -> bool {
        !self.names.is_empty()
    }

    /// Whether the command may change something: no column is named, or all names were found among those that it shows.
    pub(crate) fn are_known(&self) -> bool {
        self.names.is_empty() || self.are_known.load(Ordering::Relaxed)
    }

    /// Those of `columns` that are asked for, in the order of their names; all of them where none is named.
    ///
    /// # Errors
    /// Usage when there is none of a name, with those that there are.
    pub(crate) fn of<'c, T>(&self, columns: &'c [Column<T>]) -> Result<Vec<&'c Column<T>>> {
        if self.names.is_empty() {
            return Ok(columns.iter().collect());
        }
        let find = |name: &String| {
            columns.iter().find(|column| column.name == name.trim()).ok_or_else(|| {
                let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
                Failure::usage(format!("there is no column '{}'", name.trim()))
                    .hint(format!("--columns takes some of {}", names.join(",")))
            })
        };
        let chosen = self.names.iter().map(find).collect::<Result<_>>()?;
        self.are_known.store(true, Ordering::Relaxed);
        Ok(chosen)
    }
}

/// How many of the columns, from the first on, stand side by side in `width` without a word that is split.
pub(super) fn fitting<T>(rows: &[T], columns: &[&Column<T>], zone: &Zone, width: usize) -> usize {
    let mut room = width;
    let fits = |column: &&&Column<T>| {
        let cells = rows.iter().map(|row| (column.cell)(row).for_people(zone));
        let needed = Table::least_width(cells.chain([column.head.to_uppercase()]));
        let has_room = room >= needed;
        // Two spaces stand between columns.
        room = room.saturating_sub(needed + 2);
        has_room
    };
    columns.iter().take_while(fits).count().max(1)
}

/// Rows below their headings.
pub(super) fn rows_table<T>(rows: &[T], columns: &[&Column<T>], zone: &Zone) -> Table {
    let mut table = Table::with_heads(columns.iter().map(|column| (column.head, column.align)));
    for row in rows {
        table.row(columns.iter().map(|column| (column.cell)(row).for_people(zone)).collect());
    }
    table
}

/// Rows below their headings, as people read them.
pub(crate) fn rows_for_people<T>(rows: &[T], columns: &[Column<T>], zone: &Zone) -> String {
    rows_table(rows, &columns.iter().collect::<Vec<_>>(), zone).render()
}

/// One row, turned by a quarter.
pub(super) fn record_table<T>(row: &T, columns: &[&Column<T>], zone: &Zone) -> Table {
    Table::of_pairs(
        columns.iter().map(|column| (column.head.to_owned(), (column.cell)(row).for_people(zone))),
    )
}

/// Rows as CSV, as [`spreadsheet`] writes it. A number is no formula, whatever its sign.
pub(super) fn csv_text<T>(rows: &[T], columns: &[&Column<T>]) -> Vec<u8> {
    let mut text = Vec::new();
    spreadsheet::push_row(&mut text, columns.iter().map(|column| column.name));
    for row in rows {
        for (place, column) in columns.iter().enumerate() {
            if place > 0 {
                text.push(b',');
            }
            let cell = (column.cell)(row);
            match &cell {
                Cell::Number(_) | Cell::Money(..) => text.extend(cell.for_programs().into_bytes()),
                Cell::Text(_) | Cell::Time(_) | Cell::Empty => {
                    spreadsheet::push_field(&mut text, &cell.for_programs());
                }
            }
        }
        text.extend_from_slice(b"\r\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: &[Column<(i64, &str)>] = &[
        Column::right("amount", "Amount", |row| Cell::charge(Amount(row.0))),
        Column::left("name", "Name", |row| Cell::text(row.1)),
    ];

    fn all() -> Vec<&'static Column<(i64, &'static str)>> {
        COLUMNS.iter().collect()
    }

    fn csv_of(rows: &[(i64, &'static str)]) -> String {
        String::from_utf8(csv_text(rows, &all())).unwrap()
    }

    #[test]
    fn a_formula_of_a_stranger_is_a_text_to_spreadsheets_and_a_negative_amount_a_number() {
        let rows = [(-2_000_000, "=HYPERLINK(\"x\")"), (1, "+1"), (1, "@x"), (1, "-1")];
        assert_eq!(
            csv_of(&rows),
            "amount,name\r\n-2,\"'=HYPERLINK(\"\"x\"\")\"\r\n0.000001,'+1\r\n0.000001,'@x\r\n0.000001,'-1\r\n"
        );
    }

    #[test]
    fn a_table_shows_what_a_terminal_would_obey_and_keeps_a_row_on_its_line() {
        let zone = Zone::of(None).unwrap();
        let rows = [(1_000_000, "\x1b[2J\nfake row")];
        let table = rows_table(&rows, &all(), &zone).render();
        assert_eq!(table, " AMOUNT  NAME\n1.00000  \\u001b[2J\\nfake row\n");
        assert!(!record_table(&rows[0], &all(), &zone).render().contains('\x1b'));
    }

    #[test]
    fn programs_get_exact_amounts_and_people_rounded_ones() {
        let rows = [(1_234_565, "a, \"b\""), (2_000_000, "c")];
        assert_eq!(csv_of(&rows), "amount,name\r\n1.234565,\"a, \"\"b\"\"\"\r\n2,c\r\n");
        let zone = Zone::of(None).unwrap();
        let table = rows_table(&rows, &all(), &zone).render();
        assert_eq!(table, " AMOUNT  NAME\n1.23457  a, \"b\"\n2.00000  c\n");
    }

    #[test]
    fn a_table_has_as_many_columns_as_stand_side_by_side_and_splits_no_word() {
        let zone = Zone::of(None).unwrap();
        let rows = [(1_000_000, "two long-words here"), (2_000_000, "x")];
        assert_eq!([19, 18, 3].map(|width| fitting(&rows, &all(), &zone, width)), [2, 1, 1]);
        let mut table = rows_table(&rows, &all(), &zone);
        table.narrow_to(21);
        assert_eq!(
            table.render(),
            " AMOUNT  NAME\n1.00000  two\n         long-words\n         here\n2.00000  x\n"
        );
    }

    #[test]
    fn columns_are_chosen_by_name_in_the_order_given() {
        let names = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            Columns::named(names)
                .of(COLUMNS)
                .map(|chosen| chosen.iter().map(|column| column.name).collect::<Vec<_>>())
        };
        assert_eq!(names(&[]).unwrap(), ["amount", "name"]);
        assert_eq!(names(&["name", " amount"]).unwrap(), ["name", "amount"]);
        let refused = names(&["size"]).unwrap_err();
        assert_eq!(
            (refused.exit, refused.hint.as_deref()),
            (crate::exit::Exit::Usage, Some("--columns takes some of amount,name"))
        );
    }
}
