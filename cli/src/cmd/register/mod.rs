//! Registration.

pub(super) mod start;
pub(super) mod verify;
