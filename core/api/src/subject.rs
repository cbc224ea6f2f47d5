//! What is held about a number.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// `GET /admin/subjects/{number}`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Subject {
    /// The number, E.164 without `+`.
    pub number: String,
    /// Whether it is on the Do-Not-Disturb list.
    pub on_dnd_list: bool,
    /// What is held, a table each; those that hold nothing are left out.
    pub tables: Vec<SubjectTable>,
}

/// What a table holds about a number.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SubjectTable {
    /// The table; `messages` are in several.
    pub table: String,
    /// What it is: `texts`, `numbers`, `receipts`, `inbound` or `account`.
    pub class: String,
    /// How many rows, of 10,000 at most.
    pub count: i64,
    /// Whether there may be more than were counted.
    pub has_more: bool,
    /// The first five; of messages the newest. Their fields are those of the table.
    #[schema(value_type = Vec<Object>)]
    pub rows: Vec<Map<String, Value>>,
}
