//! Rows of limits on one account, what was spent under them, and campaigns in review.
//!
//! What is spent under a limit is added before it is compared, in the transaction that spends it.

use talkdrum_api::money::{Amount, Currency};

use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::campaign::id::CampaignId;
use crate::model::campaign::pause::ReviewCause;
use crate::store::operations::purge::bounded;
use crate::store::{Column, Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// What an administrator decided about a user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct UserLimitsRow {
    /// Of a day; 0 is no limit, `None` the default.
    #[sqlx(rename = "cap_espees_micros")]
    pub daily_espees: Option<Amount>,
    /// The same for Naira.
    #[sqlx(rename = "cap_naira_micros")]
    pub daily_naira: Option<Amount>,
    /// Since when large sends go out unseen.
    pub proven_at: Option<Time>,
}

/// What was decided about a user; nothing, when nothing was.
pub async fn find(tx: &mut Tx, user: UserId) -> Result<UserLimitsRow> {
    let row = tx
        .opt(
            "SELECT cap_espees_micros, cap_naira_micros, proven_at FROM guards WHERE user_id = $1",
            args![user],
        )
        .await?;
    Ok(row.unwrap_or_default())
}

/// Stores what was decided about a user.
pub async fn set(tx: &mut Tx, user: UserId, user_limits: UserLimitsRow, by: UserId) -> Result<()> {
    tx.run_exactly(
        1,
        "INSERT INTO guards (user_id, cap_espees_micros, cap_naira_micros, proven_at, proven_by) \
         VALUES ($1, $2, $3, $4, CASE WHEN $4 IS NULL THEN NULL ELSE $5 END) \
         ON CONFLICT (user_id) DO UPDATE SET cap_espees_micros = excluded.cap_espees_micros, \
           cap_naira_micros = excluded.cap_naira_micros, proven_at = excluded.proven_at, \
           proven_by = CASE WHEN excluded.proven_at IS NULL THEN NULL \
             WHEN guards.proven_at = excluded.proven_at THEN guards.proven_by ELSE excluded.proven_by END",
        args![user, user_limits.daily_espees, user_limits.daily_naira, user_limits.proven_at, by],
    )
    .await
}

/// Adds recipients to those of a user who is not proven; returns the sum.
pub async fn count_unproven(tx: &mut Tx, user: UserId, recipients: i64) -> Result<i64> {
    let (sum,): (i64,) = tx
        .one(
            "INSERT INTO guards (user_id, unproven_recipients) VALUES ($1, $2) ON CONFLICT (user_id) DO UPDATE \
             SET unproven_recipients = guards.unproven_recipients + excluded.unproven_recipients \
             RETURNING unproven_recipients",
            args![user, recipients],
        )
        .await?;
    Ok(sum)
}

/// The recipients of a user who is not proven, so far.
pub async fn unproven(tx: &mut Tx, user: UserId) -> Result<i64> {
    let row: Option<(i64,)> =
        tx.opt("SELECT unproven_recipients FROM guards WHERE user_id = $1", args![user]).await?;
    Ok(row.map_or(0, |(count,)| count))
}

/// How many campaigns are in review for this reason; counted in the index of those that are paused.
pub async fn count_in_review(tx: &mut Tx, held: ReviewCause) -> Result<i64> {
    let sql = "SELECT COUNT(*) FROM campaigns WHERE status = 'paused' AND held = $1";
    let (count,): (i64,) = tx.one(sql, args![held]).await?;
    Ok(count)
}

/// What a user is about to spend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spending {
    /// The user.
    pub user: UserId,
    /// In what.
    pub currency: Currency,
    /// The day, `YYYY-MM-DD`; see [`day_of`].
    pub day: String,
    /// How much.
    pub amount: Amount,
}

/// Adds what is spent, at most one row a user, currency and day; returns user, currency and what the day has then.
pub async fn spend(tx: &mut Tx, rows: &[Spending]) -> Result<Vec<(UserId, Currency, Amount)>> {
    let columns = vec![
        Column::of(rows.iter().map(|row| row.user)),
        Column::of(rows.iter().map(|row| row.currency)),
        Column::of(rows.iter().map(|row| &row.day)),
        Column::of(rows.iter().map(|row| row.amount)),
    ];
    tx.all(SPEND, args![columns]).await
}

const SPEND: Sql = sql!(
    "INSERT INTO spending (user_id, currency, day, spent_micros) SELECT j.u, j.c, j.d, j.m \
     FROM UNNEST($1::BIGINT[], $2::TEXT[], $3::TEXT[], $4::BIGINT[]) AS j (u, c, d, m) WHERE true ORDER BY j.u, j.c \
     ON CONFLICT (user_id, currency, day) DO UPDATE SET spent_micros = spending.spent_micros + excluded.spent_micros \
     RETURNING user_id, currency, spent_micros"
);

/// Takes what was given back out of what the day has. A day that was forgotten stays so.
pub async fn give_back(tx: &mut Tx, given: &Spending) -> Result<()> {
    tx.run(
        "UPDATE spending SET spent_micros = CASE WHEN spent_micros > $4 THEN spent_micros - $4 ELSE 0 END \
         WHERE user_id = $1 AND currency = $2 AND day = $3",
        args![given.user, given.currency, given.day.as_str(), given.amount],
    )
    .await?;
    Ok(())
}

/// What a user confirmed on a day, by currency. Counted only while there is a limit.
pub async fn spent(tx: &mut Tx, user: UserId, day: &str) -> Result<Vec<(Currency, Amount)>> {
    tx.all("SELECT currency, spent_micros FROM spending WHERE user_id = $1 AND day = $2", args![user, day])
        .await
}

/// Forgets a bounded number of sums spent before a day; returns how many.
pub async fn purge(tx: &mut Tx, before: &str) -> Result<u64> {
    tx.run(bounded!("spending", "user_id, currency, day", "day < $1"), args![before]).await
}

/// Has campaigns that were just made wait for an administrator: why, in a word and for people.
pub async fn pause_for_review(
    tx: &mut Tx,
    campaigns: Vec<CampaignId>,
    held: ReviewCause,
    reason: &str,
) -> Result<()> {
    let count = campaigns.len() as u64;
    let sql = sql!(
        "UPDATE campaigns SET paused_from = status, status = 'paused', status_reason = $1, held = $2 \
         WHERE id = ANY($3::BIGINT[])"
    );
    tx.run_exactly(count, sql, args![reason, held, vec![Column::of(campaigns)]]).await
}

/// Notes why only an administrator may resume a paused campaign; `None` when its owner may.
pub async fn set_review(tx: &mut Tx, campaign: CampaignId, held: Option<ReviewCause>) -> Result<()> {
    tx.run_exactly(1, "UPDATE campaigns SET held = $2 WHERE id = $1", args![campaign, held]).await
}

/// Where administrators who are active can be written to, the first ten.
pub async fn administrators(tx: &mut Tx) -> Result<Vec<(String,)>> {
    tx.all(
        "SELECT email FROM users WHERE role = 'admin' AND status = 'active' AND deleted_at IS NULL \
         ORDER BY id LIMIT 10",
        args![],
    )
    .await
}

/// The day of a moment in a zone, as `spending` names days: those of one zone for all users.
pub fn day_of(now: Time, zone: &str) -> String {
    let zone = jiff::tz::TimeZone::get(zone).unwrap_or(jiff::tz::TimeZone::UTC);
    jiff::Timestamp::from_millisecond(now.0)
        .map_or_else(|_| String::new(), |stamp| stamp.to_zoned(zone).date().to_string())
}
