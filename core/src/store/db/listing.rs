//! What lists that can be searched and sorted have in common: the search's pattern, and a statement for each order.
//!
//! What a caller sorts by chooses among statements that are written here; it never becomes part of one.
//!
//! Texts are sorted by their bytes, and a search is blind to the case of ASCII letters and of no others, as in SQLite:
//! on PostgreSQL both would go by the locale of the database, hence `COLLATE "binary"`. The collation of this name is
//! SQLite's own; PostgreSQL has it from a migration.

use crate::args;
use crate::error::Result;
use crate::model::page::Page;
use crate::store::{Arg, FromBoth, Sql, Tx};

/// Which rows of a list.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The status; empty is any.
    pub status: &'static str,
    /// What a row must contain, in any case; empty is anything.
    pub q: String,
    /// The column to sort by, one of the list's own.
    pub sort: &'static str,
    /// Whether downwards.
    pub descending: bool,
    /// Which rows.
    pub page: Page,
}

impl Listing {
    /// The newest of them all.
    pub fn newest(size: i64) -> Self {
        Self { status: "", q: String::new(), sort: "id", descending: true, page: Page::new(1, size) }
    }

    /// The rows that the statements of [`listed!`] give for their arguments, and how many there are in all.
    pub(crate) async fn rows<T: FromBoth>(
        &self,
        tx: &mut Tx,
        (count, page): (Sql, Sql),
        mut args: Vec<Arg>,
    ) -> Result<(Vec<T>, i64)> {
        let (total,): (i64,) = tx.one(count, args.clone()).await?;
        args.extend(args![self.page.size(), self.page.skip()]);
        Ok((tx.all(page, args).await?, total))
    }
}

/// The `LIKE` pattern of what contains `text`, with the signs that LIKE would interpret taken literally (escaped by a
/// backslash); empty for no text.
pub fn like_pattern(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() {
        return String::new();
    }
    let mut pattern = String::with_capacity(text.len() + 2);
    pattern.push('%');
    for sign in text.chars() {
        if matches!(sign, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(sign);
    }
    pattern.push('%');
    pattern
}

/// The statements of a list, how many rows there are and a page of them:
/// `listed!(listing, columns, from, id, [name => column, ...])`. `from` is the text from FROM on, with the arguments $1
/// to $3; $4 is the page's size and $5 what is skipped, where no other two are named behind them all. Rows that are equal in the column are in order of their ids. No
/// column is NULL, which each database sorts apart.
macro_rules! listed {
    ($listing:expr, $columns:literal, $from:literal, $id:literal, [$($name:literal => $column:literal),* $(,)?]) => {
        $crate::store::db::listing::listed!(
            $listing, $columns, $from, $id, [$($name => $column),*], "$4", "$5"
        )
    };
    ($listing:expr, $columns:literal, $from:literal, $id:literal, [$($name:literal => $column:literal),* $(,)?],
     $size:literal, $skipped:literal) => {{
        macro_rules! ordered {
            ($order:expr) => {
                $crate::sql!("SELECT ", $columns, " ", $from, " ORDER BY ", $order, " LIMIT ", $size, " OFFSET ", $skipped)
            };
        }
        let page = match ($listing.sort, $listing.descending) {
            $(($name, true) => ordered!(concat!($column, " DESC, ", $id, " DESC")),
              ($name, false) => ordered!(concat!($column, ", ", $id)),)*
            (_, true) => ordered!(concat!($id, " DESC")),
            (_, false) => ordered!($id),
        };
        ($crate::sql!("SELECT COUNT(*) ", $from), page)
    }};
}
pub(crate) use listed;

#[cfg(test)]
mod tests {
    use super::like_pattern;

    #[test]
    fn signs_that_like_would_interpret_are_taken_literally() {
        assert_eq!(like_pattern(" 50%_a\\ "), "%50\\%\\_a\\\\%");
        assert_eq!(like_pattern("  "), "");
    }
}
