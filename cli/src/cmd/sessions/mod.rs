//! The sessions of the signed-in user.

pub(super) mod list;
pub(super) mod revoke;
