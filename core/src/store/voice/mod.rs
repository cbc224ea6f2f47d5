//! The rows of recordings ([`recording`]) and of calls ([`call`]).

pub mod call;
pub mod recording;
