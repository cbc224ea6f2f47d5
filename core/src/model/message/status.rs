//! The state machines: what a campaign and a message can be, and how they get from one to the other.
//!
//! ```text
//! campaign   scheduled ──▶ sending ──▶ completed          (nothing left to send; receipts may still arrive)
//!                │  ▲        │  ▲
//!                ▼  │        ▼  │ resume
//!                paused ◀── pause                          scheduled, sending, paused ──▶ cancelled
//!
//! message    queued ──▶ submitting ──▶ submitted ──▶ delivered | undelivered | expired | rejected
//!              │  ▲         │  │
//!              │  └─ retry ─┘  └─────▶ rejected            (refused by the carrier; released)
//!              │   (on proof)  └─────▶ unknown             (written, not answered; a person or a receipt decides)
//!              ├──▶ cancelled          unknown ──▶ any later status
//!              ├──▶ expired            (its validity ran out before it could be sent; released)
//!              └──▶ suppressed
//! ```
//!
//! A message's status never moves backwards: [`MessageStatus::may_become`] is the lattice. `queued` and `submitting`
//! have no row: they are positions of a chunk (see `store/chunk/mod.rs`).

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::model::message::receipt_state::ReceiptState;

words! {
    /// Where a campaign is.
    #[derive(Hash)]
    CampaignStatus {
        /// Waits for its start time.
        Scheduled = "scheduled",
        /// Its chunks may be claimed.
        Sending = "sending",
        /// Nothing new is claimed.
        Paused = "paused",
        /// Nothing is left to send.
        Completed = "completed",
        /// Given up; the unsent was refunded.
        Cancelled = "cancelled",
        /// It cannot go on.
        Failed = "failed",
    }
}

impl CampaignStatus {
    /// Whether nothing will be sent any more.
    pub const fn is_over(self) -> bool {
        match self {
            Self::Completed | Self::Cancelled | Self::Failed => true,
            Self::Scheduled | Self::Sending | Self::Paused => false,
        }
    }
}

impl fmt::Display for CampaignStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

words! {
    /// Where a chunk of a campaign is.
    ChunkState {
        /// Some of its messages are not answered.
        Open = "open",
        /// All of them are answered, or cancelled.
        Done = "done",
    }
}

/// The numbers of message statuses in the store, for the enum and for statement texts, which `concat!` makes.
macro_rules! message_status {
    (Queued) => {
        1
    };
    (Submitting) => {
        2
    };
    (Submitted) => {
        3
    };
    (Delivered) => {
        4
    };
    (Undelivered) => {
        5
    };
    (Rejected) => {
        6
    };
    (Expired) => {
        7
    };
    (Unknown) => {
        8
    };
    (Cancelled) => {
        9
    };
    (Suppressed) => {
        10
    };
}
pub(crate) use message_status;

words! {
    /// Where a message is. The numbers are those of the `messages` table, and begin with 1.
    #[derive(PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(into = "i64", try_from = "i64")]
    MessageStatus by message_status {
        /// Waits to be claimed, or to be tried again.
        Queued = "queued",
        /// Claimed; the carrier has not answered.
        Submitting = "submitting",
        /// Accepted by the carrier.
        Submitted = "submitted",
        /// On the handset.
        Delivered = "delivered",
        /// Will not be delivered.
        Undelivered = "undelivered",
        /// Refused by the carrier.
        Rejected = "rejected",
        /// Its validity ran out.
        Expired = "expired",
        /// It may have been sent: it was written and not answered, or a crash left it in flight.
        Unknown = "unknown",
        /// Given up before it was sent.
        Cancelled = "cancelled",
        /// Left out because the number opted out, or came on the Do-Not-Disturb list, after the quote.
        Suppressed = "suppressed",
    }
}

impl From<MessageStatus> for i64 {
    fn from(status: MessageStatus) -> Self {
        status.number()
    }
}

impl TryFrom<i64> for MessageStatus {
    type Error = String;

    fn try_from(number: i64) -> Result<Self, String> {
        Self::from_number(number)
            .ok_or_else(|| format!("a message has the status {number}, which there is not"))
    }
}

impl MessageStatus {
    /// Whether a message in this status may take `next`: forwards only, and out of `unknown` to anything final.
    pub const fn may_become(self, next: Self) -> bool {
        match self {
            Self::Queued | Self::Submitting => match next {
                Self::Submitting
                | Self::Submitted
                | Self::Delivered
                | Self::Undelivered
                | Self::Rejected
                | Self::Expired
                | Self::Unknown
                | Self::Cancelled
                | Self::Suppressed => true,
                Self::Queued => false,
            },
            Self::Submitted => match next {
                Self::Delivered | Self::Undelivered | Self::Expired | Self::Rejected => true,
                Self::Queued
                | Self::Submitting
                | Self::Submitted
                | Self::Unknown
                | Self::Cancelled
                | Self::Suppressed => false,
            },
            Self::Unknown => match next {
                Self::Submitted
                | Self::Delivered
                | Self::Undelivered
                | Self::Expired
                | Self::Rejected
                | Self::Cancelled
                | Self::Suppressed => true,
                Self::Queued | Self::Submitting | Self::Unknown => false,
            },
            // A network that reported failure and then delivered has delivered: receipts come in any order.
            Self::Undelivered | Self::Expired => match next {
                Self::Delivered => true,
                Self::Queued
                | Self::Submitting
                | Self::Submitted
                | Self::Undelivered
                | Self::Rejected
                | Self::Expired
                | Self::Unknown
                | Self::Cancelled
                | Self::Suppressed => false,
            },
            Self::Delivered | Self::Rejected | Self::Cancelled | Self::Suppressed => false,
        }
    }

    /// The status that a receipt gives, the end of its message or part; `None` when it says nothing final.
    pub const fn from_receipt(state: ReceiptState) -> Option<Self> {
        match state {
            ReceiptState::Enroute | ReceiptState::Unknown => None,
            ReceiptState::Delivered => Some(Self::Delivered),
            ReceiptState::Expired => Some(Self::Expired),
            ReceiptState::Undelivered => Some(Self::Undelivered),
            ReceiptState::Rejected => Some(Self::Rejected),
        }
    }

    /// Whether rows of `messages` have it. The others are positions of a chunk.
    pub const fn is_stored(self) -> bool {
        match self {
            Self::Queued | Self::Submitting => false,
            Self::Submitted
            | Self::Delivered
            | Self::Undelivered
            | Self::Rejected
            | Self::Expired
            | Self::Unknown
            | Self::Cancelled
            | Self::Suppressed => true,
        }
    }

    /// Whether nothing more is expected of the message.
    pub const fn is_final(self) -> bool {
        match self {
            Self::Queued | Self::Submitting | Self::Submitted | Self::Unknown => false,
            Self::Delivered
            | Self::Undelivered
            | Self::Rejected
            | Self::Expired
            | Self::Cancelled
            | Self::Suppressed => true,
        }
    }

    /// Whether it has no end yet that reports show, and no time of one: its receipt is awaited.
    pub const fn awaits_receipt(self) -> bool {
        match self {
            Self::Submitted => true,
            Self::Queued
            | Self::Submitting
            | Self::Delivered
            | Self::Undelivered
            | Self::Rejected
            | Self::Expired
            | Self::Unknown
            | Self::Cancelled
            | Self::Suppressed => false,
        }
    }

    /// Whether a person, a policy or a receipt still has to say whether it was sent.
    pub const fn is_unresolved(self) -> bool {
        match self {
            Self::Unknown => true,
            Self::Queued
            | Self::Submitting
            | Self::Submitted
            | Self::Delivered
            | Self::Undelivered
            | Self::Rejected
            | Self::Expired
            | Self::Cancelled
            | Self::Suppressed => false,
        }
    }

    /// Whether no receipt changes a part in it any more: receipts come in any order, and only one is the last word.
    pub const fn outlasts_receipts(self) -> bool {
        match self {
            Self::Delivered => true,
            Self::Queued
            | Self::Submitting
            | Self::Submitted
            | Self::Undelivered
            | Self::Rejected
            | Self::Expired
            | Self::Unknown
            | Self::Cancelled
            | Self::Suppressed => false,
        }
    }

    /// Whether the customer got nothing for it: what `resend` takes.
    pub const fn is_failure(self) -> bool {
        match self {
            Self::Undelivered | Self::Rejected | Self::Expired => true,
            Self::Queued
            | Self::Submitting
            | Self::Submitted
            | Self::Delivered
            | Self::Unknown
            | Self::Cancelled
            | Self::Suppressed => false,
        }
    }

    /// Whether it is what a carrier's answer gives that does not take the message.
    pub const fn is_refusal(self) -> bool {
        match self {
            Self::Rejected => true,
            Self::Queued
            | Self::Submitting
            | Self::Submitted
            | Self::Delivered
            | Self::Undelivered
            | Self::Expired
            | Self::Unknown
            | Self::Cancelled
            | Self::Suppressed => false,
        }
    }

    /// Whether reports count why: it failed, was given up, or is not known.
    pub const fn has_reason(self) -> bool {
        self.is_failure() || self.is_given_up() || self.is_unresolved()
    }

    /// Whether it was never handed to a carrier and never will be: its money is given back.
    pub const fn is_given_up(self) -> bool {
        match self {
            Self::Cancelled | Self::Suppressed => true,
            Self::Queued
            | Self::Submitting
            | Self::Submitted
            | Self::Delivered
            | Self::Undelivered
            | Self::Rejected
            | Self::Expired
            | Self::Unknown => false,
        }
    }
}

impl fmt::Display for MessageStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// The status that a receipt gives its message: stored under its name where the message is not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReceiptStatus(pub MessageStatus);

talkdrum_api::column!(ReceiptStatus, str, |code| MessageStatus::from_code(code).map(ReceiptStatus));

/// A number of messages for each status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters([i64; MessageStatus::ALL.len()]);

impl Counters {
    /// How many are in a status.
    pub const fn of(&self, status: MessageStatus) -> i64 {
        self.0[status as usize - 1]
    }

    /// Adds to those in a status.
    pub const fn add(&mut self, status: MessageStatus, by: i64) {
        self.0[status as usize - 1] += by;
    }
}

/// Reads a column for each status that is stored, under the status' name.
impl<'r, R: sqlx::Row> sqlx::FromRow<'r, R> for Counters
where
    &'r str: sqlx::ColumnIndex<R>,
    i64: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,
{
    fn from_row(row: &'r R) -> sqlx::Result<Self> {
        let mut counters = Self::default();
        for status in MessageStatus::ALL.iter().copied().filter(|status| status.is_stored()) {
            counters.add(status, row.try_get(status.code())?);
        }
        Ok(counters)
    }
}

/// The numbers of [`MoneyState`] in the store, as [`message_status`] gives those of statuses.
macro_rules! money_state {
    (Reserved) => {
        0
    };
    (Captured) => {
        1
    };
    (Released) => {
        2
    };
    (Refunded) => {
        3
    };
    (Charged) => {
        4
    };
}
pub(crate) use money_state;

/// Where a message's money is. The numbers are those of the `messages` table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "i64")]
pub enum MoneyState {
    /// In the campaign's reserve.
    Reserved = money_state!(Reserved),
    /// Charged.
    Captured = money_state!(Captured),
    /// Given back, never charged.
    Released = money_state!(Released),
    /// Charged and given back.
    Refunded = money_state!(Refunded),
    /// Given back, then charged from the wallet: a person found that the message was sent after all.
    Charged = money_state!(Charged),
}

talkdrum_api::column!(MoneyState, i64, MoneyState::from_number);

impl TryFrom<i64> for MoneyState {
    type Error = String;

    fn try_from(number: i64) -> Result<Self, String> {
        Self::from_number(number)
            .ok_or_else(|| format!("a message's money has the state {number}, which there is not"))
    }
}

impl MoneyState {
    /// The number in the store.
    pub const fn number(self) -> i64 {
        self as i64
    }

    /// The state of a number in the store.
    pub fn from_number(number: i64) -> Option<Self> {
        [Self::Reserved, Self::Captured, Self::Released, Self::Refunded, Self::Charged]
            .into_iter()
            .find(|state| state.number() == number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_never_moves_backwards() {
        use MessageStatus as S;
        assert!(S::Submitted.may_become(S::Delivered));
        assert!(!S::Delivered.may_become(S::Submitted));
        assert!(!S::Delivered.may_become(S::Undelivered));
        assert!(!S::Rejected.may_become(S::Delivered));
        for status in S::ALL.iter().copied() {
            assert!(!status.may_become(S::Queued), "{status} went back to queued");
            assert!(!status.may_become(status) || status == S::Submitting, "{status} became itself");
        }
    }

    #[test]
    fn unknown_may_become_any_later_status_and_nothing_becomes_unknown_after_an_answer() {
        use MessageStatus as S;
        for next in [S::Submitted, S::Delivered, S::Undelivered, S::Expired, S::Rejected, S::Suppressed] {
            assert!(S::Unknown.may_become(next), "{next}");
        }
        for status in [S::Submitted, S::Delivered, S::Undelivered, S::Rejected, S::Cancelled] {
            assert!(!status.may_become(S::Unknown), "{status}");
        }
    }

    #[test]
    fn numbers_and_names_are_read_back() {
        for (number, status) in (1..).zip(MessageStatus::ALL.iter().copied()) {
            assert_eq!(status.number(), number, "the places of counters");
            assert_eq!(MessageStatus::from_number(status.number()), Some(status));
            assert_eq!(MessageStatus::from_code(status.code()), Some(status));
        }
    }
}
