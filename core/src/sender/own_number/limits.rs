//! How many calls that verify numbers there may be, and when. They are counted in the database: it holds over restarts and
//! over all daemons.
//!
//! | whose calls | how many |
//! |---|---|
//! | of one user | one at a time, one a minute, [`PER_HOUR`], [`PER_DAY`]; [`PER_DAY_WHEN_MANY`] a day once half of all are used |
//! | of one user to one number | [`PER_DAY_TO_ONE`] a day |
//! | of all users to one number | one at a time, one a minute, [`TO_NUMBER_PER_HOUR`], [`TO_NUMBER_PER_DAY`] |
//! | of users who have only money that other users gave them | together [`GIVEN_PER_DAY`] a day |
//! | of users who never had money | none |
//! | of all users | [`AT_ONCE`] at once, [`ALL_PER_DAY`] a day |
//! | to a number where 9 was pressed in one | none for [`REFUSED_FOR`] |
//! | in the quiet hours (`[quiet_hours]`) | none |
//!
//! Unanswered calls are free, so without limits strangers could use up the calls to a number, or ring its owner at night. The
//! verified phone of the user's profile may be called at any hour. Calls to it that other users asked for do not count
//! towards its limit, but one of theirs that is under way must end first. An account that never had money gets no such call,
//! because it could not call from the number either.

use std::time::Duration;

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::sender::id::OwnCallId;
use crate::phone;
use crate::routing::quiet_hours::QuietHours;
use crate::store::Tx;
use crate::store::account::profile;
use crate::store::voice::own_number_call as rows;
use crate::store::voice::own_number_call::CallTrust;
use crate::time::Time;
use crate::voice::single_call::AT_ONCE;

/// Calls of a user in an hour.
pub const PER_HOUR: usize = 5;
/// The same in a day.
pub const PER_DAY: usize = 10;
/// The same once half of [`ALL_PER_DAY`] are used: a few accounts leave the rest to others.
pub(super) const PER_DAY_WHEN_MANY: usize = 3;
/// Calls of a user to one number in a day.
pub(super) const PER_DAY_TO_ONE: usize = 5;
/// Calls of all users to one number in an hour.
pub(super) const TO_NUMBER_PER_HOUR: usize = 10;
/// The same in a day.
pub(super) const TO_NUMBER_PER_DAY: usize = 30;
/// Calls of all users in a day.
pub const ALL_PER_DAY: u32 = 1_000;
/// Of these, calls of users who paid no money in themselves: accounts that one pays for are no more than one account.
pub(super) const GIVEN_PER_DAY: u32 = 100;
/// Between two of a user, or to a number.
const COOLDOWN: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);
/// How long a number is not called where 9 was pressed in such a call. It is no longer than a week, as strangers can have a
/// phone called whose owner wants to verify it later.
pub(super) const REFUSED_FOR: Duration = Duration::from_hours(7 * 24);
/// How long the outcome of a call can be read: it explains what was charged.
const KEPT_FOR: Duration = Duration::from_hours(30 * 24);

/// Why no call was begun.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotCalled {
    /// No money ever came into the account.
    #[error("Numbers are verified for accounts with money in them: fund your wallet first")]
    Unfunded,
    /// It is night; when it is over, and how long that takes.
    #[error(
        "No phone is called at this hour to verify it: try again after {until}. The verified phone of your profile is called \
         at any hour"
    )]
    Quiet {
        /// The end of the quiet hours, in words.
        until: String,
        /// How long until then.
        wait: Duration,
    },
    /// The user has one under way; its id.
    #[error("The call {0}, which verifies a number of yours, is under way: wait for its end")]
    UnderWay(OwnCallId),
    /// Another user's call to the number is under way.
    #[error("The number is being called already: try again in a minute")]
    NumberBusy,
    /// The user had as many as there may be; the next one may begin after this long.
    #[error(
        "You may ask for a code once a minute, {PER_HOUR} times an hour, {PER_DAY} times a day and {PER_DAY_TO_ONE} times a \
         day for one number, and {PER_DAY_WHEN_MANY} times on a day when many numbers are verified: try again in {} s",
        .0.as_secs() + 1
    )]
    TooMany(Duration),
    /// All users together had as many to the number as there may be; the next one may begin after this long.
    #[error(
        "This number is called once a minute, {TO_NUMBER_PER_HOUR} times an hour and {TO_NUMBER_PER_DAY} times a day at most, \
         by all accounts together: try again in {} s, or verify it as the phone of your profile first",
        .0.as_secs() + 1
    )]
    NumberFull(Duration),
    /// All users together have as many under way as they may.
    #[error("Too many numbers are being verified: try again in a minute")]
    Busy,
    /// All users together, or those who paid no money in, had as many in a day as they may; the next one may begin after this
    /// long.
    #[error("The calls that the platform places in a day to verify numbers are used up: try again later")]
    DayFull(Duration),
}

/// Whether the person who has a number pressed 9 in such a call lately, whichever user's it was. It is the user's own affair
/// where the phone is proven to be theirs.
pub(super) async fn is_refused(tx: &mut Tx, user: UserId, number: &str, now: Time) -> Result<bool> {
    Ok(rows::was_refused(tx, number, now - REFUSED_FOR).await? && !is_proven(tx, user, number).await?)
}

/// Who asks for a call to which number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    pub(super) user: UserId,
    pub(super) number: &'a str,
    /// When no call is placed.
    pub(super) hours: Option<&'a QuietHours>,
    pub(super) now: Time,
}

/// Whether a user may have a number called once more, and then how the user stands. Why not, where not.
pub(super) async fn check(tx: &mut Tx, asked: Asked<'_>) -> Result<Result<CallTrust, NotCalled>> {
    let Asked { user, number, hours, now } = asked;
    let trust = rows::trust(tx, user).await?.ok_or(Error::NotFound("user"))?;
    if !trust.is_funded {
        return Ok(Err(NotCalled::Unfunded));
    }
    let is_theirs = is_proven(tx, user, number).await?;
    if let Some(hours) = hours.filter(|hours| !is_theirs && hours.is_quiet(now)) {
        let wait = hours.opens_at(now).since(now);
        return Ok(Err(NotCalled::Quiet { until: hours.end_in_words(), wait }));
    }
    let refused = match under_way(tx, user, number).await? {
        Some(refused) => Some(refused),
        None => counted(tx, asked, is_theirs, trust).await?,
    };
    Ok(refused.map_or(Ok(trust), Err))
}

/// Whether a user proved before to have this phone.
async fn is_proven(tx: &mut Tx, user: UserId, number: &str) -> Result<bool> {
    let phone = profile::verified_phone(tx, user).await?.and_then(|phone| phone::parse(&phone).ok());
    Ok(phone.is_some_and(|phone| phone.to_string() == number))
}

async fn under_way(tx: &mut Tx, user: UserId, number: &str) -> Result<Option<NotCalled>> {
    let open = rows::open(tx, most(AT_ONCE)).await?;
    if let Some((id, owner, _)) = open.iter().find(|(_, owner, to)| *owner == user || to == number) {
        let is_own = *owner == user;
        return Ok(Some(if is_own { NotCalled::UnderWay(*id) } else { NotCalled::NumberBusy }));
    }
    Ok((open.len() >= AT_ONCE).then_some(NotCalled::Busy))
}

async fn counted(
    tx: &mut Tx,
    Asked { user, number, now, .. }: Asked<'_>,
    is_theirs: bool,
    trust: CallTrust,
) -> Result<Option<NotCalled>> {
    let since = now - DAY;
    let are_many = rows::nth_newest(tx, since, i64::from(ALL_PER_DAY / 2) - 1, true).await?.is_some();
    let a_day = if are_many { PER_DAY_WHEN_MANY } else { PER_DAY };
    let by = rows::began_by(tx, user, since, most(PER_DAY)).await?;
    let here: Vec<Time> = by.iter().filter(|(to, _)| to == number).map(|(_, at)| *at).collect();
    let by: Vec<Time> = by.into_iter().map(|(_, at)| at).collect();
    let own = wait(&by, &[(1, COOLDOWN), (PER_HOUR, HOUR), (a_day, DAY)], now);
    if let Some(wait) = own.max(wait(&here, &[(PER_DAY_TO_ONE, DAY)], now)) {
        return Ok(Some(NotCalled::TooMany(wait)));
    }
    if !is_theirs {
        let to = rows::began_to(tx, number, since, most(TO_NUMBER_PER_DAY)).await?;
        let limits = [(1, COOLDOWN), (TO_NUMBER_PER_HOUR, HOUR), (TO_NUMBER_PER_DAY, DAY)];
        if let Some(wait) = wait(&to, &limits, now) {
            return Ok(Some(NotCalled::NumberFull(wait)));
        }
    }
    let mut oldest = rows::nth_newest(tx, since, i64::from(ALL_PER_DAY) - 1, true).await?;
    if !trust.has_paid_in {
        oldest = oldest.max(rows::nth_newest(tx, since, i64::from(GIVEN_PER_DAY) - 1, false).await?);
    }
    Ok(oldest.and_then(|at| left(at, DAY, now)).map(NotCalled::DayFull))
}

/// How long until each of these spans holds fewer of these times, newest first, than it may.
fn wait(began: &[Time], limits: &[(usize, Duration)], now: Time) -> Option<Duration> {
    limits.iter().filter_map(|(most, span)| began.get(most - 1).and_then(|at| left(*at, *span, now))).max()
}

/// How long something that began at a time lies within a span yet.
fn left(began_at: Time, span: Duration, now: Time) -> Option<Duration> {
    span.checked_sub(now.since(began_at)).filter(|left| !left.is_zero())
}

fn most(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Forgets some calls that ended long ago, and of accounts that are erased those that count no more; how many.
///
/// # Errors
/// Errors of the database.
pub async fn purge(tx: &mut Tx, now: Time) -> Result<u64> {
    rows::purge(tx, now - KEPT_FOR, now - DAY).await
}
