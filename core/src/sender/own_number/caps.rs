//! How many calls that verify numbers there may be, counted in the database: they hold over restarts and over all daemons.

use std::time::Duration;

use crate::error::Result;
use crate::store::Tx;
use crate::store::voice::own_number_call as rows;
use crate::time::Time;
use crate::voice::single_call::AT_ONCE;

/// Calls of a user, and to a number, in an hour.
pub const PER_HOUR: usize = 5;
/// The same in a day.
pub const PER_DAY: usize = 10;
/// Calls of all users in a day.
pub const ALL_PER_DAY: u32 = 1_000;
/// Between two of a user, or to a number.
const COOLDOWN: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);
/// How long it is told how a call went: it explains what was charged.
const KEPT_FOR: Duration = Duration::from_hours(30 * 24);

/// Why no call was begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotCalled {
    /// The user has one under way; its id.
    #[error("The call {0}, which verifies a number of yours, is under way: wait for its end")]
    UnderWay(i64),
    /// Another user's call to the number is under way.
    #[error("The number is being called already: try again in a minute")]
    NumberBusy,
    /// The user, or the number, had as many as there may be; the next one may begin after this long.
    #[error(
        "You may ask for a code once a minute, {PER_HOUR} times an hour and {PER_DAY} times a day, and so often for one \
         number: try again in {} s", .0.as_secs() + 1
    )]
    TooMany(Duration),
    /// All users together have as many under way as they may.
    #[error("Too many numbers are being verified: try again in a minute")]
    Busy,
    /// All users together had as many in a day as they may; the next one may begin after this long.
    #[error(
        "The {ALL_PER_DAY} calls that the platform places in a day to verify numbers are used up: try again later"
    )]
    DayFull(Duration),
}

/// Whether a user may have a number called once more. Why not, where not.
pub(super) async fn check(tx: &mut Tx, user: i64, number: &str, now: Time) -> Result<Option<NotCalled>> {
    let open = rows::open(tx, i64::try_from(AT_ONCE).unwrap_or(i64::MAX)).await?;
    if let Some((id, owner, _)) = open.iter().find(|(_, owner, to)| *owner == user || to == number) {
        let is_own = *owner == user;
        return Ok(Some(if is_own { NotCalled::UnderWay(*id) } else { NotCalled::NumberBusy }));
    }
    if open.len() >= AT_ONCE {
        return Ok(Some(NotCalled::Busy));
    }
    let most = i64::try_from(PER_DAY).unwrap_or(i64::MAX);
    let began = rows::began(tx, user, number, now - DAY, most).await?;
    let waits = [(1, COOLDOWN), (PER_HOUR, HOUR), (PER_DAY, DAY)]
        .map(|(most, span)| began.get(most - 1).and_then(|at| left(*at, span, now)));
    if let Some(wait) = waits.into_iter().flatten().max() {
        return Ok(Some(NotCalled::TooMany(wait)));
    }
    let oldest = rows::nth_newest(tx, now - DAY, i64::from(ALL_PER_DAY) - 1).await?;
    Ok(oldest.and_then(|at| left(at, DAY, now)).map(NotCalled::DayFull))
}

/// How long something that began at a time lies within a span yet.
fn left(began_at: Time, span: Duration, now: Time) -> Option<Duration> {
    span.checked_sub(now.since(began_at)).filter(|left| !left.is_zero())
}

/// Forgets some calls that ended long ago; how many.
///
/// # Errors
/// Errors of the database.
pub async fn purge(tx: &mut Tx, now: Time) -> Result<u64> {
    rows::purge(tx, now - KEPT_FOR).await
}
