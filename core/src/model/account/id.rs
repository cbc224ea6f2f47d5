//! The ids of users, and of what they sign in by.

id! {
    /// The id of a user.
    UserId
}

id! {
    /// The id of a session.
    SessionId
}

id! {
    /// The id of an API key.
    ApiKeyId
}

id! {
    /// The id of what is under way at KingsChat: a sign-in, or the linking of an account.
    ChatLoginId
}

id! {
    /// The id of an administrator's message to users.
    UserMessageId
}
