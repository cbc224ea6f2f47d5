//! `talkdrum dnd ...`.

pub(super) mod import;
pub(super) mod list;
