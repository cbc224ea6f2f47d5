//! What a dispatcher does while its trunk takes no calls: what is due goes to another trunk, as far as that has channels to
//! spare.
//!
//! A call that is led there stays a message of its chunk; the other trunk's run has it in flight as a lent one
//! (`store/chunk/retry.rs`). One that waits there for too long, as that trunk is down or held by now, comes back.

use std::time::Duration;

use super::{DispatchStep, Dispatcher};
use crate::carrier::{CallPolicy, Health, Submission};
use crate::error::Result;
use crate::store::Lane;
use crate::store::chunk::retry::{self, Retry};
use crate::time::Time;
use crate::worker::dispatch::open_chunks::Earlier;
use crate::worker::failover::{self, Spares};

/// The reason of a call that its trunk did not try.
const TRUNK_DOWN: &str = "call:trunk_down";
/// How long a call may wait at another trunk.
const WAITS: Duration = Duration::from_mins(1);
/// How often those are looked for.
const RECALL_LOOK: Duration = Duration::from_secs(10);
/// Calls that come back at once.
const RECALLED: i64 = 500;
/// Pause before a call that no other trunk may place is looked at again.
const NOWHERE_PAUSE: Duration = Duration::from_mins(1);

impl Dispatcher {
    /// While the carrier takes nothing: gives up what expired, and leads calls to another trunk where there is one.
    pub async fn stand_aside(&mut self) -> Result<DispatchStep> {
        self.expire_late().await?;
        let Some(policy) = self.failover() else { return Ok(DispatchStep::Worked) };
        if self.carrier.health() == Health::Up {
            // Its channels are taken, no more.
            return Ok(DispatchStep::Worked);
        }
        let now = self.clock.now();
        let spares = Spares::look(&self.store, &policy.failover, now).await?;
        let room = spares.room();
        if room == 0 {
            return Ok(DispatchStep::Worked);
        }
        self.detour = Some(spares);
        let step = self.step(room).await;
        self.detour = None;
        step
    }

    /// Whether what its trunk cannot place goes to others.
    pub fn has_failover(&self) -> bool {
        self.failover().is_some()
    }

    fn failover(&self) -> Option<CallPolicy> {
        self.carrier.capabilities().calls.clone().filter(|policy| !policy.failover.is_empty())
    }

    /// Takes calls back that wait at other trunks for too long.
    pub(super) async fn recall(&mut self, now: Time) -> Result<()> {
        let is_due = now.since(self.recalled_at) >= RECALL_LOOK || now < self.recalled_at;
        // A carrier whose `failover` was removed is recalled too: messages that were rerouted before still wait.
        if !is_due || self.carrier.capabilities().calls.is_none() {
            return Ok(());
        }
        self.recalled_at = now;
        let input = (self.carrier.name().to_owned(), now);
        let back = self
            .writes
            .write(Lane::Background, input, |tx, (home, now)| {
                Box::pin(retry::recall(tx, home, *now - WAITS, *now, RECALLED))
            })
            .await?;
        if back > 0 {
            tracing::warn!(
                carrier = self.carrier.name(),
                calls = back,
                "other trunks left calls waiting: they come back"
            );
        }
        Ok(())
    }

    /// Queues claimed calls for the trunks that take them.
    pub(super) fn divert(&mut self, batch: Vec<Submission>, spares: &mut Spares, now: Time) {
        let me = self.carrier.name().to_owned();
        let caller = self.carrier.capabilities().calls.as_ref().and_then(|policy| policy.caller);
        for submission in batch {
            let message = submission.message;
            let Some(open) = self.book.get(message.chunk()) else { continue };
            let Earlier { tries, parts_done, attempts, tried, caller: first } = open.again(message);
            let is_lent = open.carrier != me;
            let (carrier, due_at, tried) = if is_lent {
                (open.carrier.clone(), now, failover::and(&tried, &me))
            } else if let Some(to) = spares.take(&tried) {
                (to, now, failover::and(&tried, &me))
            } else {
                // All have failed, or left this waiting: after the pause they are led to anew, if its own is down still.
                (me.clone(), now + NOWHERE_PAUSE, me.clone())
            };
            self.owed.retries.push(Retry {
                message_id: message,
                tries,
                parts_done: parts_done.into(),
                attempts,
                due_at,
                reason: TRUNK_DOWN.to_owned(),
                is_led: carrier != me,
                carrier,
                tried,
                caller: first.or(caller).and_then(|caller| i64::try_from(caller.digits()).ok()),
            });
        }
    }
}
