//! Filling chunks: one open chunk for each carrier.
//!
//! Runs on a thread that may wait: finished chunks go out in small batches through a bounded channel, so memory stays
//! the same whatever the size of the list. What is counted here is what the chunks hold.

use std::cmp::Reverse;
use std::sync::Arc;

use talkdrum_api::code;
use tokio::sync::mpsc;

use super::canary::{CanarySample, Candidate};
use super::tally::{AudienceTally, CanaryTally};
use crate::content::Measure;
use crate::error::{Error, Result};
use crate::model::campaign::audience_chunk::{ChunkBuilder, StoredChunk};
use crate::model::campaign::canary::CanaryTerms;
use crate::phone::{AllowedPrefixes, Msisdn, NetworkId, NetworkTable};
use crate::platform::quota::Room;
use crate::routing::{NoRoute, Plan};
use crate::settings::{PageRates, RateId};
use crate::store::campaign::audience::CarrierChunk;

/// Bytes of merge fields that open chunks hold together. Beyond it the largest are closed, until they hold half of it.
const OPEN_BYTES: usize = if cfg!(test) { 4 << 20 } else { 32 << 20 };
/// A batch goes out when it has this many chunks...
const BATCH_CHUNKS: usize = 16;
/// ... or this many bytes.
const BATCH_BYTES: usize = 1 << 20;

/// Where finished chunks go.
#[derive(Clone, Debug)]
pub(crate) enum Outlet {
    /// From a thread that may wait, to the task that writes them meanwhile.
    Bounded(mpsc::Sender<Vec<CarrierChunk>>),
    /// From a small list that is read at once, to the caller afterwards.
    Unbounded(mpsc::UnboundedSender<Vec<CarrierChunk>>),
}

impl Outlet {
    fn send(&self, batch: Vec<CarrierChunk>) -> Result<()> {
        let sent = match self {
            Self::Bounded(sender) => sender.blocking_send(batch).is_ok(),
            Self::Unbounded(sender) => sender.send(batch).is_ok(),
        };
        if sent {
            return Ok(());
        }
        // The task that writes the chunks has failed and reports why; this error only stops the reader.
        Err(Error::unavailable("recipients_not_stored", "The recipients could not be stored; try again"))
    }
}

/// What becomes of a recipient.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecipientRoute {
    /// The index of the plan's decision.
    decision: u8,
    network: NetworkId,
    rate: RateId,
    is_abroad: bool,
}

/// Why a number gets no message.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unusable {
    NoRoute(NoRoute),
    /// No price is set for where it is.
    Unpriced,
    /// Calls do not go to numbers that begin so.
    Uncallable,
}

/// A chunk that takes recipients. Those of rates with the same price share it.
#[derive(Debug)]
struct OpenChunk {
    rate: RateId,
    builder: ChunkBuilder,
}

/// Packs recipients into chunks, one open chunk for each decision of the plan (a carrier, at its hours) and each price of
/// a page that its recipients have.
#[derive(Debug)]
pub(crate) struct Packer {
    plan: Arc<Plan>,
    networks: Arc<NetworkTable>,
    rates: Arc<PageRates>,
    /// By price, see [`PageRates::slot`], and for each by decision; as far as there were recipients.
    builders: Vec<Option<Box<OpenChunk>>>,
    /// Bytes of merge fields in them.
    open_bytes: usize,
    /// Merge fields of a recipient.
    columns: usize,
    batch: Vec<CarrierChunk>,
    batch_bytes: usize,
    outlet: Outlet,
    tally: AudienceTally,
    /// How many recipients its owner may quote; `None` when it is not limited.
    room: Option<Room>,
    /// Which numbers may be called, where its messages are calls.
    callable: Option<Arc<AllowedPrefixes>>,
    /// Those who may become the canary, where there is to be one.
    canary: Option<Box<CanarySample>>,
    /// Chunks that were made.
    made: u64,
}

impl Packer {
    /// Empty chunks for recipients with `columns` merge fields each.
    pub(crate) fn new(
        plan: Arc<Plan>,
        networks: Arc<NetworkTable>,
        rates: Arc<PageRates>,
        columns: usize,
        outlet: Outlet,
    ) -> Self {
        let tally = AudienceTally::of(&plan, &networks, rates.count());
        Self {
            plan,
            networks,
            rates,
            builders: Vec::new(),
            open_bytes: 0,
            columns,
            batch: Vec::new(),
            batch_bytes: 0,
            outlet,
            tally,
            room: None,
            callable: None,
            canary: None,
            made: 0,
        }
    }

    /// The same, which puts a canary into chunks of its own, the last ones. Who is of it depends on `key`.
    pub(crate) fn with_canary(self, terms: Option<CanaryTerms>, key: u64) -> Self {
        let networks = self.networks.len();
        let canary = terms.map(|terms| Box::new(CanarySample::new(terms, key, networks)));
        Self { canary, ..self }
    }

    /// Seeds of the canary that are no recipients, where there are any recipients.
    pub(super) fn missing_seeds(&self) -> Vec<Msisdn> {
        let sample = self.canary.as_deref().filter(|_| self.tally.recipients > 0);
        sample.map(CanarySample::missing_seeds).unwrap_or_default()
    }

    /// The values of the first recipient's merge fields.
    pub(super) fn first_values(&self) -> &[Box<str>] {
        &self.tally.first_values
    }

    /// The same, which takes no more recipients than there is room for.
    pub(crate) fn within(self, room: Option<Room>) -> Self {
        Self { room, ..self }
    }

    /// The same of calls, which go only to numbers that begin with these; `None` of short messages.
    pub(crate) fn calling(self, callable: Option<Arc<AllowedPrefixes>>) -> Self {
        Self { callable, ..self }
    }

    /// The route and network of a number whose message has so many short messages.
    ///
    /// # Errors
    /// Why no carrier takes it, or that it has no price.
    #[inline]
    pub(crate) fn route_of(&self, number: Msisdn, segments: u8) -> Result<RecipientRoute, Unusable> {
        let network = self.networks.lookup(number);
        let rate = self.rates.find(number, network).ok_or(Unusable::Unpriced)?;
        if self.callable.as_ref().is_some_and(|callable| callable.check(number).is_err()) {
            return Err(Unusable::Uncallable);
        }
        let decision = self.plan.decide(number, network, segments).map_err(Unusable::NoRoute)?;
        Ok(RecipientRoute { decision, network, rate, is_abroad: number.is_abroad() })
    }

    /// Adds a recipient.
    ///
    /// # Errors
    /// When there is no room for it, or the chunk it completes cannot be handed on.
    #[inline]
    pub(crate) fn push<'v>(
        &mut self,
        route: RecipientRoute,
        number: Msisdn,
        measure: (u8, u8),
        values: impl Iterator<Item = &'v str> + Clone,
    ) -> Result<()> {
        if self.tally.recipients == 0 {
            self.tally.first = Some(number);
            self.tally.first_values = values.clone().map(Box::from).collect();
        }
        let decisions = self.plan.decisions();
        let place = usize::from(route.decision);
        self.tally.count(decisions[place], route.network, measure, (route.rate, route.is_abroad));
        if let Some(room) = &self.room {
            room.check(self.tally.recipients)?;
        }
        let place = self.rates.slot(route.rate) * decisions.len() + place;
        if let Some(sample) = &mut self.canary
            && sample.is_seed(number)
        {
            let values = values.map(Box::from).collect();
            sample.put_seed(route.network, (place, route.rate), (number, measure), values);
            return Ok(());
        }
        if let Some(sample) = &mut self.canary
            && let Some(hash) = sample.wants(route.network, number)
        {
            let values = values.map(Box::from).collect();
            let displaced = sample.put((route.network, hash), (place, route.rate), (number, measure), values);
            return self.fill_all(displaced);
        }
        self.fill((place, route.rate), number, measure, values)
    }

    /// Puts a recipient into the open chunk at `place`.
    #[inline]
    fn fill<'v>(
        &mut self,
        (place, rate): (usize, RateId),
        number: Msisdn,
        (pages, segments): (u8, u8),
        values: impl Iterator<Item = &'v str>,
    ) -> Result<()> {
        if place >= self.builders.len() {
            self.builders.resize_with(place + 1, || None);
        }
        let columns = self.columns;
        let open = self.builders[place]
            .get_or_insert_with(|| Box::new(OpenChunk { rate, builder: ChunkBuilder::new(columns) }));
        let before = open.builder.field_bytes();
        open.builder.push(number, pages, segments, values);
        self.open_bytes += open.builder.field_bytes() - before;
        if self.open_bytes > OPEN_BYTES {
            return self.take_largest();
        }
        if open.builder.is_full() { self.take(place) } else { Ok(()) }
    }

    fn fill_all(&mut self, candidates: Vec<Candidate>) -> Result<()> {
        candidates.into_iter().try_for_each(|it| {
            let values = it.values.iter().map(|value| &**value);
            self.fill((it.place, it.rate), it.number, it.measure, values)
        })
    }

    /// Counts an entry that cannot be used.
    #[cold]
    pub(crate) fn reject(&mut self, line: u64, value: &str, code: &str, reason: &dyn std::fmt::Display) {
        self.tally.reject(line, value, code, reason);
    }

    /// Notes which columns of a file were read.
    pub(crate) fn note_columns(&mut self, read: &[String], unread: &[String]) {
        self.tally.note_columns(read, unread);
    }

    /// Counts a number that gets no message.
    #[cold]
    pub(crate) fn reject_unusable(&mut self, line: u64, number: Msisdn, why: Unusable) {
        self.tally.dnd += u64::from(matches!(why, Unusable::NoRoute(NoRoute::Dnd)));
        let (code, reason) = self.code_and_reason(number, why);
        self.tally.reject(line, &number.to_string(), &code, &reason);
    }

    /// Why a number gets no message: a code, and words.
    #[cold]
    pub(super) fn code_and_reason(&self, number: Msisdn, why: Unusable) -> (String, String) {
        let of = |error: Error| (error.code().to_owned(), error.to_string());
        match why {
            Unusable::NoRoute(why) => (why.code().to_owned(), why.reason().to_string()),
            Unusable::Unpriced => of(unpriced(number)),
            Unusable::Uncallable => {
                let checked = self.callable.as_ref().map_or(Ok(()), |callable| callable.check(number));
                checked.err().map_or_else(Default::default, of)
            }
        }
    }

    /// Counts a number that was there already.
    #[inline]
    pub(crate) fn duplicate(&mut self) {
        self.tally.duplicates += 1;
    }

    /// Counts a number that opted out.
    #[inline]
    pub(crate) fn suppressed(&mut self) {
        self.tally.suppressed += 1;
    }

    /// Hands on what is left and returns the counts.
    pub(crate) fn finish(mut self) -> Result<AudienceTally> {
        let sample = self.canary.take();
        let seeded = sample.as_ref().map_or(0, |sample| sample.seeded());
        let (canary, others) = sample.map(|sample| sample.deal(&self.tally.networks)).unwrap_or_default();
        others.into_iter().try_for_each(|some| self.fill_all(some))?;
        self.take_all()?;
        let (size, before) = (canary.len() as u64, self.made);
        let seeds = if size > 0 { seeded } else { 0 };
        self.fill_all(canary)?;
        self.take_all()?;
        self.tally.canary = CanaryTally { size, seeds, chunks: self.made - before };
        self.send()?;
        if self.tally.recipients == 0 {
            (self.tally.pages, self.tally.segments) = ((0, 0), (0, 0));
        }
        Ok(self.tally)
    }

    fn take_all(&mut self) -> Result<()> {
        (0..self.builders.len()).try_for_each(|place| self.take(place))
    }

    /// Closes the chunks with the most merge fields.
    #[cold]
    fn take_largest(&mut self) -> Result<()> {
        let bytes = |open: &Option<Box<OpenChunk>>| open.as_ref().map_or(0, |it| it.builder.field_bytes());
        let mut places: Vec<usize> = (0..self.builders.len()).collect();
        places.sort_by_key(|place| Reverse(bytes(&self.builders[*place])));
        for place in places {
            if self.open_bytes <= OPEN_BYTES / 2 {
                break;
            }
            self.take(place)?;
        }
        Ok(())
    }

    #[cold]
    fn take(&mut self, place: usize) -> Result<()> {
        let Some(OpenChunk { rate, builder }) = self.builders[place].as_deref_mut() else { return Ok(()) };
        self.open_bytes -= builder.field_bytes();
        let (rate, Some(chunk)) = (*rate, builder.take()?) else { return Ok(()) };
        self.made += 1;
        let StoredChunk { data, .. } = &chunk;
        self.batch_bytes += data.len();
        let decisions = self.plan.decisions();
        let decision = decisions[place % decisions.len()];
        let carrier = Arc::clone(&self.plan.carriers()[usize::from(decision.carrier)].name);
        self.batch.push(CarrierChunk {
            carrier,
            promotional: decision.promotional,
            minds_dnd: decision.minds_dnd,
            spares: decision.spares.names(self.plan.carriers()),
            is_abroad: rate == RateId::ABROAD,
            unit_price: rate.is_rate().then(|| self.rates.price(rate)),
            chunk,
        });
        if self.batch.len() >= BATCH_CHUNKS || self.batch_bytes >= BATCH_BYTES { self.send() } else { Ok(()) }
    }

    fn send(&mut self) -> Result<()> {
        self.batch_bytes = 0;
        let batch = std::mem::take(&mut self.batch);
        if batch.is_empty() {
            return Ok(());
        }
        self.outlet.send(batch)
    }
}

/// What of a measure is kept of each recipient: pages and segments.
pub(super) const fn kept(measure: Measure) -> (u8, u8) {
    (measure.pages, measure.segments)
}

/// The refusal of a number while no price is set for where it is.
pub(in crate::campaign) fn unpriced(number: Msisdn) -> Error {
    Error::field("contacts", code::NO_PRICE, format!("No price is set for +{}", number.calling_code()))
}
