//! The counts of a list of recipients, which its quote shows.

use crate::phone::{Msisdn, NetworkId, NetworkTable, unread_notice};
use crate::routing::{Plan, RouteDecision};
use crate::settings::RateId;
use crate::store::campaign::quote::QuoteRejectRow;

/// Rejects that are kept; the others are only counted.
const REJECTS_KEPT: usize = 1_000;
/// Columns that are named; those of further files are not.
const COLUMNS_NOTED: usize = 64;
/// Characters of a rejected entry that are kept.
const VALUE_CHARACTERS: usize = 64;

/// The counts of a canary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CanaryTally {
    /// Its recipients; 0 where there is none.
    pub size: u64,
    /// Of these, seeds.
    pub seeds: u64,
    /// Its chunks, the last ones.
    pub chunks: u64,
}

/// The counts of a list of recipients.
#[derive(Clone, Debug, Default)]
pub struct AudienceTally {
    /// Recipients that get a message.
    pub recipients: u64,
    /// Numbers given more than once and dropped.
    pub duplicates: u64,
    /// Numbers that opted out: not charged, not sent to.
    pub suppressed: u64,
    /// Entries that are no usable recipient.
    pub invalid: u64,
    /// Of these, numbers on the Do-Not-Disturb list, where their route respects it.
    pub dnd: u64,
    /// The first of them.
    pub rejects: Vec<QuoteRejectRow>,
    /// Recipients by network, index-aligned with the network table.
    pub networks: Vec<u64>,
    /// Billed pages of one message, the fewest and the most; zeroes when there are no recipients.
    pub pages: (u8, u8),
    /// Short messages of one message, the fewest and the most.
    pub segments: (u8, u8),
    /// Billed pages in all.
    pub total_pages: u64,
    /// Recipients outside Nigeria.
    pub abroad: u64,
    /// Billed pages of their messages.
    pub abroad_pages: u64,
    /// Recipients and billed pages by rate, at its place.
    pub rates: Vec<(u64, u64)>,
    /// Short messages by carrier, index-aligned with the router's carriers.
    pub carrier_segments: Vec<u64>,
    /// Recipients whose messages wait during the quiet hours.
    pub promotional: u64,
    /// Its canary.
    pub canary: CanaryTally,
    /// The first recipient.
    pub first: Option<Msisdn>,
    /// The values of its merge fields.
    pub first_values: Vec<Box<str>>,
    /// The columns of files whose numbers were read, each once.
    pub read_columns: Vec<String>,
    /// Columns of files that also hold numbers and were not read, each once.
    pub unread_columns: Vec<String>,
}

impl AudienceTally {
    /// Short messages in all.
    pub fn total_segments(&self) -> u64 {
        self.carrier_segments.iter().sum()
    }

    /// Entries that were read: usable, repeated, opted out or none of these.
    pub const fn entries(&self) -> u64 {
        self.recipients + self.duplicates + self.suppressed + self.invalid
    }

    /// Notes which columns of a file were read. Of many files the first [`COLUMNS_NOTED`] are kept.
    pub(crate) fn note_columns(&mut self, read: &[String], unread: &[String]) {
        for (known, columns) in [(&mut self.read_columns, read), (&mut self.unread_columns, unread)] {
            for column in columns {
                if known.len() < COLUMNS_NOTED && !known.contains(column) {
                    known.push(column.clone());
                }
            }
        }
    }

    /// A sentence for each column of numbers that was not read.
    pub(crate) fn notices(&self) -> Vec<String> {
        self.unread_columns.iter().map(|column| unread_notice(column)).collect()
    }

    /// Nothing yet, of recipients whom `plan` decides on and who have so many prices.
    pub(crate) fn of(plan: &Plan, networks: &NetworkTable, rates: usize) -> Self {
        Self {
            networks: vec![0; networks.len()],
            rates: vec![(0, 0); rates],
            carrier_segments: vec![0; plan.carriers().len()],
            pages: (u8::MAX, 0),
            segments: (u8::MAX, 0),
            ..Self::default()
        }
    }

    /// Counts a recipient.
    #[inline]
    pub(crate) fn count(
        &mut self,
        taken: RouteDecision,
        network: NetworkId,
        (pages, segments): (u8, u8),
        (rate, is_abroad): (RateId, bool),
    ) {
        self.recipients += 1;
        self.abroad += u64::from(is_abroad);
        self.abroad_pages += if is_abroad { u64::from(pages) } else { 0 };
        let (recipients, of_rate) = &mut self.rates[rate.place()];
        (*recipients, *of_rate) = (*recipients + 1, *of_rate + u64::from(pages));
        self.promotional += u64::from(taken.promotional);
        self.networks[usize::from(network.0)] += 1;
        self.total_pages += u64::from(pages);
        self.carrier_segments[usize::from(taken.carrier)] += u64::from(segments);
        self.pages = (self.pages.0.min(pages), self.pages.1.max(pages));
        self.segments = (self.segments.0.min(segments), self.segments.1.max(segments));
    }

    /// Counts a reject, and keeps it while there is room.
    pub(super) fn reject(&mut self, line: u64, value: &str, code: &str, reason: &dyn std::fmt::Display) {
        self.invalid += 1;
        if self.rejects.len() < REJECTS_KEPT {
            self.rejects.push(QuoteRejectRow {
                line: line.cast_signed(),
                value: value.chars().take(VALUE_CHARACTERS).map(shown).collect(),
                code: code.to_owned(),
                reason: reason.to_string(),
            });
        }
    }
}

/// Control characters are of no use to the reader of the list, and PostgreSQL stores no NUL.
fn shown(c: char) -> char {
    if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }
}
