//! Webhooks: notify customers, at an address of theirs, of changes to their campaigns and messages.
//!
//! Nothing that sends messages knows of them. The [`watch`] compares what is stored with what was reported before and
//! stores the difference as events, in one transaction with the note that it was reported; deliveries then carry an
//! event to each address that subscribes to it, signed as Standard Webhooks specifies, until it is accepted or given
//! up.
//!
//! Invariants: what was committed is reported at least once, and the final state always (a status that lasted less than
//! one interval may be left out); a customer's address never makes the daemon connect to its own network.

pub mod delivery;
pub mod endpoint;
pub mod http_client;
pub mod receipt_callback;
mod signature;
mod under_way;
pub mod watch;

pub use signature::SigningSecret;
