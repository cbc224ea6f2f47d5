//! Who paused a campaign, and why its owner may not resume it.

/// Who paused a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PausedBy {
    /// The deactivation of its owner's account.
    Account,
    /// Its owner.
    Owner,
    /// An administrator.
    Admin,
}

talkdrum_api::column!(PausedBy, str, |code| {
    [PausedBy::Account, PausedBy::Owner, PausedBy::Admin].into_iter().find(|by| by.code() == code)
});

impl PausedBy {
    /// The word of the database.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Account => "account",
            Self::Owner => "owner",
            Self::Admin => "admin",
        }
    }
}

/// Why only an administrator may resume a paused campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// An administrator paused it.
    Admin,
    /// It is the first large send of an account.
    FirstSend,
}

talkdrum_api::column!(Held, str, |code| {
    [Held::Admin, Held::FirstSend].into_iter().find(|held| held.code() == code)
});

impl Held {
    /// The word of database and API.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::FirstSend => "first_send",
        }
    }
}
