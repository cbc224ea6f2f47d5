//! Where a sender id is.

use std::str::FromStr;

use crate::error::{Error, Result};

/// Where a sender id is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Waits for an administrator.
    Pending,
    /// May be used.
    Approved,
    /// May not be used.
    Disapproved,
}

talkdrum_api::column!(Status, str, |code| code.parse().ok());

impl Status {
    /// The word of database and API.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Disapproved => "disapproved",
        }
    }
}

impl FromStr for Status {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "pending" => Ok(Self::Pending),
            "approved" => Ok(Self::Approved),
            // The specification has both words for it.
            "disapproved" | "rejected" => Ok(Self::Disapproved),
            other => Err(Error::field(
                "status",
                "bad_status",
                format!(
                    "'{other}' is no status of a sender ID: use all, pending, approved, disapproved or rejected"
                ),
            )),
        }
    }
}
