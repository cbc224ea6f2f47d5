//! The state of every carrier: what its daemon reported, what waits at it, and an operator's hold.
//!
//! Read from the database alone, so that a daemon that holds no carrier sees what the holder sees.

use std::collections::{BTreeSet, HashMap};

use super::Hold;
use crate::carrier::vitals::Vitals;
use crate::error::Result;
use crate::model::carrier::CarrierState;
use crate::model::platform::id::RunId;
use crate::store::carrier::breaker::{self, BreakerRow};
use crate::store::carrier::open_items::{self, OpenItems};
use crate::store::carrier::state as rows;
use crate::store::carrier::state::{StateRow, Waiting};
use crate::store::{Lane, Store, Tx};
use crate::time::Time;

/// One carrier.
#[derive(Clone, Debug)]
pub struct CarrierView {
    /// Its name.
    pub name: String,
    /// What its daemon saw lately; `None` when no daemon holds it.
    pub vitals: Option<Vitals>,
    /// The run of the daemon that holds it.
    pub owner: Option<RunId>,
    /// When that was.
    pub seen_at: Option<Time>,
    /// What an operator said.
    pub hold: Hold,
    /// The whole of that; `None` when nothing was ever said.
    pub said: Option<StateRow>,
    /// What waits.
    pub waiting: Waiting,
    /// The platform's own text messages that wait.
    pub notices: i64,
    /// What is open at it.
    pub open: OpenItems,
    /// Its breakers, each with the messages that wait for it; a network that was never held has none.
    pub breakers: Vec<(BreakerRow, i64)>,
}

impl CarrierView {
    /// Calls that are up; `None` of a carrier of short messages, and of one that no daemon holds.
    pub fn calls_up(&self) -> Option<u32> {
        self.vitals.as_ref().and_then(Vitals::calls_up)
    }

    /// What became of an operator's word.
    pub fn state(&self) -> CarrierState {
        match self.hold {
            Hold::Draining if self.waiting.in_flight() == 0 && self.calls_up().is_none_or(|up| up == 0) => {
                CarrierState::Drained
            }
            hold => hold.into(),
        }
    }
}

/// The run of the daemon that held a carrier lately; `None` when no daemon did.
///
/// # Errors
/// Errors of the database.
pub async fn owner_of(tx: &mut Tx, name: &str, now: Time) -> Result<Option<RunId>> {
    let seen = rows::vitals(tx).await?.remove(name);
    Ok(seen.filter(|row| row.is_fresh(now)).map(|row| row.owner))
}

/// How `names` stand, in their order, and then those that are not among them and where something still waits or is open.
pub async fn overview(tx: &mut Tx, names: &[String], now: Time) -> Result<Vec<CarrierView>> {
    let mut vitals = rows::vitals(tx).await?;
    let mut said = rows::all(tx).await?;
    let mut waiting = rows::waiting(tx).await?;
    let mut notices = rows::notices_waiting(tx).await?;
    let mut open = open_items::open(tx).await?;
    let mut breakers = breakers(tx).await?;
    let others: BTreeSet<String> = waiting
        .keys()
        .chain(notices.keys())
        .chain(open.keys())
        .chain(said.iter().filter(|(_, said)| said.state != Hold::Open).map(|(name, _)| name))
        .filter(|name| !names.contains(name))
        .cloned()
        .collect();
    let view = |name: &String| {
        let seen = vitals.remove(name).filter(|row| row.is_fresh(now));
        let said = said.remove(name);
        CarrierView {
            owner: seen.as_ref().map(|row| row.owner),
            seen_at: seen.as_ref().map(|row| row.seen_at),
            // What an older version wrote is shown again by the next heartbeat.
            vitals: seen.and_then(|row| row.vitals.0),
            hold: said.as_ref().map_or(Hold::Open, |said| said.state),
            said,
            waiting: waiting.remove(name).unwrap_or_default(),
            notices: notices.remove(name).unwrap_or_default(),
            open: open.remove(name).unwrap_or_default(),
            breakers: breakers.remove(name).unwrap_or_default(),
            name: name.clone(),
        }
    };
    Ok(names.iter().chain(&others).map(view).collect())
}

/// The breakers of each carrier.
async fn breakers(tx: &mut Tx) -> Result<HashMap<String, Vec<(BreakerRow, i64)>>> {
    let mut found: HashMap<String, Vec<(BreakerRow, i64)>> = HashMap::new();
    for row in breaker::all(tx).await? {
        found.entry(row.carrier.clone()).or_default().push((row, 0));
    }
    for (carrier, rows) in &mut found {
        for (network, count) in breaker::waiting(tx, carrier).await? {
            let row = rows.iter_mut().find(|(row, _)| row.network == network);
            if let Some((_, waiting)) = row {
                *waiting = count;
            }
        }
    }
    Ok(found)
}

/// Stores what this run, `owner`, sees of the carriers it holds.
pub async fn note(store: &Store, owner: RunId, seen: Vec<(String, Vitals)>, now: Time) -> Result<()> {
    if seen.is_empty() {
        return Ok(());
    }
    store
        .write(Lane::Heartbeat, (owner, now, seen), |tx, (owner, now, seen)| {
            Box::pin(rows::note_vitals(tx, *owner, *now, seen))
        })
        .await
}
