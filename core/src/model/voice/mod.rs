//! What calls play, and the calls that try it out.

pub mod id;
