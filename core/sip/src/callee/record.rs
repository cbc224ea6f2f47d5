//! The record of a call that the callee took part in.

use std::time::{Duration, SystemTime};

use crate::outcome::EndedBy;

/// What became of a call at the callee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CalleeStatus {
    /// It rings.
    Ringing,
    /// It was answered, and is over once `ended_at` is there.
    Answered,
    /// It was refused as busy.
    Busy,
    /// The caller gave up.
    Cancelled,
    /// It was refused: no such number.
    InvalidNumber,
    /// It was refused for now: 503.
    Unavailable,
    /// It was declined.
    Declined,
    /// Its audio could not be used.
    Failed,
}

impl CalleeStatus {
    /// The word for it, in lower case with underscores.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ringing => "ringing",
            Self::Answered => "answered",
            Self::Busy => "busy",
            Self::Cancelled => "cancelled",
            Self::InvalidNumber => "invalid_number",
            Self::Unavailable => "unavailable",
            Self::Declined => "declined",
            Self::Failed => "failed",
        }
    }
}

/// A call that the callee took part in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalleeCall {
    /// Its number, from 1.
    pub id: u64,
    /// The number that was called.
    pub to: String,
    /// The number in From.
    pub from: String,
    /// What became of it.
    pub status: CalleeStatus,
    /// When it was answered.
    pub answered_at: Option<SystemTime>,
    /// When it ended.
    pub ended_at: Option<SystemTime>,
    /// Packets of audio that came.
    pub rtp_packets: u64,
    /// How loud they were together: the root of the mean square of the samples, of 32,767 at most.
    pub rms: u16,
    /// The keys that the callee pressed.
    pub digits: String,
    /// Who ended it.
    pub ended_by: Option<EndedBy>,
}

impl CalleeCall {
    /// How long it was up. Zero when it was not answered; until now while it is.
    #[must_use]
    pub fn duration(&self) -> Duration {
        let Some(answered_at) = self.answered_at else { return Duration::ZERO };
        self.ended_at.unwrap_or_else(SystemTime::now).duration_since(answered_at).unwrap_or_default()
    }
}
