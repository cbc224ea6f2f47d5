//! The store: all the SQL of Talkdrum, over SQLite (one file, the default) or PostgreSQL (many machines).
//!
//! A file an aggregate; each operation is a plain function of a transaction ([`Tx`]) named after what it means.
//! Writes run as `store.write(lane, input, |tx, input| Box::pin(async move { ... }))`: the closure captures
//! nothing, so it can be run again after a deadlock, and on SQLite many of them share one commit.
//! One SQL text serves both databases wherever it can; where it cannot, [`Sql::each`] holds both side by side.
//!
//! The invariant: a write's result is handed out only after its commit.

pub mod announcement;
pub mod api_key;
mod arg;
pub mod audience;
pub mod audit;
mod backend;
pub mod backup;
pub mod campaign;
pub mod carrier;
pub mod carrier_order;
pub mod carrier_state;
pub mod carrier_test;
pub mod carrier_trace;
pub mod chat;
pub mod chunk;
pub mod code;
pub mod confirm;
#[cfg(test)]
mod conformance_tests;
pub mod contact;
pub mod contact_group;
pub mod contact_import;
pub mod contact_list;
pub mod daemon;
pub mod detour;
pub mod disk;
pub mod dnd;
pub mod figures;
pub mod generation;
pub mod guard;
pub mod held_receipt;
pub mod history;
pub mod idempotency;
pub mod inbound;
pub mod installation;
mod job;
pub mod last_check;
pub mod ledger;
pub mod listing;
pub mod lock;
pub mod message;
pub mod migrate;
pub mod notice;
pub mod number;
pub mod once;
pub mod payment;
pub mod peer;
mod postgres_writer;
mod private_file;
pub mod profile;
mod purge;
pub mod quota;
pub mod quote;
pub mod receipt;
pub mod registration;
pub mod removal;
pub mod report;
pub mod resend;
pub mod search;
pub mod sender;
pub mod session;
pub mod setting;
mod sqlite_log;
mod sqlite_readers;
mod sqlite_writer;
pub mod statement;
pub mod suppression;
pub mod tally;
mod together;
pub mod traffic;
pub mod transactions;
mod tx;
pub mod user;
pub mod user_message;
pub mod voice;
pub mod webhook;
pub mod webhook_delivery;
pub mod webhook_watch;

pub use arg::{Arg, Blobs, Column, Ready, Sql};
pub use backend::{Lane, Store, StoreOptions, Together, WriteFaults};
pub use migrate::SchemaState;
pub use purge::PURGED_AT_ONCE;
pub use tx::{Dialect, FromBoth, Tx};

pub use crate::args;
