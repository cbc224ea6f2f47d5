//! Campaigns as lists show them: ids by owner and filter, then all of a page's campaigns in one statement.
//!
//! What is said of a campaign's messages and money in one row comes from one statement, so it adds up.

use talkdrum_api::kind::Kind;
use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::purpose::Purpose;

use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::campaign::id::{AudienceChunkId, CampaignId, ChunkId, QuoteId};
use crate::model::campaign::pause::ReviewCause;
use crate::model::message::id::MessageId;
use crate::model::message::status::{CampaignStatus, Counters};
use crate::model::page::{Page, RecordScope};
use crate::store::campaign::audience::numbers_of;
use crate::store::db::listing::like_pattern;
use crate::store::message::from_json;
use crate::store::message::report::retries;
use crate::store::message::statuses::statuses;
use crate::store::{Arg, Column, Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// A campaign with the sums of its chunks.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct CampaignRow {
    pub id: CampaignId,
    pub quote_id: QuoteId,
    pub user_id: UserId,
    pub username: String,
    pub status: CampaignStatus,
    pub status_reason: Option<String>,
    /// Why only an administrator may let a paused one go on.
    pub held: Option<ReviewCause>,
    pub kind: Kind,
    pub purpose: Purpose,
    pub sender: String,
    /// [`Content`](crate::content::Content) as JSON: a list shows what cannot be read as it is stored.
    pub content: String,
    pub currency: Currency,
    pub charge: Amount,
    pub created_at: Time,
    pub scheduled_at: Option<Time>,
    pub started_at: Option<Time>,
    pub completed_at: Option<Time>,
    /// What the reserve holds.
    pub reserved: Amount,
    /// What was charged, also what a refund gave back later.
    pub captured: Amount,
    /// What was given back and never charged.
    pub released: Amount,
    /// What was charged and given back.
    pub refunded: Amount,
    pub size: i64,
    pub cursor: i64,
    pub tail_cancelled: i64,
    pub answered: i64,
    pub retries: i64,
    /// A few of its recipients get their message first.
    pub has_canary: bool,
    #[sqlx(flatten)]
    pub counters: Counters,
}

pub(crate) const CAMPAIGNS: Sql = sql!(
    "SELECT c.id, c.quote_id, c.user_id, u.username, c.status, c.status_reason, c.held, c.kind, COALESCE(c.purpose, 'transactional') AS purpose, c.sender, \
       c.content, c.currency, c.charge_micros AS charge, c.created_at, c.scheduled_at, c.started_at, c.completed_at, \
       a.balance_micros AS reserved, s.captured, s.released, s.refunded, s.size, s.cursor, s.tail_cancelled, s.answered, \
       s.retries, c.canary_from IS NOT NULL AS has_canary, ",
    statuses!(stored, ", ", ["s.", column]),
    " \
     FROM campaigns c JOIN users u ON u.id = c.user_id JOIN accounts a ON a.id = c.reserve_account_id \
     JOIN (SELECT ch.campaign_id, \
       CAST(SUM(ch.captured_micros + ch.charged_micros) AS BIGINT) AS captured, \
       CAST(SUM(ch.released_micros - ch.charged_micros) AS BIGINT) AS released, \
       CAST(SUM(ch.refunded_micros) AS BIGINT) AS refunded, \
       CAST(SUM(ch.size) AS BIGINT) AS size, CAST(SUM(ch.cursor) AS BIGINT) AS cursor, \
       CAST(SUM(ch.tail_cancelled) AS BIGINT) AS tail_cancelled, \
       CAST(SUM(ch.answered) AS BIGINT) AS answered, CAST(SUM(",
    retries!(),
    ") AS BIGINT) AS retries, ",
    statuses!(stored, ", ", ["CAST(SUM(ch.", column, ") AS BIGINT) AS ", column]),
    " \
       FROM campaign_chunks ch WHERE ch.campaign_id = ANY($1::BIGINT[]) GROUP BY ch.campaign_id) AS s \
     ON s.campaign_id = c.id WHERE c.id = ANY($1::BIGINT[]) ORDER BY c.id DESC"
);

/// These campaigns, newest first.
pub async fn campaigns(tx: &mut Tx, ids: Vec<CampaignId>) -> Result<Vec<CampaignRow>> {
    tx.all(CAMPAIGNS, args![vec![Column::of(ids)]]).await
}

/// A carrier that messages of a campaign wait for.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct AwaitedCarrier {
    pub campaign_id: CampaignId,
    pub carrier: String,
    /// Whether they go out outside the quiet hours only.
    pub promotional: bool,
}

/// The carriers that messages of these campaigns wait for: those of their chunks, and those that take over from another.
/// Each is there once or twice.
pub async fn awaited_carriers(tx: &mut Tx, ids: Vec<CampaignId>) -> Result<Vec<AwaitedCarrier>> {
    let sql = sql!(
        "SELECT ch.campaign_id, ch.carrier, ch.promotional FROM campaign_chunks ch \
         WHERE ch.campaign_id = ANY($1::BIGINT[]) AND ch.state = 'open' AND ch.cursor + ch.tail_cancelled < ch.size \
         UNION SELECT ch.campaign_id, r.carrier, ch.promotional FROM campaign_chunks ch \
         JOIN retries r ON r.message_id >= ch.id * 4096 AND r.message_id < (ch.id + 1) * 4096 \
         WHERE ch.campaign_id = ANY($1::BIGINT[]) AND ch.state = 'open' AND ch.cursor > ch.answered"
    );
    tx.all(sql, args![vec![Column::of(ids)]]).await
}

/// Whether promotional messages of any campaign that is being sent wait to go out.
pub async fn promotional_waits(tx: &mut Tx) -> Result<bool> {
    let sql = "SELECT CAST(1 AS BIGINT) FROM campaign_chunks ch JOIN campaigns c ON c.id = ch.campaign_id \
               WHERE ch.state = 'open' AND ch.promotional = TRUE AND ch.cursor < ch.size AND c.status = 'sending' LIMIT 1";
    let row: Option<(i64,)> = tx.opt(sql, args![]).await?;
    Ok(row.is_some())
}

/// Whose a campaign is.
pub async fn owner(tx: &mut Tx, campaign: CampaignId) -> Result<Option<UserId>> {
    let row: Option<(UserId,)> =
        tx.opt("SELECT user_id FROM campaigns WHERE id = $1", args![campaign]).await?;
    Ok(row.map(|row| row.0))
}

/// Which campaigns a list holds.
#[derive(Clone, Debug)]
pub struct CampaignSelection {
    /// Whose.
    pub scope: RecordScope,
    /// In which status; `None` is any.
    pub status: Option<CampaignStatus>,
    /// Of which kind; `None` is any.
    pub kind: Option<Kind>,
    /// For which purpose; `None` is any.
    pub purpose: Option<Purpose>,
    /// Made at or after this.
    pub from: Option<Time>,
    /// Made before this.
    pub to: Option<Time>,
    /// What sender, text or user name must contain, in any case; empty is anything.
    pub q: String,
    /// The column to sort by, see [`page`].
    pub sort: &'static str,
    /// Whether downwards.
    pub descending: bool,
}

impl CampaignSelection {
    /// All in scope, newest first.
    pub fn all(scope: RecordScope) -> Self {
        let (status, kind, purpose, from, to, q) = (None, None, None, None, None, String::new());
        Self { scope, status, kind, purpose, from, to, q, sort: "id", descending: true }
    }

    fn is_everything(&self) -> bool {
        let Self { scope: _, status, kind, purpose, from, to, q, sort: _, descending: _ } = self;
        let is_bounded = from.is_some() || to.is_some();
        status.is_none() && kind.is_none() && purpose.is_none() && !is_bounded && q.is_empty()
    }

    fn is_plain(&self) -> bool {
        self.is_everything() && self.sort == "id" && self.descending
    }

    /// The arguments of [`selected_each`].
    fn args(&self) -> Vec<Arg> {
        let (from, to) = made_within(self.from, self.to);
        let status = self.status.map_or("", CampaignStatus::code);
        let (kind, purpose) = (self.kind.map_or("", Kind::code), self.purpose.map_or("", Purpose::code));
        args![status, like_pattern(&self.q), kind, from, to, purpose]
    }
}

fn made_within(from: Option<Time>, to: Option<Time>) -> (Time, Time) {
    (from.unwrap_or_default(), to.unwrap_or(Time(i64::MAX)))
}

/// What a search looks at: sender, owner's name, and the words of the content.
macro_rules! selected {
    ($what:literal, $scope:literal, $tail:expr) => {
        sql!(
            "SELECT ",
            $what,
            " FROM campaigns c JOIN users u ON u.id = c.user_id WHERE ",
            $scope,
            " AND ($1 = '' OR c.status = $1) AND ($3 = '' OR c.kind = $3) AND ($6 = '' OR COALESCE(c.purpose, 'transactional') = $6) \
             AND c.created_at >= $4 AND c.created_at < $5 AND ($2 = '' OR (c.sender || ' ' || u.username || ' ' || \
             COALESCE(CAST(c.content AS JSON) ->> 'text', '') || ' ' || COALESCE(CAST(c.content AS JSON) ->> 'title', '') || ' ' || \
             COALESCE(CAST(c.content AS JSON) ->> 'url', '') || ' ' || COALESCE(CAST(c.content AS JSON) ->> 'last_name', '') || ' ' || \
             COALESCE(CAST(c.content AS JSON) ->> 'company', '')) COLLATE \"binary\" ILIKE $2 ESCAPE '\\') ",
            $tail
        )
    };
}

/// A page of ids in the order that was asked for; equal ones are in order of their ids.
macro_rules! page_in_order {
    ($selection:expr, $scope:literal, [$($name:literal => $column:literal),* $(,)?]) => {{
        macro_rules! ordered {
            ($order:expr) => {
                selected!("c.id", $scope, concat!("ORDER BY ", $order, " LIMIT $7 OFFSET $8"))
            };
        }
        match ($selection.sort, $selection.descending) {
            $(($name, true) => ordered!(concat!($column, " DESC, c.id DESC")),
              ($name, false) => ordered!(concat!($column, ", c.id")),)*
            (_, true) => ordered!("c.id DESC"),
            (_, false) => ordered!("c.id"),
        }
    }};
}
macro_rules! sorted_page {
    ($selection:expr, $scope:literal) => {
        page_in_order!($selection, $scope, [
            "created_at" => "c.created_at",
            "scheduled_at" => "COALESCE(c.scheduled_at, c.created_at)",
            "status" => "c.status COLLATE \"binary\"",
            "senderid" => "c.sender COLLATE \"binary\"",
            "total_charges" => "c.charge_micros",
            "username" => "u.username COLLATE \"binary\"",
        ])
    };
}

/// The ids of a page of campaigns, sorted by `created_at`, `scheduled_at` (of what goes out at once, `created_at`),
/// `status`, `senderid`, `total_charges`, `username`, or else by id. Newest first, skipping walks the covering index of
/// a user's campaigns.
pub async fn page(tx: &mut Tx, selection: &CampaignSelection, page: Page) -> Result<Vec<CampaignId>> {
    let (skip, size) = (page.skip(), page.size());
    let rows: Vec<(CampaignId,)> = match (selection.scope, selection.is_plain()) {
        (RecordScope::Own(user), true) => {
            let sql = "SELECT id FROM campaigns WHERE user_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3";
            tx.all(sql, args![user, size, skip]).await?
        }
        (RecordScope::All, true) => {
            tx.all("SELECT id FROM campaigns ORDER BY id DESC LIMIT $1 OFFSET $2", args![size, skip]).await?
        }
        (RecordScope::Own(user), false) => {
            let args = [selection.args(), args![size, skip, user]].concat();
            tx.all(sorted_page!(selection, "c.user_id = $9"), args).await?
        }
        (RecordScope::All, false) => {
            let args = [selection.args(), args![size, skip]].concat();
            tx.all(sorted_page!(selection, "c.id > 0"), args).await?
        }
    };
    Ok(rows.into_iter().map(|row| row.0).collect())
}

/// The next campaigns of a user after `after`, oldest first: of a kind (`None` is any), made from (inclusive) to
/// (exclusive). Walks the index of a user's campaigns.
pub async fn within(
    tx: &mut Tx,
    user: UserId,
    kind: Option<Kind>,
    (from, to): (Option<Time>, Option<Time>),
    after: CampaignId,
    limit: i64,
) -> Result<Vec<CampaignId>> {
    let (from, to) = made_within(from, to);
    let rows: Vec<(CampaignId,)> = tx
        .all(
            "SELECT id FROM campaigns WHERE user_id = $1 AND id > $2 AND created_at >= $3 AND created_at < $4 \
             AND ($5 = '' OR kind = $5) ORDER BY id LIMIT $6",
            args![user, after, from, to, kind.map_or("", Kind::code), limit],
        )
        .await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

/// How many campaigns a list holds.
pub async fn count(tx: &mut Tx, selection: &CampaignSelection) -> Result<i64> {
    let row: (i64,) = match (selection.scope, selection.is_everything()) {
        (RecordScope::Own(user), true) => {
            tx.one("SELECT COUNT(*) FROM campaigns WHERE user_id = $1", args![user]).await?
        }
        (RecordScope::All, true) => tx.one("SELECT COUNT(*) FROM campaigns", args![]).await?,
        (RecordScope::Own(user), false) => {
            let args = [selection.args(), args![user]].concat();
            tx.one(selected!("COUNT(*)", "c.user_id = $7", ""), args).await?
        }
        (RecordScope::All, false) => tx.one(selected!("COUNT(*)", "c.id > 0", ""), selection.args()).await?,
    };
    Ok(row.0)
}

/// When a user's last message went out: the newest start among the newest 1,000 campaigns.
pub async fn last_started(tx: &mut Tx, user: UserId) -> Result<Option<Time>> {
    let row: (Option<Time>,) = tx
        .one(
            "SELECT MAX(started_at) FROM (SELECT started_at FROM campaigns WHERE user_id = $1 \
             ORDER BY id DESC LIMIT 1000) AS newest",
            args![user],
        )
        .await?;
    Ok(row.0)
}

/// A chunk that a list's sample of numbers is taken from.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct SampleRow {
    pub campaign_id: CampaignId,
    pub id: ChunkId,
    pub audience_chunk_id: AudienceChunkId,
    /// Whether the campaign's first numbers reach into it.
    pub leading: bool,
    /// Whether its failures are to be listed.
    pub failing: bool,
}

pub(crate) const SAMPLES: Sql = sql!(
    "SELECT campaign_id, id, audience_chunk_id, ahead < $1 AS leading, \
       (failed > 0 AND failed_ahead < $2) AS failing FROM ( \
         SELECT campaign_id, id, audience_chunk_id, failed, SUM(size) OVER w - size AS ahead, \
           SUM(CASE WHEN failed > 0 THEN size ELSE 0 END) OVER w - size AS failed_ahead \
         FROM (SELECT campaign_id, id, audience_chunk_id, size, ",
    statuses!(failed, " + ", [column]),
    " AS failed \
               FROM campaign_chunks WHERE campaign_id = ANY($3::BIGINT[])) AS counted \
         WINDOW w AS (PARTITION BY campaign_id ORDER BY id)) AS walked \
     WHERE ahead < $1 OR (failed > 0 AND failed_ahead < $2) ORDER BY campaign_id, id"
);

/// The chunks that hold the first `numbers` recipients of each campaign, and of those with failures the first that
/// together have about `failing` recipients.
pub async fn samples(
    tx: &mut Tx,
    ids: Vec<CampaignId>,
    numbers: i64,
    failing: i64,
) -> Result<Vec<SampleRow>> {
    tx.all(SAMPLES, args![numbers, failing, vec![Column::of(ids)]]).await
}

/// Audience chunks in their stored form, up to the end of their numbers.
pub async fn audience_chunks(
    tx: &mut Tx,
    ids: Vec<AudienceChunkId>,
) -> Result<Vec<(AudienceChunkId, Vec<u8>)>> {
    let sql = sql!(concat!(
        "SELECT id, ",
        numbers_of!("data"),
        " FROM audience_chunks WHERE id = ANY($1::BIGINT[]) ORDER BY id"
    ));
    tx.all(sql, args![vec![Column::of(ids)]]).await
}

pub(crate) const FAILED: Sql = sql!(
    "SELECT CAST(COALESCE(json_agg(m.id), '[]') AS TEXT) FROM UNNEST($1::BIGINT[]) AS c (id) CROSS JOIN messages m \
     WHERE m.id >= c.id * 4096 AND m.id < (c.id + 1) * 4096 AND m.status IN (",
    statuses!(failed, ", ", [number]),
    ")",
);

/// The failed messages of some chunks, ascending.
pub async fn failed(tx: &mut Tx, chunks: Vec<ChunkId>) -> Result<Vec<MessageId>> {
    let row: (String,) = tx.one(FAILED, args![vec![Column::of(chunks)]]).await?;
    let mut messages: Vec<i64> = from_json(&row.0)?;
    messages.sort_unstable();
    Ok(messages.into_iter().map(MessageId).collect())
}

/// The prices of a unit of these campaigns.
pub async fn unit_prices(tx: &mut Tx, ids: Vec<CampaignId>) -> Result<Vec<(CampaignId, Amount)>> {
    let sql = sql!("SELECT id, unit_price_micros FROM campaigns WHERE id = ANY($1::BIGINT[])");
    tx.all(sql, args![vec![Column::of(ids)]]).await
}
