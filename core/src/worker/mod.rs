//! (to come)

pub mod index;
