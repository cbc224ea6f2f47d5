//! The loop of a carrier's settler: its events, its breakers, the receipts that it deferred and those that are unmatched.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::{BACK_OFF, Workers};
use crate::carrier::{Event, Events};
use crate::error::{Error, Result};
use crate::time::Time;
use crate::worker::runtime::carrier_metrics::Meter;
use crate::worker::runtime::standstill_log::StandstillLog;
use crate::worker::settle::Settler;
use crate::worker::settle::event_batcher::{EventBatcher, POLL_TIMEOUT};
use crate::worker::settle::unmatched_receipts::Backfill;

/// Tries to store the last events while the daemon stops.
const LAST_TRIES: u32 = 20;
/// Tries of an event whose message changed each time between the read and the write.
const STALE_TRIES: u32 = 5;
/// Pause before such an event is tried again.
const STALE_PAUSE: Duration = Duration::from_millis(20);
/// A burst of receipts is over when no event came for so long: those that are deferred are written then.
const BURST_GAP: Duration = Duration::from_millis(100);

impl Workers {
    pub(in crate::worker) async fn settle(
        &self,
        mut settler: Settler,
        events: Events,
        meter: &Meter,
        closed: CancellationToken,
    ) {
        let mut events = EventBatcher::new(events);
        let mut reload = Some(Backfill::default());
        let mut breakers_told = StandstillLog::default();
        let mut looked_at = Time(0);
        let mut wait = POLL_TIMEOUT;
        while let Some(batch) = events.next(&closed, wait).await {
            let is_over = batch.is_empty() && wait >= BURST_GAP;
            meter.note(&batch, self.clock.now());
            self.settle_all(&mut settler, batch, &closed).await;
            let now = self.clock.now();
            self.tend_breakers(&mut settler, &mut breakers_told, now).await;
            wait = match self.write_deferred(&mut settler, is_over).await {
                Some(_) => settler.deferred_due().map_or(POLL_TIMEOUT, |due| due.since(now).min(BURST_GAP)),
                None => POLL_TIMEOUT,
            };
            if let Err(error) = self.look_after_late(&mut settler, &mut reload, &mut looked_at, now).await {
                tracing::error!(%error, "late receipts could not be matched");
            }
        }
        self.write_all_held(&mut settler).await;
    }

    /// Settles events and loses none: it waits while the database cannot be reached, and halves a batch that cannot be
    /// written until the one bad event is found. Once the carrier is closed it gives up after [`LAST_TRIES`] tries.
    async fn settle_all(&self, settler: &mut Settler, events: Vec<Event>, closed: &CancellationToken) {
        let mut batches = vec![events];
        let (mut failures, mut stale) = (0, 0);
        while let Some(batch) = batches.pop() {
            let (error, mut batch) = match settler.settle(batch, self.clock.now()).await {
                Ok(applied) => {
                    for campaign in applied.campaigns_completed {
                        tracing::info!(campaign = campaign.0, "campaign completed");
                    }
                    stale = 0;
                    continue;
                }
                Err(failed) => failed,
            };
            tracing::error!(code = error.code(), %error, events = batch.len(), "answers and receipts were not stored");
            if error.is_passing() {
                failures += 1;
                if closed.is_cancelled() && failures > LAST_TRIES {
                    tracing::error!(events = batch.len(), "given up: what they are about will be unknown");
                    settler.give_up(&batch);
                    return;
                }
                batches.push(batch);
                tokio::time::sleep(BACK_OFF).await;
            } else if batch.len() > 1 {
                let later = batch.split_off(batch.len() / 2);
                batches.push(later);
                batches.push(batch);
            } else if matches!(error, Error::Stale) && stale < STALE_TRIES {
                stale += 1;
                batches.push(batch);
                tokio::time::sleep(STALE_PAUSE).await;
            } else {
                stale = 0;
                tracing::error!(event = ?batch, "an event that cannot be stored is passed over");
                settler.give_up(&batch);
            }
        }
    }

    /// Lets a carrier's breakers follow the time; what cannot be stored is tried again by the next call.
    async fn tend_breakers(&self, settler: &mut Settler, told: &mut StandstillLog, now: Time) {
        match settler.tend_breakers(now).await {
            Ok(()) => {
                told.is_over();
            }
            Err(error) if told.is_news(error.code(), now) => {
                tracing::error!(code = error.code(), %error, "breakers are not looked after");
            }
            Err(_) => {}
        }
    }

    /// Writes some deferred receipts if it is time. False when there are none to write now, `None` when they wait for
    /// the database.
    async fn write_deferred(&self, settler: &mut Settler, all: bool) -> Option<bool> {
        let now = self.clock.now();
        let written = match settler.write_deferred(now, all).await {
            Err(error) if !error.is_passing() => {
                tracing::error!(code = error.code(), %error, "held receipts are written one by one");
                settler.write_deferred_each(now).await.map(|()| true)
            }
            other => other,
        };
        written
            .inspect_err(|error| {
                tracing::error!(code = error.code(), %error, receipts = settler.deferred(), "held receipts wait");
            })
            .ok()
    }

    /// Writes all deferred receipts at the end. The next run writes what cannot be written, as after a crash.
    async fn write_all_held(&self, settler: &mut Settler) {
        let mut failures = 0;
        while failures <= LAST_TRIES {
            match self.write_deferred(settler, true).await {
                Some(true) => {}
                Some(false) => return,
                None => {
                    failures += 1;
                    tokio::time::sleep(BACK_OFF).await;
                }
            }
        }
    }

    async fn look_after_late(
        &self,
        settler: &mut Settler,
        reload: &mut Option<Backfill>,
        looked_at: &mut Time,
        now: Time,
    ) -> Result<()> {
        if let Some(state) = reload
            && !settler.reload(state, now).await?
        {
            *reload = None;
        }
        settler.evict().await?;
        if now.since(*looked_at) >= Duration::from_secs(1) {
            *looked_at = now;
            settler.match_late(now).await?;
            settler.book.prune(&self.store).await?;
        }
        Ok(())
    }
}
