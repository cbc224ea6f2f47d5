//! Messages that were proven not to have left, back to queued until they are due.

use std::collections::{BTreeMap, BTreeSet};

use super::{Column, Sql, Tx};
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

/// Puts messages back to queued. One that is queued stays as it is.
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
    tx.run(
        Sql::each(
            "INSERT INTO retries (message_id, carrier, tries, parts_done, due_at, reason) \
             SELECT value ->> 0, $1, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM jsonb_each($2) WHERE true \
             ON CONFLICT (message_id) DO NOTHING",
            "INSERT INTO retries (message_id, carrier, tries, parts_done, due_at, reason) \
             SELECT j.id, $1, j.tries, j.parts_done, j.due_at, j.reason \
             FROM UNNEST($2::BIGINT[], $3::BIGINT[], $4::BIGINT[], $5::BIGINT[], $6::TEXT[]) \
               AS j(id, tries, parts_done, due_at, reason) ON CONFLICT (message_id) DO NOTHING",
        ),
        args![carrier, columns],
    )
    .await
    .map(|_| ())
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

/// In whose hands a chunk is whose retry is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hold {
    /// Ours, or nobody's.
    Ours,
    /// It was led to another carrier, which the retry does not follow: half of it went by this one.
    Led,
    /// Another run's.
    Others,
}

/// Locks the chunks of retries in order of their ids and says in whose hands they are. Looked at under the lock: a chunk
/// may have been led elsewhere since its retries were read. Those that are held already are locked, too: a cancel takes
/// their retries away under this lock.
async fn lock_holds(
    tx: &mut Tx,
    carrier: &str,
    owner: i64,
    chunks: BTreeSet<i64>,
) -> Result<BTreeMap<i64, Hold>> {
    let rows: Vec<(i64, String, Option<i64>)> = tx
        .all(
            Sql::each(
                "SELECT ch.id, ch.carrier, ch.owner FROM jsonb_each($1) AS j \
                 JOIN campaign_chunks ch ON ch.id = (j.value ->> 0)",
                "SELECT id, carrier, owner FROM campaign_chunks WHERE id = ANY($1::BIGINT[]) ORDER BY id \
                 FOR NO KEY UPDATE",
            ),
            args![vec![Column::Ints(chunks.into_iter().collect())]],
        )
        .await?;
    let hold = |(id, by, holder): (i64, String, Option<i64>)| {
        let hold = match holder {
            Some(holder) if holder == owner => Hold::Ours,
            _ if by != carrier => Hold::Led,
            None => Hold::Ours,
            Some(_) => Hold::Others,
        };
        (id, hold)
    };
    Ok(rows.into_iter().map(hold).collect())
}

/// Takes retries that are due, of chunks that `owner` holds or that no run holds, and claims those chunks. A chunk that was
/// led to another carrier stays with the run that has it; its half-sent messages are lent ([`lent_by_the_dead`]). From
/// here on they are in flight again.
pub async fn claim(tx: &mut Tx, carrier: &str, owner: i64, wanted: Due) -> Result<Vec<Retry>> {
    let Due { now, started_before, quiet, limit, even_held } = wanted;
    let due: Vec<Retry> = tx
        .all(
            concat!(
                "SELECT r.message_id, r.tries, r.parts_done, r.due_at, r.reason FROM retries r \
                 JOIN campaign_chunks ch ON ch.id = r.message_id / 4096 \
                 JOIN campaigns c ON c.id = ch.campaign_id JOIN users u ON u.id = c.user_id \
                 WHERE r.carrier = $1 AND r.due_at <= $2 AND c.status = 'sending' AND u.status = 'active' \
                   AND (ch.owner = $3 OR ch.owner IS NULL OR ch.carrier <> r.carrier) \
                   AND NOT EXISTS (SELECT 1 FROM dispatch_hold) \
                   AND COALESCE(c.started_at, 0) < $5 AND ($6 = FALSE OR ch.promotional = FALSE) AND ($7 = TRUE OR ",
                not_held!("r"),
                ") ORDER BY r.due_at LIMIT $4"
            ),
            args![carrier, now, owner, limit, started_before, quiet, even_held],
        )
        .await?;
    if due.is_empty() {
        return Ok(Vec::new());
    }
    let all = due.iter().map(|retry| MessageId(retry.message_id).chunk()).collect();
    let holds = lock_holds(tx, carrier, owner, all).await?;
    let hold_of = |retry: &Retry| holds.get(&MessageId(retry.message_id).chunk()).copied();
    let (lent, mut own): (Vec<Retry>, Vec<Retry>) =
        due.into_iter().partition(|retry| hold_of(retry) == Some(Hold::Led));
    own.retain(|retry| hold_of(retry) == Some(Hold::Ours));
    let chunks: BTreeSet<i64> = own.iter().map(|retry| MessageId(retry.message_id).chunk()).collect();
    lend(tx, lent.iter().map(|retry| retry.message_id).collect(), owner).await?;
    let due: Vec<Retry> = own.into_iter().chain(lent).collect();
    if due.is_empty() {
        return Ok(Vec::new());
    }
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

/// Notes that messages are in flight in the hands of `owner`, also where another run holds their chunks.
async fn lend(tx: &mut Tx, messages: Vec<i64>, owner: i64) -> Result<()> {
    if messages.is_empty() {
        return Ok(());
    }
    tx.run_exactly(
        messages.len() as u64,
        Sql::each(
            "INSERT INTO lent_retries (message_id, owner) SELECT value ->> 0, $1 FROM jsonb_each($2) WHERE true \
             ON CONFLICT (message_id) DO UPDATE SET owner = excluded.owner",
            "INSERT INTO lent_retries (message_id, owner) SELECT j.id, $1 FROM UNNEST($2::BIGINT[]) AS j(id) \
             ON CONFLICT (message_id) DO UPDATE SET owner = excluded.owner",
        ),
        args![owner, vec![Column::Ints(messages)]],
    )
    .await
}

/// Messages that were lent to runs that ended or were declared dead.
pub async fn lent_by_the_dead(tx: &mut Tx, me: i64, limit: i64) -> Result<Vec<(i64,)>> {
    tx.all(
        "SELECT l.message_id FROM lent_retries l JOIN daemons d ON d.id = l.owner \
         WHERE l.owner <> $1 AND d.stopped_at IS NOT NULL ORDER BY l.message_id LIMIT $2",
        args![me, limit],
    )
    .await
}

/// The messages of a chunk that are lent to runs that live.
pub async fn lent_of_chunk(tx: &mut Tx, chunk: i64) -> Result<Vec<(i64,)>> {
    tx.all(
        "SELECT l.message_id FROM lent_retries l JOIN daemons d ON d.id = l.owner \
         WHERE l.message_id >= $1 AND l.message_id < $2 AND d.stopped_at IS NULL ORDER BY l.message_id",
        args![MessageId::new(chunk, 0).0, MessageId::new(chunk + 1, 0).0],
    )
    .await
}

/// Takes a message back that was lent to a run that is dead. False when it is in other hands by now.
pub async fn take_back(tx: &mut Tx, message: MessageId) -> Result<bool> {
    let taken = tx
        .run(
            "DELETE FROM lent_retries WHERE message_id = $1 AND owner IN \
             (SELECT id FROM daemons WHERE stopped_at IS NOT NULL)",
            args![message.0],
        )
        .await?;
    Ok(taken == 1)
}

/// Forgets what was lent to a run and is answered or queued again.
pub async fn forget_lent(tx: &mut Tx, owner: i64) -> Result<()> {
    tx.run(
        "DELETE FROM lent_retries WHERE owner = $1 AND (EXISTS (SELECT 1 FROM messages m WHERE m.id = message_id) \
         OR EXISTS (SELECT 1 FROM retries r WHERE r.message_id = lent_retries.message_id))",
        args![owner],
    )
    .await
    .map(|_| ())
}

/// When the next retry of a carrier is due, of campaigns that may go on.
pub async fn next_at(tx: &mut Tx, carrier: &str, me: i64, quiet: bool) -> Result<Option<i64>> {
    let row: Option<(i64,)> = tx
        .opt(
            "SELECT r.due_at FROM retries r JOIN campaign_chunks ch ON ch.id = r.message_id / 4096 \
             JOIN campaigns c ON c.id = ch.campaign_id JOIN users u ON u.id = c.user_id \
             WHERE r.carrier = $1 AND c.status = 'sending' AND u.status = 'active' \
               AND (ch.owner = $2 OR ch.owner IS NULL OR ch.carrier <> r.carrier) AND ($3 = FALSE OR ch.promotional = FALSE) \
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
