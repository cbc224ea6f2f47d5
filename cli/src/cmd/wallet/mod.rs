//! Money.

pub(super) mod balance;
pub(super) mod statement;
