//! Messages that were proven not to have left, back to queued until they are due.

use std::collections::BTreeSet;

use super::{Column, Sql, Tx, lock};
use crate::args;
use crate::carrier::MessageId;
use crate::clock::Time;
use crate::error::Result;

/// A message that may be sent again, on proof that it (or some of its parts) never left.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Retry {
    /// The message.
    pub message_id: i64,
    /// Tries so far.
    pub tries: i64,
    /// Bit n: part n was accepted.
    pub parts_done: i64,
    /// When it may be tried.
    pub due_at: i64,
    /// Why it did not leave.
    pub reason: String,
}

/// Puts messages back to queued.
pub async fn insert(tx: &mut Tx, carrier: &str, retries: &[Retry]) -> Result<()> {
    if retries.is_empty() {
        return Ok(());
    }
    let ints = |read: fn(&Retry) -> i64| Column::Ints(retries.iter().map(read).collect());
    let columns = vec![
        ints(|retry| retry.message_id),
        ints(|retry| retry.tries),
        ints(|retry| retry.parts_done),
        ints(|retry| retry.due_at),
        Column::Texts(retries.iter().map(|retry| Some(retry.reason.clone())).collect()),
    ];
    tx.run_exactly(
        retries.len() as u64,
        Sql::each(
            "INSERT INTO retries (message_id, carrier, tries, parts_done, due_at, reason) \
             SELECT value ->> 0, $1, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM jsonb_each($2) WHERE true",
            "INSERT INTO retries (message_id, carrier, tries, parts_done, due_at, reason) \
             SELECT j.id, $1, j.tries, j.parts_done, j.due_at, j.reason \
             FROM UNNEST($2::BIGINT[], $3::BIGINT[], $4::BIGINT[], $5::BIGINT[], $6::TEXT[]) \
               AS j(id, tries, parts_done, due_at, reason)",
        ),
        args![carrier, columns],
    )
    .await
}

/// Which retries are taken.
#[derive(Clone, Copy, Debug)]
pub struct Due {
    /// Those due by now.
    pub now: Time,
    /// Of campaigns that began before.
    pub started_before: Time,
    /// Promotional ones wait.
    pub quiet: bool,
    /// At most so many.
    pub limit: i64,
    /// Also while an operator holds the carrier: to give them up.
    pub even_held: bool,
}

/// Takes retries that are due, of chunks that `owner` holds or that nobody holds, and claims those chunks.
/// From here on they are in flight again.
pub async fn claim(tx: &mut Tx, carrier: &str, owner: i64, wanted: Due) -> Result<Vec<Retry>> {
    let Due { now, started_before, quiet, limit, even_held } = wanted;
    let due: Vec<Retry> = tx
        .all(
            concat!(
                "SELECT r.message_id, r.tries, r.parts_done, r.due_at, r.reason FROM retries r \
                 JOIN campaign_chunks ch ON ch.id = r.message_id / 4096 \
                 JOIN campaigns c ON c.id = ch.campaign_id JOIN users u ON u.id = c.user_id \
                 WHERE r.carrier = $1 AND r.due_at <= $2 AND c.status = 'sending' AND u.status = 'active' \
                   AND (ch.owner = $3 OR ch.owner IS NULL) AND NOT EXISTS (SELECT 1 FROM dispatch_hold) \
                   AND COALESCE(c.started_at, 0) < $5 AND ($6 = FALSE OR ch.promotional = FALSE) AND ($7 = TRUE OR ",
                not_held!("r"),
                ") ORDER BY r.due_at LIMIT $4"
            ),
            args![carrier, now, owner, limit, started_before, quiet, even_held],
        )
        .await?;
    if due.is_empty() {
        return Ok(due);
    }
    let chunks: BTreeSet<i64> = due.iter().map(|retry| MessageId(retry.message_id).chunk()).collect();
    // Also those that are held already: a cancel takes their retries away under this lock.
    lock(tx, BTreeSet::new(), chunks.clone()).await?;
    tx.run(
        Sql::each(
            "UPDATE campaign_chunks SET owner = $1, attempt = attempt + 1 FROM jsonb_each($2) AS j \
             WHERE campaign_chunks.id = (j.value ->> 0) AND owner IS NULL",
            "UPDATE campaign_chunks SET owner = $1, attempt = attempt + 1 FROM UNNEST($2::BIGINT[]) AS j(id) \
             WHERE campaign_chunks.id = j.id AND owner IS NULL",
        ),
        args![owner, vec![Column::Ints(chunks.into_iter().collect())]],
    )
    .await?;
    tx.run_exactly(
        due.len() as u64,
        Sql::each(
            // Of this carrier still: what was led elsewhere meanwhile is not there, and the claim fails as a whole.
            "DELETE FROM retries WHERE message_id IN (SELECT value ->> 0 FROM jsonb_each($1)) AND carrier = $2",
            "DELETE FROM retries WHERE message_id IN (SELECT id FROM UNNEST($1::BIGINT[]) AS j(id)) AND carrier = $2",
        ),
        args![vec![Column::Ints(due.iter().map(|retry| retry.message_id).collect())], carrier],
    )
    .await?;
    Ok(due)
}

/// When the next retry of a carrier is due, of campaigns that may go on.
pub async fn next_at(tx: &mut Tx, carrier: &str, me: i64, quiet: bool) -> Result<Option<i64>> {
    let row: Option<(i64,)> = tx
        .opt(
            "SELECT r.due_at FROM retries r JOIN campaign_chunks ch ON ch.id = r.message_id / 4096 \
             JOIN campaigns c ON c.id = ch.campaign_id JOIN users u ON u.id = c.user_id \
             WHERE r.carrier = $1 AND c.status = 'sending' AND u.status = 'active' \
               AND (ch.owner = $2 OR ch.owner IS NULL) AND ($3 = FALSE OR ch.promotional = FALSE) \
             ORDER BY r.due_at LIMIT 1",
            args![carrier, me, quiet],
        )
        .await?;
    Ok(row.map(|(due,)| due))
}

/// The retries of a chunk.
pub async fn of_chunk(tx: &mut Tx, chunk: i64) -> Result<Vec<Retry>> {
    tx.all(
        "SELECT message_id, tries, parts_done, due_at, reason FROM retries \
         WHERE message_id >= $1 AND message_id < $2 ORDER BY message_id",
        args![MessageId::new(chunk, 0).0, MessageId::new(chunk + 1, 0).0],
    )
    .await
}

/// Takes the retries of a chunk away, when their messages are given up; returns the messages.
pub async fn take_of(tx: &mut Tx, chunk: i64) -> Result<Vec<(i64,)>> {
    tx.all(
        "DELETE FROM retries WHERE message_id >= $1 AND message_id < $2 RETURNING message_id",
        args![MessageId::new(chunk, 0).0, MessageId::new(chunk + 1, 0).0],
    )
    .await
}
