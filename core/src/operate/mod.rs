//! What operators do with carriers: hold them, inspect them, test them, reroute what waits at them; with users and settings;
//! and with what is held about people.
//!
//! Invariant: an operator's decision is a row, so that every daemon obeys it, also after a restart; and no message that
//! may have been sent is touched.

mod breaker;
pub mod clock;
pub mod generation;
mod hold;
mod overview;
mod reload;
mod reroute;
pub mod retention;
mod sent_words;
pub mod setting;
pub mod subject;
mod test_send;
mod trace;
pub mod user;

pub use crate::model::carrier::Hold;
pub use breaker::order_breaker;
pub use hold::{hang_up, of as hold_of, set};
pub use overview::{CarrierView, note, overview, owner_of};
pub use reload::{note_reload, order_reload};
pub use reroute::{RerouteTarget, Rerouted, reroute};
pub use test_send::{Test, answer, begin_test, test};
pub use trace::{TRACE_MAX, TracedLine, keep_trace, purge_trace, switch_trace, trace};
