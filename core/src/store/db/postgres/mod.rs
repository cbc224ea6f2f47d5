//! PostgreSQL: the tasks that write.

pub mod writer;
