//! Which other carriers take what one of them failed to take.
//!
//! A trunk's `failover` names them for calls, and a chunk for texts: in that order, as far as a daemon holds them, they take
//! messages now and no operator holds them back. Each is tried once in an attempt.

use std::time::Duration;

use crate::error::Result;
use crate::store::Store;
use crate::store::carrier::{breaker, spare};
use crate::time::Time;

/// How old the last word of the daemon that holds a carrier may be.
const FRESH: Duration = Duration::from_mins(2);

/// What is led.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::worker) enum Channel {
    Calls,
    Texts,
}

/// A carrier that takes messages now.
#[derive(Clone, Debug)]
struct Spare {
    name: String,
    /// Channels that are free, or short messages that may wait there, less those that do; negative where more wait.
    free: i64,
    /// How many more may wait than there is room for.
    over: i64,
    /// It takes messages, and not only one that tries it.
    is_up: bool,
    /// The networks to which it takes no promotional messages now.
    held: Vec<String>,
}

impl Spare {
    /// Whether it has room, or no more wait there than may.
    fn has_place(&self) -> bool {
        self.free > 0 || self.free > -self.over
    }

    /// Whether its breaker holds a promotional message to this network back.
    fn holds(&self, network: Option<&str>) -> bool {
        network.is_some_and(|to| self.held.iter().any(|held| held == to))
    }
}

/// The carriers that take messages now.
#[derive(Clone, Debug, Default)]
pub(in crate::worker) struct Spares(Vec<Spare>);

impl Spares {
    /// Those of `names` that take calls, or texts, now.
    ///
    /// # Errors
    /// Those of the store.
    pub(in crate::worker) async fn look(
        store: &Store,
        names: &[String],
        channel: Channel,
        now: Time,
    ) -> Result<Self> {
        let mut spares = Vec::new();
        if names.is_empty() {
            return Ok(Self(spares));
        }
        let mut tx = store.read().await?;
        for name in names {
            let Some(row) = spare::find(&mut tx, name, now - FRESH, now).await? else { continue };
            // One that an older or newer daemon wrote is left alone.
            let Some(vitals) = row.vitals.0 else { continue };
            let is_tried_out = vitals.wants_a_try();
            if !vitals.takes_messages() && !is_tried_out {
                continue;
            }
            let (free, over) = match (channel, vitals.calls_up()) {
                // Whether it is there again is learned from a message alone.
                (Channel::Texts, None) if is_tried_out => (1 - row.waiting, 0),
                (Channel::Calls, Some(up)) => {
                    let channels = i64::from(vitals.window);
                    (channels - i64::from(up) - row.waiting, channels)
                }
                (Channel::Texts, None) => {
                    let room = i64::from(vitals.room_for_texts()).min(spare::COUNTED);
                    (room - row.waiting, room)
                }
                _ => continue,
            };
            let held = match channel {
                Channel::Calls => Vec::new(),
                Channel::Texts => breaker::held_networks(&mut tx, name).await?,
            };
            spares.push(Spare { name: name.clone(), free, over, is_up: !is_tried_out, held });
        }
        Ok(Self(spares))
    }

    /// The first of `names` for a message that those in `tried` did not take: the first with room, or the first where no more
    /// wait than may. `network` is that of a promotional message: its breaker must not be open there.
    pub(in crate::worker) fn take(
        &mut self,
        names: &[String],
        tried: &str,
        network: Option<&str>,
    ) -> Option<String> {
        let place = |fits: fn(&Spare) -> bool| {
            let is_it =
                |spare: &Spare, name: &str| spare.name == name && fits(spare) && !spare.holds(network);
            names
                .iter()
                .filter(|name| !has(tried, name))
                .find_map(|name| self.0.iter().position(|spare| is_it(spare, name)))
        };
        let place = place(|spare| spare.free > 0).or_else(|| place(Spare::has_place))?;
        let spare = self.0.get_mut(place)?;
        spare.free -= 1;
        Some(spare.name.clone())
    }

    /// Whether one of `names` takes such a message once it has room.
    pub(in crate::worker) fn would_take(&self, names: &[String], tried: &str, network: Option<&str>) -> bool {
        let is_it = |spare: &&Spare| names.contains(&spare.name) && !has(tried, &spare.name);
        self.0.iter().filter(is_it).any(|spare| spare.is_up && !spare.holds(network))
    }

    /// Whether one of `names` is among them, and no more wait there than may.
    pub(in crate::worker) fn have_any_of<'n>(&self, mut names: impl Iterator<Item = &'n str>) -> bool {
        names.any(|name| self.0.iter().any(|spare| spare.name == name && spare.has_place()))
    }

    /// Whether one of them takes promotional messages to a network now.
    pub(in crate::worker) fn take_to(&self, network: &str) -> bool {
        self.0.iter().any(|spare| !spare.holds(Some(network)))
    }

    /// For how many messages they have room.
    pub(in crate::worker) fn room(&self) -> u32 {
        let free: i64 = self.0.iter().map(|spare| spare.free.max(0)).sum();
        u32::try_from(free).unwrap_or(u32::MAX)
    }

    /// Whether one of them takes messages, and not only one to try it.
    pub(in crate::worker) fn are_up(&self) -> bool {
        self.0.iter().any(|spare| spare.is_up)
    }
}

/// Whether a carrier is among those that were tried.
pub(in crate::worker) fn has(tried: &str, name: &str) -> bool {
    tried.lines().any(|one| one == name)
}

/// The tried carriers and this one, each once.
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
    use crate::carrier::vitals::Vitals;
    use crate::carrier::voice::{CallOutcome, CallResult, EndedBy};
    use crate::model::account::user::Role;
    use crate::model::carrier::Hold;
    use crate::model::platform::id::RunId;
    use crate::store::Lane;
    use crate::store::carrier::state;
    use crate::store::operations::daemon;
    use crate::testing::account::make_user;
    use crate::testing::trunk::ended;

    #[test]
    fn each_trunk_is_tried_once_and_one_with_a_free_channel_first() {
        let spare =
            |name: &str, free, over| Spare { name: name.into(), free, over, is_up: true, held: Vec::new() };
        let names = ["a", "b", "c", "d"].map(str::to_owned);
        let mut spares = Spares(vec![spare("b", 0, 1), spare("c", 1, 1), spare("d", -1, 1)]);
        assert_eq!(spares.room(), 1);
        let mut tried = and("", "a");
        for next in [Some("c"), Some("b"), None] {
            assert_eq!(spares.take(&names, &tried, None).as_deref(), next, "after {tried}");
            tried = and(&tried, next.unwrap_or_default());
        }
        assert_eq!(spares.take(&names, "", None).as_deref(), Some("c"), "as many wait as there are channels");
        assert!(spares.take(&names, "", None).is_none());
        assert!(has("a\nb", "b") && !has("ab", "b"));
        assert_eq!(and(&and("a", "b"), "a"), "a\nb");
    }

    #[test]
    fn a_promotional_message_goes_to_none_whose_breaker_holds_its_network() {
        let spare = |name: &str, held: &[&str]| {
            let held = held.iter().map(|network| (*network).to_owned()).collect();
            Spare { name: name.into(), free: 9, over: 0, is_up: true, held }
        };
        let names = ["a", "b", "c"].map(str::to_owned);
        let mut spares = Spares(vec![spare("b", &["mtn", "glo"]), spare("c", &[])]);
        for (network, takes) in [(Some("mtn"), "c"), (Some("airtel"), "b"), (None, "b")] {
            assert_eq!(spares.take(&names, "a", network).as_deref(), Some(takes), "{network:?}");
        }
        assert_eq!(spares.take(&names, "a\nc", Some("glo")), None);
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
            let note = async |owner: RunId, name: &str, health: Health, at: Time| {
                let vitals = Vitals { window: 3, ..Vitals::of_test_trunk(health) };
                let seen = vec![(name.to_owned(), vitals)];
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
            let spares = Spares::look(&store, &names, Channel::Calls, now).await.unwrap();
            let found: Vec<(&str, i64)> = spares.0.iter().map(|it| (it.name.as_str(), it.free)).collect();
            assert_eq!(found, [("up", 3)]);
        }
    }
}
