//! The ids of users.

id! {
    /// The id of a user.
    UserId
}
