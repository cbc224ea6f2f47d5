//! What calls play.

pub mod id;
