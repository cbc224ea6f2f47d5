//! Carriers that may take over what another one failed to take.

use crate::args;
use crate::error::Result;
use crate::store::Tx;
use crate::store::carrier::state::SeenVitals;
use crate::time::Time;

/// Waiting messages are counted up to here.
pub const COUNTED: i64 = 10_000;

/// A carrier that a living daemon holds and no operator holds back.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct SpareRow {
    /// How it fared.
    pub vitals: SeenVitals,
    /// Messages that are due there and wait to be sent again; [`COUNTED`] where there are more.
    pub waiting: i64,
}

/// How a carrier fares, where it was seen since `seen_since` and may take messages; `None` where it may not.
pub async fn find(tx: &mut Tx, carrier: &str, seen_since: Time, now: Time) -> Result<Option<SpareRow>> {
    tx.opt(
        "SELECT v.vitals, (SELECT COUNT(*) FROM (SELECT 1 FROM retries r WHERE r.carrier = v.carrier AND r.due_at <= $3 \
           LIMIT $4) AS due) AS waiting \
         FROM carrier_vitals v JOIN daemons d ON d.id = v.owner \
         WHERE v.carrier = $1 AND v.seen_at >= $2 AND d.stopped_at IS NULL \
           AND NOT EXISTS (SELECT 1 FROM carrier_states h WHERE h.carrier = v.carrier AND h.state <> 'open')",
        args![carrier, seen_since, now, COUNTED],
    )
    .await
}

/// Which carriers may take over from `carrier`: the lists of its open chunks, each once, one name a line.
pub async fn lists_of(tx: &mut Tx, carrier: &str) -> Result<Vec<String>> {
    let next = "SELECT spares FROM campaign_chunks \
                WHERE carrier = $2 AND state = 'open' AND spares IS NOT NULL AND spares > $1 ORDER BY spares LIMIT 1";
    tx.each_text(next, args![carrier]).await
}
