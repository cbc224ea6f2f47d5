//! The chunks that this run holds, in memory from the claim to the last answer: recipients, content and terms.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use talkdrum_api::money::Amount;
use talkdrum_api::purpose::Purpose;

use crate::carrier::Submission;
use crate::contact::suppression::{OptOutSnapshot, OptOuts};
use crate::content::{Body, CallScript, Content, FieldNames, Prepared, Scratch};
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::audience_chunk::Chunk;
use crate::model::campaign::id::{CampaignId, ChunkId};
use crate::model::message::id::MessageId;
use crate::model::message::outcome::Terms;
use crate::model::message::reason::PlatformReason;
use crate::phone::Msisdn;
use crate::routing::dnd::{self, DndList};
use crate::routing::quiet_hours::QuietHours;
use crate::store::Store;
use crate::store::chunk::expiry::BeganBefore;
use crate::store::chunk::granted::Granted;
use crate::store::chunk::{self, ChunkRow};
use crate::time::Time;
use crate::worker::breakers::{BreakerSetup, CarrierBreakers};
use crate::worker::dispatch::in_flight::Unsettled;
use crate::worker::dispatch::refusals::Refusals;
use crate::worker::dispatch::requeue::SentAgain;
use crate::worker::history::History;

/// What all messages of a campaign at one page price have in common: prepared once, shared by its chunks.
#[derive(Debug)]
pub struct CampaignPayload {
    /// The campaign's terms.
    pub terms: Arc<Terms>,
    sender: Arc<str>,
    prepared: Prepared,
    columns: Vec<String>,
    /// The one body, when there are no merge fields.
    uniform: Option<Arc<Body>>,
}

impl CampaignPayload {
    fn new(row: &ChunkRow) -> Result<Self> {
        let damaged = |what: &str| {
            Error::Corrupt(format!("campaign {}: its {what} cannot be read", row.terms.campaign))
        };
        let content = Content::from_json(&row.content).map_err(|_| damaged("content"))?;
        let columns = FieldNames::from_json(&row.columns).map_err(|_| damaged("columns"))?.keys();
        let prepared = content.prepare_quoted(&columns)?;
        let uniform = match prepared.uniform() {
            Some(_) => Some(Arc::new(
                prepared.encode(|_| None, &mut Scratch::default()).map_err(|_| damaged("content"))?,
            )),
            None => None,
        };
        Ok(Self {
            terms: Arc::new(row.terms.clone()),
            sender: row.sender.as_str().into(),
            prepared,
            columns,
            uniform,
        })
    }

    /// What is said, where they are calls.
    pub fn as_call(&self) -> Option<&CallScript> {
        self.prepared.as_call()
    }

    fn body(&self, chunk: &Chunk, place: usize, scratch: &mut Scratch) -> Result<Arc<Body>> {
        if let Some(body) = &self.uniform {
            return Ok(Arc::clone(body));
        }
        let recipient =
            chunk.recipient(place).ok_or_else(|| Error::Corrupt("a place lies beyond its chunk".into()))?;
        let value = |name: &str| {
            let column = self.columns.iter().position(|column| column == name)?;
            recipient.fields().get(column).map(AsRef::as_ref)
        };
        let body = self.prepared.encode(value, scratch);
        body.map(Arc::new)
            .map_err(|error| Error::Corrupt(format!("a quoted message cannot be encoded: {error}")))
    }
}

/// A chunk in memory, claimed by this run.
#[derive(Debug)]
pub struct OpenChunk {
    /// Its id.
    pub id: ChunkId,
    /// The carrier that it is for.
    pub carrier: String,
    /// The carriers that take its messages, in the order in which they are tried: its own, and those that take over from it.
    pub carriers: Vec<String>,
    /// Its owner's user id.
    pub user: UserId,
    /// The attempt under which it is held.
    pub attempt: i64,
    /// Recipients.
    pub size: i64,
    /// Places below it were claimed before this claim.
    pub cursor: i64,
    /// Whether it is only sent outside the quiet hours.
    pub promotional: bool,
    /// What its messages are for; `None` where they were quoted by a daemon that knew no purpose.
    pub purpose: Option<Purpose>,
    /// When its messages expire.
    pub expires_at: Time,
    /// The campaign.
    pub script: Arc<CampaignPayload>,
    recipients: Chunk,
    /// The Do-Not-Disturb list at the time of the claim, where its route obeys it.
    dnd: Option<Arc<dnd::DndSnapshot>>,
    /// What was tried before, of messages that are being sent again.
    pub(in crate::worker) again: Arc<SentAgain>,
    /// Places below it are known to be claimed; negative after a hold, when the database's figures count.
    granted: AtomicI64,
}

impl OpenChunk {
    /// Notes that its places below `cursor` are claimed.
    pub fn grant(&self, cursor: i64) {
        self.granted.store(cursor, Ordering::Release);
    }

    /// What is known to be claimed of it.
    fn granted(&self) -> Option<Granted> {
        let cursor = self.granted.load(Ordering::Acquire);
        (cursor >= 0).then_some(Granted { chunk: self.id, attempt: self.attempt, cursor })
    }

    /// Whether other carriers take over from its own.
    pub const fn has_spares(&self) -> bool {
        self.carriers.len() > 1
    }

    /// The number of short messages (segments) of the message at `place`; 1 where it is a call, however many pulses it has.
    pub fn segments(&self, place: u16) -> u8 {
        if self.script.as_call().is_some() {
            return 1;
        }
        self.recipients.recipient(usize::from(place)).map_or(1, |recipient| recipient.segments.max(1))
    }

    /// Why the recipient at `place` must not get it any more: an opt-out, or the Do-Not-Disturb list, even where a
    /// quote would have chosen another route for such a number. A chunk belongs to one carrier, with its lease,
    /// references and receipts; a single message cannot move to another one, so its money is released instead.
    pub fn forbidden(&self, place: u16, opt_outs: &OptOutSnapshot) -> Option<PlatformReason> {
        let number = *self.recipients.numbers().get(usize::from(place))?;
        // It is erased only once no message to it can go out; there is nowhere to send this one.
        if number.is_erased() {
            return Some(PlatformReason::OptedOut);
        }
        // What says nothing was quoted when every opt-out ended it.
        if opt_outs.contains(number, self.purpose.unwrap_or(Purpose::Promotional)) {
            return Some(PlatformReason::OptedOut);
        }
        self.dnd.as_ref().filter(|list| list.has(number)).map(|_| PlatformReason::DoNotDisturb)
    }

    /// The network whose breaker holds the message at `place` back, where it is promotional.
    pub(in crate::worker) fn held_by<'b>(
        &self,
        breakers: &'b CarrierBreakers,
        place: u16,
    ) -> Option<&'b str> {
        if !self.promotional {
            return None;
        }
        breakers.holding(self.number(place)?, MessageId::new(self.id, place))
    }

    /// The network of the recipient at `place`, where the message is promotional and the networks are told apart.
    pub(in crate::worker) fn promotional_network<'b>(
        &self,
        book: &'b OpenChunks,
        place: u16,
    ) -> Option<&'b str> {
        if !self.promotional {
            return None;
        }
        book.breakers.network(self.number(place)?)
    }

    /// The number of the recipient at `place`.
    pub fn number(&self, place: u16) -> Option<Msisdn> {
        self.recipients.numbers().get(usize::from(place)).copied()
    }

    /// The price of a message.
    pub fn price(&self, message: MessageId) -> Result<Amount> {
        let pages = u64::from(self.recipients.pages(usize::from(message.place())));
        Ok(self.script.terms.unit_price.times(pages)?)
    }

    /// The message at `place`, ready for a carrier.
    pub fn submission(&self, place: u16, parts_done: u16, scratch: &mut Scratch) -> Result<Submission> {
        let recipient = self
            .recipients
            .recipient(usize::from(place))
            .ok_or_else(|| Error::Corrupt(format!("chunk {} has no place {place}", self.id)))?;
        Ok(Submission {
            message: MessageId::new(self.id, place),
            to: recipient.number,
            from: Arc::clone(&self.script.sender),
            body: self.script.body(&self.recipients, usize::from(place), scratch)?,
            parts_done,
            tries: 0,
            caller: None,
            expires_at: Some(self.expires_at),
        })
    }
}

/// The open chunks and their payloads.
#[derive(Debug, Default)]
struct State {
    /// By id.
    chunks: HashMap<ChunkId, Arc<OpenChunk>>,
    /// By campaign, price of a page and refund policy; shared by its chunks, and gone with the last of them. A chunk that
    /// was rerouted keeps the policy of the carrier that it was quoted for.
    scripts: HashMap<(CampaignId, Amount, bool), Weak<CampaignPayload>>,
}

/// The open chunks of one carrier, by id, and the payloads that they share.
#[derive(Debug, Default)]
pub struct OpenChunks {
    state: Mutex<State>,
    /// How long a message is valid, from when its campaign began or its canary let it go, in milliseconds.
    validity_ms: i64,
    opt_outs: OptOuts,
    dnd: DndList,
    /// When promotional messages wait.
    hours: Option<Arc<QuietHours>>,
    breakers: CarrierBreakers,
    unsettled: Unsettled,
    refusals: Refusals,
    pub(in crate::worker) history: History,
}

impl OpenChunks {
    /// No open chunks. `validity_ms` counts from a campaign's start.
    pub fn new(validity_ms: i64) -> Self {
        Self { validity_ms, ..Self::default() }
    }

    /// The messages that were submitted and are not settled.
    pub const fn unsettled(&self) -> &Unsettled {
        &self.unsettled
    }

    /// Whether the carrier takes nothing of what it is given.
    pub(in crate::worker) const fn refusals(&self) -> &Refusals {
        &self.refusals
    }

    /// The numbers that a user may not write to now.
    pub async fn opt_outs(&self, store: &Store, user: UserId) -> Result<OptOutSnapshot> {
        self.opt_outs.of(store, user).await
    }

    /// The same with quiet hours, during which promotional messages wait and their validity does not run.
    pub fn with_hours(self, hours: Option<Arc<QuietHours>>) -> Self {
        Self { hours, ..self }
    }

    /// The same with a shared Do-Not-Disturb list.
    pub fn with_dnd(self, dnd: DndList) -> Self {
        Self { dnd, ..self }
    }

    /// The same with the carrier's breakers.
    pub fn with_breakers(self, setup: Option<BreakerSetup>) -> Self {
        Self { breakers: CarrierBreakers::new(setup), ..self }
    }

    /// The carrier's breakers.
    pub(in crate::worker) const fn breakers(&self) -> &CarrierBreakers {
        &self.breakers
    }

    /// Whether promotional messages that are queued again wait now: for the morning, or until it is known which breakers are
    /// open.
    pub fn is_quiet(&self, now: Time) -> bool {
        self.hours.as_ref().is_some_and(|hours| hours.is_quiet(now)) || self.breakers.are_unknown()
    }

    /// Whether promotional chunks wait now: as [`OpenChunks::is_quiet`] has it, or as no more messages may wait singly.
    pub fn holds_promotional(&self, now: Time) -> bool {
        self.is_quiet(now) || self.breakers.is_full()
    }

    /// A campaign that began before this may have expired messages; one that began later has none.
    pub const fn may_have_expired(&self, now: Time) -> Time {
        Time(now.0.saturating_sub(self.validity_ms).saturating_add(1))
    }

    /// When campaigns began whose messages have expired by now, with those that have not begun if wished.
    pub fn began_before(&self, or_not_begun: bool, now: Time) -> BeganBefore {
        let others = self.may_have_expired(now);
        let in_hours = self.hours.as_ref().map(|hours| hours.starts_over(now, self.validity()));
        BeganBefore { others, promotional: in_hours.unwrap_or(others), or_not_begun }
    }

    fn validity(&self) -> Duration {
        Duration::from_millis(u64::try_from(self.validity_ms).unwrap_or(0))
    }

    fn expiry(&self, row: &ChunkRow, now: Time) -> Time {
        let start = row.began_at.unwrap_or(now);
        match &self.hours {
            Some(hours) if row.promotional => hours.ends_after(start, self.validity()),
            _ => Time(start.0.saturating_add(self.validity_ms)),
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An open chunk.
    pub fn get(&self, chunk: ChunkId) -> Option<Arc<OpenChunk>> {
        self.state().chunks.get(&chunk).cloned()
    }

    /// Drops a chunk whose messages are all settled.
    pub fn close(&self, chunk: ChunkId) {
        self.state().chunks.remove(&chunk);
    }

    /// Drops chunks that a cancel ended, which no answer will close, and payloads without chunks.
    pub async fn prune(&self, store: &Store) -> Result<()> {
        let held: Vec<ChunkId> = {
            let mut state = self.state();
            state.scripts.retain(|_, script| script.strong_count() > 0);
            state.chunks.keys().copied().collect()
        };
        if held.is_empty() {
            return Ok(());
        }
        let done = chunk::done_among(&mut store.read().await?, &held).await?;
        done.into_iter().for_each(|(done,)| self.close(done));
        Ok(())
    }

    /// What is known to be claimed of the open chunks.
    pub(in crate::worker) fn granted(&self) -> Vec<Granted> {
        self.state().chunks.values().filter_map(|open| open.granted()).collect()
    }

    /// Messages of the open chunks that were sent again, each with its tries before that.
    pub(in crate::worker) fn sent_again(&self) -> Vec<(i64, i64)> {
        let state = self.state();
        state.chunks.values().flat_map(|open| open.again.tries()).collect()
    }

    /// Forgets what is known to be claimed: from here on the database's figures count.
    pub(in crate::worker) fn forget_granted(&self) {
        for open in self.state().chunks.values() {
            open.grant(-1);
        }
    }

    /// How many chunks are open.
    pub fn len(&self) -> usize {
        self.state().chunks.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads a claimed chunk and keeps it.
    pub async fn open(&self, store: &Store, row: ChunkRow, now: Time) -> Result<Arc<OpenChunk>> {
        let (data, dnd) = self.read(store, &row).await?;
        self.insert(&row, &data, dnd, now)
    }

    /// The recipients of a chunk, and the Do-Not-Disturb list where its route obeys it.
    pub(super) async fn read(
        &self,
        store: &Store,
        row: &ChunkRow,
    ) -> Result<(Vec<u8>, Option<Arc<dnd::DndSnapshot>>)> {
        let mut tx = store.read().await?;
        let data = chunk::audience_data(&mut tx, row.audience_chunk_id).await?;
        let dnd = if row.minds_dnd { Some(self.dnd.current(&mut tx).await?) } else { None };
        Ok((data, dnd))
    }

    /// Reads a chunk that is not open, for an answer that came after all; `None` when there is no such chunk. It is not
    /// kept: another run may hold it.
    pub async fn look_up(&self, store: &Store, id: ChunkId, now: Time) -> Result<Option<OpenChunk>> {
        let mut tx = store.read().await?;
        let Some(row) = chunk::find(&mut tx, id).await? else { return Ok(None) };
        let data = chunk::audience_data(&mut tx, row.audience_chunk_id).await?;
        drop(tx);
        self.prepare(&row, &data, None, Arc::default(), now).map(Some)
    }

    /// The current Do-Not-Disturb list.
    pub async fn dnd(&self, store: &Store) -> Result<Arc<dnd::DndSnapshot>> {
        self.dnd.current(&mut store.read().await?).await
    }

    /// Keeps a claimed chunk whose recipients and Do-Not-Disturb list are read already.
    ///
    /// # Errors
    /// [`Error::WentBack`] when more of the chunk was claimed before than this claim begins with.
    pub fn insert(
        &self,
        row: &ChunkRow,
        data: &[u8],
        dnd: Option<Arc<dnd::DndSnapshot>>,
        now: Time,
    ) -> Result<Arc<OpenChunk>> {
        self.keep(row, data, dnd, row.attempt - 1, now)
    }

    /// The same for a row that is no new claim, perhaps: what is known of it may be of this attempt at most.
    pub(super) fn keep(
        &self,
        row: &ChunkRow,
        data: &[u8],
        dnd: Option<Arc<dnd::DndSnapshot>>,
        attempt: i64,
        now: Time,
    ) -> Result<Arc<OpenChunk>> {
        let mut open = self.prepare(row, data, dnd, Arc::default(), now)?;
        let mut state = self.state();
        if let Some(before) = state.chunks.get(&row.id) {
            if let Some(known) = before.granted()
                && (row.cursor < known.cursor || known.attempt > attempt)
            {
                let now = Granted { chunk: row.id, attempt: row.attempt, cursor: row.cursor };
                let text = format!("a new claim is {now}, and an older one was {known}");
                return Err(Error::WentBack(text));
            }
            // A chunk that is claimed again still knows what was tried before.
            open.again = Arc::clone(&before.again);
        }
        let open = Arc::new(open);
        state.chunks.insert(row.id, Arc::clone(&open));
        Ok(open)
    }

    fn prepare(
        &self,
        row: &ChunkRow,
        data: &[u8],
        dnd: Option<Arc<dnd::DndSnapshot>>,
        again: Arc<SentAgain>,
        now: Time,
    ) -> Result<OpenChunk> {
        Ok(OpenChunk {
            id: row.id,
            carrier: row.carrier.clone(),
            carriers: row.carriers(),
            user: row.user_id,
            attempt: row.attempt,
            size: row.size,
            cursor: row.cursor,
            promotional: row.promotional,
            purpose: row.purpose,
            expires_at: self.expiry(row, now),
            script: self.script(row)?,
            recipients: Chunk::decode(data)?,
            dnd,
            again,
            granted: AtomicI64::new(row.cursor),
        })
    }

    /// The payload of a campaign, which its chunks of one price share.
    fn script(&self, row: &ChunkRow) -> Result<Arc<CampaignPayload>> {
        let key = (row.terms.campaign, row.terms.unit_price, row.terms.refund_undelivered);
        if let Some(script) = self.state().scripts.get(&key).and_then(Weak::upgrade) {
            return Ok(script);
        }
        let script = Arc::new(CampaignPayload::new(row)?);
        self.state().scripts.insert(key, Arc::downgrade(&script));
        Ok(script)
    }
}
