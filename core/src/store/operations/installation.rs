//! What a database is served for: life, a sandbox, or both.
//!
//! Once both have served a database, it is `mixed` for ever, as its wallets hold money of both kinds.

use crate::args;
use crate::error::Result;
use crate::model::platform::installation::ServedFor;
use crate::store::Tx;
use crate::time::Time;

/// What surrounded the daemons on this database; `None` before the first one.
pub async fn surroundings(tx: &mut Tx) -> Result<Option<ServedFor>> {
    let row: Option<(ServedFor,)> =
        tx.opt("SELECT surroundings FROM installation WHERE id = 1", args![]).await?;
    Ok(row.map(|(surroundings,)| surroundings))
}

/// The carrier of the newest recipients: what served a database from before it was noted.
pub async fn newest_carrier(tx: &mut Tx) -> Result<Option<String>> {
    let row: Option<(String,)> =
        tx.opt("SELECT carrier FROM audience_chunks ORDER BY id DESC LIMIT 1", args![]).await?;
    Ok(row.map(|(carrier,)| carrier))
}

/// Notes that a daemon with these surroundings, live or a sandbox, serves the database; with others before it, it is
/// mixed.
pub async fn note(tx: &mut Tx, surroundings: ServedFor, now: Time) -> Result<()> {
    tx.run(
        "INSERT INTO installation (id, surroundings, noted_at) VALUES (1, $1, $2) \
         ON CONFLICT (id) DO UPDATE SET noted_at = excluded.noted_at, surroundings = 'mixed' \
         WHERE installation.surroundings NOT IN ('mixed', excluded.surroundings)",
        args![surroundings, now],
    )
    .await
    .map(|_| ())
}
