//! The rows of rates, a row a destination, and their version.

use talkdrum_api::purpose::Purpose;

use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::money::rate::{Destination, PageRate};
use crate::store::{Column, Tx};
use crate::time::Time;
use crate::{args, sql};

/// The setting that names exactly the rates that there are; empty while there are none.
pub const VERSION: &str = "RATES-VERSION";

/// All rates of all lists: that for all, then those of the plans, each in the order of prefixes, networks and
/// purposes.
pub async fn all(tx: &mut Tx) -> Result<Vec<PageRate>> {
    tx.all(
        "SELECT plan, prefix, network, NULLIF(purpose, '') AS purpose, espees_micros, naira_micros, updated_at FROM rates \
         ORDER BY plan COLLATE \"binary\", prefix COLLATE \"binary\", network COLLATE \"binary\", purpose COLLATE \"binary\"",
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

/// The plan of a user; empty without one, and of a user that there is not.
pub async fn plan_of(tx: &mut Tx, user: UserId) -> Result<String> {
    let plan: Option<(Option<String>,)> =
        tx.opt("SELECT rate_plan FROM users WHERE id = $1", args![user]).await?;
    Ok(plan.and_then(|(plan,)| plan).unwrap_or_default())
}

/// Those of these users that have a plan, each with it.
pub async fn plans_of(tx: &mut Tx, users: &[UserId]) -> Result<Vec<(UserId, String)>> {
    let sql = sql!("SELECT id, rate_plan FROM users WHERE id = ANY($1::BIGINT[]) AND rate_plan IS NOT NULL");
    tx.all(sql, args![vec![Column::of(users)]]).await
}

/// The plans that users have, and how many have each.
pub async fn users_by_plan(tx: &mut Tx) -> Result<Vec<(String, i64)>> {
    tx.all("SELECT rate_plan, COUNT(*) FROM users WHERE rate_plan IS NOT NULL AND deleted_at IS NULL GROUP BY rate_plan", args![])
        .await
}

/// Whether there is such a plan.
pub async fn is_plan(tx: &mut Tx, plan: &str) -> Result<bool> {
    let (is,): (bool,) =
        tx.one("SELECT EXISTS (SELECT 1 FROM rates WHERE plan = $1 AND plan <> '')", args![plan]).await?;
    Ok(is)
}

/// The names of all plans, in order.
pub async fn plan_names(tx: &mut Tx) -> Result<Vec<String>> {
    let sql = "SELECT DISTINCT plan FROM rates WHERE plan <> '' ORDER BY plan";
    Ok(tx.all::<(String,)>(sql, args![]).await?.into_iter().map(|(name,)| name).collect())
}

/// The plan of a user, `None` without one, locked until the transaction ends; no row of a user that there is not.
pub async fn lock_plan_of(tx: &mut Tx, user: UserId) -> Result<Option<Option<String>>> {
    let sql = sql!("SELECT rate_plan FROM users WHERE id = $1 AND deleted_at IS NULL FOR UPDATE");
    Ok(tx.opt::<(Option<String>,)>(sql, args![user]).await?.map(|(plan,)| plan))
}

/// Gives a user a plan, or takes it.
pub async fn give_plan(tx: &mut Tx, user: UserId, plan: Option<&str>, now: Time) -> Result<()> {
    tx.run_exactly(
        1,
        "UPDATE users SET rate_plan = $2, updated_at = $3 WHERE id = $1",
        args![user, plan, now],
    )
    .await
}

fn columns<'r>(keys: impl Iterator<Item = (&'r str, &'r Destination)> + Clone) -> [Column; 4] {
    [
        Column::of(keys.clone().map(|(plan, _)| plan)),
        Column::of(keys.clone().map(|(_, it)| &it.prefix)),
        Column::of(keys.clone().map(|(_, it)| &it.network)),
        Column::of(keys.map(|(_, it)| it.purpose.map_or("", Purpose::code))),
    ]
}

/// Sets the rates of these destinations, each once in its list.
pub async fn put(tx: &mut Tx, rates: &[PageRate], now: Time) -> Result<()> {
    if rates.is_empty() {
        return Ok(());
    }
    let [plans, prefixes, networks, purposes] = columns(rates.iter().map(PageRate::key));
    let rows = vec![
        plans,
        prefixes,
        networks,
        purposes,
        Column::of(rates.iter().map(|rate| rate.espees)),
        Column::of(rates.iter().map(|rate| rate.naira)),
    ];
    let sql = sql!(
        "INSERT INTO rates (plan, prefix, network, purpose, espees_micros, naira_micros, updated_at) \
         SELECT j.*, $1 FROM UNNEST($2::TEXT[], $3::TEXT[], $4::TEXT[], $5::TEXT[], $6::BIGINT[], \
           $7::BIGINT[]) AS j WHERE true \
         ON CONFLICT (plan, prefix, network, purpose) DO UPDATE SET espees_micros = excluded.espees_micros, \
           naira_micros = excluded.naira_micros, updated_at = excluded.updated_at"
    );
    tx.run_exactly(rates.len() as u64, sql, args![now, rows]).await
}

/// Removes these rates: each a list's, of a destination.
pub async fn remove(tx: &mut Tx, keys: &[(&str, &Destination)]) -> Result<()> {
    if keys.is_empty() {
        return Ok(());
    }
    let sql = sql!(
        "DELETE FROM rates WHERE id IN (SELECT r.id FROM UNNEST($1::TEXT[], $2::TEXT[], $3::TEXT[], $4::TEXT[]) \
           AS j (plan, prefix, network, purpose) \
           JOIN rates r ON r.plan = j.plan AND r.prefix = j.prefix AND r.network = j.network AND r.purpose = j.purpose)"
    );
    let rows: Vec<Column> = columns(keys.iter().copied()).into();
    tx.run_exactly(keys.len() as u64, sql, args![rows]).await
}
