//! Where sender ids and numbers are.

pub mod id;

use std::str::FromStr;

use talkdrum_sip::Outcome as CallOutcome;

use crate::error::{Error, Result};

words! {
    /// Where a sender id is.
    SenderStatus {
        /// Waits for an administrator.
        Pending = "pending",
        /// May be used.
        Approved = "approved",
        /// May not be used.
        Disapproved = "disapproved",
    }
}

words! {
    /// Where a virtual or an own number is.
    NumberStatus {
        /// Waits for an administrator who assigns one, or for the call that verifies it.
        Pending = "pending",
        /// A virtual number that was assigned.
        Approved = "approved",
        /// An own number that a call verified.
        Verified = "verified",
    }
}

words! {
    /// Where a call is that verifies an own number.
    OwnCallStatus {
        /// It is charged, and being placed.
        Calling = "calling",
        /// The phone rings.
        Ringing = "ringing",
        /// It was picked up.
        Answered = "answered",
        /// It is over, and what was not used is given back.
        Ended = "ended",
    }
}

/// How a call ended that verified an own number, or was to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnCallOutcome {
    /// As its carrier says.
    Known(CallOutcome),
    /// It was cut off.
    Unknown,
}

talkdrum_api::column!(OwnCallOutcome, str, OwnCallOutcome::from_code);

impl OwnCallOutcome {
    const UNKNOWN: &str = "unknown";

    /// The word of database and API.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Known(outcome) => outcome.code(),
            Self::Unknown => Self::UNKNOWN,
        }
    }

    fn from_code(code: &str) -> Option<Self> {
        if code == Self::UNKNOWN {
            Some(Self::Unknown)
        } else {
            CallOutcome::from_code(code).map(Self::Known)
        }
    }
}

impl FromStr for SenderStatus {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        // The specification has two words for what is disapproved.
        let code = if text == "rejected" { Self::Disapproved.code() } else { text };
        Self::from_code(code).ok_or_else(|| {
            Error::field(
                "status",
                "bad_status",
                format!(
                    "'{text}' is no status of a sender ID: use all, pending, approved, disapproved or rejected"
                ),
            )
        })
    }
}
