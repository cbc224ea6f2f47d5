//! The Do-Not-Disturb list: blocks of numbers, and the generation by which daemons know that it changed.

use crate::args;
use crate::error::Result;
use crate::store::Tx;
use crate::time::Time;

/// How often the list was changed.
pub async fn generation(tx: &mut Tx) -> Result<i64> {
    let row: Option<(i64,)> = tx.opt("SELECT generation FROM dnd_list WHERE id = 1", args![]).await?;
    Ok(row.map_or(0, |(generation,)| generation))
}

/// Notes a change.
pub async fn raise(tx: &mut Tx, now: Time) -> Result<()> {
    tx.run_exactly(
        1,
        "INSERT INTO dnd_list (id, generation, updated_at) VALUES (1, 1, $1) \
         ON CONFLICT (id) DO UPDATE SET generation = dnd_list.generation + 1, updated_at = excluded.updated_at",
        args![now],
    )
    .await
}

/// Every block with its numbers.
pub async fn blocks(tx: &mut Tx) -> Result<Vec<(i64, Vec<u8>)>> {
    tx.all("SELECT block, numbers FROM dnd_blocks", args![]).await
}

/// Every block with how many numbers it has, in order.
pub async fn sizes(tx: &mut Tx) -> Result<Vec<(i64, i64)>> {
    tx.all("SELECT block, size FROM dnd_blocks ORDER BY block", args![]).await
}

/// The numbers of a block.
pub async fn block(tx: &mut Tx, block: i64) -> Result<Option<Vec<u8>>> {
    let row: Option<(Vec<u8>,)> =
        tx.opt("SELECT numbers FROM dnd_blocks WHERE block = $1", args![block]).await?;
    Ok(row.map(|(numbers,)| numbers))
}

/// Stores a block.
pub async fn put_block(tx: &mut Tx, block: i64, size: i64, numbers: &[u8]) -> Result<()> {
    tx.run_exactly(
        1,
        "INSERT INTO dnd_blocks (block, size, numbers) VALUES ($1, $2, $3) \
         ON CONFLICT (block) DO UPDATE SET size = excluded.size, numbers = excluded.numbers",
        args![block, size, numbers],
    )
    .await
}

/// Empties the list.
pub async fn clear(tx: &mut Tx) -> Result<()> {
    tx.run("DELETE FROM dnd_blocks", args![]).await?;
    Ok(())
}

/// How many numbers it has.
pub async fn size(tx: &mut Tx) -> Result<i64> {
    let row: (i64,) =
        tx.one("SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM dnd_blocks", args![]).await?;
    Ok(row.0)
}
