//! A batch of outcomes in the database: chunks, message rows, money, completion, in one transaction.

use std::collections::{BTreeMap, BTreeSet};

use super::rows;
use crate::error::{Error, Result};
use crate::model::campaign::id::{CampaignId, ChunkId};
use crate::model::message::id::MessageId;
use crate::model::message::outcome::{ChunkChanges, LedgerEffect, MessageChange, OutcomeBatch, Terms};
use crate::model::message::status::{ChunkState, MessageStatus};
use crate::model::money::ledger::{AccountId, Code};
use crate::store::campaign::{campaign_statuses, resend};
use crate::store::message::statuses::statuses;
use crate::store::money::ledger::{Posting, insert_postings, lock_accounts};
use crate::store::stats::traffic;
use crate::store::{Column, Sql, Tx, chunk};
use crate::time::Time;
use crate::{args, sql};

/// What a batch completed.
#[derive(Clone, Debug, Default)]
pub struct Applied {
    /// Chunks whose every message is settled.
    pub chunks_done: Vec<ChunkId>,
    /// Campaigns with nothing left to send.
    pub campaigns_completed: Vec<CampaignId>,
}

impl Applied {
    /// Adds what another batch of the same transaction completed.
    pub fn extend(&mut self, other: Self) {
        self.chunks_done.extend(other.chunks_done);
        self.campaigns_completed.extend(other.campaigns_completed);
    }
}

const UPDATE_CHUNKS: Sql = sql!(
    "UPDATE campaign_chunks SET \
       sequence = sequence + 2, answered = campaign_chunks.answered + j.answered, \
",
    statuses!(stored, ", ", [column, " = campaign_chunks.", column, " + j.", column]),
    ", captured_micros = captured_micros + j.captured, released_micros = released_micros + j.released, \
       answered_at = $1, \
       state = CASE WHEN campaign_chunks.answered + j.answered + tail_cancelled >= size THEN 'done' ELSE state END \
     FROM UNNEST($2::BIGINT[], $3::BIGINT[], $4::BIGINT[], $5::BIGINT[], $6::BIGINT[], $7::BIGINT[], $8::BIGINT[], \
       $9::BIGINT[], $10::BIGINT[], $11::BIGINT[], $12::BIGINT[], $13::BIGINT[]) AS j (id, answered, ",
    statuses!(stored, ", ", [column]),
    ", captured, released) \
     WHERE campaign_chunks.id = j.id RETURNING campaign_chunks.id, sequence, state"
);

const UPDATE_CORRECTIONS: Sql = sql!(
    "UPDATE campaign_chunks SET refunded_micros = refunded_micros + j.refunded, \
       charged_micros = charged_micros + j.charged \
     FROM UNNEST($1::BIGINT[], $2::BIGINT[], $3::BIGINT[]) AS j (id, refunded, charged) \
     WHERE campaign_chunks.id = j.id"
);

/// Revenue has no balance, so that there is no row that every transaction updates.
const MOVE_BALANCES: Sql = sql!(
    "UPDATE accounts SET balance_micros = balance_micros + j.amount, \
       closed_at = CASE WHEN kind = 'reserve' AND balance_micros + j.amount = 0 THEN $1 END \
     FROM UNNEST($2::BIGINT[], $3::BIGINT[]) AS j (id, amount) \
     WHERE accounts.id = j.id AND balance_micros IS NOT NULL RETURNING accounts.id, balance_micros"
);

const COMPLETE_CAMPAIGNS: Sql = sql!(
    "UPDATE campaigns SET chunks_open = chunks_open - j.done, \
       completed_at = CASE WHEN chunks_open = j.done THEN COALESCE(completed_at, $1) ELSE completed_at END, \
       status = CASE WHEN chunks_open = j.done AND status IN (",
    campaign_statuses!(begun),
    ") THEN 'completed' ELSE status END \
     FROM UNNEST($2::BIGINT[], $3::BIGINT[]) AS j (id, done) WHERE campaigns.id = j.id \
     RETURNING campaigns.id, chunks_open"
);

/// Writes a batch: message rows, counters, money and completion. Rows are locked in the order of [`chunk::lock`].
///
/// # Errors
/// [`Error::Stale`] when a row moved since the batch was computed; nothing is written then, and the caller
/// computes the batch again from [`super::states`].
pub async fn apply(tx: &mut Tx, batch: &OutcomeBatch, now: Time) -> Result<Applied> {
    if batch.is_empty() {
        return Ok(Applied::default());
    }
    // Campaigns are locked for two things. An answer may complete its campaign; a receipt never does. And a message that
    // turns out not to have failed outdates the turn of a resend, so no turn may begin before this is stored.
    let answered = batch.chunks.iter().filter(|(_, changes)| changes.answered > 0).map(|(id, _)| *id);
    let recovered =
        batch.changes.iter().filter(|it| it.leaves_failure()).map(|it| it.outcome.message.chunk());
    chunk::lock(tx, answered.chain(recovered).collect(), batch.chunks.keys().copied().collect()).await?;
    let chunks = update_chunks(tx, &batch.chunks, now).await?;
    update_corrections(tx, &batch.chunks).await?;
    let sequences: BTreeMap<ChunkId, i64> = chunks.iter().map(|(id, sequence, _)| (*id, *sequence)).collect();
    traffic::queue(tx, sequences.keys().copied().collect()).await?;
    rows::write(tx, &batch.changes, &sequences).await?;
    outdate_resends(tx, batch).await?;
    move_money(tx, batch, &sequences, now).await?;
    let chunks_done: Vec<ChunkId> = chunks
        .iter()
        .filter(|(id, _, state)| {
            *state == ChunkState::Done && batch.chunks.get(id).is_some_and(|changes| changes.answered > 0)
        })
        .map(|(id, ..)| *id)
        .collect();
    let campaigns_completed = complete(tx, batch, &chunks_done, now).await?;
    Ok(Applied { chunks_done, campaigns_completed })
}

async fn update_chunks(
    tx: &mut Tx,
    chunks: &BTreeMap<ChunkId, ChunkChanges>,
    now: Time,
) -> Result<Vec<(ChunkId, i64, ChunkState)>> {
    let ints = |read: &dyn Fn(&ChunkChanges) -> i64| Column::of(chunks.values().map(read));
    let mut columns = vec![Column::of(chunks.keys()), ints(&|it| it.answered)];
    let stored = MessageStatus::ALL.iter().copied().filter(|status| status.is_stored());
    columns.extend(stored.map(|status| ints(&|it| it.counters.of(status))));
    columns.extend([ints(&|it| it.captured.0), ints(&|it| it.released.0)]);
    let rows: Vec<(ChunkId, i64, ChunkState)> = match tx.all(UPDATE_CHUNKS, args![now, columns]).await {
        // More outcomes than messages: some of them have a row by now, such as `unknown` after a rescue.
        Err(error) if error.is_check_violation() => return Err(Error::Stale),
        rows => rows?,
    };
    if rows.len() == chunks.len() {
        return Ok(rows);
    }
    Err(Error::Corrupt(format!(
        "{} of {} chunks of a batch do not exist",
        chunks.len() - rows.len(),
        chunks.len()
    )))
}

/// Refunds and later charges, which few batches have.
async fn update_corrections(tx: &mut Tx, chunks: &BTreeMap<ChunkId, ChunkChanges>) -> Result<()> {
    let moved: Vec<(ChunkId, &ChunkChanges)> = chunks
        .iter()
        .filter(|(_, changes)| changes.refunded.0 != 0 || changes.charged.0 != 0)
        .map(|(id, changes)| (*id, changes))
        .collect();
    if moved.is_empty() {
        return Ok(());
    }
    let columns = vec![
        Column::of(moved.iter().map(|(id, _)| id)),
        Column::of(moved.iter().map(|(_, changes)| changes.refunded)),
        Column::of(moved.iter().map(|(_, changes)| changes.charged)),
    ];
    tx.run_exactly(moved.len() as u64, UPDATE_CORRECTIONS, args![columns]).await
}

/// Outdates the resends that have marked messages which turn out not to have failed: they cannot be confirmed any more.
async fn outdate_resends(tx: &mut Tx, batch: &OutcomeBatch) -> Result<()> {
    let recovered: Vec<MessageId> =
        batch.changes.iter().filter(|it| it.leaves_failure()).map(|it| it.outcome.message).collect();
    if recovered.is_empty() {
        return Ok(());
    }
    let chunks = recovered.iter().filter_map(|message| batch.chunks.get(&message.chunk()));
    let campaigns: BTreeSet<CampaignId> = chunks.map(|changes| changes.terms.campaign).collect();
    resend::outdate_turns(tx, campaigns.into_iter().collect(), recovered).await
}

async fn move_money(
    tx: &mut Tx,
    batch: &OutcomeBatch,
    sequences: &BTreeMap<ChunkId, i64>,
    now: Time,
) -> Result<()> {
    let postings = postings(batch, sequences);
    if postings.is_empty() {
        return Ok(());
    }
    let mut differences: BTreeMap<i64, i64> = BTreeMap::new();
    for posting in &postings {
        *differences.entry(posting.debit.0).or_default() -= posting.amount;
        *differences.entry(posting.credit.0).or_default() += posting.amount;
    }
    lock_accounts(tx, differences.keys().copied().collect()).await?;
    let rows = vec![Column::of(differences.keys()), Column::of(differences.values())];
    let balances: Vec<(i64, Option<i64>)> = tx.all(MOVE_BALANCES, args![now, rows]).await?;
    // From the balances after the batch back to those before it, then forward, posting by posting.
    let mut running: BTreeMap<i64, Option<i64>> = balances
        .into_iter()
        .map(|(id, balance)| {
            (id, balance.map(|after| after - differences.get(&id).copied().unwrap_or_default()))
        })
        .collect();
    let mut step = |account: AccountId, by: i64| {
        let balance = running.get_mut(&account.0)?;
        *balance = balance.map(|held| held + by);
        *balance
    };
    let after: Vec<(Option<i64>, Option<i64>)> = postings
        .iter()
        .map(|posting| (step(posting.debit, -posting.amount), step(posting.credit, posting.amount)))
        .collect();
    insert_postings(tx, &postings, &after, now).await
}

fn postings(batch: &OutcomeBatch, sequences: &BTreeMap<ChunkId, i64>) -> Vec<Posting> {
    let mut postings = Vec::new();
    for (chunk, changes) in &batch.chunks {
        let terms = &changes.terms;
        let newest = sequences.get(chunk).copied().unwrap_or_default();
        let mut add = |code: Code, credit: AccountId, amount: i64, sequence: i64, what: &str| {
            if amount > 0 {
                postings.push(Posting {
                    debit: terms.reserve,
                    credit,
                    amount,
                    campaign: terms.campaign,
                    currency: terms.currency.code(),
                    code,
                    reference: format!("chunk:{chunk}:{sequence}"),
                    narration: format!("Campaign {}: {what}", terms.campaign),
                });
            }
        };
        let revenue = AccountId::revenue(terms.currency);
        add(Code::Capture, revenue, changes.captured.0, newest - 1, "messages accepted by the carrier");
        add(Code::Release, terms.wallet, changes.released.0, newest, "messages that were not sent");
    }
    postings.extend(batch.changes.iter().filter_map(|change| {
        let changes = batch.chunks.get(&change.outcome.message.chunk())?;
        correction(change, &changes.terms)
    }));
    postings
}

/// The transfer of one message whose money had left the reserve before.
fn correction(change: &MessageChange, terms: &Terms) -> Option<Posting> {
    let (revenue, wallet, message) =
        (AccountId::revenue(terms.currency), terms.wallet, change.outcome.message.0);
    let (debit, credit, code, what) = match change.effect {
        LedgerEffect::Refund if change.after.status == MessageStatus::Undelivered => {
            (revenue, wallet, Code::Refund, "a message was not delivered")
        }
        LedgerEffect::Refund => (revenue, wallet, Code::Refund, "a message was not sent, or expired"),
        LedgerEffect::Charge => {
            (wallet, revenue, Code::Charge, "a message that was given back was sent after all")
        }
        LedgerEffect::Capture | LedgerEffect::Release | LedgerEffect::None => return None,
    };
    (change.price.0 > 0).then(|| Posting {
        debit,
        credit,
        amount: change.price.0,
        campaign: terms.campaign,
        currency: terms.currency.code(),
        code,
        reference: format!("{}:{message}", code.code()),
        narration: format!("Campaign {}: {what}", terms.campaign),
    })
}

async fn complete(
    tx: &mut Tx,
    batch: &OutcomeBatch,
    chunks_done: &[ChunkId],
    now: Time,
) -> Result<Vec<CampaignId>> {
    let mut done: BTreeMap<CampaignId, i64> = BTreeMap::new();
    for chunk in chunks_done {
        if let Some(changes) = batch.chunks.get(chunk) {
            *done.entry(changes.terms.campaign).or_default() += 1;
        }
    }
    if done.is_empty() {
        return Ok(Vec::new());
    }
    let columns = vec![Column::of(done.keys()), Column::of(done.values())];
    let rows: Vec<(CampaignId, i64)> = tx.all(COMPLETE_CAMPAIGNS, args![now, columns]).await?;
    Ok(rows.into_iter().filter(|(_, open)| *open == 0).map(|(id, _)| id).collect())
}

/// The plans of the batch statements: a search of the primary key a row, never a scan.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::store::Dialect;
    use crate::store::Store;

    fn ints(count: usize) -> Vec<Column> {
        (0..count).map(|_| Column::Ints(vec![1])).collect()
    }

    /// Fails when a statement reads `table` other than by its key. PostgreSQL's planner prefers a scan of an empty table,
    /// so there sequential scans are switched off, and what remains must be an index.
    async fn assert_searched(store: &Store, sql: Sql, args: Vec<crate::store::Arg>, table: &str) {
        let mut tx = store.read().await.unwrap();
        if store.dialect() == Dialect::Postgres {
            tx.run("SET enable_seqscan = off", args![]).await.unwrap();
            tx.run("SET enable_hashjoin = off", args![]).await.unwrap();
            tx.run("SET enable_mergejoin = off", args![]).await.unwrap();
        }
        let plan = tx.explain(sql, args).await.unwrap().join("\n");
        match store.dialect() {
            Dialect::Sqlite => {
                assert!(plan.contains(&format!("SEARCH {table} USING INTEGER PRIMARY KEY")), "{plan}");
                assert!(!plan.contains(&format!("SCAN {table}")), "{plan}");
            }
            Dialect::Postgres => {
                assert!(plan.contains(&format!("Index Scan using {table}_pkey")), "{plan}");
                assert!(!plan.contains(&format!("Seq Scan on {table}")), "{plan}");
            }
        }
        if store.dialect() == Dialect::Postgres {
            tx.run("RESET ALL", args![]).await.unwrap();
        }
    }

    both_databases! {
        async fn batches_of_chunks_are_updated_by_key(store: Store) {
            assert_searched(&store, UPDATE_CHUNKS, args![Time(1), ints(12)], "campaign_chunks").await;
        }

        async fn balances_move_by_key(store: Store) {
            assert_searched(&store, MOVE_BALANCES, args![Time(1), ints(2)], "accounts").await;
        }

        async fn campaigns_complete_by_key(store: Store) {
            assert_searched(&store, COMPLETE_CAMPAIGNS, args![Time(1), ints(2)], "campaigns").await;
        }
    }
}
