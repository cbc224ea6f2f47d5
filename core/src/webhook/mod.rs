//! Webhooks: customers hear at an address of theirs what becomes of their campaigns and messages.
//!
//! Nothing that sends knows of them. The [`watch`] compares what is stored with what was told and writes the
//! difference as events, in one transaction with the note that it was told; deliveries then carry an event to each
//! address that wants it, signed as Standard Webhooks says, again and again until it is taken or given up.
//!
//! The invariants: what was committed is told at least once and in the end as it is (a status that was passed through
//! between two looks may be left out); a customer's address never makes the daemon speak to its own network.

pub mod delivery;
pub mod endpoint;
pub mod http_client;
mod signature;
pub mod watch;

pub use signature::SigningSecret;

/// The longest time a failed delivery waits and an unfetched event is kept, see [`delivery::SCHEDULE_S`].
pub const KEPT_DAYS: i64 = 30;
