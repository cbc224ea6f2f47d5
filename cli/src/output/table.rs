//! Plain tables: aligned columns without borders, wrapped to the terminal, never wrapped into a pipe.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Width};

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
    /// The longest word of each column with a heading.
    least: Vec<usize>,
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
        table.least = names.iter().map(|name| longest_word(name)).collect();
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
        Self { inner, least: Vec::new() }
    }

    /// The width of a column of these texts when each of their words has a line of its own.
    pub(crate) fn least_width(texts: impl Iterator<Item = String>) -> usize {
        texts.map(|text| longest_word(&text)).max().unwrap_or(0)
    }

    /// How wide tables may be; `None` where they may be of any width.
    pub(crate) fn width() -> Option<usize> {
        comfy_table::Table::new().width().map(usize::from)
    }

    /// Lays it out in this width instead of the terminal's.
    #[cfg(test)]
    pub(crate) fn narrow_to(&mut self, width: u16) {
        self.inner.set_width(width);
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        for (least, cell) in self.least.iter_mut().zip(&cells) {
            *least = longest_word(cell).max(*least);
        }
        self.inner.add_row(cells);
    }

    /// The text, with a line feed at its end.
    pub(crate) fn render(mut self) -> String {
        for column in self.inner.column_iter_mut() {
            column.set_padding((0, 2));
        }
        for (column, least) in self.inner.column_iter_mut().zip(&self.least) {
            // With its padding. A word is never split: what does not fit is the terminal's to break.
            let width = u16::try_from(least + 2).unwrap_or(u16::MAX);
            column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(width)));
        }
        let mut text = self.inner.trim_fmt();
        text.push('\n');
        text
    }
}

/// In characters.
fn longest_word(text: &str) -> usize {
    text.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0)
}
