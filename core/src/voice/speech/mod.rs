//! Text to speech: a text as it is said ([`normalise`]).

mod normalise;

pub use normalise::{GROWTH_MAX, normalise};
