//! What became of a chunk's messages: counted by network, over time and by reason, and added up over chunks.
//!
//! Tallies add up in any order to the same sum. The width of its buckets is the smallest at which they
//! are few enough, and widths divide one another, so a sum is exact whatever the widths of its parts were.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::status::MessageStatus as S;

/// Buckets at most.
const BUCKETS: usize = 120;
/// How wide buckets can be, in seconds. Each width divides the next.
const WIDTHS_S: [i64; 15] =
    [1, 5, 10, 30, 60, 300, 600, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 604_800, 31_449_600];
/// Reasons that are told apart in one chunk; the rest of it is counted together.
pub(crate) const REASONS: usize = 256;
/// What stands for the rest, also in what is stored.
pub(crate) const OTHER: &str = "house:other";

/// Outcomes in one network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcomes {
    /// Recipients.
    #[serde(rename = "o", default)]
    pub ordered: i64,
    /// Accepted, no receipt yet.
    #[serde(rename = "a", default)]
    pub awaited: i64,
    /// Delivered.
    #[serde(rename = "d", default)]
    pub delivered: i64,
    /// Accepted and not delivered.
    #[serde(rename = "u", default)]
    pub undelivered: i64,
    /// Refused.
    #[serde(rename = "r", default)]
    pub rejected: i64,
    /// Not delivered in time.
    #[serde(rename = "e", default)]
    pub expired: i64,
    /// May have been sent.
    #[serde(rename = "n", default)]
    pub unknown: i64,
}

impl Outcomes {
    pub(crate) fn count(&mut self, status: S) {
        match status {
            S::Submitted => self.awaited += 1,
            S::Delivered => self.delivered += 1,
            S::Undelivered => self.undelivered += 1,
            S::Rejected => self.rejected += 1,
            S::Expired => self.expired += 1,
            S::Unknown => self.unknown += 1,
            S::Queued | S::Submitting | S::Cancelled | S::Suppressed => (),
        }
    }

    /// Adds `other`, `times` times: once, or -1 to take it away.
    pub(crate) fn add(&mut self, other: &Self, times: i64) {
        let Self { ordered, awaited, delivered, undelivered, rejected, expired, unknown } = *other;
        self.ordered += times * ordered;
        self.awaited += times * awaited;
        self.delivered += times * delivered;
        self.undelivered += times * undelivered;
        self.rejected += times * rejected;
        self.expired += times * expired;
        self.unknown += times * unknown;
    }

    /// Delivered, of a thousand of which it is known whether they were.
    pub fn delivered_per_mille(&self) -> Option<i64> {
        let Self { delivered, undelivered, rejected, expired, ordered: _, awaited: _, unknown: _ } = *self;
        let known = delivered + undelivered + rejected + expired;
        (known > 0).then(|| delivered.saturating_mul(1_000) / known)
    }
}

/// What happened in a bucket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Happened {
    #[serde(rename = "s")]
    pub(crate) submitted: i64,
    #[serde(rename = "d")]
    pub(crate) delivered: i64,
    #[serde(rename = "f")]
    pub(crate) failed: i64,
}

impl Happened {
    pub(crate) const SUBMITTED: Self = Self { submitted: 1, delivered: 0, failed: 0 };
    pub(crate) const DELIVERED: Self = Self { submitted: 0, delivered: 1, failed: 0 };
    pub(crate) const FAILED: Self = Self { submitted: 0, delivered: 0, failed: 1 };

    fn add(&mut self, other: Self) {
        self.submitted += other.submitted;
        self.delivered += other.delivered;
        self.failed += other.failed;
    }
}

/// What happened when.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Timeline {
    /// Which of the widths.
    level: usize,
    /// By the number of the bucket since 1970.
    buckets: BTreeMap<i64, Happened>,
}

impl Timeline {
    pub(crate) fn width_s(&self) -> i64 {
        WIDTHS_S.get(self.level).copied().unwrap_or(1)
    }

    /// The buckets by their beginnings in ms.
    pub(crate) fn buckets(&self) -> impl Iterator<Item = (i64, Happened)> + '_ {
        self.buckets.iter().map(|(bucket, happened)| (bucket * self.width_s() * 1_000, *happened))
    }

    pub(crate) fn note(&mut self, at: i64, happened: Happened) {
        self.buckets.entry(at.div_euclid(self.width_s() * 1_000)).or_default().add(happened);
        self.fit();
    }

    fn add(&mut self, other: &Self) {
        while self.level < other.level {
            self.widen();
        }
        for (at, happened) in other.buckets() {
            self.note(at, happened);
        }
    }

    fn fit(&mut self) {
        while self.buckets.len() > BUCKETS && self.level + 1 < WIDTHS_S.len() {
            self.widen();
        }
    }

    fn widen(&mut self) {
        let before = self.width_s();
        self.level += 1;
        let times = self.width_s() / before;
        for (bucket, happened) in std::mem::take(&mut self.buckets) {
            self.buckets.entry(bucket.div_euclid(times)).or_default().add(happened);
        }
    }
}

/// What became of messages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// By the network's name.
    pub networks: BTreeMap<String, Outcomes>,
    pub(crate) times: Timeline,
    /// How many by status and reason as it was recorded.
    pub(crate) reasons: Vec<(S, Option<String>, i64)>,
}

impl Tally {
    /// Adds another but for its reasons, which the caller bounds.
    pub(crate) fn add(&mut self, other: &Self) {
        for (network, outcomes) in &other.networks {
            self.networks.entry(network.clone()).or_default().add(outcomes, 1);
        }
        self.times.add(&other.times);
    }

    /// What changed in each network since `before`.
    pub(crate) fn since(&self, before: &Self) -> BTreeMap<String, Outcomes> {
        let mut changes = self.networks.clone();
        for (network, outcomes) in &before.networks {
            changes.entry(network.clone()).or_default().add(outcomes, -1);
        }
        changes.retain(|_, outcomes| *outcomes != Outcomes::default());
        changes
    }
}

json_column!(Tally);

#[cfg(test)]
mod tests {
    use super::*;

    fn timeline(times_s: impl Iterator<Item = i64>) -> Timeline {
        let mut line = Timeline::default();
        times_s.for_each(|at| line.note(at * 1_000, Happened::DELIVERED));
        line
    }

    #[test]
    fn widths_divide_one_another() {
        assert!(WIDTHS_S.windows(2).all(|pair| pair[1] % pair[0] == 0));
    }

    #[test]
    fn a_timeline_has_few_buckets_and_loses_nothing() {
        let line = timeline((0..100_000).map(|step| step * 7));
        assert!(line.buckets.len() <= BUCKETS, "{}", line.buckets.len());
        assert_eq!(line.buckets().map(|(_, happened)| happened.delivered).sum::<i64>(), 100_000);
        // A straggler of the next day does not make the minute of all the others one bucket.
        let line = timeline((0..60).chain([86_400]));
        assert_eq!((line.width_s(), line.buckets.len()), (1, 61));
    }

    #[test]
    fn timelines_add_up_in_any_order_to_the_same() {
        let all = timeline((0..1_000).chain(50_000..50_100));
        let mut parts = [timeline(0..10), timeline(10..1_000), timeline(50_000..50_100)];
        for _ in 0..3 {
            parts.rotate_left(1);
            let mut sum = Timeline::default();
            parts.iter().for_each(|part| sum.add(part));
            assert_eq!(sum, all);
        }
    }

    #[test]
    fn a_tally_is_read_back_as_it_was_stored() {
        let tally = Tally {
            networks: [("mtn".to_owned(), Outcomes { ordered: 3, delivered: 2, ..Outcomes::default() })]
                .into(),
            times: timeline(0..3),
            reasons: vec![(S::Rejected, Some("err:001".to_owned()), 1), (S::Expired, None, 2)],
        };
        assert_eq!(Tally::from_json(&tally.to_json().unwrap()).unwrap(), tally);
        assert_eq!(tally.since(&Tally::default()), tally.networks);
        assert!(tally.since(&tally).is_empty());
    }
}
