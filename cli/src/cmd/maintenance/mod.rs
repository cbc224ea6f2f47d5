//! Maintenance mode.

pub(super) mod status;
pub(super) mod switch;
