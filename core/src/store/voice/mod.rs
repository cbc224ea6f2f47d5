//! The rows of recordings ([`recording`]), of calls ([`call`]), of what they answered ([`poll`]), of test calls ([`test_call`]) and of calls that verify own
//! numbers ([`own_number_call`]).

pub mod call;
pub mod own_number_call;
pub mod poll;
pub mod recording;
pub mod test_call;
