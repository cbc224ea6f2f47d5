//! What every operation of the API is made of: who calls, what was sent, which page, what went wrong.
//!
//! A handler gets parsed values or is not called, and every refusal leaves as a problem document.

mod address;
pub(crate) mod answer;
pub mod body;
pub mod caller;
mod event_stream;
pub mod fields;
pub mod idempotency;
mod incoming;
mod json;
pub mod layers;
pub mod maintenance;
mod multipart;
pub mod origin;
pub mod page;
pub mod path;
pub mod query;
pub(crate) mod routes;
pub mod sorted_page;
pub mod stream_caller;
pub mod unread;
pub mod upload;
mod urlencoded;
pub(crate) mod wav;

#[cfg(test)]
mod tests;

pub use address::ClientAddress;
pub use body::{Document, Form, LooseForm};
pub use caller::{AdminCaller, Caller, LeavingCaller, ReadingCaller, SessionCaller};
pub(crate) use event_stream::{Watched, sse};
pub use idempotency::IdempotencyKey;
pub use origin::{CodeAttempt, Origin, SignInAttempt};
pub use page::{Page, Search};
pub use path::Path;
pub use query::Query;
pub use sorted_page::{Columns, SortedPage};
pub use stream_caller::{AdminStreamCaller, StreamCaller};
pub use upload::Upload;
pub(crate) use urlencoded::each_field;

pub use crate::problem::{Answer, ApiError};
