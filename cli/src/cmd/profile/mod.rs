//! The profile of the signed-in user.

pub(super) mod confirm_email;
pub(super) mod confirm_phone;
pub(super) mod edit;
pub(super) mod show;
