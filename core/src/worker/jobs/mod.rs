//! What the workers do besides sending: recovery of dead runs, scheduled starts, indexes, statistics, packing of what rests, the
//! policy for unknown messages.

pub mod compaction;
pub mod number_index;
pub mod packing;
pub mod recovery;
pub mod scheduler;
pub mod traffic;
pub mod unknown_policy;
