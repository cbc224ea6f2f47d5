//! The databases themselves: transactions, arguments, writers, readers, migrations. The only rooms that know a driver.

pub(crate) mod advisory_lock;
pub mod batch_write;
#[cfg(test)]
mod held_handles;
pub mod listing;
pub mod migrate;
pub mod once;
pub mod pieces;
pub mod postgres;
pub mod private_file;
pub mod sql;
pub mod sqlite;
pub mod store;
pub mod translate;
pub mod tx;
pub mod write_job;
