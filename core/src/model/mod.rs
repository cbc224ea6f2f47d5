//! Value types that the store and the services share: statuses, outcomes, counts, ledger terms, users. No SQL, no IO.

pub mod audience_chunk;
pub mod delivery_counts;
pub mod ledger;
pub mod message_id;
pub mod outcome;
pub mod page;
pub mod pause;
pub mod payment;
pub mod receipt_state;
pub mod sender;
pub mod status;
pub mod user;
pub mod webhook_endpoint;
pub mod webhook_event;
