//! PostgreSQL: whether it can be reached, and the tasks that write.

pub mod reach;
pub mod writer;
