//! Chunks: claiming them, storing intents, giving them back.
//!
//! A claim is fenced by the chunk's attempt number: a run that lost the chunk meanwhile can neither move its cursor nor
//! take its retries (see [`retry`]). Outcomes are not fenced (see `store/message/batch.rs`). Small chunks are claimed
//! whole (see [`small_chunks`]). Campaigns to a few go before campaigns to many (see [`Flow`]).

use std::collections::BTreeSet;

use talkdrum_api::purpose::Purpose;

use super::campaign::canary::{began_at, not_behind_canary};
use super::message::statuses::statuses;
use super::sender::{self, may_send_from};
use super::{Column, Dialect, Sql, Tx};
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::id::{AudienceChunkId, CampaignId, ChunkId};
use crate::model::message::outcome::Terms;
use crate::model::message::status::CampaignStatus;
use crate::model::platform::id::RunId;
use crate::time::Time;
use crate::{args, sql};

/// A chunk with its campaign's terms: enough to encode, price and settle its messages.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct ChunkRow {
    pub id: ChunkId,
    pub audience_chunk_id: AudienceChunkId,
    pub carrier: String,
    pub size: i64,
    pub cursor: i64,
    pub attempt: i64,
    pub tail_cancelled: i64,
    pub user_id: UserId,
    pub sender: String,
    /// [`Content`](crate::content::Content) as JSON: many chunks are claimed at once, and looked up for their receipts, and
    /// what is damaged in one is no matter of the others.
    pub content: String,
    /// [`FieldNames`](crate::content::FieldNames) as JSON, likewise.
    pub columns: String,
    #[sqlx(flatten)]
    pub terms: Terms,
    /// When its messages began to be sent, from which their validity counts.
    pub began_at: Option<Time>,
    pub promotional: bool,
    pub minds_dnd: bool,
    /// The carriers that take over from its own, one a line, in the order in which they are tried.
    pub spares: Option<String>,
    pub purpose: Option<Purpose>,
}

impl ChunkRow {
    /// The carriers that take its messages: its own, and those that take over from it.
    pub fn carriers(&self) -> Vec<String> {
        carriers(&self.carrier, self.spares.as_deref())
    }
}

/// The carriers that take a chunk's messages: its own, and those of the list that take over from it.
pub fn carriers(own: &str, spares: Option<&str>) -> Vec<String> {
    let spares = spares.into_iter().flat_map(str::lines).filter(|name| *name != own);
    std::iter::once(own).chain(spares).map(str::to_owned).collect()
}

/// The columns of a [`ChunkRow`], of a chunk `ch`, its campaign `c` and the campaign's audience `a`.
macro_rules! chunk_columns {
    () => {
        concat!(
            "ch.id, ch.campaign_id, ch.audience_chunk_id, ch.carrier, ch.size, ch.cursor, ch.attempt, ch.tail_cancelled, \
         c.user_id, c.sender, c.content, a.columns, c.currency, \
         COALESCE(ch.unit_price_micros, c.unit_price_micros) AS unit_price, \
         COALESCE(ch.refund_undelivered, c.refund_undelivered) AS refund_undelivered, c.reserve_account_id, \
         c.wallet_account_id, ch.promotional, ch.minds_dnd, ch.spares, c.purpose, ",
            began_at!(),
            " AS began_at"
        )
    };
}

/// One chunk.
pub async fn find(tx: &mut Tx, chunk: ChunkId) -> Result<Option<ChunkRow>> {
    tx.opt(
        concat!(
            "SELECT ",
            chunk_columns!(),
            " FROM campaign_chunks ch JOIN campaigns c ON c.id = ch.campaign_id \
             JOIN audiences a ON a.id = c.audience_id WHERE ch.id = $1"
        ),
        args![chunk],
    )
    .await
}

/// The carriers of chunks, as [`ChunkRow::carrier`] and [`ChunkRow::spares`] have them.
pub async fn carriers_of(
    tx: &mut Tx,
    chunks: Vec<ChunkId>,
) -> Result<Vec<(ChunkId, String, Option<String>)>> {
    let sql = sql!("SELECT id, carrier, spares FROM campaign_chunks WHERE id = ANY($1::BIGINT[])");
    tx.all(sql, args![vec![Column::of(chunks)]]).await
}

/// The stored recipients of an audience chunk. They never change.
pub async fn audience_data(tx: &mut Tx, audience_chunk: AudienceChunkId) -> Result<Vec<u8>> {
    let row: Option<(Vec<u8>,)> =
        tx.opt("SELECT data FROM audience_chunks WHERE id = $1", args![audience_chunk]).await?;
    row.map(|(data,)| data).ok_or_else(|| Error::Corrupt(format!("audience chunk {audience_chunk} is gone")))
}

/// The largest campaign to a few, in messages.
pub const FEW: u8 = 64;

/// The class of a campaign by its number of recipients. The index of campaigns that are being sent is in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// Campaigns of at most [`FEW`] recipients, such as codes and alerts.
    High,
    Bulk,
}

/// The unit of the fair queue: a user's campaigns of one class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Flow {
    pub class: Priority,
    pub user: UserId,
}

impl Flow {
    /// Before the first user's.
    pub const fn before_all(class: Priority) -> Self {
        Self { class, user: UserId::BEFORE_ALL }
    }
}

/// A chunk that may be claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Claimable {
    pub id: ChunkId,
    pub user_id: UserId,
    pub size: i64,
    /// No run has claimed any of it yet.
    pub is_untouched: bool,
}

/// The first chunks that `me` may claim of the class of `after` and the users after its, at most `limit`: users in turn,
/// then the oldest campaign. A chunk that `me` let go of, because its campaign was paused, may be claimed again. While
/// it is `quiet`, promotional chunks wait. `lists` leaves out all but those that one of these lists of carriers may take over.
pub async fn next_claimable(
    tx: &mut Tx,
    carrier: &str,
    me: RunId,
    after: Flow,
    quiet: bool,
    lists: Option<&[String]>,
    limit: i64,
) -> Result<Vec<Claimable>> {
    let is_bulk = after.class == Priority::Bulk;
    let texts = Column::of(lists.unwrap_or_default());
    let args = args![carrier, after.user, me, quiet, limit, is_bulk, lists.is_some(), vec![texts]];
    tx.all(NEXT_CLAIMABLE, args).await
}

/// CROSS JOIN keeps SQLite from starting at the chunks: in order of the campaigns' index there is no sort. Its
/// expression is written as here. What waits for a canary is a range of the chunks' index that is not walked.
pub(crate) const NEXT_CLAIMABLE: Sql = sql!(
    "SELECT ch.id, c.user_id, ch.size, \
       ch.owner IS NULL AND ch.cursor = 0 AS is_untouched \
     FROM campaigns c CROSS JOIN campaign_chunks ch \
     WHERE ch.campaign_id = c.id AND ch.carrier = $1 AND ch.state = 'open' AND c.status = 'sending' \
       AND (c.size > 64) = $6 AND c.user_id > $2 AND (ch.owner IS NULL OR ch.owner = $3) AND ch.cursor < ch.size \
       AND ($4 = FALSE OR ch.promotional = FALSE) AND ($7 = FALSE OR ch.spares = ANY($8::TEXT[])) AND ",
    not_behind_canary!("ch"),
    " ORDER BY c.user_id, c.id, ch.id LIMIT $5"
);

/// Takes a chunk of a carrier under a new attempt; `None` when another run was faster, or the chunk was rerouted.
pub async fn claim(
    tx: &mut Tx,
    carrier: &str,
    chunk: ChunkId,
    owner: RunId,
    now: Time,
) -> Result<Option<ChunkRow>> {
    // The campaign before its chunk, as everywhere (see `lock`). A faster run has started it as well.
    tx.run(
        "UPDATE campaigns SET started_at = $1 WHERE id = (SELECT campaign_id FROM campaign_chunks \
           WHERE id = $2 AND carrier = $4 AND (owner IS NULL OR owner = $3) AND state = 'open') \
           AND started_at IS NULL",
        args![now, chunk, owner, carrier],
    )
    .await?;
    let taken = tx
        .run(
            "UPDATE campaign_chunks SET owner = $1, attempt = attempt + 1 \
             WHERE id = $2 AND carrier = $3 AND (owner IS NULL OR owner = $1) AND state = 'open'",
            args![owner, chunk, carrier],
        )
        .await?;
    if taken == 0 {
        return Ok(None);
    }
    find(tx, chunk).await
}

/// Locks the campaigns of `completing`, then `chunks`, each in order of their ids, until the transaction ends.
///
/// On PostgreSQL every transaction takes its locks in one order, so that no two wait for each other: users, senders,
/// campaigns, chunks, their retries and messages, what users spent on a day, turns to send a campaign again, accounts,
/// lists of opt-outs; of each kind by id. A transaction that writes several rows of a kind locks them here first, as an `UPDATE` takes them in
/// the order of its plan. SQLite has one writer anyway.
///
/// A write whose conditions are on other tables takes its rows first as well ([`lock_rows`]): an `UPDATE` that waits for a row
/// looks at that row again, and at everything else as it was before the wait.
pub async fn lock(tx: &mut Tx, completing: BTreeSet<ChunkId>, chunks: BTreeSet<ChunkId>) -> Result<()> {
    if tx.dialect() == Dialect::Sqlite {
        return Ok(());
    }
    if !completing.is_empty() {
        tx.run(
            "SELECT id FROM campaigns WHERE id IN (SELECT campaign_id FROM campaign_chunks \
               WHERE id = ANY($1::BIGINT[])) ORDER BY id FOR NO KEY UPDATE",
            args![vec![Column::of(completing)]],
        )
        .await?;
    }
    if chunks.len() > 1 {
        lock_rows(tx, chunks).await?;
    }
    Ok(())
}

/// Locks these chunks in order of their ids, one as well, so that what follows sees all that was committed meanwhile.
async fn lock_rows(tx: &mut Tx, chunks: BTreeSet<ChunkId>) -> Result<()> {
    if tx.dialect() == Dialect::Postgres {
        tx.run(
            "SELECT id FROM campaign_chunks WHERE id = ANY($1::BIGINT[]) ORDER BY id FOR NO KEY UPDATE",
            args![vec![Column::of(chunks)]],
        )
        .await?;
    }
    Ok(())
}

/// [`lock`] of chunks, one as well, with their campaigns and the turns to send these again: for a transaction that settles more
/// than once, as its first settlement takes accounts, or that leads messages to other carriers.
pub async fn lock_all(tx: &mut Tx, chunks: BTreeSet<ChunkId>) -> Result<()> {
    lock(tx, chunks.clone(), BTreeSet::new()).await?;
    lock_rows(tx, chunks.clone()).await?;
    if tx.dialect() == Dialect::Postgres && !chunks.is_empty() {
        tx.run(
            "SELECT campaign_id FROM resend_turns WHERE campaign_id IN (SELECT campaign_id FROM campaign_chunks \
               WHERE id = ANY($1::BIGINT[])) ORDER BY campaign_id FOR UPDATE",
            args![vec![Column::of(chunks)]],
        )
        .await?;
    }
    Ok(())
}

/// A range of positions that is about to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intent {
    /// The chunk.
    pub chunk: ChunkId,
    /// The attempt under which it is held.
    pub attempt: i64,
    /// The run that holds it.
    pub owner: RunId,
    /// The first position.
    pub from: i64,
    /// One past the last.
    pub to: i64,
    /// The version of the opt-outs that the claim knows: the intent is refused when the database has another, and the
    /// chunk is claimed again.
    pub opt_outs: i64,
    /// Also while an operator holds the carrier: to give messages up, not to send them.
    pub even_held: bool,
}

/// A campaign `c` of a user `u` is under way: neither it nor its user was stopped.
macro_rules! under_way {
    () => {
        "c.status = 'sending' AND u.status = 'active'"
    };
}

/// A campaign `c` of a user `u` is [`under_way!`], and dispatch is not held: true whenever anything of it is sent. Its sender, its canary
/// or its carrier may still forbid it.
macro_rules! may_send {
    () => {
        concat!(under_way!(), " AND NOT EXISTS (SELECT 1 FROM dispatch_hold)")
    };
}

/// No operator holds the carrier of the table or alias `$of`.
macro_rules! not_held {
    ($of:literal) => {
        concat!(
            "NOT EXISTS (SELECT 1 FROM carrier_states h WHERE h.carrier = ",
            $of,
            ".carrier AND h.state <> 'open')"
        )
    };
}

pub mod expiry;
pub mod granted;
pub mod retry;
pub mod small_chunks;

/// Stores an intent before its side effect; false when the claim is lost or the campaign must not go on. A campaign
/// whose sender was withdrawn is paused then.
pub async fn store_intent(tx: &mut Tx, intent: Intent) -> Result<bool> {
    // A transaction that settles the chunk is waited for here, and not where the conditions are read.
    lock_rows(tx, BTreeSet::from([intent.chunk])).await?;
    let moved = tx
        .run(
            concat!(
                "UPDATE campaign_chunks SET cursor = $1 \
                 WHERE id = $2 AND owner = $3 AND attempt = $4 AND cursor = $5 AND state = 'open' \
                   AND tail_cancelled = 0 \
                   AND EXISTS (SELECT 1 FROM campaigns c JOIN users u ON u.id = c.user_id \
                     WHERE c.id = campaign_chunks.campaign_id AND ",
                may_send!(),
                " AND (SELECT CAST(COALESCE(SUM(s.version), 0) AS BIGINT) FROM suppression_scopes s \
                         WHERE s.scope IN (0, c.user_id)) = $6 AND ",
                not_behind_canary!("campaign_chunks"),
                " AND ",
                may_send_from!(),
                ") AND ($7 = TRUE OR ",
                not_held!("campaign_chunks"),
                ")"
            ),
            args![
                intent.to,
                intent.chunk,
                intent.owner,
                intent.attempt,
                intent.from,
                intent.opt_outs,
                intent.even_held
            ],
        )
        .await?;
    if moved == 0 {
        sender::pause_campaign_of(tx, intent.chunk).await?;
    }
    Ok(moved == 1)
}

/// The cursor of a chunk that is still held under this attempt. The row is locked for the look: an intent whose commit
/// is still under way is waited for.
pub async fn owned_under(tx: &mut Tx, chunk: ChunkId, owner: RunId, attempt: i64) -> Result<Option<i64>> {
    let sql =
        sql!("SELECT cursor FROM campaign_chunks WHERE id = $1 AND owner = $2 AND attempt = $3 FOR UPDATE");
    let row: Option<(i64,)> = tx.opt(sql, args![chunk, owner, attempt]).await?;
    Ok(row.map(|(cursor,)| cursor))
}

/// Fences `owner` out of a chunk that this transaction settles: from here on no intent of that run is stored. False
/// when another run holds it by now.
pub async fn seize(tx: &mut Tx, chunk: ChunkId, owner: RunId) -> Result<bool> {
    let seized = tx
        .run(
            "UPDATE campaign_chunks SET attempt = attempt + 1 WHERE id = $1 AND owner = $2 AND state = 'open'",
            args![chunk, owner],
        )
        .await?;
    Ok(seized == 1)
}

/// Those of the given chunks whose campaign is cancelled. The campaigns are locked: a cancel under way is waited for,
/// so that no retry is added that it does not see.
pub async fn of_cancelled_campaigns(tx: &mut Tx, chunks: &BTreeSet<ChunkId>) -> Result<BTreeSet<ChunkId>> {
    let sql = sql!(
        "SELECT ch.id, c.status FROM UNNEST($1::BIGINT[]) AS j (id) JOIN campaign_chunks ch ON ch.id = j.id \
         JOIN campaigns c ON c.id = ch.campaign_id ORDER BY c.id FOR SHARE OF c"
    );
    let rows: Vec<(ChunkId, CampaignStatus)> = tx.all(sql, args![vec![Column::of(chunks)]]).await?;
    let cancelled = rows.into_iter().filter(|(_, status)| *status == CampaignStatus::Cancelled);
    Ok(cancelled.map(|(id, _)| id).collect())
}

/// Gives a chunk back, so that any run can claim it.
pub async fn give_back(tx: &mut Tx, chunk: ChunkId, owner: RunId) -> Result<()> {
    tx.run("UPDATE campaign_chunks SET owner = NULL WHERE id = $1 AND owner = $2", args![chunk, owner])
        .await?;
    Ok(())
}

/// A chunk that a run of the daemon owned.
#[derive(Clone, Copy, Debug, sqlx_macros::FromRow)]
pub struct OrphanedChunk {
    pub id: ChunkId,
    pub cursor: i64,
    pub answered: i64,
    pub owner: RunId,
}

/// Open chunks owned by other runs of the daemon that ended, were declared dead, or are not known to a database that
/// went back, oldest first.
pub async fn owned_by_the_dead(tx: &mut Tx, me: RunId, limit: i64) -> Result<Vec<OrphanedChunk>> {
    tx.all(
        "SELECT ch.id, ch.cursor, ch.answered, ch.owner FROM campaign_chunks ch \
         LEFT JOIN daemons d ON d.id = ch.owner \
         WHERE ch.state = 'open' AND ch.owner IS NOT NULL AND ch.owner <> $1 \
           AND (d.id IS NULL OR d.stopped_at IS NOT NULL) \
         ORDER BY ch.id LIMIT $2",
        args![me, limit],
    )
    .await
}

/// Open chunks of `owner`.
pub async fn owned_by(tx: &mut Tx, owner: RunId, limit: i64) -> Result<Vec<OrphanedChunk>> {
    tx.all(
        "SELECT id, cursor, answered, owner FROM campaign_chunks \
         WHERE state = 'open' AND owner = $1 ORDER BY id LIMIT $2",
        args![owner, limit],
    )
    .await
}

/// Open chunks of a carrier that `owner` has.
pub async fn owned_at(tx: &mut Tx, owner: RunId, carrier: &str, limit: i64) -> Result<Vec<OrphanedChunk>> {
    tx.all(
        "SELECT id, cursor, answered, owner FROM campaign_chunks \
         WHERE state = 'open' AND owner = $1 AND carrier = $3 ORDER BY id LIMIT $2",
        args![owner, limit, carrier],
    )
    .await
}

/// Those of the given chunks that are done.
pub async fn done_among(tx: &mut Tx, chunks: &[ChunkId]) -> Result<Vec<(ChunkId,)>> {
    let sql = sql!(
        "SELECT ch.id FROM UNNEST($1::BIGINT[]) AS j (id) JOIN campaign_chunks ch ON ch.id = j.id \
         WHERE ch.state = 'done'"
    );
    tx.all(sql, args![vec![Column::of(chunks)]]).await
}

/// Chunks that went by a carrier, wholly or in part, and still await receipts, newest first, answered since `since`.
pub async fn awaiting_receipts(
    tx: &mut Tx,
    carrier: &str,
    since: Time,
    below: ChunkId,
    limit: i64,
) -> Result<Vec<(ChunkId,)>> {
    let sql = concat!(
        "SELECT id FROM campaign_chunks WHERE id < $3 AND (carrier = $1 \
           OR id IN (SELECT d.chunk_id FROM chunk_detours d WHERE d.carrier = $1)) AND (",
        statuses!(awaiting, " OR ", [column, " > 0"]),
        ") AND answered_at >= $2 ORDER BY id DESC LIMIT $4"
    );
    tx.all(sql, args![carrier, since, below, limit]).await
}

/// Chunks with unknown messages whose numbers the number index does not know yet, each with its audience's chunk.
pub async fn with_unknown_unindexed(tx: &mut Tx, limit: i64) -> Result<Vec<(ChunkId, AudienceChunkId)>> {
    let sql = concat!(
        "SELECT ch.id, ch.audience_chunk_id FROM number_index_queue q \
         JOIN campaigns c ON c.audience_id = q.audience_id JOIN campaign_chunks ch ON ch.campaign_id = c.id WHERE (",
        statuses!(unresolved, " OR ", ["ch.", column, " > 0"]),
        ") AND ch.audience_chunk_id >= q.next_chunk ORDER BY ch.id LIMIT $1"
    );
    tx.all(sql, args![limit]).await
}

/// Chunks with unknown messages that went by a carrier, wholly or in part, newest first; with their own carriers.
pub async fn with_unknown_of(
    tx: &mut Tx,
    carrier: &str,
    below: ChunkId,
    limit: i64,
) -> Result<Vec<(ChunkId, String)>> {
    let sql = concat!(
        "SELECT id, carrier FROM campaign_chunks WHERE (",
        statuses!(unresolved, " OR ", [column, " > 0"]),
        ") AND id < $1 AND (carrier = $3 \
           OR id IN (SELECT d.chunk_id FROM chunk_detours d WHERE d.carrier = $3)) ORDER BY id DESC LIMIT $2"
    );
    tx.all(sql, args![below, limit, carrier]).await
}

/// A campaign's chunks with unknown messages.
pub async fn unknown_of_campaign(tx: &mut Tx, campaign: CampaignId) -> Result<Vec<(ChunkId,)>> {
    let sql = concat!(
        "SELECT id FROM campaign_chunks WHERE campaign_id = $1 AND (",
        statuses!(unresolved, " OR ", [column, " > 0"]),
        ") ORDER BY id"
    );
    tx.all(sql, args![campaign]).await
}

#[cfg(test)]
mod tests;
