//! Voice: texts as they are said, recordings, calls that try either, calls to many and lists of them.

pub(super) mod list;
pub(super) mod preview;
pub(super) mod recordings;
pub(super) mod send;
pub(super) mod test;
