//! Carriers of calls that may take over what another one failed to place.

use crate::args;
use crate::error::Result;
use crate::store::Tx;
use crate::time::Time;

/// A carrier that a living daemon holds and no operator holds back.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct SpareRow {
    /// How it fared, as JSON.
    pub vitals: String,
    /// Messages that are due there and wait to be sent again.
    pub waiting: i64,
}

/// How a carrier fares, where it was seen since `seen_since` and may take messages; `None` where it may not.
pub async fn find(tx: &mut Tx, carrier: &str, seen_since: Time, now: Time) -> Result<Option<SpareRow>> {
    tx.opt(
        "SELECT v.vitals, (SELECT COUNT(*) FROM retries r WHERE r.carrier = v.carrier AND r.due_at <= $3) AS waiting \
         FROM carrier_vitals v JOIN daemons d ON d.id = v.owner \
         WHERE v.carrier = $1 AND v.seen_at >= $2 AND d.stopped_at IS NULL \
           AND NOT EXISTS (SELECT 1 FROM carrier_states h WHERE h.carrier = v.carrier AND h.state <> 'open')",
        args![carrier, seen_since, now],
    )
    .await
}
