//! How many test calls there may be, counted in the database: they hold over restarts and over all daemons.

use std::time::Duration;

use super::NotAdmitted;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::phone::Msisdn;
use crate::store::Tx;
use crate::store::account::quota;
use crate::store::voice::test_call as rows;
use crate::time::Time;

/// Test calls that a user may have in an hour.
pub const PER_HOUR: u32 = 5;
/// Test calls of all users in a day.
pub const ALL_PER_DAY: u32 = 1_000;
const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);

/// How many test calls a user may have in 24 hours; 0 is none at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestCallLimits {
    /// Until the account is first funded.
    pub unfunded: u32,
    /// From then on, and for administrators.
    pub funded: u32,
}

/// Whether a user may have one more, to a phone that counts for itself: one that changes hands between accounts has no more
/// of them. Why not, where not.
pub(super) async fn check(
    tx: &mut Tx,
    limits: TestCallLimits,
    (user, to): (UserId, Msisdn),
    now: Time,
) -> Result<Option<NotAdmitted>> {
    let standing = quota::standings(tx, vec![user], Time(i64::MAX)).await?.pop();
    let standing = standing.ok_or(Error::NotFound("user"))?;
    let is_funded = standing.is_funded || standing.is_admin;
    let a_day = if is_funded { limits.funded } else { limits.unfunded };
    if a_day == 0 {
        let could_be_funded = !is_funded && limits.funded > 0;
        return Ok(Some(if could_be_funded { NotAdmitted::Unfunded } else { NotAdmitted::TurnedOff }));
    }
    let an_hour = PER_HOUR.min(a_day);
    let began = rows::began(tx, user, &to.to_string(), now - DAY, a_day.into()).await?;
    let waits = [(an_hour, HOUR), (a_day, DAY)].map(|(most, span)| {
        let nth = usize::try_from(most - 1).unwrap_or(usize::MAX);
        began.get(nth).and_then(|at| left(*at, span, now))
    });
    if let Some(wait) = waits.into_iter().flatten().max() {
        return Ok(Some(NotAdmitted::TooMany { an_hour, a_day, wait }));
    }
    let oldest = rows::nth_newest(tx, now - DAY, i64::from(ALL_PER_DAY) - 1).await?;
    Ok(oldest.and_then(|at| left(at, DAY, now)).map(NotAdmitted::DayFull))
}

/// How long something that began at a time lies within a span yet.
fn left(began_at: Time, span: Duration, now: Time) -> Option<Duration> {
    span.checked_sub(now.since(began_at)).filter(|left| !left.is_zero())
}

/// Counts one more, if a user may have it. Why not, where not.
pub(super) async fn count(
    tx: &mut Tx,
    limits: TestCallLimits,
    (user, to): (UserId, Msisdn),
    now: Time,
) -> Result<Option<NotAdmitted>> {
    rows::lock(tx).await?;
    let refused = check(tx, limits, (user, to), now).await?;
    if refused.is_none() {
        rows::note(tx, user, &to.to_string(), now).await?;
    }
    Ok(refused)
}

/// Forgets some test calls that do not count any more; how many.
///
/// # Errors
/// Errors of the database.
pub async fn purge(tx: &mut Tx, now: Time) -> Result<u64> {
    rows::purge(tx, now - DAY).await
}
