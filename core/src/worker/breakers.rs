//! The breakers of one carrier in the run that holds it: the settler counts receipts and stores what changed, the dispatcher
//! asks which messages wait.
//!
//! Until the stored breakers were read once, promotional messages of chunks wait, as in the quiet hours.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::error::Result;
use crate::model::campaign::id::ChunkId;
use crate::model::carrier::breaker::{BreakerState, BreakerTerms, NetworkBreaker, PARKED_MAX, StoredBreaker};
use crate::model::message::id::MessageId;
use crate::phone::{Msisdn, NetworkId, NetworkTable};
use crate::store::carrier::breaker::{self, BreakerRow, Release, WaitingChunk};
use crate::store::{Lane, Store};
use crate::time::Time;

/// Where more messages wait than this, they are counted once in [`COUNT_EVERY`].
const FEW_PARKED: i64 = 1_000;
const COUNT_EVERY: Duration = Duration::from_secs(10);
/// Chunks of one network that are looked through at once for messages to make due.
const CHUNKS: i64 = 256;

/// How often what is stored is looked at where the carrier has no breakers.
const IDLE_LOOK: Duration = Duration::from_mins(1);

/// The terms of a carrier's breakers, and the networks that they tell apart.
#[derive(Clone, Debug)]
pub struct BreakerSetup {
    /// When they open and close; `None` where the carrier has none.
    pub terms: Option<BreakerTerms>,
    /// The operator's table.
    pub networks: Arc<NetworkTable>,
}

/// A final receipt: the digits of the number, zero where it is not known, and whether it says delivered.
pub(crate) type Heard = (u64, bool);

/// The breakers of one carrier.
#[derive(Debug, Default)]
pub struct CarrierBreakers {
    /// `None` where the carrier has none, and the networks are not told apart.
    setup: Option<BreakerSetup>,
    /// The stored ones were read; where the carrier has none, nothing that an earlier configuration left is to be looked after.
    is_known: AtomicBool,
    /// One of them at least holds messages back.
    holds: AtomicBool,
    /// Messages that wait, of campaigns that are being sent.
    parked: AtomicI64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// By the id of the network.
    networks: Vec<Option<Box<Slot>>>,
    looked_at: Option<Time>,
    counted_at: Option<Time>,
}

#[derive(Debug, Default)]
struct Slot {
    breaker: NetworkBreaker,
    /// The revision that is stored, as far as is known; 0 where none is.
    revision: i64,
    /// What is to be stored is not stored yet.
    is_changed: bool,
    /// Messages that wait and are to be let through.
    to_release: i64,
}

/// A breaker that changed and is to be stored.
#[derive(Clone, Debug)]
pub(crate) struct ChangedBreaker {
    pub(crate) id: NetworkId,
    pub(crate) network: String,
    pub(crate) revision: i64,
    pub(crate) stored: StoredBreaker,
}

impl CarrierBreakers {
    /// Those of a carrier.
    pub fn new(setup: Option<BreakerSetup>) -> Self {
        Self { setup, ..Self::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the carrier has breakers.
    pub(crate) fn are_set(&self) -> bool {
        self.terms().is_some()
    }

    fn terms(&self) -> Option<(&BreakerTerms, &NetworkTable)> {
        let BreakerSetup { terms, networks } = self.setup.as_ref()?;
        Some((terms.as_ref()?, networks))
    }

    /// Whether it is not known yet which messages wait.
    pub(crate) fn are_unknown(&self) -> bool {
        self.are_set() && !self.is_known.load(Ordering::Acquire)
    }

    /// Whether one holds messages back, and no more may wait singly.
    pub(crate) fn is_full(&self) -> bool {
        self.holds.load(Ordering::Acquire) && self.parked.load(Ordering::Acquire) >= PARKED_MAX
    }

    /// The network of a number by its name, where the networks are told apart.
    pub(crate) fn network(&self, number: Msisdn) -> Option<&str> {
        let networks = &self.setup.as_ref()?.networks;
        Some(networks.name(networks.lookup(number)))
    }

    /// The network whose breaker holds a promotional message to this number back; `None` where it goes out now, which may use
    /// up one of those that are let through.
    pub(crate) fn holding(&self, number: Msisdn, message: MessageId) -> Option<&str> {
        if !self.holds.load(Ordering::Acquire) {
            return None;
        }
        let networks = &self.setup.as_ref()?.networks;
        let id = networks.lookup(number);
        let may_go = match self.state().networks.get_mut(usize::from(id.0)) {
            Some(Some(slot)) => slot.breaker.let_through(message),
            _ => true,
        };
        (!may_go).then(|| networks.name(id))
    }

    /// Notes that the carrier did not take a promotional message, which is queued again there, or `is_led` to another carrier:
    /// then another one is let through.
    pub(crate) fn give_back(&self, number: Msisdn, message: MessageId, is_led: bool) {
        let Some((_, networks)) = self.terms() else { return };
        let mut state = self.state();
        if let Some(Some(slot)) = state.networks.get_mut(usize::from(networks.lookup(number).0))
            && slot.breaker.give_back(message)
            && is_led
        {
            slot.to_release += 1;
        }
    }

    /// Notes that a message waits.
    pub(crate) fn park(&self) {
        self.parked.fetch_add(1, Ordering::AcqRel);
    }

    /// Counts final receipts that were stored.
    pub(crate) fn count(&self, heard: &[Heard], now: Time) {
        let Some((terms, networks)) = self.terms() else { return };
        if heard.is_empty() {
            return;
        }
        let mut state = self.state();
        for (digits, is_delivered) in heard {
            let Some(number) = Msisdn::from_digits(*digits) else { continue };
            let slot = state.slot(networks.lookup(number));
            slot.is_changed |= slot.breaker.count(terms, *is_delivered, now);
        }
        self.holds.store(state.holds(), Ordering::Release);
    }

    /// Lets time pass; returns what is to be stored.
    pub(crate) fn advance(&self, now: Time) -> Vec<ChangedBreaker> {
        let Some((terms, networks)) = self.terms() else { return Vec::new() };
        let mut changed = Vec::new();
        for (slot, id) in self.state().networks.iter_mut().zip(0_u8..) {
            let Some(slot) = slot else { continue };
            let before = slot.breaker.stored();
            if slot.breaker.advance(terms, now) {
                slot.to_release = terms.probe.into();
            }
            slot.is_changed |= slot.breaker.stored() != before;
            if slot.is_changed {
                let (id, stored) = (NetworkId(id), slot.breaker.stored());
                let network = networks.name(id).to_owned();
                changed.push(ChangedBreaker { id, network, revision: slot.revision, stored });
            }
        }
        changed
    }

    /// Notes that a change was stored, or was not, as another one was stored meanwhile: that one is read next.
    pub(crate) fn note_stored(&self, changed: &ChangedBreaker, is_stored: bool) {
        let mut state = self.state();
        let slot = state.slot(changed.id);
        if is_stored {
            slot.revision = changed.revision + 1;
            slot.is_changed = slot.breaker.stored() != changed.stored;
        } else {
            (slot.revision, slot.is_changed) = (-1, false);
            state.looked_at = None;
        }
    }

    /// Whether what is stored is to be looked at: once in `every`, while the carrier has breakers or something is left of them, and
    /// else once a minute, as another daemon may know a setting that this one does not.
    pub(crate) fn is_look_due(&self, every: Duration, now: Time) -> bool {
        let is_idle = !self.are_set() && self.is_known.load(Ordering::Acquire);
        let every = if is_idle { every.max(IDLE_LOOK) } else { every };
        let looked_at = self.state().looked_at;
        looked_at.is_none_or(|at| now.since(at) >= every || now < at)
    }

    /// Whether the messages that wait are to be counted again; in between what is parked and released here is.
    pub(crate) fn is_count_due(&self, now: Time) -> bool {
        let is_old = |at: Time| now.since(at) >= COUNT_EVERY || now < at;
        self.parked.load(Ordering::Acquire) < FEW_PARKED || self.state().counted_at.is_none_or(is_old)
    }

    /// Takes over what is stored, where another one wrote it, and how many messages wait where they were counted.
    pub(crate) fn take_over(&self, rows: &[BreakerRow], counted: Option<i64>, now: Time) {
        let mut state = self.state();
        if let Some(parked) = counted {
            self.parked.store(parked, Ordering::Release);
            state.counted_at = Some(now);
        }
        let parked = self.parked.load(Ordering::Acquire);
        state.looked_at = Some(now);
        let Some((_, networks)) = self.terms() else {
            let is_left = parked > 0 || rows.iter().any(BreakerRow::holds);
            return self.is_known.store(!is_left, Ordering::Release);
        };
        for row in rows {
            let Some(id) = networks.id(&row.network) else { continue };
            let slot = state.slot(id);
            if row.revision != slot.revision && !slot.is_changed {
                *slot = Slot { breaker: row.breaker.into(), revision: row.revision, ..Slot::default() };
            }
        }
        self.holds.store(state.holds(), Ordering::Release);
        drop(state);
        self.is_known.store(true, Ordering::Release);
    }

    /// Whether a stored breaker is one of the carrier's: it has breakers, and the network is in the table still.
    pub(crate) fn has(&self, network: &str) -> bool {
        self.terms().is_some_and(|(_, networks)| networks.id(network).is_some())
    }

    /// How many messages that wait for the breaker of a network may be made due: all (`None`), or so many.
    pub(crate) fn releases(&self, network: &str) -> Option<i64> {
        let id = self.terms()?.1.id(network)?;
        let state = self.state();
        let slot = state.networks.get(usize::from(id.0))?.as_deref()?;
        slot.breaker.holds().then_some(slot.to_release)
    }

    /// Notes that so many were made due.
    pub(crate) fn note_released(&self, network: &str, count: i64) {
        self.parked.fetch_sub(count, Ordering::AcqRel);
        let Some(id) = self.terms().and_then(|(_, networks)| networks.id(network)) else { return };
        let mut state = self.state();
        let slot = state.slot(id);
        slot.to_release = (slot.to_release - count).max(0);
    }
}

impl State {
    fn slot(&mut self, id: NetworkId) -> &mut Slot {
        let place = usize::from(id.0);
        if self.networks.len() <= place {
            self.networks.resize_with(place + 1, || None);
        }
        self.networks[place].get_or_insert_default()
    }

    fn holds(&self) -> bool {
        self.networks.iter().flatten().any(|slot| slot.breaker.stored().state != BreakerState::Closed)
    }
}

/// Where the last look at what waits for each network ended, so that no look goes through all of it.
#[derive(Debug, Default)]
pub(crate) struct ParkedCursor(HashMap<String, MessageId>);

impl ParkedCursor {
    /// Makes messages due that wait for a breaker; returns how many.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn release(&mut self, store: &Store, wanted: Release, now: Time) -> Result<i64> {
        let from = self.0.remove(&wanted.network).unwrap_or(MessageId::BEFORE_ALL);
        let mut tx = store.read().await?;
        let found = breaker::chunks_waiting(&mut tx, &wanted.carrier, &wanted.network, from, CHUNKS).await?;
        drop(tx);
        let is_wanted = |it: &&WaitingChunk| it.is_sending && (it.has_spares || !wanted.only_spared);
        let chunks: Vec<ChunkId> = found.iter().filter(is_wanted).map(|it| it.id).collect();
        let is_cut = i64::try_from(found.len()).is_ok_and(|count| count >= CHUNKS);
        if let Some(last) = found.last().filter(|_| is_cut) {
            // What it came to and has no room for is come to again.
            let next = if chunks.is_empty() { MessageId::of_chunk(last.id).1 } else { from };
            self.0.insert(wanted.network.clone(), next);
        }
        if chunks.is_empty() {
            return Ok(0);
        }
        let write = store.write(Lane::Background, (wanted, chunks, now), |tx, (wanted, chunks, now)| {
            Box::pin(breaker::release(tx, wanted, chunks, *now))
        });
        Ok(i64::try_from(write.await?).unwrap_or(i64::MAX))
    }
}
