//! Once a second: reads operators' holds and stores the traces. With the heartbeat: stores the state of this run's
//! carriers.
//!
//! What is read here only keeps a dispatcher from trying; the database itself refuses intents for a held carrier.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use crate::carrier::SmsCarrier;
use crate::carrier::vitals::{Bind, Vitals};
use crate::error::Result;
use crate::model::carrier::CarrierHealth;
use crate::operate::{self, Hold};
use crate::store::carrier::state::{self, StateRow};
use crate::time::Time;
use crate::worker::dispatch::open_chunks::OpenChunks;
use crate::worker::runtime::Workers;
use crate::worker::runtime::carrier_metrics::Meter;

/// How often operators' holds are read.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// A carrier of this run, its open chunks and its meter.
#[derive(Clone, Debug)]
pub(crate) struct RunningCarrier {
    pub(crate) carrier: Arc<dyn SmsCarrier>,
    pub(crate) book: Arc<OpenChunks>,
    pub(crate) meter: Arc<Meter>,
}

/// Operators' holds, as this run last read them.
#[derive(Debug, Default)]
pub(crate) struct OperatorHolds {
    holds: RwLock<HashMap<String, Hold>>,
    /// When the calls of carriers were last to be hung up.
    hang_ups: Mutex<HashMap<String, Time>>,
    /// How the carriers' connections were when that was last stored.
    noted: Mutex<HashMap<String, (CarrierHealth, Vec<Bind>)>>,
}

impl OperatorHolds {
    pub(crate) fn of(&self, carrier: &str) -> Hold {
        self.holds.read().unwrap_or_else(PoisonError::into_inner).get(carrier).copied().unwrap_or(Hold::Open)
    }
}

impl Workers {
    /// Reads operators' holds at once: one was just changed.
    pub fn look(&self) {
        self.looking.notify_one();
    }

    /// Reads holds until the workers stop.
    pub(crate) async fn watch(&self) {
        loop {
            if let Err(error) = self.look_once().await {
                tracing::warn!(code = error.code(), %error, "what operators said of carriers is not known");
            }
            tokio::select! {
                () = self.stop.cancelled() => return,
                () = self.looking.notified() => {}
                () = tokio::time::sleep(LOOK_EVERY) => {}
            }
        }
    }

    pub(crate) async fn look_once(&self) -> Result<()> {
        let said = state::all(&mut self.store.read().await?).await?;
        let now = self.clock.now();
        for held in self.held() {
            let is_traced = said.get(held.carrier.name()).is_some_and(|said| said.trace_until > now);
            operate::keep_trace(&self.store, held.carrier.as_ref(), is_traced).await?;
        }
        self.hang_up(&said);
        self.note_vitals(false).await?;
        let words: HashMap<String, Hold> = said.into_iter().map(|(name, said)| (name, said.state)).collect();
        let mut known = self.words.holds.write().unwrap_or_else(PoisonError::into_inner);
        if *known != words {
            *known = words;
            drop(known);
            self.wake();
        }
        Ok(())
    }

    /// Hangs up the calls of this run's carriers where an operator wanted that since it was last read.
    fn hang_up(&self, said: &HashMap<String, StateRow>) {
        let mut done = self.words.hang_ups.lock().unwrap_or_else(PoisonError::into_inner);
        for trunk in self.trunks() {
            let Some(at) = said.get(trunk.name()).and_then(|said| said.hang_up_at) else { continue };
            if done.insert(trunk.name().to_owned(), at) != Some(at) {
                tracing::warn!(carrier = trunk.name(), calls = trunk.calls_up(), "carrier.hang_up");
                trunk.live().hang_up_all();
            }
        }
    }

    pub(crate) fn held(&self) -> Vec<RunningCarrier> {
        self.carriers.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Stores the state of this run's carriers: of all, or of those whose connections changed.
    pub(crate) async fn note_vitals(&self, all: bool) -> Result<()> {
        let now = self.clock.now();
        let seen = self.held().into_iter().map(|RunningCarrier { carrier, book, meter }| {
            let reading = meter.read(now);
            let vitals = Vitals {
                rate_now: reading.rate_now,
                receipt_lag: reading.receipt_lag,
                receipts_awaited: reading.receipts_awaited,
                ..Vitals::of(carrier.as_ref()).refusing(book.refusals().why_all(now).as_deref())
            };
            (carrier.name().to_owned(), vitals)
        });
        // One that calls for campaigns is among the others.
        let (trunks, held) = (self.trunks(), self.held());
        let alone = trunks.iter().filter(|trunk| held.iter().all(|it| it.carrier.name() != trunk.name()));
        let alone =
            alone.map(|trunk| (trunk.name().to_owned(), Vitals::of_trunk(trunk.as_ref(), trunk.health().0)));
        let seen = seen.chain(alone);
        let seen: Vec<(String, Vitals)> = {
            let mut noted = self.words.noted.lock().unwrap_or_else(PoisonError::into_inner);
            let mut is_new = |name: &String, vitals: &Vitals| {
                let state = (vitals.health, vitals.line.binds.clone());
                noted.insert(name.clone(), state.clone()) != Some(state)
            };
            seen.filter(|(name, vitals)| is_new(name, vitals) || all).collect()
        };
        operate::note(&self.store, self.owner, seen, now).await
    }
}
