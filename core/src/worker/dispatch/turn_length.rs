//! How long a turn is: as many messages as the carrier takes in about a second, whatever rate is configured.
//!
//! Most carriers have no rate in the configuration, and many are slower than the one they have. Invariant: a turn whose
//! time is up claims nothing more, and ends when its claimed messages are submitted.

use std::time::Duration;

use crate::time::Time;

/// The intended duration of a turn.
const ABOUT: Duration = Duration::from_secs(1);
/// The duration after which a turn is cut short.
const MOST: Duration = Duration::from_secs(2);
/// The fewest messages in a turn: a turn costs a few statements.
const LEAST: i64 = 10;

/// The length of turns, adapted to the carrier.
#[derive(Debug)]
pub(super) struct TurnLength {
    /// The most messages in a turn.
    longest: i64,
    /// The messages of the next turn.
    turn: i64,
    /// The messages of the current turn.
    given: i64,
    began: Time,
}

impl TurnLength {
    /// Turns of at most this many messages.
    pub(super) const fn new(longest: i64) -> Self {
        Self { longest, turn: longest, given: longest, began: Time(0) }
    }

    /// The messages of a turn.
    pub(super) const fn turn(&self) -> i64 {
        self.turn
    }

    /// A turn begins; the messages it may send.
    pub(super) const fn begin(&mut self, now: Time) -> i64 {
        (self.began, self.given) = (now, self.turn);
        self.turn
    }

    /// What is left of a turn that has `left` messages and has claimed `claimed` of them: only the claimed ones when
    /// its time is up.
    pub(super) fn left(&mut self, left: i64, claimed: i64, now: Time) -> i64 {
        if now.since(self.began) < MOST || left <= claimed {
            return left;
        }
        self.given -= left - claimed;
        claimed
    }

    /// A turn ended, all of it sent.
    pub(super) fn end(&mut self, now: Time) {
        let took = now.since(self.began);
        if took >= MOST {
            let took = i64::try_from(took.as_millis()).unwrap_or(i64::MAX);
            let in_time = self.given.saturating_mul(1_000) / took;
            self.turn = in_time.clamp(LEAST.min(self.longest), self.longest);
        } else if took < ABOUT {
            self.turn = self.turn.saturating_mul(2).min(self.longest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Time = Time(1_700_000_000_000);

    #[test]
    fn a_turn_becomes_what_the_carrier_takes_in_a_second_and_grows_again() {
        let mut turns = TurnLength::new(4_096);
        assert_eq!(turns.begin(START), 4_096);
        assert_eq!(turns.left(4_000, 100, START + Duration::from_millis(1_999)), 4_000);
        // 96 are sent and 104 claimed when its time is up; they take eight seconds more.
        assert_eq!(turns.left(4_000, 104, START + MOST), 104);
        turns.end(START + Duration::from_secs(10));
        assert_eq!(turns.turn(), 20);
        turns.begin(START);
        turns.end(START + Duration::from_millis(1_500));
        assert_eq!(turns.turn(), 20, "about right");
        for _ in 0..3 {
            turns.begin(START);
            turns.end(START + Duration::from_millis(900));
        }
        assert_eq!(turns.turn(), 160);
        for _ in 0..9 {
            turns.end(START);
        }
        assert_eq!(turns.turn(), 4_096);
    }

    #[test]
    fn a_turn_is_never_nothing() {
        let mut turns = TurnLength::new(4);
        turns.begin(START);
        assert_eq!(turns.left(4, 0, START + Duration::from_hours(1)), 0);
        turns.end(START + Duration::from_hours(1));
        assert_eq!(turns.turn(), 4);
        let mut turns = TurnLength::new(300);
        turns.begin(START);
        turns.end(START + Duration::from_hours(1));
        assert_eq!(turns.turn(), LEAST);
    }
}
