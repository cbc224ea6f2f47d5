//! Which other trunks take a call that its own trunk failed to place.
//!
//! They are those that the trunk's `failover` names, in that order, as far as a daemon holds them, they take calls and no
//! operator holds them back. Each is tried once in an attempt.

use std::time::Duration;

use crate::carrier::vitals::Vitals;
use crate::error::Result;
use crate::model::carrier::CarrierHealth;
use crate::store::Store;
use crate::store::carrier::spare;
use crate::time::Time;

/// How old the last word of the daemon that holds a trunk may be.
const FRESH: Duration = Duration::from_mins(2);

/// A trunk that takes calls now.
#[derive(Clone, Debug)]
struct Spare {
    name: String,
    /// Channels that are free, less the calls that wait there; negative where more wait.
    free: i64,
    channels: i64,
}

/// The trunks that take calls now, in the order in which they are tried.
#[derive(Clone, Debug, Default)]
pub(in crate::worker) struct Spares(Vec<Spare>);

impl Spares {
    /// Those of `names` that take calls now.
    ///
    /// # Errors
    /// Those of the store.
    pub(in crate::worker) async fn look(store: &Store, names: &[String], now: Time) -> Result<Self> {
        let mut spares = Vec::new();
        if names.is_empty() {
            return Ok(Self(spares));
        }
        let mut tx = store.read().await?;
        for name in names {
            let Some(row) = spare::find(&mut tx, name, now - FRESH, now).await? else { continue };
            // One that an older or newer daemon wrote is left alone.
            let Ok(vitals) = serde_json::from_str::<Vitals>(&row.vitals) else { continue };
            if let Some(up) = vitals.calls_up().filter(|_| vitals.health == CarrierHealth::Up) {
                let channels = i64::from(vitals.window);
                let free = channels - i64::from(up) - row.waiting;
                spares.push(Spare { name: name.clone(), free, channels });
            }
        }
        Ok(Self(spares))
    }

    /// The trunk for a call that those in `tried` did not place: the first with a free channel, or the first where it waits
    /// for no more calls than there are channels.
    pub(in crate::worker) fn take(&mut self, tried: &str) -> Option<String> {
        let is_new = |spare: &Spare| !has(tried, &spare.name);
        let free = self.0.iter().position(|spare| is_new(spare) && spare.free > 0);
        let short = || self.0.iter().position(|spare| is_new(spare) && spare.free > -spare.channels);
        let spare = free.or_else(short).and_then(|place| self.0.get_mut(place))?;
        spare.free -= 1;
        Some(spare.name.clone())
    }

    /// How many channels they have to spare.
    pub(in crate::worker) fn room(&self) -> u32 {
        let free: i64 = self.0.iter().map(|spare| spare.free.max(0)).sum();
        u32::try_from(free).unwrap_or(u32::MAX)
    }
}

/// Whether a trunk is among those that were tried.
pub(in crate::worker) fn has(tried: &str, name: &str) -> bool {
    tried.lines().any(|one| one == name)
}

/// The tried trunks and this one, each once.
pub(in crate::worker) fn and(tried: &str, name: &str) -> String {
    match tried {
        "" => name.to_owned(),
        _ if has(tried, name) => tried.to_owned(),
        _ => format!("{tried}\n{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::carrier::Health;
    use crate::carrier::voice::{CallOutcome, CallResult, EndedBy};
    use crate::model::carrier::Hold;
    use crate::model::user::Role;
    use crate::store::Lane;
    use crate::store::carrier::state;
    use crate::store::operations::daemon;
    use crate::testing::account::make_user;
    use crate::testing::trunk::ended;

    #[test]
    fn each_trunk_is_tried_once_and_one_with_a_free_channel_first() {
        let spare = |name: &str, free, channels| Spare { name: name.into(), free, channels };
        let mut spares = Spares(vec![spare("b", 0, 1), spare("c", 1, 1), spare("d", -1, 1)]);
        assert_eq!(spares.room(), 1);
        let mut tried = and("", "a");
        for next in [Some("c"), Some("b"), None] {
            assert_eq!(spares.take(&tried).as_deref(), next, "after {tried}");
            tried = and(&tried, next.unwrap_or_default());
        }
        assert_eq!(spares.take("").as_deref(), Some("c"), "as many wait as there are channels");
        assert!(spares.take("").is_none());
        assert!(has("a\nb", "b") && !has("ab", "b"));
        assert_eq!(and(&and("a", "b"), "a"), "a\nb");
    }

    #[test]
    fn a_call_that_rang_or_was_picked_up_is_no_fault_of_the_trunk() {
        let failed = ended(CallOutcome::TrunkError);
        assert!(failed.is_trunks_fault());
        assert!(!ended(CallOutcome::Busy).is_trunks_fault());
        assert!(!CallResult { ended_by: EndedBy::Callee, ..failed.clone() }.is_trunks_fault());
        assert!(!CallResult { ringing_at: Some(Time(1)), ..failed.clone() }.is_trunks_fault());
        assert!(!CallResult { answered_at: Some(Time(1)), ..failed }.is_trunks_fault());
    }

    both_databases! {
        async fn only_trunks_that_take_calls_now_take_over(store: Store) {
            let now = Time(10_000_000);
            let admin = make_user(&store, "root", Role::Admin).await;
            let note = async |owner: i64, name: &str, health: Health, at: Time| {
                let vitals = Vitals { window: 3, ..Vitals::of_test_trunk(health) };
                let seen = vec![(name.to_owned(), serde_json::to_string(&vitals).unwrap())];
                store
                    .write(Lane::Interactive, (owner, at, seen), |tx, (owner, at, seen)| {
                        Box::pin(state::note_vitals(tx, *owner, *at, seen))
                    })
                    .await
                    .unwrap();
            };
            let begin = async || {
                store.write(Lane::Interactive, now, |tx, now| Box::pin(daemon::start(tx, *now))).await.unwrap()
            };
            let (one, other) = (begin().await, begin().await);
            note(one, "up", Health::Up, now).await;
            note(one, "held", Health::Up, now).await;
            note(one, "down", Health::Connecting { reason: "gone".into() }, now).await;
            note(one, "silent", Health::Up, now - FRESH - Duration::from_secs(1)).await;
            note(other, "dead", Health::Up, now).await;
            store
                .write(Lane::Interactive, (admin, other, now), |tx, (admin, other, now)| {
                    Box::pin(async move {
                        state::set(tx, "held", Hold::Paused, None, *admin, *now).await?;
                        daemon::stop(tx, *other, *now).await
                    })
                })
                .await
                .unwrap();
            let names = ["down", "held", "silent", "dead", "none", "up"].map(str::to_owned);
            let spares = Spares::look(&store, &names, now).await.unwrap();
            let found: Vec<(&str, i64)> = spares.0.iter().map(|it| (it.name.as_str(), it.free)).collect();
            assert_eq!(found, [("up", 3)]);
        }
    }
}
