//! Plain tables: aligned columns without borders, wrapped to the terminal, never wrapped into a pipe.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ContentArrangement};

/// Where a column's text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A table in the making.
#[derive(Debug)]
pub(crate) struct Table {
    inner: comfy_table::Table,
}

impl Table {
    /// A table without headings: names on the left, values on the right.
    pub(crate) fn of_pairs(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut table = Self::empty();
        for (name, value) in pairs {
            table.inner.add_row([name, value]);
        }
        table
    }

    /// A table with headings.
    pub(crate) fn with_heads<'a>(heads: impl IntoIterator<Item = (&'a str, Align)>) -> Self {
        let mut table = Self::empty();
        let (names, aligns): (Vec<String>, Vec<Align>) =
            heads.into_iter().map(|(name, align)| (name.to_uppercase(), align)).unzip();
        table.inner.set_header(names);
        for (column, align) in table.inner.column_iter_mut().zip(aligns) {
            if align == Align::Right {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table
    }

    fn empty() -> Self {
        let mut inner = comfy_table::Table::new();
        inner.load_style(NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
        Self { inner }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.inner.add_row(cells);
    }

    /// The text, with a line feed at its end.
    pub(crate) fn render(mut self) -> String {
        for column in self.inner.column_iter_mut() {
            column.set_padding((0, 2));
        }
        let mut text = self.inner.trim_fmt();
        text.push('\n');
        text
    }
}
