//! Value types that the store and the services share: statuses, outcomes, counts, ledger terms, users. No SQL, no IO.

pub mod audience_chunk;
pub mod delivery_counts;
pub mod outcome;
pub mod status;
pub mod webhook_event;
