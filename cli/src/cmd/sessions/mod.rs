//! Where somebody is signed in.

pub(super) mod list;
pub(super) mod revoke;
