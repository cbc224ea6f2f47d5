//! Calls placed by a provider's HTTP API, as an operator describes it: [`HttpVoiceCarrier`] is one more
//! [`VoiceCarrier`](crate::carrier::voice::VoiceCarrier).
//!
//! ```text
//! place ──▶ submit ──▶ webhooks, and what is asked for (poll), whichever comes first ──▶ ended
//!             │ certainly not taken: NotPlaced      nothing final in time ──▶ no end: it is not known
//! ```
//!
//! ```text
//! config   a `[[carriers]]` entry, read and checked
//! settings what may stand in one, and the rules that each of them keeps
//! fields   what webhooks and polled answers say of a call
//! carrier  channels and rate; places calls
//! shared   health, and what the carrier and its calls have in common
//! submit   one request that places a call, and what its answer means
//! call     one call from its submit to its end
//! call_inbox  the calls that are under way, by our reference and by the provider's id; the way in for webhooks
//! hook     who may call, and what the call says
//! reference  what a call is named by, and which message that is
//! signature  how webhooks are signed
//! clip_store  the clips of those calls, for the provider to fetch
//! ```
//!
//! A call is submitted once. What was written and got no clear answer is in doubt: it is resolved by a webhook or a poll
//! that names our reference, and otherwise has no end.

mod call;
mod call_inbox;
mod carrier;
mod clip_store;
mod config;
mod fields;
mod hook;
mod reference;
mod settings;
mod shared;
mod signature;
mod submit;
#[cfg(test)]
mod tests;

pub use call_inbox::{CallHookOutcome, CallInbox};
pub use carrier::HttpVoiceCarrier;
pub use clip_store::ClipShelf;
pub use config::HttpVoiceConfig;
pub use fields::CallReport;
pub use hook::CallHook;
pub use shared::{ClipAddresses, HttpVoiceDeps};
