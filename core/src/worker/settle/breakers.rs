//! Looking after the carrier's breakers: what changed is stored, what administrators ordered is taken over, and messages that
//! wait for a breaker that lets them through are made due.

use std::time::Duration;

use super::Settler;
use crate::error::Result;
use crate::model::carrier::breaker::{BreakerState, StoredBreaker};
use crate::store::Lane;
use crate::store::carrier::breaker::{self as table, BreakerRow, Release};
use crate::time::Time;
use crate::worker::breakers::ChangedBreaker;

/// How often what is stored is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Retries of a carrier that are due at once, at most, for messages that waited to be among them.
const DUE_MAX: i64 = 500;

impl Settler {
    /// Lets the breakers follow the time, the receipts that were settled and administrators. Nothing is lost by an error: it
    /// is tried again by the next call.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn tend_breakers(&mut self, now: Time) -> Result<()> {
        let changed = self.book.breakers().advance(now);
        if !changed.is_empty() {
            self.store_breakers(changed).await?;
        }
        if !self.book.breakers().is_look_due(LOOK_EVERY, now) {
            return Ok(());
        }
        let carrier = self.carrier.name();
        let mut tx = self.store.read().await?;
        let rows = table::of_carrier(&mut tx, carrier).await?;
        let awaited = table::awaited_at(&mut tx, carrier).await?;
        let counted = match (awaited.is_empty(), self.book.breakers().is_count_due(now)) {
            (true, _) => Some(0),
            (false, true) => Some(table::parked(&mut tx, carrier, &awaited).await?),
            (false, false) => None,
        };
        drop(tx);
        self.book.breakers().take_over(&rows, counted, now);
        self.close_left_over(&rows, now).await?;
        for network in awaited {
            let limit = self.book.breakers().releases(&network).unwrap_or(DUE_MAX).min(DUE_MAX);
            if limit > 0 {
                self.release(network, limit, now).await?;
            }
        }
        Ok(())
    }

    async fn store_breakers(&self, changed: Vec<ChangedBreaker>) -> Result<()> {
        let input = (self.carrier.name().to_owned(), changed.clone());
        let stored = self
            .store
            .write(Lane::Background, input, |tx, (carrier, changed)| {
                Box::pin(async move {
                    let mut stored = Vec::with_capacity(changed.len());
                    for it in changed {
                        stored.push(table::put(tx, carrier, &it.network, it.revision, it.stored).await?);
                    }
                    Ok(stored)
                })
            })
            .await?;
        for (changed, is_stored) in changed.iter().zip(stored) {
            self.book.breakers().note_stored(changed, is_stored);
            if is_stored {
                self.tell(changed);
            }
        }
        Ok(())
    }

    fn tell(&self, changed: &ChangedBreaker) {
        let ChangedBreaker { network, stored, .. } = changed;
        let carrier = self.carrier.name();
        let (delivered, failed) = (stored.delivered, stored.failed);
        match stored.state {
            BreakerState::Open => {
                tracing::warn!(carrier, network, delivered, failed, "breaker.open");
            }
            BreakerState::HalfOpen => tracing::info!(carrier, network, "breaker.half_open"),
            BreakerState::Closed => tracing::warn!(carrier, network, "breaker.closed"),
        }
    }

    /// Closes what an earlier configuration left: the carrier has no breakers any more, or the table no such network.
    async fn close_left_over(&self, rows: &[BreakerRow], now: Time) -> Result<()> {
        let is_left = |row: &&BreakerRow| row.holds() && !self.book.breakers().has(&row.network);
        for row in rows.iter().filter(is_left) {
            let input = (row.clone(), now);
            let close = self.store.write(Lane::Background, input, |tx, (row, now)| {
                let (state, probe_at, changed_at) = (BreakerState::Closed, None, *now);
                let closed = StoredBreaker { state, probe_at, changed_at, ..row.breaker };
                Box::pin(table::put(tx, &row.carrier, &row.network, row.revision, closed))
            });
            close.await?;
        }
        Ok(())
    }

    async fn release(&mut self, network: String, limit: i64, now: Time) -> Result<()> {
        let carrier = self.carrier.name().to_owned();
        let wanted = Release { carrier, network: network.clone(), limit, only_spared: false };
        let released = self.parked.release(&self.store, wanted, now).await?;
        self.book.breakers().note_released(&network, released);
        Ok(())
    }
}

#[cfg(test)]
impl Settler {
    /// As if so many messages waited for breakers of the carrier, of which these are stored.
    pub(crate) fn note_parked(&self, rows: &[BreakerRow], count: i64, now: Time) {
        self.book.breakers().take_over(rows, Some(count), now);
    }
}
