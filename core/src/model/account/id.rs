//! The ids of users, and of what they sign in by.

id! {
    /// The id of a user.
    UserId
}

impl UserId {
    /// Stands where no user is meant.
    pub const NONE: Self = Self(0);
}

id! {
    /// The id of a session.
    SessionId
}

impl SessionId {
    /// Stands where no session is meant.
    pub const NONE: Self = Self(0);
}

id! {
    /// The id of an API key.
    ApiKeyId
}

id! {
    /// The id of a sign-in by KingsChat that is under way, or of a link.
    ChatLoginId
}

id! {
    /// The id of an administrator's message to users.
    UserMessageId
}
