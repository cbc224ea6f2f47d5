//! What the daemon and the CLI share: the wire types of the API, field by field, and money. Nothing here stores, sends or
//! decides, and nothing here depends on what does.
//!
//! Names are the specification's wherever it has one (`total_duplicates_removed`, `espees-balance`); the rest follow
//! its style. Times are RFC 3339 in UTC, amounts numbers with at most six decimals.
//!
//! A status, a state or a reason that the daemon alone chooses is a `String`, and its words stand beside it: words may be added,
//! and a client of an older version shows one that it does not know as it is, where an enum would refuse the whole answer.
//! The enums are in core's `model`. What a client chooses, as [`kind::Kind`] and [`purpose::Purpose`], is an enum here.
//!
//! It is a package of its own so that the client is built from no more of Talkdrum: from 185 crates in all, which would be 327
//! with core and its databases, carriers and engines. `cli/tests/cli/dependencies.rs` keeps it so.

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
