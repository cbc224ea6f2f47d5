//! The Do-Not-Disturb list, and when a person should confirm that it is replaced.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// `GET /admin/dnd`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct DndNumbers {
    /// Numbers on the Do-Not-Disturb list, in order, in E.164 without `+`.
    pub numbers: Vec<String>,
    /// How many it has.
    pub total: i64,
}

/// `POST /admin/dnd`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct DndImported {
    /// In words.
    pub message: String,
    /// Numbers that were read.
    pub total_read: i64,
    /// Entries that are no number.
    pub total_invalid: i64,
    /// Numbers on the list now.
    pub total: i64,
}

/// Whether a list of `held` numbers that is replaced by `new` ones shrinks so much that a person should confirm it: by more
/// than a tenth.
pub const fn shrinks(held: i64, new: i64) -> bool {
    new < held - held / 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_shrinks_when_more_than_a_tenth_goes() {
        for (held, new, does) in
            [(0, 0, false), (9, 9, false), (9, 8, true), (100, 90, false), (100, 89, true), (5, 50, false)]
        {
            assert_eq!(shrinks(held, new), does, "{held} {new}");
        }
    }
}
