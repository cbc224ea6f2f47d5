//! Voice, as far as there is something to list.

pub(super) mod list;
pub(super) mod recordings;
