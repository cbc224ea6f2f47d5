//! How much of something a user, and all users together, may have at a time.

/// How many there may be, and how the next one is refused.
#[derive(Debug)]
pub struct Quota {
    pub(super) per_user: usize,
    pub(super) in_all: usize,
    pub(super) code: &'static str,
    /// To a user who has as many as a user may.
    pub(super) user_detail: &'static str,
    /// When all users together have.
    pub(super) detail: &'static str,
}
