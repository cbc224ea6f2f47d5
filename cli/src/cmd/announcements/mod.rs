//! Announcements.

pub(super) mod list;
pub(super) mod manage;
