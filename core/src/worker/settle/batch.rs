//! The content of one transaction of the settler.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use talkdrum_api::purpose::OptOutReach;

use crate::campaign::settlement;
use crate::contact::suppression;
use crate::error::{Error, Result};
use crate::inbound;
use crate::model::account::id::UserId;
use crate::model::campaign::id::ChunkId;
use crate::model::message::id::{DeferredReceiptsId, MessageId, PartId};
use crate::model::message::outcome::{MessageOutcome, OutcomeBatch};
use crate::model::platform::id::RunId;
use crate::notice::{self, NoticeAnswer};
use crate::phone::Msisdn;
use crate::store::chunk::granted::{self, Granted};
use crate::store::chunk::retry::Retry;
use crate::store::db::once::Once;
use crate::store::message::inbound::NewInbound;
use crate::store::message::unmatched_receipt::{self, Unmatched};
use crate::store::message::{self, Applied, NewPart, PartReceipt, deferred_receipt};
use crate::store::voice::call::{self, CallRow};
use crate::store::{Lane, Tx, chunk};
use crate::time::Time;
use crate::worker::dispatch::requeue::requeue;

/// Everything one transaction writes.
#[derive(Debug, Default)]
pub(in crate::worker) struct Work {
    pub carrier: String,
    pub now: Time,
    /// What the quick path writes: the states before are assumed.
    pub batch: OutcomeBatch,
    /// Outcomes of messages whose states must be read first.
    pub careful: Vec<MessageOutcome>,
    pub retries: Vec<Retry>,
    /// What is known to be claimed of the retries' chunks.
    pub granted: Vec<Granted>,
    pub parts: Vec<NewPart>,
    pub part_receipts: Vec<PartReceipt>,
    /// Calls that ended.
    pub calls: Vec<CallRow>,
    /// Numbers that opted out by key in these calls, by the user whose calls they are.
    pub opt_outs: BTreeMap<(UserId, OptOutReach), BTreeSet<Msisdn>>,
    /// Messages in several parts that the receipts of their parts may decide now.
    pub by_parts: BTreeSet<MessageId>,
    /// References that were used again, with the older parts that still have no receipt.
    pub replaced: Vec<(String, PartId)>,
    pub unmatched: Vec<Unmatched>,
    pub inbound: Vec<NewInbound>,
    /// Answers to the platform's own text messages.
    pub notices: Vec<NoticeAnswer>,
    /// Receipts to defer, for this run of the daemon.
    pub deferred: Vec<MessageOutcome>,
    pub owner: RunId,
    /// Rows of deferred receipts whose last receipts are written here.
    pub written: Vec<DeferredReceiptsId>,
    /// Deferred receipts that cannot be written.
    pub aside: Vec<MessageOutcome>,
}

/// The result of a transaction.
#[derive(Debug, Default)]
pub(in crate::worker) struct Stored {
    pub applied: Applied,
    /// The row that holds the deferred receipts.
    pub row: Option<DeferredReceiptsId>,
}

/// Whether the states of the batch's messages are taken as assumed, or read from the database.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Path {
    Quick,
    Careful,
}

impl Work {
    /// Writes it all, or nothing.
    ///
    /// # Errors
    /// Those of the store.
    pub(in crate::worker) async fn store(self, store: &Once) -> Result<Stored> {
        if self.is_empty() {
            return Ok(Stored::default());
        }
        let work = Arc::new(self);
        let quick = store
            .write(Lane::Background, Arc::clone(&work), |tx, work| Box::pin(write(tx, work, Path::Quick)))
            .await;
        match quick {
            Err(Error::Stale) => {
                store.write(Lane::Background, work, |tx, work| Box::pin(write(tx, work, Path::Careful))).await
            }
            other => other,
        }
    }

    fn is_empty(&self) -> bool {
        self.batch.is_empty()
            && self.careful.is_empty()
            && self.retries.is_empty()
            && self.parts.is_empty()
            && self.part_receipts.is_empty()
            && self.calls.is_empty()
            && self.opt_outs.is_empty()
            && self.replaced.is_empty()
            && self.unmatched.is_empty()
            && self.inbound.is_empty()
            && self.notices.is_empty()
            && self.deferred.is_empty()
            && self.written.is_empty()
            && self.aside.is_empty()
    }
}

impl Work {
    /// Whether only the batch touches chunks: [`message::apply`] locks what it needs.
    fn is_plain(&self) -> bool {
        let touches = [self.retries.is_empty(), self.careful.is_empty(), self.by_parts.is_empty()];
        // The calls of a chunk are stored under its lock: what they answered is counted.
        touches.iter().all(|is_empty| *is_empty) && self.calls.is_empty()
    }

    /// The chunks of the messages that are queued again.
    pub(super) fn retry_chunks(&self) -> BTreeSet<ChunkId> {
        self.retries.iter().map(|retry| retry.message_id.chunk()).collect()
    }

    /// The chunks of all messages that may change.
    fn chunks(&self) -> BTreeSet<ChunkId> {
        let of_batch = self.batch.chunks.keys().copied();
        let careful = self.careful.iter().map(|outcome| outcome.message.chunk());
        let by_parts = self.by_parts.iter().map(|message| message.chunk());
        let called = self.calls.iter().map(|call| call.message_id.chunk());
        of_batch.chain(called).chain(careful).chain(self.retry_chunks()).chain(by_parts).collect()
    }
}

async fn write(tx: &mut Tx, work: &Work, path: Path) -> Result<Stored> {
    if path == Path::Careful || !work.is_plain() {
        chunk::lock_all(tx, work.chunks()).await?;
    }
    // A message is not queued beside a claim that is forgotten: the claim is restored first.
    if let Some(now) = granted::forgotten(tx, &work.granted).await?.first() {
        return Err(Error::WentBack(format!("a message of {now} was sent, and is to be queued again")));
    }
    message::insert_parts(tx, &work.parts).await?;
    call::put(tx, &work.calls).await?;
    let mut applied = match path {
        Path::Quick => message::apply(tx, &work.batch, work.now).await?,
        Path::Careful => {
            let outcomes: Vec<MessageOutcome> =
                work.batch.changes.iter().map(|change| change.outcome.clone()).collect();
            settlement::settle(tx, &outcomes, work.now).await?
        }
    };
    applied.extend(requeue(tx, &work.retries, work.now).await?);
    message::update_parts(tx, &work.part_receipts).await?;
    if !work.careful.is_empty() {
        applied.extend(settlement::settle(tx, &work.careful, work.now).await?);
    }
    if !work.by_parts.is_empty() {
        let messages: Vec<MessageId> = work.by_parts.iter().copied().collect();
        applied.extend(settlement::settle_by_parts(tx, &messages, work.now).await?);
    }
    for answer in &work.notices {
        notice::answer(tx, &work.carrier, answer, work.now).await?;
    }
    let unmatched = of_no_notice(tx, work).await?;
    unmatched_receipt::keep_unmatched(tx, &work.carrier, &unmatched).await?;
    unmatched_receipt::index_references(tx, &work.carrier, &work.replaced).await?;
    inbound::take(tx, &work.carrier, &work.inbound, work.now).await?;
    let row = match &work.deferred[..] {
        [] => None,
        held => Some(deferred_receipt::keep(tx, work.owner, held).await?),
    };
    deferred_receipt::let_go(tx, &work.written).await?;
    deferred_receipt::keep_aside(tx, work.owner, &work.aside, work.now).await?;
    // Lists of opt-outs are locked last, and in the order of their users.
    for ((user, reach), numbers) in &work.opt_outs {
        suppression::add_by_key(tx, *user, numbers.iter().copied().collect(), *reach, work.now).await?;
    }
    Ok(Stored { applied, row })
}

/// Applies receipts of the platform's own text messages; returns the others.
async fn of_no_notice(tx: &mut Tx, work: &Work) -> Result<Vec<Unmatched>> {
    let mut others = Vec::new();
    for late in &work.unmatched {
        let reference = (work.carrier.as_str(), late.carrier_ref.as_str());
        if !notice::receipt(tx, reference, late.status.0, late.error.as_deref(), work.now).await? {
            others.push(late.clone());
        }
    }
    Ok(others)
}
