//! How the calls of campaigns went: the last one of each message.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::poll;
use crate::carrier::voice::{CallOutcome, EndedBy};
use crate::error::Result;
use crate::model::campaign::id::{CampaignId, ChunkId};
use crate::model::message::id::MessageId;
use crate::store::{Column, Tx};
use crate::time::Time;
use crate::{args, sql};

/// A type of the package of calls, which knows no database, read from its word in a column of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored<T>(pub T);

impl<DB: sqlx::Database, T> sqlx::Type<DB> for Stored<T>
where
    String: sqlx::Type<DB>,
{
    fn type_info() -> DB::TypeInfo {
        String::type_info()
    }

    fn compatible(info: &DB::TypeInfo) -> bool {
        String::compatible(info)
    }
}

impl<'r, DB: sqlx::Database, T: TryFrom<String, Error = String>> sqlx::Decode<'r, DB> for Stored<T>
where
    String: sqlx::Decode<'r, DB>,
{
    fn decode(value: DB::ValueRef<'r>) -> Result<Self, sqlx::error::BoxDynError> {
        Ok(Self(String::decode(value)?.try_into()?))
    }
}

/// The last call of a message, and how many there were.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct CallRow {
    /// The message.
    pub message_id: MessageId,
    /// Calls placed so far that count as attempts, with this one if it does.
    pub attempts: i64,
    /// The try of the message that it was, from 1: no two calls of a message have the same.
    pub tries: i64,
    /// What became of it.
    pub outcome: Stored<CallOutcome>,
    /// The trunk's code of it, where it has one.
    pub code: Option<i64>,
    /// When it began to ring.
    pub ringing_at: Option<Time>,
    /// When it was answered.
    pub answered_at: Option<Time>,
    /// When it was over.
    pub ended_at: Time,
    /// How long it was up, in ms.
    pub up_ms: i64,
    /// How much of the clip was played, in ms.
    pub heard_ms: i64,
    /// What was charged of it, in pulses.
    pub pulses: i64,
    /// The keys that were pressed.
    pub digits: String,
    /// Who ended it.
    pub ended_by: Stored<EndedBy>,
    /// How it answered its question: a key, or another code of [`crate::content::poll`]; `None` where it did not.
    pub answer: Option<String>,
}

/// Stores calls, each in place of the previous call of the same message. An older call, as of a run that was taken for dead,
/// never replaces one that is over. The answers to a poll are counted here. The caller holds the locks of the chunks, so that
/// the rows do not change between reading and replacing them.
pub async fn put(tx: &mut Tx, calls: &[CallRow]) -> Result<()> {
    if calls.is_empty() {
        return Ok(());
    }
    let ints = |read: fn(&CallRow) -> i64| Column::of(calls.iter().map(read));
    let texts = |read: fn(&CallRow) -> &str| Column::of(calls.iter().map(read));
    let ids = vec![Column::of(calls.iter().map(|call| call.message_id))];
    let before = sql!(
        "SELECT c.message_id, c.answer FROM calls c WHERE c.message_id = ANY($1::BIGINT[]) AND c.answer IS NOT NULL"
    );
    let before: Vec<Answered> = tx.all(before, args![ids]).await?;
    // NULLs travel as -1: neither a code nor a time is negative.
    let columns = vec![
        Column::of(calls.iter().map(|call| call.message_id)),
        ints(|call| call.attempts),
        ints(|call| call.tries),
        texts(|call| call.outcome.0.code()),
        ints(|call| call.code.unwrap_or(-1)),
        ints(|call| call.ringing_at.map_or(-1, Time::millis)),
        ints(|call| call.answered_at.map_or(-1, Time::millis)),
        Column::of(calls.iter().map(|call| call.ended_at)),
        ints(|call| call.up_ms),
        ints(|call| call.heard_ms),
        ints(|call| call.pulses),
        texts(|call| &call.digits),
        texts(|call| call.ended_by.0.code()),
        Column::of(calls.iter().map(|call| &call.answer)),
    ];
    let sql = sql!(
        "INSERT INTO calls (message_id, attempts, tries, outcome, code, ringing_at, answered_at, ended_at, up_ms, heard_ms, \
           pulses, digits, ended_by, answer) \
         SELECT j.id, j.attempts, j.tries, j.outcome, NULLIF(j.code, -1), NULLIF(j.ringing_at, -1), NULLIF(j.answered_at, -1), \
           j.ended_at, j.up_ms, j.heard_ms, j.pulses, j.digits, j.ended_by, j.answer \
         FROM UNNEST($1::BIGINT[], $2::BIGINT[], $3::BIGINT[], $4::TEXT[], $5::BIGINT[], $6::BIGINT[], $7::BIGINT[], \
           $8::BIGINT[], $9::BIGINT[], $10::BIGINT[], $11::BIGINT[], $12::TEXT[], $13::TEXT[], $14::TEXT[]) \
           AS j (id, attempts, tries, outcome, code, ringing_at, answered_at, ended_at, up_ms, heard_ms, pulses, digits, \
           ended_by, answer) WHERE true \
         ON CONFLICT (message_id) DO UPDATE SET attempts = excluded.attempts, tries = CASE WHEN excluded.tries > calls.tries THEN excluded.tries ELSE calls.tries END, \
           outcome = excluded.outcome, \
           code = excluded.code, ringing_at = excluded.ringing_at, answered_at = excluded.answered_at, \
           ended_at = excluded.ended_at, up_ms = excluded.up_ms, heard_ms = excluded.heard_ms, \
           pulses = excluded.pulses, digits = excluded.digits, ended_by = excluded.ended_by, \
           answer = excluded.answer \
         WHERE excluded.ended_at >= calls.ended_at RETURNING message_id, answer"
    );
    let stored: Vec<Answered> = tx.all(sql, args![columns]).await?;
    count_answers(tx, &before, &stored).await
}

/// Adds the stored answers to the counts, and takes off those that they replaced.
async fn count_answers(tx: &mut Tx, before: &[Answered], stored: &[Answered]) -> Result<()> {
    let replaced: BTreeMap<MessageId, &Option<String>> = before.iter().map(|(id, it)| (*id, it)).collect();
    let mut changes: Vec<(MessageId, &str, i64)> = Vec::new();
    for (message, answer) in stored {
        changes.extend(answer.as_deref().map(|answer| (*message, answer, 1)));
        let old = replaced.get(message).and_then(|old| old.as_deref());
        changes.extend(old.map(|answer| (*message, answer, -1)));
    }
    if changes.is_empty() {
        return Ok(());
    }
    let chunks: BTreeSet<ChunkId> = changes.iter().map(|(message, ..)| message.chunk()).collect();
    let sql = sql!("SELECT ch.id, ch.campaign_id FROM campaign_chunks ch WHERE ch.id = ANY($1::BIGINT[])");
    let campaigns: Vec<(ChunkId, CampaignId)> = tx.all(sql, args![vec![Column::of(chunks)]]).await?;
    let campaigns: BTreeMap<ChunkId, CampaignId> = campaigns.into_iter().collect();
    let mut counts: BTreeMap<(CampaignId, String), i64> = BTreeMap::new();
    for (message, answer, by) in changes {
        if let Some(campaign) = campaigns.get(&message.chunk()) {
            *counts.entry((*campaign, answer.to_owned())).or_default() += by;
        }
    }
    poll::count(tx, &counts).await
}

type Answered = (MessageId, Option<String>);

/// What was pressed in a chunk's calls that were answered: places, in order, with the keys and what they answered.
pub async fn keys(tx: &mut Tx, chunk: ChunkId) -> Result<Vec<(i64, String, Option<String>)>> {
    let (from, to) = MessageId::of_chunk(chunk);
    tx.all(
        "SELECT message_id & 4095, digits, answer FROM calls \
         WHERE message_id >= $1 AND message_id < $2 AND outcome = 'answered' ORDER BY message_id",
        args![from, to],
    )
    .await
}

/// What was charged of each call of a chunk, in pulses.
pub async fn pulses_in(tx: &mut Tx, chunk: ChunkId) -> Result<HashMap<u16, i64>> {
    let (from, to) = MessageId::of_chunk(chunk);
    let sql = "SELECT message_id, pulses FROM calls WHERE message_id >= $1 AND message_id < $2";
    let rows: Vec<(MessageId, i64)> = tx.all(sql, args![from, to]).await?;
    Ok(rows.into_iter().map(|(message, pulses)| (message.place(), pulses)).collect())
}

/// The calls of these messages, in the order of their ids.
pub async fn of(tx: &mut Tx, messages: &[MessageId]) -> Result<Vec<CallRow>> {
    if messages.is_empty() {
        return Ok(Vec::new());
    }
    let sql = sql!(
        "SELECT c.message_id, c.attempts, c.tries, c.outcome, c.code, c.ringing_at, c.answered_at, c.ended_at, c.up_ms, \
           c.heard_ms, c.pulses, c.digits, c.ended_by, c.answer \
         FROM UNNEST($1::BIGINT[]) AS j (id) JOIN calls c ON c.message_id = j.id ORDER BY c.message_id"
    );
    tx.all(sql, args![vec![Column::of(messages)]]).await
}
