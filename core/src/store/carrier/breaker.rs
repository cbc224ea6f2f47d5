//! Breakers of carriers and networks, and the messages that wait for them.
//!
//! The run that holds a carrier opens and closes its breakers; administrators do from any daemon. Each change raises the
//! row's revision: the run's own are written upon the revision that it knows, and it takes over what others wrote.
//!
//! A message that waits for a breaker is a retry of its network, due when it expires.

use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::campaign::id::{CampaignId, ChunkId};
use crate::model::carrier::breaker::{BreakerState, PARKED_MAX, StoredBreaker};
use crate::model::message::id::MessageId;
use crate::store::{Column, Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// A breaker as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct BreakerRow {
    /// The carrier.
    pub carrier: String,
    /// The network, by its name.
    pub network: String,
    /// Raised by each change.
    pub revision: i64,
    /// What is stored of it.
    #[sqlx(flatten)]
    pub breaker: StoredBreaker,
    /// The administrator who opened or closed it last; `None` where it did by itself.
    pub changed_by: Option<String>,
}

impl BreakerRow {
    /// Whether promotional messages wait for it.
    pub fn holds(&self) -> bool {
        self.breaker.state != BreakerState::Closed
    }
}

macro_rules! breakers {
    ($condition:literal) => {
        concat!(
            "SELECT b.carrier, b.network, b.revision, b.state, b.delivered, b.failed, b.opened_at, b.probe_at, \
               b.changed_at, u.username AS changed_by FROM breakers b LEFT JOIN users u ON u.id = b.changed_by ",
            $condition,
            " ORDER BY b.carrier COLLATE \"binary\", b.network COLLATE \"binary\""
        )
    };
}

/// Those of all carriers, the closed ones too: one for each network that ever was held.
pub async fn all(tx: &mut Tx) -> Result<Vec<BreakerRow>> {
    tx.all(breakers!(""), args![]).await
}

/// Those of one carrier.
pub async fn of_carrier(tx: &mut Tx, carrier: &str) -> Result<Vec<BreakerRow>> {
    tx.all(breakers!("WHERE b.carrier = $1"), args![carrier]).await
}

/// The networks to which no promotional message goes by a carrier now. One that is half open takes some.
pub async fn held_networks(tx: &mut Tx, carrier: &str) -> Result<Vec<String>> {
    let rows = of_carrier(tx, carrier).await?;
    let open = rows.into_iter().filter(|row| row.breaker.state == BreakerState::Open);
    Ok(open.map(|row| row.network).collect())
}

/// Stores a breaker upon the revision that is known, 0 where none is stored. False when another one is stored by now.
pub async fn put(
    tx: &mut Tx,
    carrier: &str,
    network: &str,
    known: i64,
    breaker: StoredBreaker,
) -> Result<bool> {
    let StoredBreaker { state, delivered, failed, opened_at, probe_at, changed_at } = breaker;
    let stored = tx
        .run(
            "INSERT INTO breakers (carrier, network, state, revision, delivered, failed, opened_at, probe_at, changed_at) \
             VALUES ($1, $2, $3, $4 + 1, $5, $6, $7, $8, $9) ON CONFLICT (carrier, network) DO UPDATE SET \
               state = excluded.state, revision = excluded.revision, delivered = excluded.delivered, \
               failed = excluded.failed, opened_at = excluded.opened_at, probe_at = excluded.probe_at, \
               changed_at = excluded.changed_at, \
               changed_by = CASE WHEN 'closed' IN (breakers.state, excluded.state) THEN NULL ELSE breakers.changed_by END \
             WHERE breakers.revision = $4",
            args![carrier, network, state, known, delivered, failed, opened_at, probe_at, changed_at],
        )
        .await?;
    Ok(stored == 1)
}

/// Opens or closes a breaker for an administrator. One that is opened so has no figures, and the run that holds its carrier
/// decides when messages are let through.
pub async fn order(
    tx: &mut Tx,
    carrier: &str,
    network: &str,
    state: BreakerState,
    by: UserId,
    now: Time,
) -> Result<()> {
    let opened_at = (state != BreakerState::Closed).then_some(now);
    tx.run_exactly(
        1,
        "INSERT INTO breakers (carrier, network, state, revision, delivered, failed, opened_at, changed_at, changed_by) \
         VALUES ($1, $2, $3, 1, 0, 0, $4, $5, $6) ON CONFLICT (carrier, network) DO UPDATE SET \
           state = excluded.state, revision = breakers.revision + 1, \
           delivered = CASE WHEN $4 IS NULL THEN breakers.delivered ELSE 0 END, \
           failed = CASE WHEN $4 IS NULL THEN breakers.failed ELSE 0 END, \
           opened_at = COALESCE($4, breakers.opened_at), probe_at = NULL, changed_at = $5, changed_by = $6",
        args![carrier, network, state, opened_at, now, by],
    )
    .await
}

/// The networks whose breakers at a carrier messages wait for.
pub async fn awaited_at(tx: &mut Tx, carrier: &str) -> Result<Vec<String>> {
    let mut found: Vec<String> = Vec::new();
    let sql = "SELECT network FROM retries WHERE carrier = $1 AND network > $2 ORDER BY network LIMIT 1";
    loop {
        let after = found.last().map_or("", String::as_str);
        let next: Option<(String,)> = tx.opt(sql, args![carrier, after]).await?;
        let Some((next,)) = next else { return Ok(found) };
        found.push(next);
    }
}

/// The chunks of which messages wait for the breaker of network `$2` at carrier `$1`: those from message `$3` on, `$4` at most.
/// Each is found by a search of its own, however many of its messages wait.
macro_rules! waiting_chunks {
    ($select:literal) => {
        concat!(
            "WITH RECURSIVE waits (chunk, step) AS ( \
               SELECT (SELECT r.message_id / 4096 FROM retries r WHERE r.carrier = $1 AND r.network = $2 \
                 AND r.message_id >= $3 ORDER BY r.message_id LIMIT 1), CAST(1 AS BIGINT) \
               UNION ALL SELECT (SELECT r.message_id / 4096 FROM retries r WHERE r.carrier = $1 AND r.network = $2 \
                 AND r.message_id >= (w.chunk + 1) * 4096 ORDER BY r.message_id LIMIT 1), w.step + 1 \
               FROM waits w WHERE w.chunk IS NOT NULL AND w.step < $4) ",
            $select
        )
    };
}

/// How many messages wait for the breakers of these networks at a carrier: exact below [`PARKED_MAX`], where those of campaigns
/// that are paused may count, too; beyond it those of campaigns that are being sent, up to [`PARKED_MAX`].
pub async fn parked(tx: &mut Tx, carrier: &str, networks: &[String]) -> Result<i64> {
    let all = "SELECT COUNT(*) FROM (SELECT 1 FROM retries WHERE carrier = $1 AND network IS NOT NULL LIMIT $2) AS parked";
    let (all,): (i64,) = tx.one(all, args![carrier, PARKED_MAX]).await?;
    if all < PARKED_MAX {
        return Ok(all);
    }
    let mut sending = 0;
    for network in networks {
        let room = PARKED_MAX - sending;
        sending += tx.one::<(i64,)>(SENDING, args![carrier, network, 0, i64::MAX, room]).await?.0;
    }
    Ok(sending)
}

const SENDING: &str = waiting_chunks!(
    "SELECT COUNT(*) FROM (SELECT 1 FROM waits JOIN campaign_chunks ch ON ch.id = waits.chunk \
       JOIN campaigns c ON c.id = ch.campaign_id CROSS JOIN retries r \
     WHERE c.status = 'sending' AND r.carrier = $1 AND r.network = $2 AND r.message_id >= ch.id * 4096 \
       AND r.message_id < (ch.id + 1) * 4096 LIMIT $5) AS sending"
);

/// A chunk of which messages wait for a breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct WaitingChunk {
    pub id: ChunkId,
    /// Whether its campaign is being sent.
    pub is_sending: bool,
    /// Whether other carriers may take over.
    pub has_spares: bool,
}

/// The chunks of which messages wait for a breaker, from message `from` on, so many at most.
pub async fn chunks_waiting(
    tx: &mut Tx,
    carrier: &str,
    network: &str,
    from: MessageId,
    limit: i64,
) -> Result<Vec<WaitingChunk>> {
    tx.all(CHUNKS_WAITING, args![carrier, network, from, limit]).await
}

const CHUNKS_WAITING: &str = waiting_chunks!(
    "SELECT waits.chunk AS id, c.status = 'sending' AS is_sending, ch.spares IS NOT NULL AS has_spares \
     FROM waits JOIN campaign_chunks ch ON ch.id = waits.chunk JOIN campaigns c ON c.id = ch.campaign_id ORDER BY waits.step"
);

/// Messages that wait for breakers of a carrier, by the network.
pub async fn waiting(tx: &mut Tx, carrier: &str) -> Result<Vec<(String, i64)>> {
    tx.all(WAITING, args![carrier]).await
}

pub(crate) const WAITING: &str =
    "SELECT network, COUNT(*) FROM retries WHERE carrier = $1 AND network IS NOT NULL GROUP BY network";

/// The networks whose breakers messages of these campaigns wait for, each with the campaign and the carrier.
pub async fn awaited(tx: &mut Tx, campaigns: Vec<CampaignId>) -> Result<Vec<(CampaignId, String, String)>> {
    let sql = sql!(
        "SELECT DISTINCT ch.campaign_id, r.carrier, r.network FROM campaign_chunks ch \
         JOIN retries r ON r.message_id >= ch.id * 4096 AND r.message_id < (ch.id + 1) * 4096 \
         WHERE ch.campaign_id = ANY($1::BIGINT[]) AND ch.state = 'open' AND ch.cursor > ch.answered \
           AND r.network IS NOT NULL"
    );
    tx.all(sql, args![vec![Column::of(campaigns)]]).await
}

/// Which messages that wait for a breaker are made due.
#[derive(Clone, Debug)]
pub struct Release {
    pub carrier: String,
    pub network: String,
    /// At most so many, less those that are due at the carrier already, so that no other retry waits behind many.
    pub limit: i64,
    /// Only those that other carriers may take over.
    pub only_spared: bool,
}

/// Retries of campaigns that are being sent that are due at a carrier: as many as are of interest.
async fn due(tx: &mut Tx, wanted: &Release, now: Time) -> Result<i64> {
    let sql = "SELECT COUNT(*) FROM (SELECT r.message_id FROM retries r \
                 JOIN campaign_chunks ch ON ch.id = r.message_id / 4096 JOIN campaigns c ON c.id = ch.campaign_id \
               WHERE r.carrier = $1 AND r.due_at <= $2 AND c.status = 'sending' \
                 AND ($4 = FALSE OR ch.spares IS NOT NULL) LIMIT $3) AS due";
    let Release { carrier, limit, only_spared, .. } = wanted;
    let (count,): (i64,) = tx.one(sql, args![carrier, now, *limit, *only_spared]).await?;
    Ok(count)
}

/// Makes messages of these chunks due that wait for a breaker, chunk by chunk, the oldest of each first. Those of campaigns that are
/// paused go on waiting, and those that another transaction has now are left to the next time. Returns how many.
pub async fn release(tx: &mut Tx, wanted: &Release, chunks: &[ChunkId], now: Time) -> Result<u64> {
    let mut room = wanted.limit - due(tx, wanted, now).await?;
    let mut released = 0;
    for chunk in chunks {
        if room <= 0 {
            break;
        }
        let count = tx.run(RELEASE, args![&wanted.carrier, &wanted.network, now, room, *chunk]).await?;
        released += count;
        room -= i64::try_from(count).unwrap_or(i64::MAX);
    }
    Ok(released)
}

const RELEASE: Sql = sql!(
    "UPDATE retries SET due_at = $3, network = NULL WHERE message_id IN (SELECT r.message_id \
       FROM campaign_chunks ch CROSS JOIN campaigns c CROSS JOIN retries r \
       WHERE ch.id = $5 AND c.id = ch.campaign_id AND c.status = 'sending' AND r.carrier = $1 AND r.network = $2 \
         AND r.message_id >= $5 * 4096 AND r.message_id < ($5 + 1) * 4096 \
       ORDER BY r.message_id LIMIT $4 FOR UPDATE OF r SKIP LOCKED)"
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::store::{Dialect, Lane, Store};

    const OPEN: StoredBreaker = StoredBreaker {
        state: BreakerState::Open,
        delivered: 3,
        failed: 197,
        opened_at: Some(Time(5)),
        probe_at: Some(Time(9)),
        changed_at: Time(5),
    };

    async fn write(store: &Store, known: i64, breaker: StoredBreaker) -> bool {
        let write = store.write(Lane::Background, (known, breaker), |tx, (known, breaker)| {
            Box::pin(put(tx, "main", "mtn", *known, *breaker))
        });
        write.await.unwrap()
    }

    both_databases! {
        async fn a_change_is_stored_upon_the_revision_that_is_known_and_no_other(store: Store) {
            assert!(write(&store, 0, OPEN).await);
            let closed = StoredBreaker { state: BreakerState::Closed, probe_at: None, ..OPEN };
            assert!(!write(&store, 0, closed).await, "another one is stored");
            let row = all(&mut store.read().await.unwrap()).await.unwrap().pop().unwrap();
            assert_eq!((row.revision, row.breaker, row.holds()), (1, OPEN, true));
            assert!(write(&store, 1, closed).await);
            let row = of_carrier(&mut store.read().await.unwrap(), "main").await.unwrap().pop().unwrap();
            assert_eq!((row.revision, row.breaker, row.holds()), (2, closed, false));
            assert!(of_carrier(&mut store.read().await.unwrap(), "spare").await.unwrap().is_empty());
        }

        async fn what_waits_is_found_by_the_index_of_what_waits(store: Store) {
            let mut tx = store.read().await.unwrap();
            // PostgreSQL scans empty tables whatever their indexes.
            if tx.dialect() == Dialect::Sqlite {
                let plan = tx.explain(WAITING, args!["main"]).await.unwrap().join("; ");
                assert!(plan.contains("retries_network (carrier=?"), "{plan}");
                let plan = tx.explain(CHUNKS_WAITING, args!["main", "mtn", 0, 9]).await.unwrap().join("; ");
                assert_eq!(plan.matches("retries_network (carrier=? AND network=? AND message_id>?)").count(), 2, "{plan}");
                let plans = [
                    tx.explain(RELEASE, args!["main", "mtn", Time(1), 5, 1]).await.unwrap().join("; "),
                    tx.explain(SENDING, args!["main", "mtn", 0, 9, 9]).await.unwrap().join("; "),
                ];
                let range = "retries_network (carrier=? AND network=? AND message_id>? AND message_id<?)";
                for plan in plans {
                    let walks_all = ["SCAN r", "SCAN c", "TEMP B-TREE"].iter().any(|it| plan.contains(it));
                    assert!(plan.contains(range) && !walks_all, "{plan}");
                }
            }
        }
    }
}
