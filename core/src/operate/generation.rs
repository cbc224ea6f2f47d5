//! Tells a database that went back in time: a restore, or a failover to a server that lags.
//!
//! A generation lives in the database ([`crate::store::operations::generation`]) and with the process ([`Keeper`]: a file in its data
//! directory). Both are compared and raised together. While they are raised the process also keeps the next one, so that a
//! crash between both is not taken for a restore. A database that went back behind the last raise is held
//! before anything that was claimed since is claimed again, but for what the process does until it compares.

use crate::error::Error;
use crate::store::operations::generation::{self, DISAGREE, ELSEWHERE, WENT_BACK};
use crate::store::{Dialect, Lane, Store};
use crate::time::Time;

/// What the process knows of the generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownGeneration {
    /// The name of its data directory.
    pub instance: String,
    /// The generation.
    pub value: i64,
    /// Where it was being raised to.
    pub next: Option<i64>,
}

impl KnownGeneration {
    /// Of a data directory with this name that has served no database yet.
    pub const fn new(instance: String) -> Self {
        Self { instance, value: 0, next: None }
    }

    /// Reads what [`KnownGeneration::text`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let instance = words.next()?.to_owned();
        let value = words.next()?.parse().ok()?;
        let next = words.next().map(str::parse).transpose().ok()?;
        words.next().is_none().then_some(Self { instance, value, next })
    }

    /// One line: the name, the generation, and the next one if there is one.
    pub fn text(&self) -> String {
        match self.next {
            Some(next) => format!("{} {} {next}\n", self.instance, self.value),
            None => format!("{} {}\n", self.instance, self.value),
        }
    }

    fn agrees_with(&self, database: Option<i64>) -> bool {
        match database {
            Some(value) => value == self.value || self.next == Some(value),
            // The very first raising was cut off before it reached the database.
            None => self.value == 0,
        }
    }
}

/// Where the process keeps its half. It outlives the process, and is durable when [`Keeper::write`] returns.
pub trait Keeper: Send + Sync {
    /// What can go wrong.
    type Error: From<Error>;
    /// What is kept, if anything.
    fn read(&self) -> Result<Option<KnownGeneration>, Self::Error>;
    /// Replaces it in one step.
    fn write(&self, known: &KnownGeneration) -> Result<(), Self::Error>;
}

/// Compares both at the start of a process, holds dispatch when they disagree, and raises both. A process without a
/// generation takes the name `fresh`.
///
/// # Errors
/// Those of the keeper and of the store.
pub async fn start<K: Keeper>(store: &Store, keeper: &K, fresh: String, now: Time) -> Result<(), K::Error> {
    let known = keeper.read()?;
    let mut tx = store.read().await?;
    let (known, database, reason) = match known {
        Some(known) => {
            let database = generation::value(&mut tx, &known.instance).await?;
            let reason = if known.agrees_with(database) { None } else { Some(DISAGREE) };
            (known, database, reason)
        }
        // Another daemon joining on PostgreSQL brings a new directory; an SQLite file has only ever had one.
        None => {
            let is_elsewhere = store.dialect() == Dialect::Sqlite && generation::any(&mut tx).await?;
            (KnownGeneration::new(fresh), None, is_elsewhere.then_some(ELSEWHERE))
        }
    };
    drop(tx);
    if let Some(reason) = reason {
        hold(store, reason, now).await?;
    }
    raise(store, keeper, known, database, now).await?;
    let held = generation::held(&mut store.read().await?).await?;
    if let Some(hold) = held {
        tracing::warn!(
            reason = hold.reason,
            "dispatch is held: check what was sent, then run 'talkdrumd release-hold'"
        );
    }
    Ok(())
}

/// Compares both while the process runs, holds dispatch when they disagree, and raises them, so that a restore of a younger
/// copy is noticed too. A raise whose commit is in doubt is taken for what the database says the next time. Returns whether
/// they agreed.
///
/// # Errors
/// Those of the keeper and of the store; `NotFound` when nothing is kept.
pub async fn raise_again<K: Keeper>(store: &Store, keeper: &K, now: Time) -> Result<bool, K::Error> {
    let known = keeper.read()?.ok_or(Error::NotFound("generation"))?;
    let database = generation::value(&mut store.read().await?, &known.instance).await?;
    let agreed = known.agrees_with(database);
    if !agreed {
        hold(store, WENT_BACK, now).await?;
    }
    // The raise compares with what was read here: a database that goes back in between is noticed there.
    let agreed = raise(store, keeper, known, database, now).await? && agreed;
    if !agreed {
        tracing::error!(reason = WENT_BACK, "dispatch is held");
    }
    Ok(agreed)
}

/// Raises both from what the database said; false when it says something else by now, and dispatch is held.
async fn raise<K: Keeper>(
    store: &Store,
    keeper: &K,
    known: KnownGeneration,
    database: Option<i64>,
    now: Time,
) -> Result<bool, K::Error> {
    let value = database.unwrap_or(0);
    let next = known.value.max(known.next.unwrap_or(0)).max(value) + 1;
    keeper.write(&KnownGeneration { next: Some(next), value, ..known.clone() })?;
    let input = (known.instance.clone(), (database, known.next, next), now);
    let agrees = store
        .write(Lane::Interactive, input, |tx, (instance, step, now)| {
            Box::pin(generation::raise(tx, instance, *step, WENT_BACK, *now))
        })
        .await?;
    keeper.write(&KnownGeneration { value: next, next: None, ..known })?;
    Ok(agrees)
}

async fn hold(store: &Store, reason: &'static str, now: Time) -> Result<(), Error> {
    store
        .write(Lane::Interactive, (reason, now), |tx, (reason, now)| {
            Box::pin(generation::hold(tx, reason, *now))
        })
        .await
}
