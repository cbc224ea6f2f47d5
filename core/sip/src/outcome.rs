//! How a call ended, and what the codes of SIP mean for it.
//!
//! The table of final answers to an INVITE (RFC 3261, section 21, unless another is named). "Rang" is whether 180 to 183
//! came before it. A call is tried again after busy, no answer and trunk error, and another trunk only takes over after a
//! trunk error; the other outcomes would be the same again.
//!
//! | code | outcome | why |
//! |---|---|---|
//! | 200 | answered | |
//! | 401, 407 | trunk error | the trunk does not take our name and password |
//! | 403 | trunk error | the trunk does not let us make this call: an unknown caller id, an address or a balance of ours |
//! | 402 | trunk error | the trunk wants to be paid |
//! | 404, 410, 484, 485, 604 | invalid number | there is no such number, or not any more, or too few digits |
//! | 408, rang | no answer | the network gave up |
//! | 408, did not ring | trunk error | the trunk did not reach anything |
//! | 480, 487 | no answer | the phone is switched off or out of reach; the network ended the ringing |
//! | 482, 483 | trunk error | the trunk sends calls in circles |
//! | 486, 600 | busy | |
//! | 406, 415, 488, 606 | trunk error | the trunk takes none of our codecs |
//! | 603, 607 (RFC 8197), 608 (RFC 8688) | rejected | declined: by the person, as unwanted, or by a machine for them |
//! | 500 to 599 | trunk error | |
//! | 601 to 699, others | rejected | the call is not wanted anywhere |
//! | 300 to 399 | failed | another address, which is not followed: it could be any number at our cost |
//! | others | failed | |
//!
//! Without any code: no provisional answer in time is a trunk error; no end of ringing in time is no answer, even when a
//! late 200 crosses our CANCEL; an answer in a language that is not ours fails.

use std::time::{Duration, SystemTime};

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
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
    /// The trunk could not make the call: another trunk may.
    TrunkError,
    /// Anything else, and a call that was hung up by us before it was answered.
    Failed,
}

impl Outcome {
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

    /// The word for it, in lower case with underscores.
    #[must_use]
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

    /// The outcome of a word.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.code() == code)
    }
}

impl TryFrom<String> for Outcome {
    type Error = String;

    fn try_from(code: String) -> Result<Self, String> {
        Self::from_code(&code).ok_or_else(|| format!("'{code}' is no outcome of a call"))
    }
}

/// Who ended a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndedBy {
    /// We did: the clip was over, ringing took too long, or [`crate::Call::hang_up`].
    Caller,
    /// The person who was called, or their network, hung up or refused.
    Callee,
    /// The trunk: an answer did not come, or could not be used.
    Trunk,
}

impl EndedBy {
    /// The word for it.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Caller => "caller",
            Self::Callee => "callee",
            Self::Trunk => "trunk",
        }
    }
}

impl TryFrom<String> for EndedBy {
    type Error = String;

    fn try_from(code: String) -> Result<Self, String> {
        let found = [Self::Caller, Self::Callee, Self::Trunk].into_iter().find(|by| by.code() == code);
        found.ok_or_else(|| format!("'{code}' ends no calls"))
    }
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallResult {
    /// What became of it.
    pub outcome: Outcome,
    /// Why, in words for reports.
    pub reason: &'static str,
    /// The last final answer to the INVITE; `None` when there was none in time.
    pub sip_code: Option<u16>,
    /// When it began to ring.
    pub ringing_at: Option<SystemTime>,
    /// When 200 OK came: the outcome is [`Outcome::Answered`], or [`Outcome::Failed`] where it came without audio that can
    /// be used.
    pub answered_at: Option<SystemTime>,
    /// When BYE was sent or came, or the attempt was over. Differences of the three are free of clock changes.
    pub ended_at: SystemTime,
    /// How much of the clip was sent after 200 OK.
    pub heard: Duration,
    /// The keys pressed after 200 OK, in their order; at most [`crate::MAX_KEYS`].
    pub digits: String,
    /// Who ended it.
    pub ended_by: EndedBy,
    /// What the audio did on the wire.
    pub media: MediaStats,
}

impl CallResult {
    /// How long the call was up: what is billed. Zero when it was not answered.
    #[must_use]
    pub fn answered_for(&self) -> Duration {
        self.answered_at.and_then(|at| self.ended_at.duration_since(at).ok()).unwrap_or_default()
    }
}

/// Packets of a call's audio.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MediaStats {
    /// Sent.
    pub sent: u64,
    /// Of those, sent over 20 ms after their time.
    pub late: u64,
    /// Of the other party.
    pub received: u64,
    /// Ignored: of strangers, of another stream, or no RTP.
    pub ignored: u64,
}

/// What a final answer to an INVITE that is no 2xx means, with its reason. `rang` is whether it rang before.
pub(crate) fn of_code(code: u16, rang: bool) -> (Outcome, &'static str) {
    use Outcome::{Busy, Failed, InvalidNumber, NoAnswer, Rejected, TrunkError};
    match code {
        300..=399 => (Failed, "the trunk names another address, which is not followed"),
        401 | 407 => (TrunkError, "the trunk does not take our name and password"),
        402 => (TrunkError, "the trunk wants to be paid"),
        403 => (TrunkError, "the trunk does not let us make this call"),
        404 | 410 | 604 => (InvalidNumber, "there is no such number"),
        484 | 485 => (InvalidNumber, "the number is not complete"),
        406 | 415 | 488 | 606 => (TrunkError, "the trunk takes none of our codecs"),
        408 if rang => (NoAnswer, "it was not answered"),
        408 => (TrunkError, "the trunk did not reach the network"),
        480 => (NoAnswer, "the phone is switched off or out of reach"),
        482 | 483 => (TrunkError, "the trunk sends the call in circles"),
        486 | 600 => (Busy, "the line is busy"),
        487 => (NoAnswer, "the network ended the ringing"),
        500..=599 => (TrunkError, "the trunk is in trouble"),
        603 => (Rejected, "the call was declined"),
        607 => (Rejected, "the call was declined as unwanted"),
        601..=699 => (Rejected, "the call was rejected"),
        _ => (Failed, "the trunk refused the call"),
    }
}

/// Who spoke a final answer: the person's side, or the trunk.
pub(crate) fn ended_by(outcome: Outcome) -> EndedBy {
    match outcome {
        Outcome::Answered
        | Outcome::Busy
        | Outcome::NoAnswer
        | Outcome::Rejected
        | Outcome::InvalidNumber => EndedBy::Callee,
        Outcome::TrunkError | Outcome::Failed => EndedBy::Trunk,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table in the head of this file says what the code does.
    #[test]
    fn the_table_is_what_is_done() {
        let lines = include_str!("outcome.rs").lines().filter_map(|line| line.strip_prefix("//! | "));
        let mut seen = 0;
        for line in lines.skip(1) {
            let mut cells = line.split(" | ");
            let (codes, outcome) = (cells.next().unwrap(), cells.next().unwrap());
            if codes == "200" {
                continue;
            }
            let expected = outcome.replace(' ', "_");
            let tell = |code: u16, rang: bool| {
                assert_eq!(of_code(code, rang).0.code(), expected, "{code}, rang: {rang}");
            };
            for word in codes.replace(", others", "").split(", ") {
                let word = word.split(" (").next().unwrap();
                match word {
                    "rang" | "did not ring" | "others" => {}
                    "408" => tell(408, codes.ends_with(", rang")),
                    "601 to 699" => (601..=699)
                        .filter(|code| ![604, 606].contains(code))
                        .for_each(|code| tell(code, true)),
                    range if range.contains(" to ") => {
                        let (from, to) = range.split_once(" to ").unwrap();
                        (from.parse().unwrap()..=to.parse().unwrap()).for_each(|code| tell(code, false));
                    }
                    code => [true, false].into_iter().for_each(|rang| tell(code.parse().unwrap(), rang)),
                }
            }
            seen += 1;
        }
        assert!(seen > 10, "the table was found");
        assert_eq!(of_code(499, true).0, Outcome::Failed);
    }
}
