//! Applying facts whatever the messages' standing: looked up first, then moved by the lattice.
//!
//! The settler's quick path ([`crate::worker::settle`]) assumes where messages stand and writes at once; when it was
//! wrong, and for everything that is rare (rescue, late receipts, a person's decision), it goes this way.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use super::audience::Chunk;
use super::fact::{Batch, Change, Fact, Terms};
use super::status::MessageStatus;
use crate::carrier::MessageId;
use crate::clock::Time;
use crate::error::{Error, Result};
use crate::money::Amount;
use crate::store::message::Applied;
use crate::store::{Tx, chunk, message};

/// A chunk's terms and recipients, loaded once for all its facts.
struct Loaded {
    terms: Terms,
    recipients: Chunk,
}

impl Loaded {
    async fn load(tx: &mut Tx, id: i64) -> Result<Self> {
        let row =
            chunk::find(tx, id).await?.ok_or_else(|| Error::Corrupt(format!("chunk {id} does not exist")))?;
        let recipients = Chunk::decode(&chunk::audience_data(tx, row.audience_chunk_id).await?)?;
        Ok(Self { terms: row.terms()?, recipients })
    }

    fn price(&self, message: MessageId) -> Result<Amount> {
        self.terms.unit_price.times(u64::from(self.recipients.pages(usize::from(message.place()))))
    }
}

/// Applies facts in the order given; what says nothing new is passed over. A message without a row counts as in
/// flight, so only facts of messages that were claimed may come here.
pub async fn settle(tx: &mut Tx, facts: &[Fact], now: Time) -> Result<Applied> {
    let mut applied = Applied::default();
    chunk::lock_all(tx, facts.iter().map(|fact| fact.message.chunk()).collect()).await?;
    let mut rest = facts;
    while !rest.is_empty() {
        // A second fact of a message follows from what the first one wrote.
        let mut seen = HashSet::new();
        let fresh = rest.iter().take_while(|fact| seen.insert(fact.message)).count();
        let (round, later) = rest.split_at(fresh);
        applied.extend(settle_round(tx, round, now).await?);
        rest = later;
    }
    Ok(applied)
}

/// Applies facts of which no two are of the same message.
async fn settle_round(tx: &mut Tx, facts: &[Fact], now: Time) -> Result<Applied> {
    let messages: Vec<MessageId> = facts.iter().map(|fact| fact.message).collect();
    let stored = message::standings(tx, &messages).await?;
    let mut loaded: HashMap<i64, Loaded> = HashMap::new();
    let mut batch = Batch::default();
    for fact in facts {
        let id = fact.message.chunk();
        if let Entry::Vacant(entry) = loaded.entry(id) {
            entry.insert(Loaded::load(tx, id).await?);
        }
        let Some(chunk) = loaded.get(&id) else { continue };
        let before = stored.get(&fact.message).copied();
        let Some((after, movement)) = fact.follows(before, chunk.terms.refund_undelivered) else { continue };
        let price = chunk.price(fact.message)?;
        batch.push(Change { fact: fact.clone(), before, after, movement, price }, &chunk.terms)?;
    }
    message::apply(tx, &batch, now).await
}

/// What receipts of its parts say of each message with several: delivered when all parts are, failed when one is.
/// Messages that were not accepted whole yet are left alone.
pub async fn settle_by_parts(tx: &mut Tx, messages: &[MessageId], now: Time) -> Result<Applied> {
    let stored = message::standings(tx, messages).await?;
    let mut facts = Vec::new();
    for (&message, standing) in &stored {
        if !matches!(standing.status, MessageStatus::Submitted | MessageStatus::Unknown) {
            continue;
        }
        let parts = message::parts_of(tx, message).await?;
        let statuses: Vec<MessageStatus> =
            parts.iter().filter_map(|(_, status)| MessageStatus::from_number(*status)).collect();
        let failed = statuses.iter().copied().find(|status| status.is_failure());
        let complete = standing.status == MessageStatus::Submitted && !statuses.is_empty();
        let delivered = complete && statuses.iter().all(|status| *status == MessageStatus::Delivered);
        let status = failed.or(delivered.then_some(MessageStatus::Delivered));
        if let Some(status) = status {
            let (reference, submitted_at, error) = (None, None, None);
            facts.push(Fact { message, status, reference, submitted_at, done_at: Some(now), error });
        }
    }
    settle(tx, &facts, now).await
}
