//! What the clock said when it was last believed, and for how long it was doubted since.

use crate::error::Result;
use crate::store::Tx;
use crate::time::Time;
use crate::{args, sql};

/// The one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct TrustedClock {
    /// What the clock said when it was last believed.
    pub at: Time,
    /// What it said when it was last doubted; `None` where it was believed since.
    pub doubted_at: Option<Time>,
    /// Milliseconds that daemons have run with such a clock.
    pub doubted_ms: i64,
}

/// The row, locked to the end of the transaction; `None` in a database that no daemon has looked at.
pub async fn find(tx: &mut Tx) -> Result<Option<TrustedClock>> {
    tx.opt(sql!("SELECT at, doubted_at, doubted_ms FROM trusted_clock WHERE id = 1 FOR UPDATE"), args![])
        .await
}

/// Stores it.
pub async fn set(tx: &mut Tx, clock: TrustedClock) -> Result<()> {
    let TrustedClock { at, doubted_at, doubted_ms } = clock;
    let sql = "INSERT INTO trusted_clock (id, at, doubted_at, doubted_ms) VALUES (1, $1, $2, $3) \
               ON CONFLICT (id) DO UPDATE SET at = excluded.at, doubted_at = excluded.doubted_at, \
                 doubted_ms = excluded.doubted_ms";
    tx.run(sql, args![at, doubted_at, doubted_ms]).await.map(|_| ())
}
