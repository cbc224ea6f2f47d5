//! Value types that the store and the services share: statuses, outcomes, counts, ledger terms, users. No SQL, no IO.

#[macro_use]
mod id;

pub mod account;
pub mod campaign;
pub mod carrier;
pub mod contact;
pub mod file_name;
pub mod message;
pub mod money;
pub mod page;
pub mod platform;
pub mod sender;
pub mod varint;
pub mod voice;
pub mod webhook;
