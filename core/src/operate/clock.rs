//! Whether the clock can be believed. By one that is years ahead everything is past its time, and what is removed does not come
//! back.
//!
//! A clock is believed that is within a day of what it said when it was last believed, which is stored and so outlives a restart.
//! Another one is doubted, until daemons have run with it for a day in all: someone may put it right until then. By a clock that
//! is behind nothing is too old, so that it keeps nothing; it, too, is written down only after a day, and a machine that begins
//! at 1970 until it hears the time does not end the doubt of another.

use std::time::Duration;

use crate::error::Result;
use crate::store::Tx;
use crate::store::operations::trusted_clock::{self as table, TrustedClock};
use crate::time::Time;

/// How far a clock may be from what it said when it was last believed.
const OFF_MAX: Duration = Duration::from_hours(24);
/// How long daemons run with a clock that is further off before it is believed.
const BELIEVED_AFTER: Duration = Duration::from_hours(24);
/// How far a clock that is doubted may have moved on since, while no daemon ran, and still be the same.
const GAP_MAX: Duration = Duration::from_hours(24 * 31);
/// How often a clock that is believed is written down.
const NOTED_EVERY: Duration = Duration::from_mins(5);

/// What a look at the clock told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockTrust {
    /// What is past its time by this clock may go.
    Believed,
    /// It is ahead of what it said when it was last believed.
    Ahead {
        /// What it said then.
        believed_at: Time,
        /// For how long daemons have run with it since.
        doubted: Duration,
    },
}

/// Looks whether a clock that says `now` can be believed, and notes it. `ran` is how long this daemon ran, by a clock that is
/// never set, since it last looked.
///
/// # Errors
/// Errors of the database.
pub async fn look(tx: &mut Tx, now: Time, ran: Duration) -> Result<ClockTrust> {
    let stored = table::find(tx).await?;
    let (next, trust) = match stored {
        Some(stored) => judge(stored, now, ran),
        None => (believed(now), ClockTrust::Believed),
    };
    if stored != Some(next) {
        table::set(tx, next).await?;
    }
    Ok(trust)
}

const fn believed(at: Time) -> TrustedClock {
    TrustedClock { at, doubted_at: None, doubted_ms: 0 }
}

/// What is known after a look.
fn judge(stored: TrustedClock, now: Time, ran: Duration) -> (TrustedClock, ClockTrust) {
    if is_near(stored.at, now) {
        let is_noted = stored.doubted_at.is_none() && now >= stored.at && now.since(stored.at) < NOTED_EVERY;
        return (if is_noted { stored } else { believed(now) }, ClockTrust::Believed);
    }
    let is_behind = now < stored.at;
    if is_behind && stored.doubted_at.is_some_and(|at| at > stored.at) {
        return (stored, ClockTrust::Believed);
    }
    let is_same = |at: &Time| now <= *at + GAP_MAX && *at <= now + OFF_MAX;
    let doubted = match stored.doubted_at.filter(is_same) {
        // What several daemons ran at the same time counts once.
        Some(at) => Duration::from_millis(stored.doubted_ms.unsigned_abs()) + ran.min(now.since(at)),
        // Another clock than the one that was doubted.
        None => Duration::ZERO,
    };
    if doubted >= BELIEVED_AFTER {
        return (believed(now), ClockTrust::Believed);
    }
    let doubted_ms = i64::try_from(doubted.as_millis()).unwrap_or(i64::MAX);
    let trust = match is_behind {
        true => ClockTrust::Believed,
        false => ClockTrust::Ahead { believed_at: stored.at, doubted },
    };
    (TrustedClock { doubted_at: Some(now), doubted_ms, ..stored }, trust)
}

fn is_near(one: Time, other: Time) -> bool {
    one <= other + OFF_MAX && other <= one + OFF_MAX
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::store::{Lane, Store};

    const HOUR: Duration = Duration::from_hours(1);
    const YEARS: Duration = Duration::from_hours(24 * 3_650);
    const NOW: Time = Time(1_800_000_000_000);

    async fn is_believed(store: &Store, now: Time, ran: Duration) -> bool {
        let look = store.write(Lane::Background, (now, ran), |tx, (now, ran)| Box::pin(look(tx, *now, *ran)));
        look.await.unwrap() == ClockTrust::Believed
    }

    both_databases! {
        async fn a_clock_that_is_ahead_is_believed_when_it_is_put_right_or_a_day_later(store: Store) {
            assert!(is_believed(&store, NOW, Duration::ZERO).await, "there is nothing yet");
            assert!(is_believed(&store, NOW + HOUR * 23, HOUR).await);
            let wrong = NOW + YEARS;
            for hour in 0..23 {
                // A restart every second hour, after which the first look is at once.
                let ran = if hour % 2 == 0 { Duration::ZERO } else { HOUR };
                assert!(!is_believed(&store, wrong + HOUR * hour, ran).await, "{hour}");
            }
            assert!(is_believed(&store, NOW + HOUR * 40, HOUR).await, "it was put right");
            for hour in 0..24 {
                assert!(!is_believed(&store, wrong + HOUR * hour, HOUR).await, "{hour}: what was doubted before is over");
            }
            assert!(is_believed(&store, wrong + HOUR * 24, HOUR).await, "it stays with it");
            assert!(is_believed(&store, wrong + HOUR * 47, HOUR).await);
        }

        async fn a_daemon_that_is_restarted_daily_believes_its_clock_again_after_an_outage(store: Store) {
            assert!(is_believed(&store, NOW, Duration::ZERO).await);
            let later = NOW + HOUR * 24 * 30;
            let mut doubted = 0;
            // Ten hours of each day, and each look at an hour's end.
            for day in 0..4 {
                for hour in 0..11 {
                    let ran = if hour == 0 { Duration::ZERO } else { HOUR };
                    doubted += i32::from(!is_believed(&store, later + HOUR * (24 * day + hour), ran).await);
                }
            }
            assert_eq!(doubted, 11 + 11 + 4, "the fourth hour of the third day is its 24th");
        }

        async fn a_machine_that_is_on_for_some_hours_and_begins_at_1970_believes_its_clock_again(store: Store) {
            assert!(is_believed(&store, NOW, Duration::ZERO).await);
            let mut doubted = 0;
            for boot in 1..8 {
                // Three and a half days between two, and eight hours of each.
                let began = NOW + HOUR * 84 * boot;
                assert!(is_believed(&store, Time(5_000), Duration::ZERO).await, "nothing is old by it");
                for hour in 0..9 {
                    let ran = if hour == 0 { Duration::ZERO } else { HOUR };
                    doubted += i32::from(!is_believed(&store, began + HOUR * hour, ran).await);
                }
            }
            // The clock is doubted again after each gap of more than a day.
            assert_eq!(doubted, 9 + 9 + 8 + 9 + 9 + 8 + 9);
        }

        async fn several_daemons_that_doubt_a_clock_do_not_add_up_and_two_clocks_do_not_help_each_other(store: Store) {
            assert!(is_believed(&store, NOW, Duration::ZERO).await);
            let later = NOW + YEARS;
            for hour in 0..24 {
                for _ in 0..3 {
                    assert!(!is_believed(&store, later + HOUR * hour, HOUR).await, "{hour}");
                }
            }
            for hour in 24..100 {
                assert!(!is_believed(&store, later + YEARS + HOUR * hour, HOUR).await, "{hour}");
                assert!(!is_believed(&store, later + HOUR * hour, HOUR).await, "{hour}");
            }
        }

        async fn a_clock_that_is_behind_keeps_nothing_and_spoils_nothing(store: Store) {
            assert!(is_believed(&store, NOW, Duration::ZERO).await);
            for hour in 0..23 {
                assert!(is_believed(&store, NOW - YEARS + HOUR * hour, HOUR).await);
            }
            assert!(is_believed(&store, NOW + HOUR * 23, HOUR).await, "the right one is not doubted");
            for hour in 0..26 {
                assert!(is_believed(&store, NOW - YEARS + HOUR * hour, HOUR).await);
            }
            assert!(!is_believed(&store, NOW + HOUR * 48, HOUR).await, "after a day it is the one that is right");
        }
    }
}
