//! The rows of recordings ([`recording`]), of calls ([`call`]) and of test calls ([`test_call`]).

pub mod call;
pub mod recording;
pub mod test_call;
