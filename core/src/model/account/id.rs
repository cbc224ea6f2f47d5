//! The ids of users.

id! {
    /// The id of a user.
    UserId
}

impl UserId {
    /// Stands where no user is meant.
    pub const NONE: Self = Self(0);
}
