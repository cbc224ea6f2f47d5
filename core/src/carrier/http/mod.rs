//! Carriers over HTTP: Kannel, Termii, Africa's Talking, Infobip, and a template for all others; calls by a template
//! ([`voice`]).
//!
//! Rooms: `link` what an operator sets for any of them; `provider` what tells one from another (a request built, an
//! answer read, a receipt or a handset's message read), one small file each; `carrier`, `shared` and `flight` the common frame: window, rate,
//! batches, pauses, time limits, keys; `hook` and `inbox` the way in for what providers tell, by callback or by asking for them.
//!
//! The invariant is that of the trait: each submission is answered exactly once. What was written and got no clear
//! answer (a time limit, a reset, a 5xx) is `Unanswered`; only what the provider certainly did not take is tried again.

mod africastalking;
mod carrier;
mod deps;
mod fields;
mod flight;
mod hook;
mod inbox;
mod infobip;
mod kannel;
mod link;
mod outgoing;
mod provider;
mod request_template;
mod shared;
mod template;
mod template_callback;
mod termii;
#[cfg(test)]
mod tests;
mod trace_line;
pub mod voice;

pub use carrier::HttpCarrier;
pub use deps::{HttpDeps, KeySource};
pub use hook::{Callback, CallbackReport, Hook, HookAdmission, HookError, Report, Said};
pub use inbox::{HookDelivery, Inbox};
pub use link::{HttpConfig, KINDS};
