//! Messages that were proven not to have been sent, queued until they are due.

use std::collections::BTreeSet;

use super::{Column, Dialect, Tx, lock_rows};
use crate::error::Result;
use crate::model::campaign::id::ChunkId;
use crate::model::message::id::MessageId;
use crate::model::platform::id::RunId;
use crate::store::campaign::canary::began_at;
use crate::store::message::{firsts, reroute};
use crate::time::Time;
use crate::{args, sql};

/// A message that may be sent again, on proof that it, or some of its parts, was never sent.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Retry {
    /// The message.
    pub message_id: MessageId,
    /// Tries so far.
    pub tries: i64,
    /// Bit n: part n was accepted.
    pub parts_done: i64,
    /// Calls placed so far that count as attempts; of a text, how often this carrier refused it for a reason of its own.
    pub attempts: i64,
    /// When it may be tried.
    pub due_at: Time,
    /// Why it was not sent.
    pub reason: String,
    /// The carrier that it waits for.
    pub carrier: String,
    /// The carriers that failed in this attempt, one a line, the first of them that of its chunk.
    pub tried: String,
    /// The number that the first of those calls from, so that the next one shows it, too.
    pub caller: Option<i64>,
    /// It goes to another carrier with this, or back to its chunk's.
    #[sqlx(default)]
    pub is_led: bool,
    /// The network whose breaker it waits for; it is due when it expires. One that is claimed waits for none any more.
    #[sqlx(default)]
    pub network: Option<String>,
}

/// Queues messages again. One that is queued already stays as it is. One that was never claimed, as far as the database
/// knows since it went back in time, is left out: it will be claimed, or its chunk is forgotten.
pub async fn insert(tx: &mut Tx, retries: &[Retry]) -> Result<()> {
    if retries.is_empty() {
        return Ok(());
    }
    let columns = vec![
        Column::of(retries.iter().map(|retry| retry.message_id)),
        Column::of(retries.iter().map(|retry| retry.tries)),
        Column::of(retries.iter().map(|retry| retry.parts_done)),
        Column::of(retries.iter().map(|retry| retry.due_at)),
        Column::of(retries.iter().map(|retry| &retry.reason)),
        Column::of(retries.iter().map(|retry| retry.attempts)),
        Column::of(retries.iter().map(|retry| &retry.carrier)),
        Column::of(retries.iter().map(|retry| &retry.tried)),
        Column::of(retries.iter().map(|retry| retry.caller)),
        Column::of(retries.iter().map(|retry| &retry.network)),
    ];
    let sql = sql!(
        "INSERT INTO retries (message_id, carrier, tries, parts_done, due_at, reason, attempts, tried, caller, \
           network) \
         SELECT j.id, j.carrier, j.tries, j.parts_done, j.due_at, j.reason, j.attempts, j.tried, j.caller, j.network \
         FROM UNNEST($1::BIGINT[], $2::BIGINT[], $3::BIGINT[], $4::BIGINT[], $5::TEXT[], $6::BIGINT[], $7::TEXT[], \
             $8::TEXT[], $9::BIGINT[], $10::TEXT[]) \
           AS j (id, tries, parts_done, due_at, reason, attempts, carrier, tried, caller, network) \
         WHERE EXISTS (SELECT 1 FROM campaign_chunks ch WHERE ch.id = j.id / 4096 AND ch.cursor > j.id % 4096) \
         ON CONFLICT (message_id) DO NOTHING"
    );
    tx.run(sql, args![columns]).await.map(|_| ())
}

/// Which retries are taken.
#[derive(Clone, Copy, Debug)]
pub struct DueRetries {
    /// Those due by now.
    pub now: Time,
    /// Of campaigns that began before this.
    pub started_before: Time,
    /// Not promotional ones: the quiet hours are on.
    pub quiet: bool,
    /// At most this many.
    pub limit: i64,
    /// Also while an operator holds the carrier: to give them up, not to send them.
    pub even_held: bool,
    /// Only those that other carriers may take over, of which no part was accepted.
    pub only_spared: bool,
    /// Not those of other carriers' chunks, unless this carrier accepted some of their parts.
    pub only_own: bool,
}

/// A retry that is due.
#[derive(Debug, sqlx_macros::FromRow)]
struct DueRow {
    #[sqlx(flatten)]
    retry: Retry,
    /// Its chunk is another carrier's: some of its parts went by this one before it was rerouted, or the other carrier failed
    /// to take it. The chunk stays with the run that holds it, and the message is lent.
    is_lent: bool,
}

/// Retries that are due and may be claimed: of chunks that `owner` or no run holds, and those to be lent.
async fn look(tx: &mut Tx, carrier: &str, owner: RunId, wanted: DueRetries) -> Result<Vec<DueRow>> {
    let DueRetries { now, started_before, quiet, limit, even_held, only_spared, only_own } = wanted;
    tx.all(
        concat!(
            "SELECT r.message_id, r.tries, r.parts_done, r.due_at, r.reason, r.attempts, r.carrier, r.tried, r.caller, \
               ch.carrier <> r.carrier AS is_lent FROM retries r \
             JOIN campaign_chunks ch ON ch.id = r.message_id / 4096 \
             JOIN campaigns c ON c.id = ch.campaign_id JOIN users u ON u.id = c.user_id \
             WHERE r.carrier = $1 AND r.due_at <= $2 AND (ch.owner = $3 OR ch.owner IS NULL OR ch.carrier <> r.carrier) AND ",
            may_send!(),
            " AND COALESCE(",
            began_at!(),
            ", 0) < $5 AND ($6 = FALSE OR ch.promotional = FALSE) AND ($7 = TRUE OR ",
            not_held!("r"),
            ") AND ($8 = FALSE OR ch.spares IS NOT NULL AND r.parts_done = 0) \
               AND ($9 = FALSE OR ch.carrier = r.carrier OR r.parts_done > 0) ORDER BY r.due_at LIMIT $4"
        ),
        args![carrier, now, owner, limit, started_before, quiet, even_held, only_spared, only_own],
    )
    .await
}

/// Claims retries that are due, of chunks that `owner` or no run holds, together with those chunks. A chunk of another
/// carrier stays with the run that holds it; its messages are lent to `owner` ([`lent_by_the_dead`]). From here on the messages are in flight again.
pub async fn claim(tx: &mut Tx, carrier: &str, owner: RunId, wanted: DueRetries) -> Result<Vec<Retry>> {
    let mut due = look(tx, carrier, owner, wanted).await?;
    if due.is_empty() {
        return Ok(Vec::new());
    }
    let chunks: BTreeSet<ChunkId> = due.iter().map(|row| row.retry.message_id.chunk()).collect();
    // Also chunks that are held already: a cancel deletes their retries under this lock.
    lock_rows(tx, chunks.clone()).await?;
    if tx.dialect() == Dialect::Postgres {
        // Read again: what was paused, cancelled or rerouted while the locks were waited for drops out.
        due = look(tx, carrier, owner, wanted).await?;
        due.retain(|row| chunks.contains(&row.retry.message_id.chunk()));
        if due.is_empty() {
            return Ok(Vec::new());
        }
    }
    let (lent, own): (Vec<DueRow>, Vec<DueRow>) = due.into_iter().partition(|row| row.is_lent);
    let chunks: BTreeSet<ChunkId> = own.iter().map(|row| row.retry.message_id.chunk()).collect();
    let mine = || Column::of(own.iter().map(|row| row.retry.message_id));
    // One that another carrier had and gave back is its own run's again.
    if tx.dialect() == Dialect::Postgres && !own.is_empty() {
        let sql = "SELECT message_id FROM lent_retries WHERE message_id = ANY($1::BIGINT[]) ORDER BY message_id FOR UPDATE";
        tx.run(sql, args![vec![mine()]]).await?;
    }
    let sql = sql!(
        "DELETE FROM lent_retries WHERE message_id IN (SELECT j.id FROM UNNEST($1::BIGINT[]) AS j (id))"
    );
    tx.run(sql, args![vec![mine()]]).await?;
    lend(tx, carrier, lent.iter().map(|row| row.retry.message_id).collect(), owner).await?;
    let due: Vec<Retry> = own.into_iter().chain(lent).map(|row| row.retry).collect();
    let sql = sql!(
        "UPDATE campaign_chunks SET owner = $1, attempt = attempt + 1 FROM UNNEST($2::BIGINT[]) AS j (id) \
         WHERE campaign_chunks.id = j.id AND owner IS NULL"
    );
    tx.run(sql, args![owner, vec![Column::of(chunks)]]).await?;
    // Still of this carrier: if one was rerouted meanwhile, the claim fails as a whole.
    let sql = sql!(
        "DELETE FROM retries WHERE message_id IN (SELECT j.id FROM UNNEST($2::BIGINT[]) AS j (id)) AND carrier = $1"
    );
    let messages = Column::of(due.iter().map(|retry| retry.message_id));
    tx.run_exactly(due.len() as u64, sql, args![carrier, vec![messages]]).await?;
    Ok(due)
}

/// Deletes the retries of messages that were sent again since, each given with its tries then. Only a database that
/// went back in time has such.
pub async fn take_sent(tx: &mut Tx, sent: &[(i64, i64)]) -> Result<()> {
    if sent.is_empty() {
        return Ok(());
    }
    let messages = Column::of(sent.iter().map(|(message, _)| message));
    let tries = Column::of(sent.iter().map(|(_, tries)| tries));
    let sql = sql!(
        "DELETE FROM retries WHERE message_id IN (SELECT j.id FROM UNNEST($1::BIGINT[], $2::BIGINT[]) AS j (id, tries)) \
         AND EXISTS (SELECT 1 FROM UNNEST($1::BIGINT[], $2::BIGINT[]) AS j (id, tries) \
           WHERE j.id = retries.message_id AND retries.tries <= j.tries)"
    );
    tx.run(sql, args![vec![messages, tries]]).await.map(|_| ())
}

/// Notes that `owner` has these messages in flight by a carrier that is not their chunks'.
async fn lend(tx: &mut Tx, carrier: &str, mut messages: Vec<MessageId>, owner: RunId) -> Result<()> {
    if messages.is_empty() {
        return Ok(());
    }
    messages.sort_unstable(); // the order of their locks
    let sql = sql!(
        "INSERT INTO lent_retries (message_id, owner, carrier) SELECT j.id, $1, $2 FROM UNNEST($3::BIGINT[]) AS j (id) \
         WHERE true ON CONFLICT (message_id) DO UPDATE SET owner = excluded.owner, carrier = excluded.carrier"
    );
    tx.run_exactly(messages.len() as u64, sql, args![owner, carrier, vec![Column::of(messages)]]).await
}

/// Messages that were lent to runs that ended or were declared dead.
pub async fn lent_by_the_dead(tx: &mut Tx, me: RunId, limit: i64) -> Result<Vec<MessageId>> {
    let sql = "SELECT l.message_id FROM lent_retries l LEFT JOIN daemons d ON d.id = l.owner \
               WHERE l.owner <> $1 AND (d.id IS NULL OR d.stopped_at IS NOT NULL) ORDER BY l.message_id LIMIT $2";
    Ok(firsts(tx.all(sql, args![me, limit]).await?))
}

/// Messages that `owner` has in flight by a carrier that is not their chunks'.
pub async fn lent_at(tx: &mut Tx, owner: RunId, carrier: &str, limit: i64) -> Result<Vec<MessageId>> {
    let sql =
        "SELECT message_id FROM lent_retries WHERE owner = $1 AND carrier = $2 ORDER BY message_id LIMIT $3";
    Ok(firsts(tx.all(sql, args![owner, carrier, limit]).await?))
}

/// Takes back what was lent to `owner` for a carrier that it closed. False when it is lent to another by now.
pub async fn take_back_from(tx: &mut Tx, message: MessageId, owner: RunId, carrier: &str) -> Result<bool> {
    let sql = "DELETE FROM lent_retries WHERE message_id = $1 AND owner = $2 AND carrier = $3";
    Ok(tx.run(sql, args![message, owner, carrier]).await? == 1)
}

/// The messages of a chunk that are lent to living runs.
pub async fn lent_of_chunk(tx: &mut Tx, chunk: ChunkId) -> Result<Vec<MessageId>> {
    let (from, to) = MessageId::of_chunk(chunk);
    let sql = "SELECT l.message_id FROM lent_retries l JOIN daemons d ON d.id = l.owner \
               WHERE l.message_id >= $1 AND l.message_id < $2 AND d.stopped_at IS NULL ORDER BY l.message_id";
    Ok(firsts(tx.all(sql, args![from, to]).await?))
}

/// Takes a message back that was lent to a dead run. False when it is lent to another run by now.
pub async fn take_back(tx: &mut Tx, message: MessageId) -> Result<bool> {
    let taken = tx
        .run(
            "DELETE FROM lent_retries WHERE message_id = $1 AND owner NOT IN \
             (SELECT id FROM daemons WHERE stopped_at IS NULL)",
            args![message],
        )
        .await?;
    Ok(taken == 1)
}

/// Forgets what was lent to a run and is answered or queued again.
pub async fn forget_lent(tx: &mut Tx, owner: RunId) -> Result<()> {
    if tx.dialect() == Dialect::Postgres {
        // One that is being lent again is waited for here: below its retry would still be seen.
        let sql = "SELECT message_id FROM lent_retries WHERE owner = $1 ORDER BY message_id FOR UPDATE";
        tx.run(sql, args![owner]).await?;
    }
    tx.run(
        "DELETE FROM lent_retries WHERE owner = $1 AND (EXISTS (SELECT 1 FROM messages m WHERE m.id = message_id) \
         OR EXISTS (SELECT 1 FROM retries r WHERE r.message_id = lent_retries.message_id) \
         OR EXISTS (SELECT 1 FROM campaign_chunks ch WHERE ch.id = message_id / 4096 AND ch.state = 'done'))",
        args![owner],
    )
    .await
    .map(|_| ())
}

/// When the next retry of a carrier is due, of campaigns that may go on; `None` where that is after `until`: messages that wait
/// for a breaker until they expire are not gone through, of which many may be of campaigns that are paused.
pub async fn next_at(
    tx: &mut Tx,
    carrier: &str,
    me: RunId,
    (quiet, only_own): (bool, bool),
    until: Time,
) -> Result<Option<Time>> {
    let row: Option<(Time,)> = tx
        .opt(
            concat!(
                "SELECT r.due_at FROM retries r JOIN campaign_chunks ch ON ch.id = r.message_id / 4096 \
                 JOIN campaigns c ON c.id = ch.campaign_id JOIN users u ON u.id = c.user_id \
                 WHERE r.carrier = $1 AND ",
                under_way!(),
                " AND (ch.owner = $2 OR ch.owner IS NULL OR ch.carrier <> r.carrier) AND ($3 = FALSE OR ch.promotional = FALSE) \
                   AND r.due_at <= $4 AND ($5 = FALSE OR ch.carrier = r.carrier OR r.parts_done > 0) ORDER BY r.due_at LIMIT 1"
            ),
            args![carrier, me, quiet, until, only_own],
        )
        .await?;
    Ok(row.map(|(due,)| due))
}

/// The retries of a chunk.
pub async fn of_chunk(tx: &mut Tx, chunk: ChunkId) -> Result<Vec<Retry>> {
    let (from, to) = MessageId::of_chunk(chunk);
    let sql = "SELECT message_id, tries, parts_done, due_at, reason, attempts, carrier, tried, caller FROM retries \
               WHERE message_id >= $1 AND message_id < $2 ORDER BY message_id";
    tx.all(sql, args![from, to]).await
}

/// Deletes the retries of a chunk whose messages are given up; returns the messages.
pub async fn take_of(tx: &mut Tx, chunk: ChunkId) -> Result<Vec<MessageId>> {
    let (from, to) = MessageId::of_chunk(chunk);
    let sql = "DELETE FROM retries WHERE message_id >= $1 AND message_id < $2 RETURNING message_id";
    Ok(firsts(tx.all(sql, args![from, to]).await?))
}

const WAITED: &str = "SELECT r.message_id, r.tries, r.parts_done, r.due_at, r.reason, r.attempts, r.carrier, r.tried, r.caller \
     FROM retries r JOIN campaign_chunks ch ON ch.id = r.message_id / 4096 \
     WHERE r.tried <> '' AND r.due_at <= $2 AND r.carrier = $4 AND ch.carrier = $1 AND r.parts_done = 0 \
     ORDER BY r.due_at LIMIT $3";

/// Messages of which another carrier than their chunks' accepted some parts, and that wait there for the rest, whether they were
/// led there or their chunk was rerouted since: due since before `since`, of campaigns that began before `started_before`.
pub async fn parts_at(
    tx: &mut Tx,
    at: &str,
    home: &str,
    since: Time,
    started_before: Time,
    limit: i64,
) -> Result<Vec<MessageId>> {
    let sql = concat!(
        "SELECT r.message_id FROM retries r JOIN campaign_chunks ch ON ch.id = r.message_id / 4096 \
         JOIN campaigns c ON c.id = ch.campaign_id JOIN users u ON u.id = c.user_id \
         WHERE r.carrier = $1 AND ch.carrier = $2 AND r.due_at <= $3 AND r.parts_done <> 0 AND ",
        may_send!(),
        " AND COALESCE(",
        began_at!(),
        ", 0) < $4 ORDER BY r.due_at LIMIT $5"
    );
    Ok(firsts(tx.all(sql, args![at, home, since, started_before, limit]).await?))
}

/// Takes messages that wait at a carrier, to give them up; returns those that wait there still. Their chunks are locked.
pub async fn take_at(tx: &mut Tx, at: &str, messages: &[MessageId]) -> Result<Vec<MessageId>> {
    let sql = sql!(
        "DELETE FROM retries WHERE message_id = ANY($2::BIGINT[]) AND carrier = $1 RETURNING message_id"
    );
    Ok(firsts(tx.all(sql, args![at, vec![Column::of(messages)]]).await?))
}

/// Messages that were led away and wait.
#[derive(Clone, Debug)]
pub struct LedAway {
    /// The carrier of their chunks.
    pub home: String,
    /// The one at which they wait.
    pub at: String,
    /// They are due since before this.
    pub since: Time,
    /// Whether that carrier counts as tried.
    pub is_tried: bool,
    /// At most so many.
    pub limit: i64,
}

/// Takes messages back that were led to another carrier and have waited there for too long. Returns how many.
pub async fn recall(tx: &mut Tx, led: &LedAway, now: Time) -> Result<usize> {
    let LedAway { home, at, since, is_tried, limit } = led;
    let waited: Vec<Retry> = tx.all(WAITED, args![home, *since, *limit, at]).await?;
    if waited.is_empty() {
        return Ok(0);
    }
    let chunks: BTreeSet<ChunkId> = waited.iter().map(|retry| retry.message_id.chunk()).collect();
    lock_rows(tx, chunks.clone()).await?;
    // Read again: what was claimed while the locks were waited for drops out.
    let mut waited: Vec<Retry> = tx.all(WAITED, args![home, *since, *limit, at]).await?;
    waited.retain(|retry| chunks.contains(&retry.message_id.chunk()));
    let with_this = |retry: &Retry| match is_tried {
        true => format!("{}\n{}", retry.tried, retry.carrier),
        false => retry.tried.clone(),
    };
    let columns = vec![
        Column::of(waited.iter().map(|retry| retry.message_id)),
        Column::of(waited.iter().map(with_this)),
    ];
    let sql = sql!(
        "UPDATE retries SET carrier = $1, due_at = $2, tried = j.tried \
         FROM UNNEST($3::BIGINT[], $4::TEXT[]) AS j (id, tried) WHERE retries.message_id = j.id"
    );
    tx.run_exactly(waited.len() as u64, sql, args![home, now, columns]).await?;
    let back: Vec<(MessageId, &str)> = waited.iter().map(|retry| (retry.message_id, home.as_str())).collect();
    reroute::lead_places(tx, &back).await?;
    Ok(waited.len())
}

/// Whether any message waits at another carrier than its own, or came back from one.
pub async fn is_any_led(tx: &mut Tx) -> Result<bool> {
    let found: Option<(i64,)> =
        tx.opt("SELECT message_id FROM retries WHERE tried <> '' LIMIT 1", args![]).await?;
    Ok(found.is_some())
}

/// The carriers at which messages wait to be sent again, in the order of their names.
pub async fn carriers(tx: &mut Tx) -> Result<Vec<String>> {
    tx.each_text("SELECT carrier FROM retries WHERE carrier > $1 ORDER BY carrier LIMIT 1", args![]).await
}

/// Those at which some wait of which parts were accepted.
pub async fn carriers_with_parts(tx: &mut Tx) -> Result<Vec<String>> {
    tx.each_text(WITH_PARTS, args![]).await
}

pub(crate) const WITH_PARTS: &str =
    "SELECT carrier FROM retries WHERE carrier > $1 AND parts_done <> 0 ORDER BY carrier LIMIT 1";
