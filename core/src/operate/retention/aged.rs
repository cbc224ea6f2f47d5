//! What goes by its age alone, row by row: what handsets sent, and events that programs were told. Without a time of their own
//! they are kept for a default one. Rows of customers under a legal hold stay.

use std::time::Duration;

use super::terms::still_holds;
use super::{Term, TermsInForce, day_of};
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::platform::data_class::DataClass;
use crate::store::account::legal_hold;
use crate::store::message::inbound;
use crate::store::retention as table;
use crate::store::subject::erase::overwrite_removed;
use crate::store::webhook::delivery;
use crate::store::{AgedRow, Lane, Store, Tx};
use crate::time::Time;

/// Days that events are kept where nothing is configured: longer than a delivery is tried.
const EVENTS_KEPT_DAYS: i64 = 30;
/// Days that messages of handsets are.
const INBOUND_KEPT_DAYS: i64 = 400;

/// Rows that go by their age.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aged {
    /// Events that customers' programs were told.
    Events,
    /// What handsets sent.
    Inbound,
}

/// All of them.
pub const WALKED_BY_AGE: [Aged; 2] = [Aged::Events, Aged::Inbound];

impl Aged {
    /// The class whose time is theirs.
    pub const fn class(self) -> DataClass {
        match self {
            Self::Events => DataClass::Receipts,
            Self::Inbound => DataClass::Inbound,
        }
    }

    const fn default_days(self) -> i64 {
        match self {
            Self::Events => EVENTS_KEPT_DAYS,
            Self::Inbound => INBOUND_KEPT_DAYS,
        }
    }

    async fn rows(self, tx: &mut Tx, before: Time, after: AgedRow) -> Result<Vec<AgedRow>> {
        match self {
            Self::Events => delivery::aged(tx, before, after).await,
            Self::Inbound => inbound::aged(tx, before, after).await,
        }
    }

    async fn remove(self, tx: &mut Tx, ids: Vec<i64>) -> Result<u64> {
        match self {
            Self::Events => delivery::remove(tx, ids).await,
            Self::Inbound => inbound::remove(tx, ids).await,
        }
    }
}

/// A walk over rows in the order of their age. It goes on behind what stays, so that no step reads that again.
#[derive(Debug)]
pub struct AgedPass {
    of: Aged,
    /// Days that are configured and hold.
    days: Option<u32>,
    after: AgedRow,
}

impl AgedPass {
    /// From the oldest row on; `None` while the time of the class is put off.
    pub fn begin(of: Aged, terms: &TermsInForce) -> Option<Self> {
        let days = match terms.of(of.class()) {
            Term::PutOff => return None,
            Term::Unset => None,
            Term::Days(days) => Some(days),
        };
        Some(Self { of, days, after: AgedRow::FIRST })
    }

    /// Whether a time that was configured removes them.
    pub const fn is_configured(&self) -> bool {
        self.days.is_some()
    }

    /// Removes some of what is too old by now; how many, `None` where nothing is left.
    ///
    /// # Errors
    /// Errors of the database.
    pub async fn step(&mut self, store: &Store, now: Time) -> Result<Option<u64>> {
        let days = self.days.map_or_else(|| self.of.default_days(), i64::from);
        let before = now - Duration::from_hours(24 * days.unsigned_abs());
        let rows = self.of.rows(&mut store.read().await?, before, self.after).await?;
        let Some(last) = rows.last() else { return Ok(None) };
        let after = *last;
        let input = (self.of, self.days, rows, now);
        let removed = store.write(Lane::Background, input, |tx, (of, days, rows, now)| {
            Box::pin(remove(tx, *of, *days, rows, *now))
        });
        let removed = removed.await?;
        self.after = after;
        Ok(removed)
    }
}

/// Removes these rows but for those of customers under a hold; `None` where the time does not hold any more.
async fn remove(
    tx: &mut Tx,
    of: Aged,
    days: Option<u32>,
    rows: &[AgedRow],
    now: Time,
) -> Result<Option<u64>> {
    table::lock(tx).await?;
    if !still_holds(tx, of.class(), days, now).await? {
        return Ok(None);
    }
    let mut users: Vec<UserId> = rows.iter().filter_map(|row| row.user_id).collect();
    users.sort_unstable();
    users.dedup();
    let held = legal_hold::held_among(tx, users).await?;
    let is_held = |row: &&AgedRow| row.user_id.is_some_and(|user| held.contains(&user));
    let ids: Vec<i64> = rows.iter().filter(|row| !is_held(row)).map(|row| row.id).collect();
    if ids.is_empty() {
        return Ok(Some(0));
    }
    if days.is_none() {
        return of.remove(tx, ids).await.map(Some);
    }
    overwrite_removed(tx, true).await?;
    let removed = of.remove(tx, ids).await;
    overwrite_removed(tx, false).await?;
    let removed = removed?;
    if removed > 0 {
        table::count(tx, of.class(), day_of(now), (0, removed.cast_signed())).await?;
    }
    Ok(Some(removed))
}
