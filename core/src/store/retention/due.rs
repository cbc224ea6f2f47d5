//! Which campaigns are over for long enough. Only campaigns by id and rows by their campaign's or audience's index are read:
//! nothing is written while messages are sent so that they are found.

use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::campaign::id::{AudienceChunkId, AudienceId, CampaignId};
use crate::model::platform::data_class::DataClass;
use crate::store::campaign::audience::numbers_of;
use crate::store::campaign::campaign_statuses;
use crate::store::message::statuses::statuses;
use crate::store::retention::RetentionMark;
use crate::store::{Column, Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// A campaign that may be due.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Candidate {
    /// The campaign.
    pub id: CampaignId,
    /// Its customer.
    pub user_id: UserId,
    /// Its audience, which its other runs share.
    pub audience_id: AudienceId,
    /// Its recipients.
    pub size: i64,
    /// What it says, where it may have merge fields.
    pub own_texts: Option<String>,
    /// Whether it calls.
    pub is_call: bool,
    /// When it was confirmed.
    pub created_at: Time,
}

macro_rules! candidates {
    ($condition:literal) => {
        concat!(
            "SELECT id, user_id, audience_id, size, \
               (SELECT q.content FROM quotes q WHERE q.id = campaigns.quote_id AND q.content LIKE '%\"text\":\"%{%}%\"%') \
                 AS own_texts, \
               kind = 'voice' AS is_call, created_at FROM campaigns WHERE ",
            $condition
        )
    };
}

/// Up to `limit` campaigns after a mark, in order of their ids.
pub async fn candidates(tx: &mut Tx, mark: RetentionMark, limit: i64) -> Result<Vec<Candidate>> {
    match mark.until {
        None => tx.all(candidates!("id > $1 ORDER BY id LIMIT $2"), args![mark.upto, limit]).await,
        Some(until) => {
            let sql = candidates!("user_id = $3 AND id > $1 AND id <= $4 ORDER BY id LIMIT $2");
            tx.all(sql, args![mark.upto, limit, mark.owner, until]).await
        }
    }
}

/// The campaigns of these ids, in their order.
pub async fn candidates_of(tx: &mut Tx, ids: Vec<CampaignId>) -> Result<Vec<Candidate>> {
    let sql = sql!(candidates!("id = ANY($1::BIGINT[]) ORDER BY id"));
    tx.all(sql, args![vec![Column::of(ids)]]).await
}

/// All campaigns of an audience.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct RetentionUnit {
    /// The audience.
    pub audience_id: AudienceId,
    /// The last of its campaigns, with which all of them are erased.
    pub last: CampaignId,
    /// How many campaigns these are.
    pub runs: i64,
    /// Those that are not over, and those with messages that are not answered.
    pub open: i64,
    /// When the last one was over.
    pub over_at: Time,
    /// When the last outcome of a message came.
    pub answered_at: Time,
    /// Messages that a person has to settle.
    pub unknown: i64,
    /// Messages whose receipt has not come.
    pub awaited: i64,
    /// Quotes that may be confirmed yet.
    pub unconfirmed: i64,
    /// Whether its numbers are not in the index of numbers yet.
    pub queued: i64,
}

const UNITS: Sql = sql!(
    "SELECT u.audience_id, u.last, u.runs, u.open, u.over_at, \
       (SELECT CAST(COALESCE(SUM(",
    statuses!(unresolved, " + ", ["ch.", column]),
    "), 0) AS BIGINT) FROM campaigns c JOIN campaign_chunks ch ON ch.campaign_id = c.id \
          WHERE c.audience_id = u.audience_id) AS unknown, \
       (SELECT CAST(COALESCE(SUM(",
    statuses!(receiptless, " + ", ["ch.", column]),
    "), 0) AS BIGINT) FROM campaigns c JOIN campaign_chunks ch ON ch.campaign_id = c.id \
          WHERE c.audience_id = u.audience_id) AS awaited, \
       (SELECT COALESCE(MAX(ch.answered_at), 0) FROM campaigns c JOIN campaign_chunks ch ON ch.campaign_id = c.id \
          WHERE c.audience_id = u.audience_id) AS answered_at, \
       (SELECT COUNT(*) FROM quotes q WHERE q.audience_id = u.audience_id AND q.confirmed_at IS NULL) AS unconfirmed, \
       (SELECT COUNT(*) FROM number_index_queue n WHERE n.audience_id = u.audience_id) AS queued \
     FROM (SELECT c.audience_id, MAX(c.id) AS last, COUNT(*) AS runs, \
         CAST(SUM(CASE WHEN c.status IN (",
    campaign_statuses!(open),
    ") OR c.chunks_open > 0 THEN 1 ELSE 0 END) AS BIGINT) AS open, \
         MAX(COALESCE(c.completed_at, c.created_at)) AS over_at \
       FROM campaigns c WHERE c.audience_id = ANY($1::BIGINT[]) GROUP BY c.audience_id) AS u"
);

/// What stands of these audiences, in no order.
pub async fn units(tx: &mut Tx, audiences: Vec<AudienceId>) -> Result<Vec<RetentionUnit>> {
    tx.all(UNITS, args![vec![Column::of(audiences)]]).await
}

/// The chunks of these audiences, with the beginning of their stored forms up to the end of the numbers.
pub async fn chunks_of(tx: &mut Tx, audiences: Vec<AudienceId>) -> Result<Vec<(AudienceChunkId, Vec<u8>)>> {
    let sql = sql!(
        "SELECT id, ",
        numbers_of!("data"),
        " FROM audience_chunks WHERE audience_id = ANY($1::BIGINT[]) ORDER BY id"
    );
    tx.all(sql, args![vec![Column::of(audiences)]]).await
}

/// The first chunk of an audience after one, likewise.
pub async fn chunk_after(
    tx: &mut Tx,
    audience: AudienceId,
    after: AudienceChunkId,
) -> Result<Option<(AudienceChunkId, Vec<u8>)>> {
    let sql = concat!(
        "SELECT id, ",
        numbers_of!("data"),
        " FROM audience_chunks WHERE audience_id = $1 AND id > $2 ORDER BY id LIMIT 1"
    );
    tx.opt(sql, args![audience, after]).await
}

/// Since when the next campaign that is looked at was kept; `None` where all were looked at.
pub async fn behind(tx: &mut Tx, class: DataClass) -> Result<Option<Time>> {
    let sql = "SELECT created_at FROM campaigns WHERE id > \
                 (SELECT upto FROM retention_marks WHERE class = $1 AND owner = 0) ORDER BY id LIMIT 1";
    Ok(tx.opt::<(Time,)>(sql, args![class]).await?.map(|(at,)| at))
}

/// How many campaigns that were over by `edge` were not looked at, their recipients, and how many of these campaigns are under a
/// hold. Reads all campaigns behind the mark.
pub async fn waiting_of(tx: &mut Tx, class: DataClass, edge: Time) -> Result<(i64, i64, i64)> {
    let sql = concat!(
        "SELECT COUNT(*), CAST(COALESCE(SUM(c.size), 0) AS BIGINT), \
           CAST(COALESCE(SUM(CASE WHEN EXISTS (SELECT 1 FROM legal_holds h WHERE h.user_id = c.user_id) \
             THEN 1 ELSE 0 END), 0) AS BIGINT) \
         FROM campaigns c WHERE c.id > (SELECT upto FROM retention_marks WHERE class = $1 AND owner = 0) \
           AND c.created_at <= $2 AND c.completed_at <= $2 AND ($3 = 0 OR c.kind = 'voice') AND c.status NOT IN (",
        campaign_statuses!(open),
        ")"
    );
    tx.one(sql, args![class, edge, i64::from(class == DataClass::Receipts)]).await
}
