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
    /// What becomes of them when the number is erased: `removed`; `masked`, where `erased` stands in its place; `digest`, under
    /// which an opt-out is kept; or `kept`.
    pub on_erase: String,
    /// The first five; of messages the newest. Their fields are those of the table.
    #[schema(value_type = Vec<Object>)]
    pub rows: Vec<Map<String, Value>>,
}

/// `POST /admin/subjects/{number}/erase`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EraseSubject {
    /// Where to go on: `next` of the answer before; absent at first.
    #[serde(default)]
    pub from: Option<String>,
}

/// What a call erased. It goes on for some seconds; where there is more it says so.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ErasedSubject {
    /// The number, E.164 without `+`.
    pub number: String,
    /// What was erased by this call.
    pub tables: Vec<ErasedTable>,
    /// Where the next call goes on, to be sent back as it is; `null` when all is erased.
    pub next: Option<String>,
    /// What holds the number yet, once all else is erased: inbound messages that are not handled, notices that are not sent, and
    /// events that are still being told to customers' programs. Erase the number again when they are over.
    #[serde(default)]
    pub stays: Vec<ErasedTable>,
    /// Whether nothing is left in free places of the file either: a small SQLite database is rewritten once all is erased.
    pub is_clean: bool,
}

/// How much was erased from a table.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ErasedTable {
    /// The table; `messages` are in several.
    pub table: String,
    /// Rows that were removed or masked, or that stay.
    pub rows: u64,
}
