//! `--fail-if` and `--abort-if` conditions, such as `failed>5%`: parsed once, evaluated exactly, in integers.

use std::fmt;
use std::str::FromStr;

use talkdrum_api::campaign::Quote;
use talkdrum_api::contact::Import;
use talkdrum_api::counts::Counts;
use talkdrum_api::money::{Amount, MICROS};

/// A condition over the counts of a campaign, an import or a quote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FailIf<M = Metric> {
    metric: M,
    relation: Relation,
    limit: Limit,
}

/// What can be counted of something.
pub(crate) trait Measure: Copy + PartialEq + 'static {
    /// What is counted.
    type Counts;
    /// The names, with what they stand for.
    const ALL: &'static [(&'static str, Self)];
    /// The count.
    fn of(self, counts: &Self::Counts) -> i64;
}

/// What is counted of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ImportMetric {
    /// Rows that are no usable number.
    Invalid,
    Duplicates,
    /// Contacts taken without a field of theirs.
    Warnings,
    Added,
    Updated,
}

impl Measure for ImportMetric {
    type Counts = Import;

    const ALL: &'static [(&'static str, Self)] = &[
        ("invalid", Self::Invalid),
        ("duplicates", Self::Duplicates),
        ("warnings", Self::Warnings),
        ("added", Self::Added),
        ("updated", Self::Updated),
    ];

    fn of(self, import: &Import) -> i64 {
        match self {
            Self::Invalid => import.invalid,
            Self::Duplicates => import.duplicates,
            Self::Warnings => import.warnings,
            Self::Added => import.added,
            Self::Updated => import.updated,
        }
    }
}

/// What is counted of a quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuoteMetric {
    /// Entries left out, those on the Do-Not-Disturb list among them.
    Invalid,
    Duplicates,
    Dnd,
    OptedOut,
    Contacts,
}

impl Measure for QuoteMetric {
    type Counts = Quote;

    const ALL: &'static [(&'static str, Self)] = &[
        ("invalid", Self::Invalid),
        ("duplicates", Self::Duplicates),
        ("dnd", Self::Dnd),
        ("opted_out", Self::OptedOut),
        ("contacts", Self::Contacts),
    ];

    fn of(self, quote: &Quote) -> i64 {
        match self {
            Self::Invalid => quote.total_invalid,
            Self::Duplicates => quote.total_duplicates_removed,
            Self::Dnd => quote.total_dnd,
            Self::OptedOut => quote.total_suppressed,
            Self::Contacts => quote.total_contacts,
        }
    }
}

/// What is counted of a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Metric {
    /// Rejected, undelivered and expired together.
    Failed,
    Delivered,
    Undelivered,
    Rejected,
    Expired,
    Unknown,
    Cancelled,
    Suppressed,
}

/// How it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Above,
    AtLeast,
    Below,
    AtMost,
}

/// With what: a number of messages or a share of them, both in millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limit {
    Count(i64),
    Percent(i64),
}

impl<M: Measure> FailIf<M> {
    /// Whether a campaign of `total` messages, or an import of so many rows, with these counts meets the condition. Of no messages nothing is a
    /// share, so a percentage never holds then.
    pub(crate) fn holds(&self, counts: &M::Counts, total: i64) -> bool {
        let count = i128::from(self.metric.of(counts));
        let (left, right) = match self.limit {
            Limit::Count(limit) => (count * i128::from(MICROS), i128::from(limit)),
            Limit::Percent(_) if total <= 0 => return false,
            Limit::Percent(limit) => {
                (count * 100 * i128::from(MICROS), i128::from(limit) * i128::from(total))
            }
        };
        match self.relation {
            Relation::Above => left > right,
            Relation::AtLeast => left >= right,
            Relation::Below => left < right,
            Relation::AtMost => left <= right,
        }
    }

    /// How many messages or rows the condition looks at, for the sentence that explains it.
    pub(crate) fn observed(&self, counts: &M::Counts) -> i64 {
        self.metric.of(counts)
    }
}

impl Measure for Metric {
    type Counts = Counts;

    const ALL: &'static [(&'static str, Self)] = &[
        ("failed", Self::Failed),
        ("delivered", Self::Delivered),
        ("undelivered", Self::Undelivered),
        ("rejected", Self::Rejected),
        ("expired", Self::Expired),
        ("unknown", Self::Unknown),
        ("cancelled", Self::Cancelled),
        ("suppressed", Self::Suppressed),
    ];

    fn of(self, counts: &Counts) -> i64 {
        match self {
            Self::Failed => counts.failed(),
            Self::Delivered => counts.delivered,
            Self::Undelivered => counts.undelivered,
            Self::Rejected => counts.rejected,
            Self::Expired => counts.expired,
            Self::Unknown => counts.unknown,
            Self::Cancelled => counts.cancelled,
            Self::Suppressed => counts.suppressed,
        }
    }
}

impl Relation {
    /// The longer signs first, so that `>=` is not read as `>`.
    const ALL: [(&'static str, Self); 4] =
        [(">=", Self::AtLeast), ("<=", Self::AtMost), (">", Self::Above), ("<", Self::Below)];
}

impl<M: Measure> FromStr for FailIf<M> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let at =
            text.find(['<', '>']).ok_or_else(|| format!("write it as '{0}>5%' or '{0}>0'", M::ALL[0].0))?;
        let (name, rest) = (text[..at].trim(), &text[at..]);
        let metric = M::ALL.iter().find(|(known, _)| *known == name).map(|(_, metric)| *metric);
        let metric = metric.ok_or_else(|| format!("'{name}' is not counted: use {}", names::<M>()))?;
        let (sign, relation) =
            Relation::ALL.iter().find(|(sign, _)| rest.starts_with(sign)).ok_or("use >, >=, < or <=")?;
        let limit = rest[sign.len()..].trim();
        let bad = || format!("'{limit}' is neither a number nor a percentage");
        let limit = match limit.strip_suffix('%') {
            Some(share) => Limit::Percent(share.trim().parse::<Amount>().map_err(|_| bad())?.micros()),
            None => Limit::Count(whole(limit).ok_or_else(bad)?),
        };
        let (Limit::Count(size) | Limit::Percent(size)) = limit;
        if size < 0 { Err(bad()) } else { Ok(Self { metric, relation: *relation, limit }) }
    }
}

/// A whole number of messages, in millionths.
fn whole(text: &str) -> Option<i64> {
    text.parse::<i64>().ok().and_then(|count| count.checked_mul(MICROS))
}

fn names<M: Measure>() -> String {
    let names: Vec<&str> = M::ALL.iter().map(|(name, _)| *name).collect();
    names.join(", ")
}

impl<M: Measure> fmt::Display for FailIf<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = M::ALL.iter().find(|(_, metric)| *metric == self.metric).map_or("", |(name, _)| *name);
        let sign = Relation::ALL
            .iter()
            .find(|(_, relation)| *relation == self.relation)
            .map_or("", |(sign, _)| *sign);
        match self.limit {
            Limit::Count(limit) => write!(f, "{name}{sign}{}", Amount(limit)),
            Limit::Percent(limit) => write!(f, "{name}{sign}{}%", Amount(limit)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(text: &str, counts: Counts, total: i64) -> bool {
        text.parse::<FailIf<Metric>>().unwrap().holds(&counts, total)
    }

    #[test]
    fn failed_is_rejected_undelivered_and_expired_together() {
        let counts = Counts { rejected: 2, undelivered: 2, expired: 2, unknown: 9, ..Counts::default() };
        assert!(holds("failed>5%", counts, 100));
        assert!(holds("failed>=6", counts, 100));
        assert!(!holds("failed>6", counts, 100));
        assert!(holds("unknown>0", counts, 100));
    }

    #[test]
    fn every_status_in_which_a_message_ends_can_be_named() {
        let ended = Counts::default().by_status().into_iter().map(|(name, _)| name);
        for name in ended.filter(|name| !["queued", "submitting", "submitted"].contains(name)) {
            assert!(Metric::ALL.iter().any(|(metric, _)| *metric == name), "{name}");
        }
    }

    #[test]
    fn a_status_counts_under_its_own_name_and_as_failed_where_it_is_a_failure() {
        for (status, _) in Counts::default().by_status() {
            let counts: Counts = serde_json::from_value(serde_json::json!({
                "queued": 0, "submitting": 0, "submitted": 0, "delivered": 0, "undelivered": 0, "rejected": 0,
                "expired": 0, "unknown": 0, "cancelled": 0, "suppressed": 0, status: 1
            }))
            .unwrap();
            for (name, metric) in Metric::ALL {
                let is_counted = *name == status || (*name == "failed" && counts.failed() == 1);
                assert_eq!(metric.of(&counts), i64::from(is_counted), "{status} under {name}");
            }
        }
    }

    #[test]
    fn a_share_is_compared_exactly_at_its_edge() {
        let counts = Counts { undelivered: 5, ..Counts::default() };
        assert!(!holds("undelivered>5%", counts, 100));
        assert!(holds("undelivered>=5%", counts, 100));
        assert!(holds("undelivered > 4.999999 %", counts, 100));
        assert!(holds("undelivered<=5%", counts, 100));
        assert!(!holds("undelivered<5%", counts, 100));
    }

    #[test]
    fn nothing_is_no_share_of_nothing() {
        assert!(!holds("delivered<90%", Counts::default(), 0));
        assert!(holds("delivered<1", Counts::default(), 0));
    }

    #[test]
    fn a_condition_is_written_back_as_it_was_meant() {
        for text in ["failed>5%", "unknown>0", "undelivered>=100", "delivered<99.5%", "cancelled<=3"] {
            assert_eq!(text.parse::<FailIf<Metric>>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_a_sentence() {
        for text in ["", "failed", "failed=5", "sent>5", "failed>", "failed>x%", "failed>-1", "failed>1.5"] {
            assert!(text.parse::<FailIf<Metric>>().is_err(), "{text}");
        }
        assert!("sent>5".parse::<FailIf<Metric>>().unwrap_err().contains("undelivered"));
    }
}
