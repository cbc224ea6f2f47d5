//! What a message says: the five kinds, their encoding, their pages (what is billed) and segments (what is sent).
//!
//! Pages follow the product's rule (156 characters a page, at most six), segments follow GSM 03.38 and 3GPP TS
//! 23.040; the two are counted side by side and never mixed up.

mod kind;

pub use kind::{Body, Encoding, Kind, Measure, Part};
