//! Delivery reports: any page of a campaign's messages, filtered or not, the failed of a user, the unknown of all.
//!
//! A message's position decides its row: a row of `messages` says its status; else a retry means queued; else below
//! the chunk's cursor it is submitting; else it is queued, or cancelled with the chunk's tail.
//!
//! The pages of a list that stands still hold every message in it exactly once, and finding the last
//! costs what finding the first does.

pub mod breakdown;
pub mod by_reason;
pub mod campaign_list;
pub(crate) mod canary;
pub mod count_chunk;
pub mod explain;
pub mod export;
pub mod export_csv;
pub mod number_search;
mod poll_answers;
pub mod progress;
pub mod reason;
pub mod voice_reports;

use talkdrum_api::call::CallDetails;
use talkdrum_api::campaign::{MessageRow, Messages};
use talkdrum_api::counts::Counts;
use talkdrum_api::money::Amount;

use std::collections::{HashMap, HashSet};

use crate::content::poll::opts_out;
use crate::error::{Error, Result};
use crate::model::campaign::audience_chunk::Chunk;
use crate::model::message::id::MessageId;
use crate::model::message::status::MessageStatus;
use crate::phone::{Msisdn, NetworkTable};
use crate::store::Tx;
use crate::store::campaign::list as campaigns;
use crate::store::message::report as table;
use crate::store::message::report::{MessageRecord, ReportedChunk, Stretch};
use crate::store::message::reroute::Reroutes;
use crate::store::voice::call::{self, CallRow};
use crate::time::Time;

use crate::model::campaign::id::{CampaignId, ChunkId};
use crate::model::page::{Page, RecordScope};
pub use crate::store::message::report::{Among, Filter};

/// Campaigns that [`failed`] looks at, newest first: bounds the work of a page.
pub const FAILED_CAMPAIGNS: i64 = 10_000;

/// Chunks that are decoded at once.
const CHUNKS_AT_ONCE: usize = 64;

/// A page of a campaign's messages, in order of sending.
///
/// # Errors
/// [`Error::NotFound`] when there is no such campaign, or it is not in scope.
pub async fn page(
    tx: &mut Tx,
    scope: RecordScope,
    campaign: CampaignId,
    filter: Filter,
    page: Page,
    networks: &NetworkTable,
) -> Result<Messages> {
    require(tx, scope, campaign).await?;
    let counts = progress::counts(tx, campaign).await?;
    let stretches = table::stretches(tx, campaign, filter, page).await?;
    let picked = pick(tx, &stretches, filter, page, PickOrder::Ascending).await?;
    Ok(Messages { messages: rows(tx, scope, &picked, networks).await?, total: taken(&counts, filter) })
}

/// Refuses a campaign that does not exist or is not in scope, without telling which.
pub(super) async fn require(tx: &mut Tx, scope: RecordScope, campaign: CampaignId) -> Result<()> {
    let owner = campaigns::owner(tx, campaign).await?;
    owner.filter(|owner| scope.sees(*owner)).map(|_| ()).ok_or(Error::NotFound("campaign"))
}

/// A page of failed messages over all campaigns in scope, newest campaign first.
///
/// The newest [`FAILED_CAMPAIGNS`] campaigns are looked at, or as many up to that of the message `before`, which is
/// how to go on beyond them; `total` counts the failed among them.
///
/// # Errors
/// [`Error::NotFound`] when `before` is no message in scope.
pub async fn failed(
    tx: &mut Tx,
    scope: RecordScope,
    before: Option<MessageId>,
    page: Page,
    networks: &NetworkTable,
) -> Result<Messages> {
    let newest = match before {
        Some(message) => campaign_before(tx, scope, message).await?,
        None => CampaignId(i64::MAX),
    };
    let stretches = table::failed_stretches(tx, scope, newest, FAILED_CAMPAIGNS, page).await?;
    let picked = pick(tx, &stretches, Filter::Failed, page, PickOrder::Descending).await?;
    let total = match stretches.first() {
        Some(first) => first.total,
        None => table::failed_total(tx, scope, newest, FAILED_CAMPAIGNS).await?,
    };
    Ok(Messages { messages: rows(tx, scope, &picked, networks).await?, total })
}

/// The newest campaign that is older than a message's.
async fn campaign_before(tx: &mut Tx, scope: RecordScope, message: MessageId) -> Result<CampaignId> {
    let chunk = table::chunks(tx, vec![message.chunk()]).await?.pop();
    let chunk = chunk.filter(|chunk| scope.sees(chunk.user_id)).ok_or(Error::NotFound("message"))?;
    Ok(CampaignId(chunk.campaign_id.0 - 1))
}

/// A page of `unknown` messages, oldest first, for administrators to settle.
pub async fn unknown(tx: &mut Tx, among: &Among, page: Page, networks: &NetworkTable) -> Result<Messages> {
    let (scope, filter) = (RecordScope::All, Filter::Status(MessageStatus::Unknown));
    let stretches = table::unknown_stretches(tx, among, page).await?;
    let picked = pick(tx, &stretches, filter, page, PickOrder::Ascending).await?;
    let total = match stretches.first() {
        Some(first) => first.total,
        None => table::unknown_total(tx, among).await?,
    };
    Ok(Messages { messages: rows(tx, scope, &picked, networks).await?, total })
}

/// How many messages a filter takes.
fn taken(counts: &Counts, filter: Filter) -> i64 {
    match filter {
        Filter::All => counts.total(),
        Filter::Failed => counts.failed(),
        Filter::Status(status) => match status {
            MessageStatus::Queued => counts.queued,
            MessageStatus::Submitting => counts.submitting,
            MessageStatus::Submitted => counts.submitted,
            MessageStatus::Delivered => counts.delivered,
            MessageStatus::Undelivered => counts.undelivered,
            MessageStatus::Rejected => counts.rejected,
            MessageStatus::Expired => counts.expired,
            MessageStatus::Unknown => counts.unknown,
            MessageStatus::Cancelled => counts.cancelled,
            MessageStatus::Suppressed => counts.suppressed,
        },
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PickOrder {
    Ascending,
    Descending,
}

/// The messages of a page, from the chunks it lies in.
async fn pick(
    tx: &mut Tx,
    stretches: &[Stretch],
    filter: Filter,
    page: Page,
    order: PickOrder,
) -> Result<Vec<MessageId>> {
    let (from, to) = (page.skip(), page.skip() + page.size());
    let mut picked = Vec::new();
    for stretch in stretches {
        let mut places = table::places(tx, stretch, filter).await?;
        if order == PickOrder::Descending {
            places.reverse();
        }
        let within = |row: i64| usize::try_from(row - stretch.ahead).unwrap_or(0).min(places.len());
        picked
            .extend(places[within(from)..within(to)].iter().map(|place| MessageId::new(stretch.id, *place)));
    }
    Ok(picked)
}

/// What is known of a message: its chunk's row, its own, or its retry.
#[derive(Debug)]
pub(super) struct Known<'a> {
    pub(super) id: MessageId,
    pub(super) chunk: &'a ReportedChunk,
    pub(super) record: Option<&'a MessageRecord>,
    pub(super) retry: Option<&'a str>,
    /// The carrier it went by, or goes by.
    pub(super) carrier: &'a str,
    pub(super) to: Msisdn,
    /// What is reserved for it, in units.
    pub(super) pages: u8,
    /// How its last call went.
    pub(super) call: Option<&'a CallRow>,
}

impl Known<'_> {
    pub(super) fn status(&self) -> MessageStatus {
        match self.record {
            Some(record) => record.status,
            None => table::unanswered(
                self.id.place(),
                self.retry.is_some(),
                self.chunk.cursor,
                self.chunk.tail_cancelled,
            ),
        }
    }

    /// Whether its number opted out by key in its call.
    pub(super) fn opted_out(&self) -> bool {
        self.call.is_some_and(|call| opts_out(&call.digits))
    }

    /// What it costs in units: a call that was answered costs the pulses that it was up, all else what is reserved.
    pub(super) fn units(&self) -> i64 {
        let answered = self.call.filter(|_| self.status() == MessageStatus::Delivered);
        answered.map_or(i64::from(self.pages), |call| call.pulses)
    }

    pub(super) fn price(&self) -> Result<Amount> {
        Ok(self.chunk.unit_price.times(self.units().unsigned_abs())?)
    }

    /// What was reserved for it.
    pub(super) fn reserved(&self) -> Result<Amount> {
        Ok(self.chunk.unit_price.times(u64::from(self.pages))?)
    }

    /// The message as `scope` sees it: only readers who see all users' messages get its user and its carrier.
    pub(super) fn row(&self, scope: RecordScope, networks: &NetworkTable) -> Result<MessageRow> {
        let sees_all = scope == RecordScope::All;
        let status = self.status();
        let why = match (self.record, self.retry) {
            (None, Some(retry)) => Some(reason::of_retry(retry)),
            (record, _) => reason::of(status, record.and_then(|record| record.error.as_deref()))
                .or_else(|| self.opted_out().then(|| reason::OPTED_OUT_BY_KEY.to_owned())),
        };
        Ok(MessageRow {
            id: self.id.0,
            campaign_id: self.chunk.campaign_id.0,
            purpose: self.chunk.purpose,
            to: self.to.to_string(),
            senderid: self.chunk.sender.clone(),
            network: networks.name(networks.lookup(self.to)).to_owned(),
            status: status.code().to_owned(),
            reason: why,
            pages: self.units(),
            price: self.price()?,
            currency: self.chunk.currency.to_string(),
            user_id: sees_all.then_some(self.chunk.user_id.0),
            username: sees_all.then(|| self.chunk.username.clone()),
            carrier: sees_all.then(|| self.carrier.to_owned()),
            carrier_ref: self.record.and_then(|record| record.carrier_ref.clone()),
            submitted_at: self.record.and_then(|record| record.submitted_at).map(Time::to_rfc3339),
            done_at: self.record.and_then(|record| record.done_at).map(Time::to_rfc3339),
            call: self.call.map(details),
        })
    }
}

fn details(call: &CallRow) -> CallDetails {
    CallDetails {
        attempts: call.attempts,
        outcome: call.outcome.0.code().to_owned(),
        answered_at: call.answered_at.map(Time::to_rfc3339),
        up_ms: call.up_ms,
        heard_ms: call.heard_ms,
        digits: call.digits.clone(),
        answer: call.answer.clone(),
        ended_by: call.ended_by.0.code().to_owned(),
        code: call.code,
    }
}

/// These messages as reports show them, in the order given; those that do not exist are left out. The caller has seen
/// to it that they are in scope; for readers who see all users' messages, each row names its user.
pub async fn rows(
    tx: &mut Tx,
    scope: RecordScope,
    messages: &[MessageId],
    networks: &NetworkTable,
) -> Result<Vec<MessageRow>> {
    let mut shown: HashMap<MessageId, MessageRow> = HashMap::with_capacity(messages.len());
    for messages in by_chunks(messages) {
        let chunks: HashSet<ChunkId> = messages.iter().map(|message| message.chunk()).collect();
        let chunks = table::chunks(tx, chunks.into_iter().collect()).await?;
        let chunks: HashMap<ChunkId, ReportedChunk> =
            chunks.into_iter().map(|chunk| (chunk.id, chunk)).collect();
        let own: Vec<(ChunkId, &str)> = chunks.values().map(|chunk| (chunk.id, &*chunk.carrier)).collect();
        // Customers are not told of carriers.
        let reroutes =
            if scope == RecordScope::All { Reroutes::of_many(tx, &own).await? } else { HashMap::new() };
        // Messages last: outside a snapshot, a row written meanwhile outweighs what the chunk and the retries said.
        let retries: HashMap<MessageId, String> =
            table::retries_of(tx, messages).await?.into_iter().collect();
        let records = table::messages(tx, messages).await?;
        let records: HashMap<MessageId, MessageRecord> =
            records.into_iter().map(|record| (record.id, record)).collect();
        let is_voice = |id: &&MessageId| chunks.get(&id.chunk()).is_some_and(|chunk| !chunk.kind.is_sms());
        let called: Vec<MessageId> = messages.iter().filter(is_voice).copied().collect();
        let calls = call::of(tx, &called).await?;
        let calls: HashMap<MessageId, CallRow> =
            calls.into_iter().map(|call| (call.message_id, call)).collect();
        let mut decoded: HashMap<ChunkId, Chunk> = HashMap::new();
        for id in messages {
            let Some(chunk) = chunks.get(&id.chunk()) else { continue };
            let audience = match decoded.entry(chunk.id) {
                std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
                std::collections::hash_map::Entry::Vacant(entry) => {
                    entry.insert(Chunk::decode_without_fields(&chunk.data)?)
                }
            };
            let place = usize::from(id.place());
            let Some(to) = audience.numbers().get(place).copied() else { continue };
            let known = Known {
                id: *id,
                chunk,
                record: records.get(id),
                retry: retries.get(id).map(String::as_str),
                carrier: reroutes.get(&chunk.id).map_or(&chunk.carrier, |it| it.carrier_of(id.place())),
                to,
                pages: audience.pages(place),
                call: calls.get(id),
            };
            shown.insert(*id, known.row(scope, networks)?);
        }
    }
    Ok(messages.iter().filter_map(|message| shown.remove(message)).collect())
}

/// Cuts messages, in any order, into runs that touch a bounded number of chunks each.
fn by_chunks(messages: &[MessageId]) -> Vec<&[MessageId]> {
    let mut runs = Vec::new();
    let mut start = 0;
    let mut chunks = HashSet::new();
    for (index, message) in messages.iter().enumerate() {
        if !chunks.contains(&message.chunk()) && chunks.len() == CHUNKS_AT_ONCE {
            runs.push(&messages[start..index]);
            start = index;
            chunks.clear();
        }
        chunks.insert(message.chunk());
    }
    if start < messages.len() {
        runs.push(&messages[start..]);
    }
    runs
}

#[cfg(test)]
mod tests;
