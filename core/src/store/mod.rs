//! The store: all the SQL of Talkdrum, over SQLite (one file, the default) or PostgreSQL (many machines).
//!
//! A file an aggregate; each operation is a plain function of a transaction ([`Tx`]) named after what it means.
//! Writes run as `store.write(lane, input, |tx, input| Box::pin(async move { ... }))`: the closure captures
//! nothing, so it can be run again after a deadlock, and on SQLite many of them share one commit.
//! One SQL text serves both databases: as it is, or PostgreSQL's by [`sql!`](crate::sql), of which SQLite's is made.
//! Where they really differ, [`Sql::each`] holds both side by side.
//!
//! A write's result is handed out only after its commit.

pub mod account;
pub mod campaign;
pub mod carrier;
pub mod chunk;
pub mod contact;
pub mod db;
pub mod message;
pub mod money;
pub mod operations;
pub mod platform;
pub mod retention;
pub mod sender;
pub mod stats;
pub mod subject;
pub mod voice;
pub mod webhook;

pub use db::batch_write::BatchWrite;
pub use db::migrate::SchemaState;
#[cfg(any(test, feature = "testing"))]
pub(crate) use db::migrate::checksums;
pub use db::sql::{Arg, Blobs, Column, Dialect, InColumn, Ready, Sql};
pub use db::store::{Store, StoreOptions, WriteFaults};
pub use db::translate::SqliteText;
pub use db::tx::{FromBoth, Tx};
pub use db::write_job::Lane;
pub use operations::purge::{AgedRow, PURGED_AT_ONCE};

pub use crate::args;

#[cfg(test)]
mod personal;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod words;
