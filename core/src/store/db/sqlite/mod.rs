//! SQLite: the one writer, the readers beside it, the write-ahead log.

pub mod readers;
pub mod wal;
pub mod writer;
