//! Talkdrum's domain: what a message costs, who gets it, and what became of it.
//!
//! Everything the platform decides lives here; nothing here knows an HTTP server or a terminal. The modules are layers, and
//! each imports only what stands below it (`tests/layers.rs` keeps that):
//!
//! ```text
//! worker                              messages from the database to the wire and back
//! operate  inbound  webhook           what operators do; what handsets answer; what customers hear
//! campaign                            quote, confirm, control, reports
//! sender  payment                     who a message may be from; money in
//! account                             users and how they prove who they are
//! notice                              the platform's own messages
//! routing  contact  settings  voice   which carrier takes a message; lists of people; what administrators set
//! platform  ledger                    announcements, audit, figures, quotas; transfers
//! store                               all the SQL
//! carrier                             SMPP and HTTP; calls by SIP and HTTP
//! model                               value types of the store and the services
//! content  phone                      what a message says; numbers
//! time  entropy  error
//! talkdrum_api                        a package of its own: wire types and money, used by all
//! ```
//!
//! The one invariant: a message that was paid for is sent once, or refunded, or shown as `unknown` until a person
//! decides, and every micro-unit of money is explained by ledger entries.

#[macro_use]
mod json_column;
#[macro_use]
mod words;

pub mod account;
pub mod campaign;
pub mod carrier;
pub mod contact;
pub mod content;
pub mod entropy;
pub mod error;
pub mod inbound;
pub mod ledger;
pub mod model;
pub mod notice;
pub mod operate;
pub mod payment;
pub mod phone;
pub mod platform;
pub mod routing;
pub mod sender;
pub mod settings;
pub mod store;
pub mod time;
pub mod voice;
pub mod webhook;
pub mod worker;

#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use entropy::Entropy;
pub use error::{Error, Result};
pub use time::{Clock, Time};
