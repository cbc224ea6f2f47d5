//! Deferred receipts: those that come in no order are stored together first, and written to their messages later.
//!
//! A carrier sends at most a window of receipts before they are acknowledged, and they are acknowledged when they are
//! stored. In order, a window of them changes a few pages of the table of messages; in no order nearly each changes
//! another page, which is read, changed and logged for one row. Such receipts are stored as they came, in one row for
//! all, and acknowledged. They are written to their messages in the order of the key, slice by slice: when there are many,
//! when the first of them has waited long enough, or when no more come.
//!
//! Invariant: an acknowledged receipt is in its message's row or in the table of deferred ones; the row that holds it
//! is deleted in the transaction that writes the last of a sorted set. [`crate::worker::jobs::recovery`] writes what a
//! run held when it died. Written twice or after another receipt, it changes nothing: the status lattice decides, and
//! only receipts that move no money are deferred. One that cannot be written stays in the table, set aside for a
//! person; every run tries it once more when it starts.

use std::time::Duration;

use crate::error::Result;
use crate::model::message::id::DeferredReceiptsId;
use crate::time::Time;
use crate::worker::settle::batch::Work;
use crate::worker::settle::{OutcomeDraft, Settler, batch_of};

/// Messages in a block of rows, as a power of two: about a page of the database.
const BLOCK_BITS: u32 = 7;
/// How long a receipt is deferred before it is written to its message.
pub(crate) const DEFERRED_FOR: Duration = Duration::from_millis(250);

/// When receipts are deferred, and how many.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Fewer receipts in a batch are written at once.
    pub few: usize,
    /// With this many receipts per block of rows or more they are written at once.
    pub dense: usize,
    /// This many are sorted and written together. At most twice as many, and a batch each, are held.
    pub many: usize,
    /// Rows in one transaction.
    pub slice: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { few: 256, dense: 8, many: 32_768, slice: 4_096 }
    }
}

/// A set of deferred receipts.
#[derive(Debug, Default)]
struct Set {
    drafts: Vec<OutcomeDraft>,
    /// The rows that hold them.
    rows: Vec<DeferredReceiptsId>,
}

impl Set {
    const fn is_empty(&self) -> bool {
        self.drafts.is_empty() && self.rows.is_empty()
    }
}

/// The deferred receipts of one carrier's settler.
#[derive(Debug, Default)]
pub(crate) struct DeferredReceipts {
    pub(crate) bounds: Bounds,
    /// Receipts that came since the last set was sorted.
    filling: Set,
    /// When the first of them came.
    since: Time,
    /// The set that is being written: the rest, sorted, last first.
    sorted: Set,
}

/// Part of a sorted set, for one transaction.
#[derive(Debug)]
struct Slice {
    drafts: Vec<OutcomeDraft>,
    /// With the last slice: the rows that hold the set.
    rows: Vec<DeferredReceiptsId>,
}

impl DeferredReceipts {
    /// Takes those out of `drafts` that are to be deferred.
    pub(super) fn take_deferrable(&self, drafts: &mut Vec<OutcomeDraft>) -> Vec<OutcomeDraft> {
        if drafts.len() < self.bounds.few || self.filling.drafts.len() >= self.bounds.many {
            return Vec::new();
        }
        let mut blocks: Vec<i64> = drafts
            .iter()
            .filter(|draft| may_wait(draft))
            .map(|draft| draft.outcome.message.0 >> BLOCK_BITS)
            .collect();
        let receipts = blocks.len();
        blocks.sort_unstable();
        blocks.dedup();
        if receipts < self.bounds.few || receipts >= blocks.len().saturating_mul(self.bounds.dense) {
            return Vec::new();
        }
        drafts.extract_if(.., |draft| may_wait(draft)).collect()
    }

    /// Defers what was stored in `row`.
    pub(super) fn defer(&mut self, drafts: Vec<OutcomeDraft>, row: Option<DeferredReceiptsId>, now: Time) {
        if self.filling.drafts.is_empty() {
            self.since = now;
        }
        self.filling.drafts.extend(drafts);
        self.filling.rows.extend(row);
    }

    /// How many are held.
    pub(crate) fn len(&self) -> usize {
        self.filling.drafts.len() + self.sorted.drafts.len()
    }

    /// When the next slice is to be written; `None` when nothing is held.
    fn due(&self) -> Option<Time> {
        let held = self.filling.drafts.len();
        match held {
            _ if !self.sorted.is_empty() => Some(Time(0)),
            0 => None,
            _ if held >= self.bounds.many => Some(Time(0)),
            _ => Some(self.since + DEFERRED_FOR),
        }
    }

    /// The next slice to write, when there are many or they waited long enough; `all` takes it in any case.
    fn next(&mut self, now: Time, all: bool) -> Option<Slice> {
        if !self.due().is_some_and(|due| all || due <= now) {
            return None;
        }
        if self.sorted.is_empty() {
            self.sorted = std::mem::take(&mut self.filling);
            self.sorted.drafts.sort_unstable_by_key(|draft| std::cmp::Reverse(draft.outcome.message));
        }
        let left = self.sorted.drafts.len().saturating_sub(self.bounds.slice);
        let drafts = self.sorted.drafts.split_off(left);
        let rows = if left == 0 { std::mem::take(&mut self.sorted.rows) } else { Vec::new() };
        Some(Slice { drafts, rows })
    }

    /// Takes a slice back that could not be written.
    fn give_back(&mut self, slice: Slice) {
        self.sorted.drafts.extend(slice.drafts);
        self.sorted.rows.extend(slice.rows);
    }
}

/// Whether this is a receipt for an earlier answer that moves no money.
fn may_wait(draft: &OutcomeDraft) -> bool {
    draft.before.is_some() && !draft.terms.refund_undelivered
}

impl Settler {
    /// The same with other bounds.
    #[must_use]
    pub fn deferring(mut self, bounds: Bounds) -> Self {
        self.deferred.bounds = bounds;
        self
    }

    /// How many receipts are deferred.
    pub fn deferred(&self) -> usize {
        self.deferred.len()
    }

    /// When deferred receipts are to be written next; a time that has passed where it is now, `None` when there are none.
    pub fn deferred_due(&self) -> Option<Time> {
        self.deferred.due()
    }

    /// Writes some deferred receipts to their messages when it is time, or in any case (`all`). True when there may be
    /// more to write now.
    ///
    /// # Errors
    /// Errors of the store; nothing is lost then, and the next call tries again.
    pub async fn write_deferred(&mut self, now: Time, all: bool) -> Result<bool> {
        let Some(slice) = self.deferred.next(now, all) else { return Ok(false) };
        let written = self.write_slice(&slice, now).await;
        if written.is_err() {
            self.deferred.give_back(slice);
        }
        written.map(|()| true)
    }

    /// Writes the next slice one by one, when one of its receipts cannot be written, so that it does not hold up the
    /// others.
    ///
    /// # Errors
    /// Passing errors of the store; a receipt that fails with any other error is set aside.
    pub async fn write_deferred_each(&mut self, now: Time) -> Result<()> {
        let Some(slice) = self.deferred.next(now, true) else { return Ok(()) };
        let written = self.write_each(&slice, now).await;
        if written.is_err() {
            self.deferred.give_back(slice);
        }
        written
    }

    async fn write_slice(&self, slice: &Slice, now: Time) -> Result<()> {
        let work = Work {
            batch: batch_of(slice.drafts.iter().cloned())?,
            written: slice.rows.clone(),
            ..self.work(now)
        };
        self.store_work(work).await.map(|_| ())
    }

    /// Writing a receipt again changes nothing, so after an error the whole slice is given back.
    async fn write_each(&self, slice: &Slice, now: Time) -> Result<()> {
        let mut aside = Vec::new();
        for draft in &slice.drafts {
            let one = Slice { drafts: vec![draft.clone()], rows: Vec::new() };
            match self.write_slice(&one, now).await {
                Err(error) if !error.is_passing() => {
                    tracing::error!(code = error.code(), %error, receipt = ?draft.outcome, "a receipt is set aside");
                    aside.push(draft.outcome.clone());
                }
                other => other?,
            }
        }
        let work = Work { written: slice.rows.clone(), aside, ..self.work(now) };
        self.store_work(work).await.map(|_| ())
    }
}

#[cfg(test)]
impl Settler {
    /// Makes a held receipt one of another message, as damage would.
    pub(crate) fn lead_astray(&mut self, message: i64, other: i64) {
        let drafts = self.deferred.filling.drafts.iter_mut();
        for draft in drafts.filter(|draft| draft.outcome.message.0 == message) {
            draft.outcome.message.0 = other;
        }
    }
}
