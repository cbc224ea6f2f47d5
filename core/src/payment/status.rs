//! Where a payment stands.
//!
//! ```text
//!   initiated ──────────> pending ────────────────────────────> settled   (the ledger entry is its proof)
//!       │  provider gave     │  ▲                                  ▲ ▲
//!       │  a page to pay at  │  └─ tried again on the same page    │ │
//!       │                    ├──────────> failed ──────────────────┤ │   late success
//!       │                    │              │                      │ │
//!       ├────────────────────┴──> expired <─┘ ─────────────────────┘ │   late success
//!       │  not paid in time                                           │
//!       └───────────────────────> mismatch ──────────────────────────┘   by a person, or figures that agree at last
//! ```
//!
//! `settled` is final and is entered once, in the transaction that credits the wallet; every other status
//! may still become it, however late.

use std::fmt;
use std::str::FromStr;

use super::provider::Verdict;
use crate::error::{Error, Result};

/// Where a payment stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// Stored; the provider may or may not have heard of it.
    Initiated,
    /// The payer can pay.
    Pending,
    /// Credited.
    Settled,
    /// Refused by the provider; the payer may try again on the same page.
    Failed,
    /// Not paid in time.
    Expired,
    /// The provider says paid, with other figures than ours: a person has to look.
    Mismatch,
}

impl Status {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Initiated, Self::Pending, Self::Settled, Self::Failed, Self::Expired, Self::Mismatch];

    /// The word of database and API.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Initiated => "initiated",
            Self::Pending => "pending",
            Self::Settled => "settled",
            Self::Failed => "failed",
            Self::Expired => "expired",
            Self::Mismatch => "mismatch",
        }
    }

    /// The status and its words after what the provider said, if anything changes; `settled` is not entered here.
    pub(super) fn after(self, verdict: &Verdict, is_over: bool) -> Option<(Self, String)> {
        let (next, note) = match (self, verdict) {
            (Self::Settled, _) | (_, Verdict::Paid) => return None,
            (_, Verdict::Mismatch(note)) => (Self::Mismatch, note.clone()),
            // What was once said to be paid waits for a person, whatever is said later.
            (Self::Mismatch, _) => return None,
            (_, Verdict::Failed(note)) => (Self::Failed, note.clone()),
            (Self::Expired, Verdict::Waiting(_) | Verdict::Absent(_)) => return None,
            // What was refused at the beginning is not waited for.
            (Self::Failed, Verdict::Absent(_)) => return None,
            (_, Verdict::Waiting(_) | Verdict::Absent(_)) if is_over => {
                (Self::Expired, "Nobody paid in time".to_owned())
            }
            (Self::Failed, Verdict::Waiting(note)) => (Self::Pending, note.clone()),
            (_, Verdict::Waiting(note) | Verdict::Absent(note)) => (self, note.clone()),
        };
        Some((next, note))
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Status {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|status| status.code() == text.trim());
        found.ok_or_else(|| {
            let names = Self::ALL.map(Self::code).join(", ");
            Error::field(
                "status",
                "bad_status",
                format!("'{text}' is no status of a payment: use one of {names}"),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(status: Status, verdict: &Verdict, is_over: bool) -> Option<Status> {
        status.after(verdict, is_over).map(|(status, _)| status)
    }

    #[test]
    fn settled_is_final_and_is_entered_with_its_money_only() {
        for verdict in [Verdict::Paid, Verdict::Failed("x".into()), Verdict::Mismatch("x".into())] {
            assert_eq!(after(Status::Settled, &verdict, true), None);
        }
        for status in Status::ALL {
            assert_eq!(after(status, &Verdict::Paid, false), None);
        }
    }

    #[test]
    fn a_payer_may_try_again_until_the_time_is_over() {
        let waiting = Verdict::Waiting("ongoing".into());
        assert_eq!(after(Status::Failed, &waiting, false), Some(Status::Pending));
        assert_eq!(after(Status::Failed, &waiting, true), Some(Status::Expired));
        assert_eq!(after(Status::Pending, &waiting, true), Some(Status::Expired));
        assert_eq!(after(Status::Expired, &waiting, true), None);
        let absent = Verdict::Absent("never begun".into());
        assert_eq!(after(Status::Failed, &absent, false), None);
        assert_eq!(after(Status::Initiated, &absent, true), Some(Status::Expired));
        assert_eq!(after(Status::Expired, &Verdict::Failed("x".into()), true), Some(Status::Failed));
    }

    #[test]
    fn a_mismatch_waits_for_a_person() {
        assert_eq!(after(Status::Mismatch, &Verdict::Failed("x".into()), false), None);
        assert_eq!(after(Status::Mismatch, &Verdict::Waiting("x".into()), true), None);
        assert_eq!(after(Status::Pending, &Verdict::Mismatch("x".into()), false), Some(Status::Mismatch));
    }

    #[test]
    fn names_are_read_back() {
        for status in Status::ALL {
            assert_eq!(status.code().parse::<Status>().unwrap(), status);
        }
        assert!("paid".parse::<Status>().is_err());
    }
}
