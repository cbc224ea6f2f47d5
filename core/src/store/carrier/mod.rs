//! Rows of carriers: what an operator decided of each, what is open at it, test messages, traces.

pub mod open_items;
pub mod reload;
pub mod state;
pub mod test_message;
pub mod trace;
