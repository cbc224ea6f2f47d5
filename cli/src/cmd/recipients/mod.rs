//! Recipients before there is a message for them.

pub(super) mod check;
