//! Canaries: the few recipients of a campaign who get their message first. The rest waits until enough of theirs were
//! delivered, so that a bad list, text or route costs a few messages and not all.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::model::campaign::audience_chunk::CHUNK_SIZE;
use crate::model::campaign::id::CampaignId;
use crate::phone::Msisdn;
use crate::time::Time;

/// Recipients of a canary, at most.
pub const CANARY_MAX: u64 = CHUNK_SIZE as u64;
/// Seeds of a canary, at most.
pub const SEEDS_MAX: usize = 20;

/// How long receipts that carriers kept while no daemon took them are waited for, at most.
const CATCH_UP: Duration = Duration::from_mins(10);

/// How long after the first the others of it may take to be handed over before the wait begins all the same, at least: a
/// carrier that is away, or was removed, does not hold the rest for ever.
const HANDED_WITHIN: Duration = Duration::from_hours(1);

/// How many recipients a canary is asked to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CanarySize {
    /// So many, from 1 to [`CANARY_MAX`]; 0 where it is seeds alone.
    Recipients(u16),
    /// So many of a hundred, from 1 to 99, rounded up; [`CANARY_MAX`] at most.
    Percent(u8),
}

impl CanarySize {
    /// Of so many recipients.
    pub fn of(self, recipients: u64) -> u64 {
        let wanted = match self {
            Self::Recipients(count) => u64::from(count),
            Self::Percent(share) => recipients.saturating_mul(u64::from(share)).div_ceil(100),
        };
        wanted.min(CANARY_MAX).min(recipients)
    }

    /// Of any number of recipients, at most.
    pub fn most(self) -> usize {
        match self {
            Self::Recipients(count) => usize::from(count).min(CHUNK_SIZE),
            Self::Percent(_) => CHUNK_SIZE,
        }
    }
}

/// As in a form: `50` or `5%`.
impl fmt::Display for CanarySize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Recipients(count) => write!(f, "{count}"),
            Self::Percent(share) => write!(f, "{share}%"),
        }
    }
}

/// The canary that a form asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanaryTerms {
    /// How many recipients beside the seeds.
    pub size: CanarySize,
    /// Numbers of the sender's own that are of it, each once and in order. One that is not on the list becomes a recipient.
    pub seeds: Vec<Msisdn>,
    /// So many of a hundred must be delivered, from 1 to 100.
    pub delivery: u8,
    /// Seconds until what is not delivered counts as failed, from when each was handed to a carrier once.
    pub wait_s: u32,
}

/// The canary of a quote, as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgreedCanary {
    /// Recipients.
    pub size: i64,
    /// Of these, seeds. Quotes of before there were any have none.
    #[serde(default)]
    pub seeds: i64,
    /// Their chunks, the last of the audience.
    pub chunks: i64,
    /// So many of a hundred must be delivered.
    pub delivery: i64,
    /// Seconds, see [`CanaryTerms::wait_s`].
    pub wait_s: i64,
}

json_column!(AgreedCanary);

/// Where a campaign's canary is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Canary {
    /// The campaign.
    pub campaign_id: CampaignId,
    /// Recipients.
    pub size: i64,
    /// So many of a hundred must be delivered.
    pub delivery: i64,
    /// Seconds, see [`CanaryTerms::wait_s`].
    pub wait_s: i64,
    /// When its first message was handed to a carrier, or could have been.
    pub begun_at: Time,
    /// Whether some of it waits in the quiet hours.
    pub waits_in_quiet: bool,
    /// When each of its messages was seen to have been handed to a carrier once.
    pub handed_at: Option<Time>,
    /// When it failed.
    pub failed_at: Option<Time>,
    /// When the rest was let go: it passed, or its campaign was resumed after it failed.
    pub passed_at: Option<Time>,
    /// Messages that were handed to a carrier at least once, or are just being.
    pub claimed: i64,
    /// Messages that carriers took or refused, or that were given up: those that are to be tried again are not of them.
    pub answered: i64,
    /// Of these, messages that may still be delivered.
    pub pending: i64,
    /// Of these, messages that were.
    pub delivered: i64,
}

/// Who judges, and when.
#[derive(Clone, Copy, Debug)]
pub struct Judging {
    /// Since when this run takes receipts: those that came before are still to be heard.
    pub since: Time,
    /// Now.
    pub now: Time,
    /// Whether promotional messages wait now.
    pub is_quiet: bool,
}

/// What is to be done about a canary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CanaryVerdict {
    /// Nothing yet.
    Waits,
    /// Its wait begins: each of its messages was handed to a carrier once.
    HandedOver,
    /// The rest goes out.
    Passed,
    /// The campaign pauses.
    Failed,
}

impl Canary {
    /// Messages that were not delivered and, as far as is known, will not be.
    pub const fn failed(&self) -> i64 {
        self.answered - self.pending - self.delivered
    }

    /// How many must be delivered.
    pub const fn needed(&self) -> i64 {
        (self.size * self.delivery + 99) / 100
    }

    /// Whether it is not decided.
    pub const fn is_running(&self) -> bool {
        self.failed_at.is_none() && self.passed_at.is_none()
    }

    /// When what is not delivered by then counts as failed.
    pub fn until(&self) -> Option<Time> {
        self.handed_at.filter(|_| self.is_running()).map(|at| at + self.wait())
    }

    /// Whether some of it should have been handed over long ago; not what waits in the quiet hours.
    fn is_overdue(&self, now: Time, is_quiet: bool) -> bool {
        let waits = is_quiet && self.waits_in_quiet;
        !waits && now >= self.begun_at + (self.wait() * 2).max(HANDED_WITHIN)
    }

    const fn wait(&self) -> Duration {
        Duration::from_secs(self.wait_s.unsigned_abs())
    }

    /// What is to be done now. What is to be tried again does not make the wait longer, nor for ever what no carrier takes.
    pub fn verdict(&self, Judging { since, now, is_quiet }: Judging) -> CanaryVerdict {
        // One that failed and is sent all the same was resumed by a daemon that does not know canaries.
        if self.failed_at.is_some() || self.delivered >= self.needed() {
            return CanaryVerdict::Passed;
        }
        if self.size - self.failed() < self.needed() {
            return CanaryVerdict::Failed;
        }
        let wait = self.wait();
        match self.handed_at {
            None if self.claimed < self.size && !self.is_overdue(now, is_quiet) => CanaryVerdict::Waits,
            None => CanaryVerdict::HandedOver,
            Some(at) if now < (at + wait).max(since + wait.min(CATCH_UP)) => CanaryVerdict::Waits,
            Some(_) => CanaryVerdict::Failed,
        }
    }

    /// As in `12 of 50 delivered, 40 needed`.
    pub fn in_words(&self) -> String {
        format!("{} of {} delivered, {} needed", self.delivered, self.size, self.needed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All of it claimed.
    fn canary(answered: i64, pending: i64, delivered: i64) -> Canary {
        Canary {
            campaign_id: CampaignId(1),
            size: 50,
            delivery: 79,
            wait_s: 600,
            begun_at: Time(0),
            waits_in_quiet: true,
            handed_at: None,
            failed_at: None,
            passed_at: None,
            claimed: 50,
            answered,
            pending,
            delivered,
        }
    }

    const WAIT: i64 = 600_000;

    fn at(since: i64, now: i64) -> Judging {
        Judging { since: Time(since), now: Time(now), is_quiet: false }
    }

    #[test]
    fn what_no_carrier_takes_does_not_hold_the_rest_for_ever() {
        let stuck = Canary { claimed: 49, ..canary(49, 10, 39) };
        let hour = 3_600_000;
        assert_eq!(stuck.verdict(at(0, hour - 1)), CanaryVerdict::Waits);
        assert_eq!(stuck.verdict(at(0, hour)), CanaryVerdict::HandedOver);
        let quiet = |canary: Canary| canary.verdict(Judging { is_quiet: true, ..at(0, 9 * hour) });
        assert_eq!(quiet(stuck), CanaryVerdict::Waits, "it goes on in the morning");
        assert_eq!(quiet(Canary { waits_in_quiet: false, ..stuck }), CanaryVerdict::HandedOver);
        let slow = Canary { wait_s: 7_200, ..stuck };
        assert_eq!(slow.verdict(at(0, 4 * hour - 1)), CanaryVerdict::Waits);
        assert_eq!(slow.verdict(at(0, 4 * hour)), CanaryVerdict::HandedOver, "twice its wait");
    }

    #[test]
    fn a_canary_passes_at_its_threshold_and_fails_as_soon_as_it_is_out_of_reach() {
        let verdict = |canary: Canary| canary.verdict(at(0, 0));
        assert_eq!(canary(0, 0, 0).needed(), 40, "39.5 of 50, rounded up");
        let partly = |answered, delivered| Canary { claimed: 49, ..canary(answered, 0, delivered) };
        assert_eq!(verdict(partly(0, 0)), CanaryVerdict::Waits);
        assert_eq!(verdict(partly(40, 40)), CanaryVerdict::Passed, "before all of it is handed over");
        assert_eq!(verdict(partly(49, 39)), CanaryVerdict::Waits);
        assert_eq!(verdict(canary(49, 1, 38)), CanaryVerdict::HandedOver, "one is to be tried again");
        assert_eq!(verdict(canary(11, 0, 0)), CanaryVerdict::Failed, "39 are left");
        assert_eq!(verdict(canary(10, 0, 0)), CanaryVerdict::HandedOver, "40 are left");
        let resumed = Canary { failed_at: Some(Time(1)), ..canary(11, 0, 0) };
        assert_eq!(verdict(resumed), CanaryVerdict::Passed);
    }

    #[test]
    fn the_wait_begins_when_all_is_handed_over_and_a_run_that_began_later_hears_what_was_kept_for_it() {
        let handed = Canary { handed_at: Some(Time(1_000)), ..canary(50, 50, 0) };
        assert_eq!(handed.until(), Some(Time(1_000 + WAIT)));
        assert_eq!(handed.verdict(at(0, 999 + WAIT)), CanaryVerdict::Waits);
        assert_eq!(handed.verdict(at(0, 1_000 + WAIT)), CanaryVerdict::Failed);
        let later = 5_000_000;
        let kept = |wait_s: i64, caught_up_s: i64| {
            let handed = Canary { wait_s, ..handed };
            let after = |s: i64| handed.verdict(at(later, later + s * 1_000));
            assert_eq!(
                [after(caught_up_s - 1), after(caught_up_s)],
                [CanaryVerdict::Waits, CanaryVerdict::Failed]
            );
        };
        kept(60, 60);
        kept(600, 600);
        // The rest of the wait, or ten minutes.
        kept(3_000, 600);
        kept(6_000, 1_001);
    }

    #[test]
    fn a_share_is_rounded_up_and_no_canary_is_larger_than_a_chunk_or_its_list() {
        assert_eq!(CanarySize::Percent(5).of(1_001), 51);
        assert_eq!(CanarySize::Percent(99).of(10_000_000), CANARY_MAX);
        assert_eq!(CanarySize::Percent(1).of(1), 1);
        assert_eq!(CanarySize::Recipients(50).of(49), 49);
    }
}
