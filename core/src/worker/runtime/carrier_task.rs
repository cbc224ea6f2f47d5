//! One carrier in this run: its lease, its dispatcher and settler, its end.
//!
//! A carrier connects only once this run holds its lease, and the lease is given back only when its last answer is
//! settled.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::carrier::policy::UnknownThen;
use crate::carrier::{Events, SmsCarrier};
use crate::worker::dispatch::open_chunks::OpenChunks;
use crate::worker::jobs::{recovery, unknown_policy};
use crate::worker::runtime::carrier_metrics::Meter;
use crate::worker::runtime::carrier_state::RunningCarrier;
use crate::worker::runtime::{CarrierSlot, Start, Workers};
use crate::worker::settle::Settler;

/// How often the carrier's policy for unknown messages is applied.
const UNKNOWN_EVERY: Duration = Duration::from_mins(1);
/// How long outstanding answers are waited for when the carrier is closed.
const GRACE: Duration = Duration::from_secs(10);

impl Workers {
    /// Carries a carrier whenever this run holds its lease, until the end.
    pub(crate) async fn carry(&self, slot: CarrierSlot, end: CancellationToken) {
        while let Some(held) = self.lease_carrier(&slot.name, &end).await {
            let started = match &slot.start {
                Start::Messages(start) => match start() {
                    Ok((carrier, events)) => {
                        self.carry_held(&slot, carrier, events, held).await;
                        Ok(())
                    }
                    Err(error) => Err(error),
                },
                Start::Calls(start) => match start() {
                    Ok(trunk) => {
                        self.carry_calls(&slot, trunk, held, &end).await;
                        Ok(())
                    }
                    Err(error) => Err(error),
                },
            };
            if let Err(error) = started {
                tracing::error!(carrier = slot.name, code = error.code(), %error, "the carrier cannot be started");
                return self.release_carrier(&slot.name).await;
            }
        }
    }

    /// Dispatches and settles until the lease is to be given back or is lost.
    pub(super) async fn carry_held(
        &self,
        slot: &CarrierSlot,
        carrier: Arc<dyn SmsCarrier>,
        events: Events,
        end: CancellationToken,
    ) {
        let meter = Arc::new(Meter::default());
        let validity = i64::try_from(self.validity.as_millis()).unwrap_or(i64::MAX);
        let book = OpenChunks::new(validity).with_hours(self.hours.clone()).with_dnd(self.dnd.clone());
        let book = Arc::new(book.with_breakers(slot.breakers.clone()));
        if let Ok(mut carriers) = self.carriers.write() {
            let (carrier, book, meter) = (Arc::clone(&carrier), Arc::clone(&book), Arc::clone(&meter));
            carriers.push(RunningCarrier { carrier, book, meter });
        }
        // Operators' holds are read before anything goes out; the database also enforces them with every intent.
        if let Err(error) = self.look_once().await {
            tracing::warn!(carrier = slot.name, code = error.code(), %error, "what operators said is not known");
        }
        let closed = CancellationToken::new();
        let settler = Settler::new(self.store.clone(), Arc::clone(&carrier), Arc::clone(&book), self.owner)
            .until(closed.clone());
        if let Some(policy) = slot.unknown {
            let (workers, name, closed) = (self.clone(), slot.name.clone(), closed.clone());
            tokio::spawn(async move { workers.write_off(&name, policy, closed).await });
        }
        let mut settling = {
            let (workers, closed) = (self.clone(), closed.clone());
            tokio::spawn(async move { workers.settle(settler, events, &meter, closed).await })
        };
        tokio::select! {
            () = self.dispatch(&carrier, book, &end) => {}
            ended = &mut settling => {
                // Without a settler no answer would be recorded, so nothing may be sent.
                tracing::error!(carrier = slot.name, ?ended, "the settler ended by itself: the daemon stops");
                self.stop.cancel();
                carrier.close(Duration::ZERO).await;
                return;
            }
        }
        // Closing answers everything outstanding; when it returns, the last event is in the channel.
        carrier.close(GRACE).await;
        closed.cancel();
        if let Ok(mut carriers) = self.carriers.write() {
            carriers.retain(|held| held.carrier.name() != slot.name);
        }
        if let Err(panic) = settling.await {
            tracing::error!(carrier = slot.name, %panic, "the settler panicked");
        }
        // Also at the end of the run: other runs do not wait for the calls of this one.
        self.leave(&slot.name).await;
    }

    /// Settles unknown messages as the carrier's policy says, until the carrier is closed.
    async fn write_off(&self, carrier: &str, policy: (Duration, UnknownThen), closed: CancellationToken) {
        let mut look = unknown_policy::Look::default();
        loop {
            tokio::select! {
                () = closed.cancelled() => return,
                () = self.stop.cancelled() => return,
                () = tokio::time::sleep(UNKNOWN_EVERY) => {}
            }
            match unknown_policy::tick(&self.store, carrier, policy, &mut look, self.clock.now()).await {
                Ok(0) => {}
                Ok(messages) => {
                    tracing::warn!(carrier, messages, then = ?policy.1, "unknown messages were settled");
                }
                Err(error) => {
                    tracing::error!(carrier, code = error.code(), %error, "unknown messages were left");
                }
            }
        }
    }

    /// Gives back the chunks and the lease of a closed carrier, so that the next run that holds it can claim them.
    async fn leave(&self, carrier: &str) {
        match recovery::leave(&self.store, self.owner, carrier, self.clock.now()).await {
            Ok(0) => {}
            Ok(unknown) => {
                tracing::warn!(carrier, unknown, "messages were in flight when the carrier was closed");
            }
            Err(error) => tracing::error!(carrier, code = error.code(), %error, "chunks were not given back"),
        }
        self.release_carrier(carrier).await;
    }
}
