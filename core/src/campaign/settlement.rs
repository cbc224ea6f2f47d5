//! Applying outcomes to messages in any state: the states are read first, then changed as the status lattice allows.
//!
//! The settler's quick path ([`crate::worker::settle`]) assumes the states and writes at once. Where it was wrong, and
//! for everything that is rare (rescue, unmatched receipts, an administrator's decision), outcomes are applied here.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};

use talkdrum_api::code;
use talkdrum_api::money::{Amount, Money};

use crate::error::{Error, Result};
use crate::model::campaign::audience_chunk::Chunk;
use crate::model::campaign::id::ChunkId;
use crate::model::message::id::MessageId;
use crate::model::message::outcome::{MessageChange, MessageOutcome, OutcomeBatch, Terms};
use crate::model::message::status::MessageStatus;
use crate::model::money::ledger::AccountId;
use crate::store::message::{self, Applied};
use crate::store::money::ledger;
use crate::store::{Tx, chunk};
use crate::time::Time;

/// A chunk's terms and recipients, loaded once for all its outcomes.
struct Loaded {
    terms: Terms,
    recipients: Chunk,
}

impl Loaded {
    async fn load(tx: &mut Tx, id: ChunkId) -> Result<Self> {
        let row =
            chunk::find(tx, id).await?.ok_or_else(|| Error::Corrupt(format!("chunk {id} does not exist")))?;
        let recipients =
            Chunk::decode_without_fields(&chunk::audience_data(tx, row.audience_chunk_id).await?)?;
        Ok(Self { terms: row.terms, recipients })
    }

    fn price(&self, message: MessageId) -> Result<Amount> {
        Ok(self.terms.unit_price.times(u64::from(self.recipients.pages(usize::from(message.place()))))?)
    }
}

/// Applies outcomes in the order given; those that say nothing new are left out. A message without a row counts as in
/// flight, so only outcomes of claimed messages may be passed.
pub async fn settle(tx: &mut Tx, outcomes: &[MessageOutcome], now: Time) -> Result<Applied> {
    let mut applied = Applied::default();
    if outcomes.is_empty() {
        return Ok(applied);
    }
    chunk::lock_all(tx, outcomes.iter().map(|outcome| outcome.message.chunk()).collect()).await?;
    let mut rest = outcomes;
    while !rest.is_empty() {
        // A second outcome of a message is applied to what the first one wrote.
        let mut seen = HashSet::new();
        let fresh = rest.iter().take_while(|outcome| seen.insert(outcome.message)).count();
        let (round, later) = rest.split_at(fresh);
        applied.extend(settle_round(tx, round, now).await?);
        rest = later;
    }
    Ok(applied)
}

/// Applies outcomes of distinct messages.
async fn settle_round(tx: &mut Tx, outcomes: &[MessageOutcome], now: Time) -> Result<Applied> {
    let messages: Vec<MessageId> = outcomes.iter().map(|outcome| outcome.message).collect();
    let stored = message::states(tx, &messages).await?;
    let mut loaded: HashMap<ChunkId, Loaded> = HashMap::new();
    let mut batch = OutcomeBatch::default();
    for outcome in outcomes {
        let id = outcome.message.chunk();
        if let Entry::Vacant(entry) = loaded.entry(id) {
            entry.insert(Loaded::load(tx, id).await?);
        }
        let Some(chunk) = loaded.get(&id) else { continue };
        let before = stored.get(&outcome.message).copied();
        let Some((after, effect)) = outcome.follows(before, chunk.terms.refund_undelivered) else {
            continue;
        };
        let price = chunk.price(outcome.message)?;
        batch.push(MessageChange { outcome: outcome.clone(), before, after, effect, price }, &chunk.terms)?;
    }
    require_funds(tx, &batch, now).await?;
    message::apply(tx, &batch, now).await
}

/// Refuses charges that a wallet does not cover. Each such wallet stays locked until the transaction ends.
async fn require_funds(tx: &mut Tx, batch: &OutcomeBatch, now: Time) -> Result<()> {
    let mut due: BTreeMap<AccountId, Money> = BTreeMap::new();
    for changes in batch.chunks.values().filter(|changes| changes.charged > Amount::ZERO) {
        let nothing = Money { amount: Amount::ZERO, currency: changes.terms.currency };
        let sum = due.entry(changes.terms.wallet).or_insert(nothing);
        sum.amount = sum.amount.plus(changes.charged)?;
    }
    for (wallet, money) in due {
        let nothing = Money { amount: Amount::ZERO, currency: money.currency };
        let held = match ledger::debit(tx, wallet, nothing, now).await? {
            ledger::DebitOutcome::To(balance) => balance.unwrap_or_default(),
            ledger::DebitOutcome::Refused { available } => available,
        };
        if held < money.amount {
            let label = money.currency.label();
            return Err(Error::rule(
                code::INSUFFICIENT_BALANCE,
                format!(
                    "Some of these messages were refunded to the customer: charging them costs {} {label}, and the \
                     wallet holds {held}; nothing was changed. Credit the wallet first, or settle them as refunded",
                    money.amount
                ),
            ));
        }
    }
    Ok(())
}

/// Decides messages in several parts by the receipts of their parts: delivered when all parts are, failed when one is.
/// Messages of which not all parts are accepted are left alone. A failed message becomes delivered when later receipts
/// say that all its parts are.
pub async fn settle_by_parts(tx: &mut Tx, messages: &[MessageId], now: Time) -> Result<Applied> {
    let stored = message::states(tx, messages).await?;
    let mut outcomes = Vec::new();
    for (&message, state) in &stored {
        if !state.status.may_become(MessageStatus::Delivered) {
            continue;
        }
        let parts = message::parts_of(tx, message).await?;
        let failed = parts.iter().find(|(status, _)| status.is_failure());
        let all = !parts.is_empty() && parts.iter().all(|(status, _)| *status == MessageStatus::Delivered);
        let decided = match failed {
            Some((status, error)) => Some((*status, error.as_deref().map(Into::into))),
            None if all && is_whole(tx, message, state.status, parts.len()).await? => {
                Some((MessageStatus::Delivered, None))
            }
            None => None,
        };
        if let Some((status, error)) = decided {
            let (reference, submitted_at) = (None, None);
            outcomes.push(MessageOutcome {
                message,
                status,
                reference,
                submitted_at,
                done_at: Some(now),
                error,
                units: None,
            });
        }
    }
    settle(tx, &outcomes, now).await
}

/// Whether the known parts are all parts of the message. A failed one may have failed before all were accepted.
async fn is_whole(tx: &mut Tx, message: MessageId, status: MessageStatus, parts: usize) -> Result<bool> {
    use MessageStatus as S;
    match status {
        S::Submitted => Ok(true),
        S::Undelivered | S::Expired => {
            let recipients = Loaded::load(tx, message.chunk()).await?.recipients;
            let recipient = recipients.recipient(usize::from(message.place()));
            Ok(recipient.is_some_and(|recipient| parts >= usize::from(recipient.segments)))
        }
        S::Queued
        | S::Submitting
        | S::Delivered
        | S::Rejected
        | S::Unknown
        | S::Cancelled
        | S::Suppressed => Ok(false),
    }
}
