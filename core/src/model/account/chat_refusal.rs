//! Why a sign-in or link by KingsChat came to nothing.

words! {
    /// Why a sign-in or link by KingsChat came to nothing. The words are codes of the API, too.
    ChatRefusal {
        /// KingsChat did not say who it is, or the same person came through another door at that moment.
        Failed = "chat_login_failed",
        /// It was ended or taken before, by another browser, or too late.
        Over = "chat_login_over",
        /// KingsChat did not answer.
        Unreachable = "kingschat_unavailable",
        /// Another KingsChat account is linked to the user.
        OtherLinked = "chat_other_linked",
        /// The KingsChat account is linked to another user.
        AccountTaken = "chat_account_taken",
    }
}
