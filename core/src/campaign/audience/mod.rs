//! Audiences: lists of recipients, in immutable chunks of up to 4,096, each chunk for one carrier.
//!
//! A recipient is a number, its billed pages and segments, and the values of its merge fields. Ten recipients or ten
//! million differ only in the number of chunks; nothing ever holds the whole list as strings. `Collector` takes a
//! list in, `Packer` fills the chunks, `Draft` writes them as they come.

mod canary;
mod collect;
mod count;
mod distinct;
mod draft;
mod earlier;
mod pack;
mod source;
mod tally;

pub(crate) use collect::Collector;
pub(crate) use count::{CountedRates, Counter};
pub(crate) use draft::{AudienceDraft, BufferedChunks};
pub(in crate::campaign) use pack::unpriced;
pub(crate) use pack::{Outlet, Packer};
pub(crate) use source::Named;
pub use source::RecipientSource;
pub use tally::{AudienceTally, CanaryTally};
