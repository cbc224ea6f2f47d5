//! Text messages of the platform go on to another carrier of their route while theirs takes none, or where it refused them for
//! a reason of its own. What may have gone out, in whole or in part, stays where it is.
//!
//! A list of carriers is kept with each message: those that may take it over, in their order. A carrier that was left as it is
//! down or busy goes to the end of the list, so that the message may come back; one that refused leaves it.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::time::Duration;

use super::{Notices, TEXT_TRIES_MAX};
use crate::carrier::Refusal;
use crate::error::Result;
use crate::model::carrier::Hold;
use crate::model::platform::id::NoticeId;
use crate::store::carrier::state::{self, StateRow, VitalsRow};
use crate::store::platform::notice::{self as rows, GoingOn};
use crate::store::{Lane, Store, Tx};
use crate::time::Time;

/// How long a carrier takes nothing before others take over: one that connects again loses no message to them.
const PATIENCE: Duration = Duration::from_secs(10);
/// Messages of one list that go on at a look, and that may wait at a carrier which takes over.
const AT_ONCE: i64 = 500;
/// A carrier that throttles a message so often is left for another one.
const PATIENT_TRIES: i64 = 5;
/// Pause before a refused message that no other carrier has room for is tried again.
const REFUSED_PAUSE: Duration = Duration::from_secs(20);

/// Leads what waits at carriers that take nothing on to others.
#[derive(Debug)]
pub struct NoticeFailover {
    store: Store,
    /// Since when each carrier takes nothing.
    down_since: HashMap<String, Time>,
}

impl NoticeFailover {
    /// That of this queue; all carriers are thought to be up.
    pub fn new(notices: &Notices) -> Self {
        Self { store: notices.store.clone(), down_since: HashMap::new() }
    }

    /// Looks at each carrier at which text messages wait; returns how many went on.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn tick(&mut self, now: Time) -> Result<u64> {
        let mut tx = self.store.read().await?;
        let waiting = rows::carriers_waited_for(&mut tx).await?;
        let carriers = if waiting.is_empty() { Carriers::default() } else { Carriers::read(&mut tx).await? };
        drop(tx);
        let (mut down, mut moved) = (HashMap::new(), 0);
        for carrier in waiting.into_iter().filter(|name| carriers.is_down(name, now)) {
            // A clock that was set back waits no longer than it would have.
            let since = self.down_since.get(&carrier).copied().filter(|since| *since <= now).unwrap_or(now);
            if now.since(since) >= PATIENCE {
                moved += self.lead_from(&carrier, &carriers, now).await?;
            }
            down.insert(carrier, since);
        }
        self.down_since = down;
        Ok(moved)
    }

    async fn lead_from(&self, from: &str, carriers: &Carriers, now: Time) -> Result<u64> {
        let lists = rows::lists_at(&mut self.store.read().await?, from).await?;
        let mut moved = 0;
        for (spares,) in lists {
            let place = carriers.first_free(&mut self.store.read().await?, &spares, from, now).await?;
            let Some((to, limit)) = place else { continue };
            let spares_there = list(&spares, &to, from, true);
            let going = GoingOn { from: from.to_owned(), spares, to, spares_there, limit };
            let count = self
                .store
                .write(Lane::Interactive, (going.clone(), now), |tx, (going, now)| {
                    Box::pin(rows::lead_on(tx, going, *now))
                })
                .await?;
            if count > 0 {
                let to = going.to;
                tracing::warn!(
                    carrier = from,
                    to,
                    notices = count,
                    "text messages of the platform go by another carrier"
                );
            }
            moved += count;
        }
        Ok(moved)
    }
}

/// Queues a message in hand again that its carrier refused for a reason of its own, or throttled for long: for another carrier,
/// or for a later look where none has room. False where the answer stands, or the message is tried again as ever.
pub(super) async fn go_on(
    tx: &mut Tx,
    id: NoticeId,
    from: &str,
    (refusal, is_final): (&Refusal, bool),
    now: Time,
) -> Result<bool> {
    if !refusal.is_carriers {
        return Ok(false);
    }
    let Some(refused) = rows::refused(tx, id, from).await? else { return Ok(false) };
    if !is_final && refused.tries < PATIENT_TRIES {
        return Ok(false);
    }
    let error = format!("{:#x}", refusal.code);
    let carriers = Carriers::read(tx).await?;
    if let Some((to, _)) = carriers.first_free(tx, &refused.spares, from, now).await? {
        let spares = list(&refused.spares, &to, from, !is_final);
        rows::go_on(tx, id, &to, &spares, &error, now).await?;
        tracing::warn!(
            notice = id.0,
            carrier = from,
            error,
            to,
            "a text message of the platform goes by another carrier"
        );
        return Ok(true);
    }
    Ok(is_final
        && refused.tries < TEXT_TRIES_MAX
        && rows::put_back(tx, id, now + REFUSED_PAUSE, 0, &error).await?)
}

/// How the carriers fare, and what operators said of them.
#[derive(Debug, Default)]
struct Carriers {
    vitals: HashMap<String, VitalsRow>,
    said: HashMap<String, StateRow>,
}

impl Carriers {
    async fn read(tx: &mut Tx) -> Result<Self> {
        Ok(Self { vitals: state::vitals(tx).await?, said: state::all(tx).await? })
    }

    fn is_held(&self, name: &str) -> bool {
        self.said.get(name).is_some_and(|said| said.state != Hold::Open)
    }

    /// Whether a carrier takes nothing, or no daemon has it; false while an operator holds it.
    fn is_down(&self, name: &str, now: Time) -> bool {
        let fresh = self.vitals.get(name).filter(|row| row.is_fresh(now));
        // What a newer daemon wrote may be unreadable: that carrier is left alone.
        let is_up = fresh.is_some_and(|row| row.vitals.0.as_ref().is_none_or(|it| it.takes_messages()));
        !is_up && !self.is_held(name)
    }

    /// The first carrier of a list but `from` that takes texts now and has room, with that room in messages. Where there is
    /// none, the first that refused all, or provider over HTTP that failed, with room for one: whether it takes messages again, it
    /// tells no other way.
    async fn first_free(
        &self,
        tx: &mut Tx,
        spares: &str,
        from: &str,
        now: Time,
    ) -> Result<Option<(String, i64)>> {
        let mut tried_out = None;
        for name in spares.lines().filter(|name| *name != from && !self.is_held(name)) {
            let fresh = self.vitals.get(name).filter(|row| row.is_fresh(now));
            let seen = fresh.and_then(|row| row.vitals.0.as_ref());
            let Some(vitals) = seen.filter(|it| it.calls_up().is_none()) else { continue };
            let takes_messages = vitals.takes_messages();
            let room = match takes_messages {
                true => i64::from(vitals.room_for_texts()).min(AT_ONCE),
                false => i64::from(vitals.wants_a_try()),
            };
            let free = room - rows::waiting_at(tx, name, room).await?;
            if free > 0 && takes_messages {
                return Ok(Some((name.to_owned(), free)));
            }
            if free > 0 && tried_out.is_none() {
                tried_out = Some((name.to_owned(), free));
            }
        }
        Ok(tried_out)
    }
}

/// The list of a message that goes from one carrier to another, with the one that it leaves at the end, if it may come back.
fn list(spares: &str, to: &str, from: &str, may_return: bool) -> String {
    let others = spares.lines().filter(|name| *name != to && *name != from);
    others.chain(may_return.then_some(from)).collect::<Vec<_>>().join("\n")
}
