//! What the daemon and the CLI share: the wire types of the API, field by field, and money. Nothing here stores, sends or
//! decides, and nothing here depends on what does.
//!
//! Names are the specification's wherever it has one (`total_duplicates_removed`, `espees-balance`); the rest follow
//! its style. Times are RFC 3339 in UTC, amounts numbers with at most six decimals.

pub mod account;
pub mod breakdown;
pub mod call;
pub mod campaign;
pub mod canary;
pub mod carrier;
pub mod code;
#[cfg(feature = "sqlx")]
mod column;
pub mod contact;
pub mod counts;
pub mod dnd;
pub mod draft;
pub mod figures;
pub mod filled_form;
pub mod inbound;
pub mod kind;
pub mod message;
pub mod money;
pub mod payment;
pub mod problem;
pub mod purpose;
pub mod query;
pub mod sender;
pub mod setting;
pub mod spreadsheet;
pub mod subject;
pub mod template;
pub mod user;
pub mod user_message;
pub mod version;
pub mod voice;
pub mod wallet;
pub mod webhook;
