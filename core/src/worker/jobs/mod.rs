//! What the workers do beside sending: recovery of dead runs, scheduled starts, indexes, statistics, the policy for unknowns.

pub mod number_index;
pub mod recovery;
pub mod scheduler;
pub mod traffic;
pub mod unknown_policy;
