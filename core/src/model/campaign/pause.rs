//! Who paused a campaign, and why its owner may not resume it.

words! {
    /// Who paused a campaign.
    PausedBy {
        /// The deactivation of its owner's account.
        Account = "account",
        /// Its owner.
        Owner = "owner",
        /// An administrator.
        Admin = "admin",
    }
}

words! {
    /// Why only an administrator may resume a paused campaign.
    ReviewCause {
        /// An administrator paused it.
        Admin = "admin",
        /// It is the first large send of an account.
        FirstSend = "first_send",
    }
}
