//! A message: its id, its status, and what became of it.

pub mod delivery_counts;
pub mod id;
pub mod outcome;
pub mod packed_messages;
pub mod postings;
pub mod reason;
pub mod receipt_state;
pub mod status;
