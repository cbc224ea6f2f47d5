//! Rows of carriers: what an operator decided of each, what is open at it, its breakers, which may take over from others, test messages, traces.

pub mod breaker;
pub mod open_items;
pub mod reload;
pub mod spare;
pub mod state;
pub mod test_message;
pub mod trace;
