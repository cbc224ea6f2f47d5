//! Which part of a list is asked for, and whose.

use crate::model::account::id::UserId;

/// Rows in a page at most, and in the answer to a request that names no page.
pub const PAGE_ROWS_MAX: i64 = 1_000;

/// A page of a list, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    number: i64,
    size: i64,
}

impl Page {
    /// Page `number` (from 1) of `size` rows; both are brought into their ranges (1 to 1,000 rows).
    pub fn new(number: i64, size: i64) -> Self {
        // Far beyond any list, and small enough that the product with the size cannot overflow.
        Self { number: number.clamp(1, 1 << 40), size: size.clamp(1, PAGE_ROWS_MAX) }
    }

    /// What a request without a page gets: the first 1,000 rows.
    pub const fn first() -> Self {
        Self { number: 1, size: PAGE_ROWS_MAX }
    }

    /// Rows a page has.
    pub const fn size(self) -> i64 {
        self.size
    }

    /// Rows before it.
    pub const fn skip(self) -> i64 {
        (self.number - 1) * self.size
    }

    /// The page's part of what is already in memory.
    pub fn of<T>(self, rows: &[T]) -> &[T] {
        let end = |row: i64| usize::try_from(row).map_or(rows.len(), |row| row.min(rows.len()));
        &rows[end(self.skip())..end(self.skip() + self.size)]
    }
}

/// Whose records may be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordScope {
    /// Those of one user.
    Own(UserId),
    /// All users' records: for administrators.
    All,
}

impl RecordScope {
    /// Whether a record of `user` may be seen.
    pub fn sees(self, user: UserId) -> bool {
        match self {
            Self::Own(own) => own == user,
            Self::All => true,
        }
    }
}
