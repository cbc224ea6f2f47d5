//! From a number to the messages that were sent to it: the number index, and the chunks not merged into it yet.
//!
//! The index is a row a recipient (`number_index`), and packed runs ([`number_runs`]) of large audiences: each of their rows
//! would change a page of the database, as neighbours in the index are none in an audience. A recipient may be in both after a
//! crash.
//!
//! `number_index_queue.next_chunk` moves on in the same transaction as the last row of the chunks
//! before it, so between the index and the chunks from there on no recipient is missed. One may be met twice.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::error::Result;
use crate::model::campaign::id::{AudienceChunkId, AudienceId, CampaignId};
use crate::model::message::id::MessageId;
use crate::model::message::postings::NumberPosting;
use crate::model::page::RecordScope;
use crate::store::campaign::audience::numbers_of;
use crate::store::message::{firsts, number_runs};
use crate::store::{Column, Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

const NEWEST: &str = "SELECT recipient FROM number_index WHERE number = $1 ORDER BY recipient DESC LIMIT $2";

/// The newest recipients that have a number, `limit` of them at most, of those that the index knows.
pub async fn recipients(tx: &mut Tx, number: i64, limit: i64) -> Result<Vec<i64>> {
    let rows: Vec<(i64,)> = tx.all(NEWEST, args![number, limit]).await?;
    let mut found: Vec<i64> = rows.into_iter().map(|(recipient,)| recipient).collect();
    found.extend(number_runs::recipients(tx, number).await?);
    found.sort_unstable_by(|one, other| other.cmp(one));
    found.dedup();
    found.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(found)
}

/// The messages to a number that the index knows of, among its newest `limit` recipients; of a campaign, or of any.
pub async fn indexed(
    tx: &mut Tx,
    scope: RecordScope,
    number: i64,
    campaign: Option<CampaignId>,
    limit: i64,
) -> Result<Vec<MessageId>> {
    let recipients = recipients(tx, number, limit).await?;
    if recipients.is_empty() {
        return Ok(Vec::new());
    }
    of_recipients(tx, scope, campaign, recipients).await
}

/// From recipients (audience chunk and place) to their messages, owners checked. CROSS JOIN keeps SQLite from reading everything
/// that the owner ever sent, with all recipients compared anew for each chunk.
macro_rules! by_recipients {
    ($from:literal, $owner:literal) => {
        concat!(
            "SELECT ch.id * 4096 + r.recipient % 4096 FROM ",
            $from,
            " CROSS JOIN audience_chunks a CROSS JOIN campaigns c CROSS JOIN campaign_chunks ch \
             WHERE a.id = r.recipient / 4096 AND c.audience_id = a.audience_id \
             AND ch.campaign_id = c.id AND ch.audience_chunk_id = a.id AND ($1 = 0 OR c.id = $1)",
            $owner
        )
    };
}

const RECIPIENTS_OWN: Sql =
    sql!(by_recipients!("UNNEST($3::BIGINT[]) AS r (recipient)", " AND c.user_id = $2"));
const RECIPIENTS_ALL: Sql = sql!(by_recipients!("UNNEST($2::BIGINT[]) AS r (recipient)", ""));

/// The messages of some recipients; of a campaign, or of any.
pub async fn of_recipients(
    tx: &mut Tx,
    scope: RecordScope,
    campaign: Option<CampaignId>,
    recipients: Vec<i64>,
) -> Result<Vec<MessageId>> {
    let campaign = campaign.map_or(0, |id| id.0);
    let recipients = vec![Column::Ints(recipients)];
    Ok(firsts(match scope {
        RecordScope::Own(user) => tx.all(RECIPIENTS_OWN, args![campaign, user, recipients]).await?,
        RecordScope::All => tx.all(RECIPIENTS_ALL, args![campaign, recipients]).await?,
    }))
}

/// Ids are sorted apart from the data, which is large. CROSS JOIN and the sum keep both databases from reading all chunks in their
/// order, to find that none waits.
macro_rules! unmerged {
    ($owner:literal) => {
        concat!(
            "SELECT id, ",
            numbers_of!("data"),
            " FROM audience_chunks WHERE id IN ( \
               SELECT a.id FROM number_index_queue q CROSS JOIN audiences u CROSS JOIN audience_chunks a \
               WHERE u.id = q.audience_id AND a.audience_id = q.audience_id AND a.id >= q.next_chunk AND a.id > $1",
            $owner,
            " ORDER BY a.id + 0 LIMIT $2) ORDER BY id"
        )
    };
}

const UNMERGED_OWN: &str = unmerged!(" AND u.user_id = $3");
const UNMERGED_ALL: &str = unmerged!("");

/// Audience chunks after `after` whose numbers the index does not know yet, `limit` of them at most, up to the end of these
/// numbers.
pub async fn unmerged(
    tx: &mut Tx,
    scope: RecordScope,
    after: AudienceChunkId,
    limit: i64,
) -> Result<Vec<(AudienceChunkId, Vec<u8>)>> {
    match scope {
        RecordScope::Own(user) => tx.all(UNMERGED_OWN, args![after, limit, user]).await,
        RecordScope::All => tx.all(UNMERGED_ALL, args![after, limit]).await,
    }
}

/// A chunk that waits to be merged; an audience that has none left has one row without a chunk.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct WaitingRow {
    pub audience_id: AudienceId,
    pub id: Option<AudienceChunkId>,
    pub size: Option<i64>,
}

/// How far a merge brings an audience.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The audience.
    pub audience: AudienceId,
    /// The first chunk that is merged; `i64::MAX` where none is left.
    pub from: AudienceChunkId,
    /// The first chunk that is not; 0 where none is left.
    pub next: AudienceChunkId,
}

/// Whether audiences wait in the queue as a merge found them, so that nothing of what it brings was merged, or erased after it was,
/// meanwhile. Their rows in the queue are held until the end of the transaction.
pub async fn still_waits(tx: &mut Tx, places: &[Place]) -> Result<bool> {
    let sql = sql!(
        "SELECT audience_id, next_chunk FROM number_index_queue WHERE audience_id = ANY($1::BIGINT[]) ORDER BY audience_id FOR UPDATE"
    );
    let audiences = vec![Column::of(places.iter().map(|place| place.audience))];
    let waiting: BTreeMap<AudienceId, AudienceChunkId> =
        tx.all(sql, args![audiences]).await?.into_iter().collect();
    Ok(places.iter().all(|place| waiting.get(&place.audience).is_some_and(|next| *next <= place.from)))
}

/// Whether the audience of a chunk of recipients waits to be merged, wholly or in part.
pub async fn is_queued(tx: &mut Tx, chunk: AudienceChunkId) -> Result<bool> {
    let sql = "SELECT COUNT(*) FROM number_index_queue q JOIN audience_chunks a ON a.audience_id = q.audience_id WHERE a.id = $1";
    Ok(tx.one::<(i64,)>(sql, args![chunk]).await?.0 > 0)
}

/// How long an audience is put off.
pub const AGAIN_AFTER: Duration = Duration::from_hours(1);

/// What waits to be merged and is due, in order, `limit` chunks of it at most. What a clock that was ahead put off is due.
pub async fn waiting(tx: &mut Tx, now: Time, limit: i64) -> Result<Vec<WaitingRow>> {
    tx.all(
        "SELECT q.audience_id, a.id, a.size FROM number_index_queue q \
         LEFT JOIN audience_chunks a ON a.audience_id = q.audience_id AND a.id >= q.next_chunk \
         WHERE q.due_at <= $1 OR q.due_at > $2 ORDER BY q.audience_id, a.id LIMIT $3",
        args![now, now + AGAIN_AFTER, limit],
    )
    .await
}

/// Has audiences that wait merged after [`AGAIN_AFTER`].
pub async fn put_off(tx: &mut Tx, audiences: &BTreeSet<AudienceId>, now: Time) -> Result<()> {
    let sql = sql!("UPDATE number_index_queue SET due_at = $2 WHERE audience_id = ANY($1::BIGINT[])");
    tx.run(sql, args![vec![Column::of(audiences)], now + AGAIN_AFTER]).await.map(drop)
}

const MERGE: Sql = Sql::each(
    MERGE_AGAIN.sqlite,
    "INSERT INTO number_index (number, recipient) SELECT * FROM UNNEST($1::BIGINT[], $2::BIGINT[])",
);
const MERGE_AGAIN: Sql = sql!(
    "INSERT INTO number_index (number, recipient) SELECT j.* FROM UNNEST($1::BIGINT[], $2::BIGINT[]) AS j WHERE true \
     ON CONFLICT DO NOTHING"
);

/// Adds recipients to the index. With `again` those it has are left alone; without, PostgreSQL may refuse them
/// ([`crate::error::Error::is_duplicate`]): to pass over them it marks each row twice in its log.
pub async fn merge(tx: &mut Tx, numbers: Vec<i64>, recipients: Vec<i64>, again: bool) -> Result<()> {
    let sql = if again { MERGE_AGAIN } else { MERGE };
    tx.run(sql, args![vec![Column::Ints(numbers), Column::Ints(recipients)]]).await.map(|_| ())
}

const REMOVE: Sql = sql!(
    "DELETE FROM number_index WHERE (number, recipient) IN \
     (SELECT j.number, j.recipient FROM UNNEST($1::BIGINT[], $2::BIGINT[]) AS j (number, recipient))"
);

/// Takes recipients out of the index, of bounded number.
pub async fn remove(tx: &mut Tx, postings: &BTreeSet<NumberPosting>) -> Result<()> {
    if postings.is_empty() {
        return Ok(());
    }
    let rows = vec![
        Column::of(postings.iter().map(|(number, _)| number)),
        Column::of(postings.iter().map(|(_, recipient)| recipient)),
    ];
    tx.run(REMOVE, args![rows]).await?;
    number_runs::remove(tx, postings).await
}

/// Records how far audiences are merged. Those with none left are forgotten.
pub async fn merged(tx: &mut Tx, places: &[Place]) -> Result<()> {
    if places.is_empty() {
        return Ok(());
    }
    let audiences = || Column::of(places.iter().map(|place| place.audience));
    let next = Column::of(places.iter().map(|place| place.next));
    tx.run(MOVE_ON, args![vec![audiences(), next]]).await?;
    tx.run(FORGET, args![vec![audiences()]]).await.map(|_| ())
}

const MOVE_ON: Sql = sql!(
    "UPDATE number_index_queue SET next_chunk = j.next FROM UNNEST($1::BIGINT[], $2::BIGINT[]) AS j (audience, next) \
     WHERE audience_id = j.audience AND next_chunk < j.next"
);

const FORGET: Sql = sql!(
    "DELETE FROM number_index_queue WHERE audience_id = ANY($1::BIGINT[]) AND NOT EXISTS \
       (SELECT 1 FROM audience_chunks a WHERE a.audience_id = number_index_queue.audience_id \
        AND a.id >= number_index_queue.next_chunk)"
);

/// The plans of what a search and a removal ask, for the tests that read them.
#[cfg(test)]
pub async fn plans(tx: &mut Tx) -> Result<Vec<Vec<String>>> {
    let recipients = vec![Column::Ints(vec![4_096])];
    let mut plans = number_runs::plans(tx).await?;
    plans.extend([
        tx.explain(NEWEST, args![1_i64, 1_i64]).await?,
        tx.explain(RECIPIENTS_OWN, args![0_i64, 1_i64, recipients.clone()]).await?,
        tx.explain(RECIPIENTS_ALL, args![0_i64, recipients]).await?,
        tx.explain(UNMERGED_OWN, args![0_i64, 1_i64, 1_i64]).await?,
        tx.explain(UNMERGED_ALL, args![0_i64, 1_i64]).await?,
        tx.explain(REMOVE, args![vec![Column::Ints(vec![1]), Column::Ints(vec![4_096])]]).await?,
    ]);
    Ok(plans)
}
