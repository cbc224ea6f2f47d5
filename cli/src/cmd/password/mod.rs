//! New passwords.

pub(super) mod change;
pub(super) mod forgot;
pub(super) mod reset;
