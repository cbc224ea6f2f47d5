//! Virtual numbers and own numbers.

pub(super) mod approve;
pub(super) mod delete;
pub(super) mod list;
pub(super) mod own;
pub(super) mod request;
