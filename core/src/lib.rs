//! Talkdrum's domain: what a message costs, who gets it, and what became of it.
//!
//! Everything the platform decides lives here; nothing here knows an HTTP server or a terminal. Imports go down
//! only: `worker` stands on the domain rooms, they stand on `store`, and `store` holds all the SQL.
//!
//! The one invariant: a message that was paid for is sent once, or refunded, or shown as `unknown` until a person
//! decides, and every micro-unit of money is explained by ledger entries.

pub mod account;
pub mod api;
pub mod campaign;
pub mod carrier;
pub mod contact;
pub mod content;
pub mod entropy;
pub mod error;
pub mod inbound;
pub mod ledger;
pub mod model;
pub mod money;
pub mod notice;
pub mod operate;
pub mod payment;
pub mod phone;
pub mod platform;
pub mod routing;
pub mod sender;
pub mod settings;
pub mod spreadsheet;
pub mod store;
pub mod time;
pub mod voice;
pub mod webhook;
pub mod worker;

#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use entropy::Entropy;
pub use error::{Error, Result};
pub use money::{Currency, Money};
pub use time::{Clock, Time};
