//! What is kept for a time: the times that hold, how far each class was looked through, and what was erased on which day.
//!
//! Every step of retention holds [`lock`] to its end, and so do a hold that is put and the steps that erase a number: what is
//! under a hold is not erased a moment later. So do the steps that compact the number index: what is erased is not moved meanwhile.

mod due;
mod erase;

pub use due::{
    Candidate, RetentionUnit, behind, candidates, candidates_of, chunk_after, chunks_of, units, waiting_of,
};
pub use erase::{
    clear_forms, quotes_of, remove_rejects, rewrite_chunks, set_campaigns, set_quotes, texts_of_campaigns,
    with_rejects,
};

use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::campaign::id::{AudienceChunkId, CampaignId};
use crate::model::platform::data_class::DataClass;
use crate::store::{Column, Tx};
use crate::time::Time;
use crate::{args, sql};

/// Waits until no other transaction erases, and keeps others from it.
pub async fn lock(tx: &mut Tx) -> Result<()> {
    let sql = sql!("SELECT owner FROM retention_marks WHERE owner = 0 ORDER BY class FOR UPDATE");
    tx.all::<(i64,)>(sql, args![]).await.map(|_| ())
}

/// How far campaigns were looked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct RetentionMark {
    /// The customer whose campaigns are looked through again; 0 for all.
    pub owner: UserId,
    /// The last campaign that was looked at.
    pub upto: CampaignId,
    /// The last chunk of recipients that was erased of the next one.
    pub chunk: AudienceChunkId,
    /// The last campaign that is looked at; `None` for no end.
    pub until: Option<CampaignId>,
}

/// The marks of a class, that of all first.
pub async fn marks(tx: &mut Tx, class: DataClass) -> Result<Vec<RetentionMark>> {
    let sql =
        "SELECT owner, upto, chunk, until FROM retention_marks WHERE class = $1 ORDER BY owner LIMIT 100";
    tx.all(sql, args![class]).await
}

/// Moves a mark on, where it still is where it was; false where it is not.
pub async fn move_mark(
    tx: &mut Tx,
    class: DataClass,
    from: RetentionMark,
    (upto, chunk): (CampaignId, AudienceChunkId),
) -> Result<bool> {
    let sql = "UPDATE retention_marks SET upto = $5, chunk = $6 \
               WHERE class = $1 AND owner = $2 AND upto = $3 AND chunk = $4";
    Ok(tx.run(sql, args![class, from.owner, from.upto, from.chunk, upto, chunk]).await? == 1)
}

/// Forgets that a customer's campaigns are looked through again.
pub async fn drop_mark(tx: &mut Tx, class: DataClass, owner: UserId) -> Result<()> {
    let sql = "DELETE FROM retention_marks WHERE class = $1 AND owner = $2 AND owner > 0";
    tx.run(sql, args![class, owner]).await.map(|_| ())
}

/// Has all of a customer's campaigns looked through again, up to where all were.
pub async fn look_again(tx: &mut Tx, owner: UserId) -> Result<()> {
    tx.run("DELETE FROM retention_marks WHERE owner = $1 AND owner > 0", args![owner]).await?;
    let sql = "INSERT INTO retention_marks (class, owner, upto, chunk, until) \
               SELECT class, $1, 0, 0, upto FROM retention_marks WHERE owner = 0 AND upto > 0";
    tx.run(sql, args![owner]).await.map(|_| ())
}

/// A campaign that was passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct PassedCampaign {
    /// The campaign.
    pub campaign_id: CampaignId,
    /// The last chunk of recipients that was erased of it.
    pub chunk: AudienceChunkId,
}

/// Passes over a campaign until then. One that was passed over before is looked at then.
pub async fn pass(tx: &mut Tx, class: DataClass, campaign: CampaignId, look_at: Time) -> Result<()> {
    let sql = "INSERT INTO retention_passed (class, campaign_id, chunk, look_at) VALUES ($1, $2, 0, $3) \
               ON CONFLICT (class, campaign_id) DO UPDATE SET look_at = excluded.look_at";
    tx.run(sql, args![class, campaign, look_at]).await.map(|_| ())
}

/// Up to `limit` campaigns that were passed over until now, the first ones.
pub async fn passed(tx: &mut Tx, class: DataClass, now: Time, limit: i64) -> Result<Vec<PassedCampaign>> {
    let sql = "SELECT campaign_id, chunk FROM retention_passed WHERE class = $1 AND look_at <= $2 \
               ORDER BY look_at, campaign_id LIMIT $3";
    tx.all(sql, args![class, now, limit]).await
}

/// Passes over campaigns once more, until then.
pub async fn pass_again(
    tx: &mut Tx,
    class: DataClass,
    campaigns: Vec<CampaignId>,
    look_at: Time,
) -> Result<()> {
    let sql =
        sql!("UPDATE retention_passed SET look_at = $2 WHERE class = $1 AND campaign_id = ANY($3::BIGINT[])");
    tx.run(sql, args![class, look_at, vec![Column::of(campaigns)]]).await.map(|_| ())
}

/// Notes the last chunk that was erased of a campaign that was passed over; false where another did so.
pub async fn move_passed(
    tx: &mut Tx,
    class: DataClass,
    from: PassedCampaign,
    chunk: AudienceChunkId,
) -> Result<bool> {
    let sql = "UPDATE retention_passed SET chunk = $4 WHERE class = $1 AND campaign_id = $2 AND chunk = $3";
    Ok(tx.run(sql, args![class, from.campaign_id, from.chunk, chunk]).await? == 1)
}

/// Forgets that a campaign was passed over; false where it was not.
pub async fn drop_passed(tx: &mut Tx, class: DataClass, campaign: CampaignId) -> Result<bool> {
    let sql = "DELETE FROM retention_passed WHERE class = $1 AND campaign_id = $2";
    Ok(tx.run(sql, args![class, campaign]).await? == 1)
}

/// What is stored for days where a class has no time of its own any more: it is kept for longer than any.
const NO_DAYS: i64 = i64::MAX;

/// For how many days a class is kept, if that is said, and since when; `None` where it never was.
pub async fn term(tx: &mut Tx, class: DataClass) -> Result<Option<(Option<i64>, Time)>> {
    let sql = "SELECT days, since FROM retention_terms WHERE class = $1";
    let row: Option<(i64, Time)> = tx.opt(sql, args![class]).await?;
    Ok(row.map(|(days, since)| (Some(days).filter(|days| *days != NO_DAYS), since)))
}

/// Stores for how many days a class is kept from a time on; `None` as if there were no retention.
pub async fn set_term(tx: &mut Tx, class: DataClass, days: Option<i64>, since: Time) -> Result<()> {
    let sql = "INSERT INTO retention_terms (class, days, since) VALUES ($1, $2, $3) \
               ON CONFLICT (class) DO UPDATE SET days = excluded.days, since = excluded.since";
    tx.run(sql, args![class, days.unwrap_or(NO_DAYS), since]).await.map(|_| ())
}

/// Counts what was erased of a class on a day. A day that the audit trail has is told again.
pub async fn count(tx: &mut Tx, class: DataClass, day: i64, (campaigns, items): (i64, i64)) -> Result<()> {
    let sql = "INSERT INTO retention_days (day, class, campaigns, items) VALUES ($1, $2, $3, $4) \
               ON CONFLICT (day, class) DO UPDATE SET campaigns = retention_days.campaigns + excluded.campaigns, \
                 items = retention_days.items + excluded.items, noted_at = NULL";
    tx.run(sql, args![day, class, campaigns, items]).await.map(|_| ())
}

/// What was erased of a class on a day.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct RetentionDay {
    /// Days since 1970, UTC.
    pub day: i64,
    /// The class.
    pub class: DataClass,
    /// Campaigns that are done.
    pub campaigns: i64,
    /// Recipients, and rows of other tables.
    pub items: i64,
}

/// What was erased on days before `day` and is not in the audit trail, a bounded number of days.
pub async fn to_note(tx: &mut Tx, day: i64) -> Result<Vec<RetentionDay>> {
    let sql = "SELECT day, class, campaigns, items FROM retention_days WHERE noted_at IS NULL AND day < $1 \
               ORDER BY day, class LIMIT 100";
    tx.all(sql, args![day]).await
}

/// Notes that the audit trail has a class's day.
pub async fn noted(tx: &mut Tx, (day, class): (i64, DataClass), now: Time) -> Result<()> {
    let sql = "UPDATE retention_days SET noted_at = $3 WHERE day = $1 AND class = $2";
    tx.run(sql, args![day, class, now]).await.map(|_| ())
}
