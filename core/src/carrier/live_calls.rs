//! The calls of one carrier that are under way: counted as they begin and end, and hung up together.
//!
//! Counts are kept in slots of ten seconds over the last five minutes, so they take the same room however many calls
//! there are.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use talkdrum_sip::Outcome as CallOutcome;
use tokio_util::sync::CancellationToken;

const SLOT_S: u64 = 10;
/// Slots that are kept: five minutes of them.
const SLOTS: u64 = 30;
/// Slots that the rate is taken of: a minute of them.
const RATE_SLOTS: u64 = 6;
/// Calls that were claimed when all were hung up, and begin a moment later, are hung up with them.
const STRAGGLE: Duration = Duration::from_secs(2);

/// How many calls began and ended lately.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallFigures {
    /// Calls that began in the last minute.
    pub begun: u32,
    /// Calls that ended in the last five minutes, in the order of [`CallOutcome::ALL`].
    pub ended: [u32; CallOutcome::ALL.len()],
    /// Packets of audio that were sent in these.
    #[serde(default)]
    pub packets: u64,
    /// Of them, those that were sent over 20 ms after their time.
    #[serde(default)]
    pub packets_late: u64,
}

/// A handle on the calls of a carrier.
#[derive(Clone, Debug)]
pub struct LiveCalls(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    since: Instant,
    slots: Mutex<[Slot; SLOTS as usize]>,
    hang_up: Mutex<HangUp>,
}

/// What began and ended in ten seconds.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// Which ten seconds, from the start of the handle on.
    number: u64,
    figures: CallFigures,
}

#[derive(Debug, Default)]
struct HangUp {
    /// Cancelled for the calls that began before.
    all: CancellationToken,
    /// Until when those that begin are hung up at once.
    until: Option<Instant>,
}

impl Default for LiveCalls {
    fn default() -> Self {
        Self(Arc::new(Shared { since: Instant::now(), slots: Mutex::default(), hang_up: Mutex::default() }))
    }
}

impl LiveCalls {
    /// Hangs up each call that is under way, and those that begin in the next two seconds.
    pub fn hang_up_all(&self) {
        let mut hang_up = self.0.hang_up.lock().unwrap_or_else(PoisonError::into_inner);
        hang_up.until = Some(Instant::now() + STRAGGLE);
        std::mem::take(&mut hang_up.all).cancel();
    }

    /// What happened lately.
    pub fn figures(&self) -> CallFigures {
        self.figures_at(Instant::now())
    }

    /// Counts a call that begins; the token is cancelled when it is hung up.
    pub(super) fn begin(&self) -> CancellationToken {
        self.count(Instant::now(), |figures| figures.begun += 1);
        let hang_up = self.0.hang_up.lock().unwrap_or_else(PoisonError::into_inner);
        let token = hang_up.all.child_token();
        if hang_up.until.is_some_and(|until| Instant::now() < until) {
            token.cancel();
        }
        token
    }

    /// Counts a call that ended so.
    pub(super) fn end(&self, outcome: CallOutcome) {
        self.count(Instant::now(), |figures| figures.ended[outcome as usize] += 1);
    }

    /// Counts the audio of a call that ended.
    pub(super) fn count_packets(&self, sent: u64, late: u64) {
        self.count(Instant::now(), |figures| {
            figures.packets += sent;
            figures.packets_late += late;
        });
    }

    /// Takes back a call that was not placed after all.
    pub(super) fn take_back(&self) {
        self.count(Instant::now(), |figures| figures.begun = figures.begun.saturating_sub(1));
    }

    fn number(&self, now: Instant) -> u64 {
        now.saturating_duration_since(self.0.since).as_secs() / SLOT_S
    }

    fn count(&self, now: Instant, count: impl FnOnce(&mut CallFigures)) {
        let number = self.number(now);
        let mut slots = self.0.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = &mut slots[(number % SLOTS) as usize];
        if slot.number != number {
            *slot = Slot { number, ..Slot::default() };
        }
        count(&mut slot.figures);
    }

    fn figures_at(&self, now: Instant) -> CallFigures {
        let number = self.number(now);
        let slots = self.0.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let mut sum = CallFigures::default();
        for slot in slots.iter().filter(|slot| slot.number + SLOTS > number) {
            if slot.number + RATE_SLOTS > number {
                sum.begun += slot.figures.begun;
            }
            sum.packets += slot.figures.packets;
            sum.packets_late += slot.figures.packets_late;
            for (sum, ended) in sum.ended.iter_mut().zip(slot.figures.ended) {
                *sum += ended;
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_began_and_ended_is_counted_and_forgotten_after_five_minutes() {
        let calls = LiveCalls::default();
        let at = |seconds| calls.0.since + Duration::from_secs(seconds);
        for seconds in [0, 5, 65, 70] {
            calls.count(at(seconds), |figures| figures.begun += 1);
            calls.count(at(seconds), |figures| figures.ended[CallOutcome::Busy as usize] += 1);
        }
        let busy = |seconds| calls.figures_at(at(seconds)).ended[CallOutcome::Busy as usize];
        assert_eq!((calls.figures_at(at(71)).begun, busy(71)), (2, 4));
        assert_eq!((calls.figures_at(at(300)).begun, busy(299), busy(300), busy(370)), (0, 4, 2, 0));
    }

    #[test]
    fn outcomes_are_counted_in_their_order() {
        for (place, outcome) in CallOutcome::ALL.into_iter().enumerate() {
            assert_eq!(outcome as usize, place);
        }
    }

    #[test]
    fn all_calls_are_hung_up_and_later_ones_are_not() {
        let calls = LiveCalls::default();
        let before = [calls.begin(), calls.begin()];
        calls.hang_up_all();
        let straggler = calls.begin();
        assert!(before.iter().chain([&straggler]).all(CancellationToken::is_cancelled));
        calls.0.hang_up.lock().unwrap().until = Some(Instant::now());
        assert!(!calls.begin().is_cancelled());
    }
}
