//! Prices.

pub(super) mod get;
pub(super) mod set;
