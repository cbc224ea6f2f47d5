//! Voice: texts as they are said, recordings, calls that try either, and lists of calls to many.

pub(super) mod list;
pub(super) mod preview;
pub(super) mod recordings;
pub(super) mod test;
