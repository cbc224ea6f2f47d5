//! Signing in and out.

pub(super) mod login;
pub(super) mod logout;
pub(super) mod whoami;
