//! The rows of rates, a row a destination, and their version.

use talkdrum_api::money::Amount;

use crate::error::Result;
use crate::model::rate::{Destination, PageRate};
use crate::store::{Column, Tx};
use crate::time::Time;
use crate::{args, sql};

/// The setting that names exactly the rates that there are; empty while there are none.
pub const VERSION: &str = "RATES-VERSION";

/// All rates, in the order of their prefixes and networks.
pub async fn all(tx: &mut Tx) -> Result<Vec<PageRate>> {
    tx.all(
        "SELECT prefix, network, espees_micros, naira_micros, updated_at FROM rates \
         ORDER BY prefix COLLATE \"binary\", network COLLATE \"binary\"",
        args![],
    )
    .await
}

/// The version of the rates, locked until the transaction ends: one change waits for another.
pub async fn lock_version(tx: &mut Tx) -> Result<String> {
    let (version,): (String,) =
        tx.one(sql!("SELECT value FROM settings WHERE key = $1 FOR UPDATE"), args![VERSION]).await?;
    Ok(version)
}

fn columns<'r>(destinations: impl Iterator<Item = &'r Destination> + Clone) -> [Column; 2] {
    [
        Column::Texts(destinations.clone().map(|it| Some(it.prefix.clone())).collect()),
        Column::Texts(destinations.map(|it| Some(it.network.clone())).collect()),
    ]
}

/// Sets the rates of these destinations, each once.
pub async fn put(tx: &mut Tx, rates: &[PageRate], now: Time) -> Result<()> {
    if rates.is_empty() {
        return Ok(());
    }
    let [prefixes, networks] = columns(rates.iter().map(|rate| &rate.destination));
    let rows = vec![
        prefixes,
        networks,
        Column::OptInts(rates.iter().map(|rate| rate.espees.map(Amount::micros)).collect()),
        Column::OptInts(rates.iter().map(|rate| rate.naira.map(Amount::micros)).collect()),
    ];
    let sql = sql!(
        "INSERT INTO rates (prefix, network, espees_micros, naira_micros, updated_at) \
         SELECT j.*, $1 FROM UNNEST($2::TEXT[], $3::TEXT[], $4::BIGINT[], $5::BIGINT[]) AS j WHERE true \
         ON CONFLICT (prefix, network) DO UPDATE SET espees_micros = excluded.espees_micros, \
           naira_micros = excluded.naira_micros, updated_at = excluded.updated_at"
    );
    tx.run_exactly(rates.len() as u64, sql, args![now, rows]).await
}

/// Removes the rates of these destinations.
pub async fn remove(tx: &mut Tx, destinations: &[Destination]) -> Result<()> {
    if destinations.is_empty() {
        return Ok(());
    }
    let sql = sql!(
        "DELETE FROM rates WHERE id IN (SELECT r.id FROM UNNEST($1::TEXT[], $2::TEXT[]) AS j (prefix, network) \
           JOIN rates r ON r.prefix = j.prefix AND r.network = j.network)"
    );
    let rows: Vec<Column> = columns(destinations.iter()).into();
    tx.run_exactly(destinations.len() as u64, sql, args![rows]).await
}
