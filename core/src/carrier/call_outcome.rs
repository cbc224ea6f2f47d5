//! What becomes of a call.

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallOutcome {
    /// It was picked up.
    Answered,
    /// The line was taken.
    Busy,
    /// It rang, or the phone was out of reach.
    NoAnswer,
    /// The person, or a machine for them, declined.
    Rejected,
    /// There is no such number.
    InvalidNumber,
    /// The carrier could not make the call: another one may.
    TrunkError,
    /// Anything else, and a call that was ended by us before it was answered.
    Failed,
}

impl CallOutcome {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Answered,
        Self::Busy,
        Self::NoAnswer,
        Self::Rejected,
        Self::InvalidNumber,
        Self::TrunkError,
        Self::Failed,
    ];

    /// The word for it.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Busy => "busy",
            Self::NoAnswer => "no_answer",
            Self::Rejected => "rejected",
            Self::InvalidNumber => "invalid_number",
            Self::TrunkError => "trunk_error",
            Self::Failed => "failed",
        }
    }
}
