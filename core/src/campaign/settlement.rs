//! Applying facts whatever the messages' standing: looked up first, then moved by the lattice.
//!
//! The settler's quick path ([`crate::worker::settle`]) assumes where messages stand and writes at once; when it was
//! wrong, and for everything that is rare (rescue, late receipts, a person's decision), it goes this way.

use std::collections::{BTreeMap, HashMap};

use super::audience::Chunk;
use super::fact::{Batch, Change, Fact, Standing, Terms, transition};
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
    let messages: Vec<MessageId> = facts.iter().map(|fact| fact.message).collect();
    let stored = message::standings(tx, &messages).await?;
    let mut loaded: HashMap<i64, Loaded> = HashMap::new();
    let mut changes: BTreeMap<MessageId, Change> = BTreeMap::new();
    for fact in facts {
        let id = fact.message.chunk();
        if let std::collections::hash_map::Entry::Vacant(entry) = loaded.entry(id) {
            entry.insert(Loaded::load(tx, id).await?);
        }
        let Some(chunk) = loaded.get(&id) else { continue };
        let first = changes.get(&fact.message);
        // A second fact of the same batch follows from the first one's outcome, and is written with it.
        let standing = first.map_or_else(|| stored.get(&fact.message).copied(), |change| Some(change.after));
        let Some((after, movement)) = transition(standing, fact.status, chunk.terms.refund_undelivered)
        else {
            continue;
        };
        let price = chunk.price(fact.message)?;
        let change = match changes.remove(&fact.message) {
            None => Change { fact: fact.clone(), before: standing, after, movement, price },
            Some(first) => merge(first, fact, after, chunk.terms.refund_undelivered, price),
        };
        changes.insert(fact.message, change);
    }
    let mut batch = Batch::default();
    for change in changes.into_values() {
        if let Some(chunk) = loaded.get(&change.fact.message.chunk()) {
            batch.push(change, &chunk.terms)?;
        }
    }
    message::apply(tx, &batch, now).await
}

/// One change out of two: from where the first began to where the second ends. The money of an unsettled message moves
/// once, by the first fact that moves it; a refund that the second fact asks for becomes a release when nothing was
/// captured yet.
fn merge(first: Change, fact: &Fact, after: Standing, refund_undelivered: bool, price: Amount) -> Change {
    let whole = transition(first.before, fact.status, refund_undelivered)
        .map_or((after, first.movement), |(after, movement)| (after, movement));
    Change {
        fact: Fact {
            message: fact.message,
            status: fact.status,
            reference: first.fact.reference.or_else(|| fact.reference.clone()),
            submitted_at: first.fact.submitted_at.or(fact.submitted_at),
            done_at: fact.done_at.or(first.fact.done_at),
            error: fact.error.clone().or(first.fact.error),
        },
        before: first.before,
        after: Standing { status: after.status, money: whole.0.money },
        movement: whole.1,
        price,
    }
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
