//! Reading campaigns back: counters from chunk rows, pages as key ranges, messages by key.
//!
//! A chunk's counters say how many of its positions match a filter, so a page of any depth is found by walking the
//! counters of the campaign's chunks and then reading the few chunks it lies in. What the rows of `messages` do not
//! say (queued, submitting, cancelled beyond the cursor) follows from the chunk row and `retries`.
//!
//! No statement here skips rows of `messages`, and none reads them but by a range of keys.

use talkdrum_api::kind::Kind;
use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::purpose::Purpose;

use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::message::id::MessageId;
use crate::model::message::status::{CampaignStatus, MessageStatus, message_status};
use crate::model::page::{Page, RecordScope};
use crate::store::campaign::audience::numbers_of;
use crate::store::message::statuses::statuses;
use crate::store::message::{answered, from_json};
use crate::store::{Column, Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

use crate::model::campaign::id::{CampaignId, ChunkId};
pub use crate::store::message::report_columns::{
    MessageRecord, chunk_retries, messages, parts, resent_by, retries_of,
};

/// Which messages of a report are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// All.
    All,
    /// Those in one status.
    Status(MessageStatus),
    /// Those the customer got nothing for: undelivered, rejected, expired.
    Failed,
}

impl Filter {
    /// Whether it takes a message in `status`.
    pub fn takes(self, status: MessageStatus) -> bool {
        match self {
            Self::All => true,
            Self::Status(wanted) => wanted == status,
            Self::Failed => status.is_failure(),
        }
    }

    /// The number under which the statements know it: a status' own, or 0 and -1.
    const fn number(self) -> i64 {
        match self {
            Self::All => 0,
            Self::Status(status) => status.number(),
            Self::Failed => -1,
        }
    }

    /// The statuses it takes, as a range of their numbers; a test compares it with [`Self::takes`].
    const fn statuses(self) -> (i64, i64) {
        match self {
            Self::All => (0, i64::MAX),
            Self::Status(status) => (status.number(), status.number()),
            Self::Failed => (MessageStatus::Undelivered.number(), MessageStatus::Expired.number()),
        }
    }
}

/// How many of a chunk's (`ch`) positions wait in `retries`. Asked only where some can.
macro_rules! retries {
    () => {
        "CASE WHEN ch.cursor > ch.answered THEN (SELECT COUNT(*) FROM retries r \
         WHERE r.message_id >= ch.id * 4096 AND r.message_id < (ch.id + 1) * 4096) ELSE 0 END"
    };
}
pub(crate) use retries;

/// How many of a chunk's (`ch`) positions the filter numbered `$1` takes.
macro_rules! matching {
    () => {
        concat!(
            "CASE $1 WHEN 0 THEN ch.size WHEN ",
            message_status!(Queued),
            " THEN ch.size - ch.cursor - ch.tail_cancelled + ",
            retries!(),
            " WHEN ",
            message_status!(Submitting),
            " THEN ch.cursor - ch.answered - ",
            retries!(),
            " ",
            statuses!(stored, " ", ["WHEN ", number, " THEN ch.", column, { " + ch.tail_cancelled" }]),
            " ELSE ",
            statuses!(failed, " + ", ["ch.", column]),
            " END"
        )
    };
}

pub(crate) use matching;

/// The chunks among `$from` (ordered by `$order`) that the rows from `$2` up to, not including, `$3` lie in.
macro_rules! walk {
    ($from:expr, $order:literal) => {
        concat!(
            "SELECT id, campaign_id, size, cursor, tail_cancelled, matching, CAST(ahead AS BIGINT) AS ahead, \
             CAST(total AS BIGINT) AS total FROM ( \
               SELECT id, campaign_id, size, cursor, tail_cancelled, matching, \
                 SUM(matching) OVER (ORDER BY ",
            $order,
            ") - matching AS ahead, SUM(matching) OVER () AS total FROM ( \
                 SELECT ch.id, ch.campaign_id, ch.size, ch.cursor, ch.tail_cancelled, ",
            matching!(),
            " AS matching FROM ",
            $from,
            ") AS counted WHERE matching > 0) AS walked \
             WHERE ahead < $3 AND ahead + matching > $2 ORDER BY ",
            $order
        )
    };
}

const WALK_CAMPAIGN: &str = walk!("campaign_chunks ch WHERE ch.campaign_id = $4", "id");
const WALK_UNKNOWN: &str = walk!(
    concat!(
        "campaign_chunks ch WHERE (",
        statuses!(unresolved, " OR ", ["ch.", column, " > 0"]),
        ") AND ($4 = 0 OR ch.campaign_id = $4) AND ($5 = '' OR ch.carrier = $5) \
         AND ($6 = 0 OR EXISTS (SELECT 1 FROM campaigns c WHERE c.id = ch.campaign_id AND c.user_id = $6))"
    ),
    "id"
);
const WALK_USER: &str = walk!(
    "(SELECT id FROM campaigns WHERE user_id = $6 AND id <= $5 ORDER BY id DESC LIMIT $4) AS newest \
     JOIN campaign_chunks ch ON ch.campaign_id = newest.id",
    "campaign_id DESC, id DESC"
);
const WALK_EVERYBODY: &str = walk!(
    "(SELECT id FROM campaigns WHERE id <= $5 ORDER BY id DESC LIMIT $4) AS newest \
     JOIN campaign_chunks ch ON ch.campaign_id = newest.id",
    "campaign_id DESC, id DESC"
);

/// A chunk some rows of a page lie in.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct Stretch {
    pub id: ChunkId,
    pub campaign_id: CampaignId,
    pub size: i64,
    pub cursor: i64,
    pub tail_cancelled: i64,
    /// How many of its positions the filter takes.
    pub matching: i64,
    /// Rows of the list before its first.
    pub ahead: i64,
    /// Rows of the list.
    pub total: i64,
}

/// The chunks of a campaign that a page of its report lies in, in order.
pub async fn stretches(
    tx: &mut Tx,
    campaign: CampaignId,
    filter: Filter,
    page: Page,
) -> Result<Vec<Stretch>> {
    let (from, to) = (page.skip(), page.skip() + page.size());
    tx.all(WALK_CAMPAIGN, args![filter.number(), from, to, campaign]).await
}

/// Which `unknown` messages are asked for; none and empty are any.
#[derive(Clone, Debug, Default)]
pub struct Among {
    /// Of one campaign.
    pub campaign: Option<CampaignId>,
    /// Of one user.
    pub user: Option<UserId>,
    /// That go by one carrier.
    pub carrier: String,
}

/// The chunks that a page of `unknown` messages lies in, in order.
pub async fn unknown_stretches(tx: &mut Tx, among: &Among, page: Page) -> Result<Vec<Stretch>> {
    let filter = Filter::Status(MessageStatus::Unknown);
    let (from, to) = (page.skip(), page.skip() + page.size());
    let campaign = among.campaign.map_or(0, |id| id.0);
    let user = among.user.map_or(0, |id| id.0);
    let args = args![filter.number(), from, to, campaign, &among.carrier, user];
    tx.all(WALK_UNKNOWN, args).await
}

/// The chunks that a page of failed messages lies in, newest first, among the newest `campaigns` campaigns whose id
/// is at most `newest`.
pub async fn failed_stretches(
    tx: &mut Tx,
    scope: RecordScope,
    newest: CampaignId,
    campaigns: i64,
    page: Page,
) -> Result<Vec<Stretch>> {
    let (from, to, filter) = (page.skip(), page.skip() + page.size(), Filter::Failed.number());
    match scope {
        RecordScope::Own(user) => tx.all(WALK_USER, args![filter, from, to, campaigns, newest, user]).await,
        RecordScope::All => tx.all(WALK_EVERYBODY, args![filter, from, to, campaigns, newest]).await,
    }
}

/// The sum of what [`failed_stretches`] counts, for a page beyond the last.
pub async fn failed_total(
    tx: &mut Tx,
    scope: RecordScope,
    newest: CampaignId,
    campaigns: i64,
) -> Result<i64> {
    Ok(failed_stretches(tx, scope, newest, campaigns, Page::new(1, 1))
        .await?
        .first()
        .map_or(0, |row| row.total))
}

/// How many unknown messages there are.
pub async fn unknown_total(tx: &mut Tx, among: &Among) -> Result<i64> {
    Ok(unknown_stretches(tx, among, Page::new(1, 1)).await?.first().map_or(0, |row| row.total))
}

const RETRY_PLACES: Sql = sql!(
    "SELECT CAST(COALESCE(json_agg(message_id & 4095), '[]') AS TEXT) FROM (SELECT message_id FROM retries \
     WHERE message_id >= $1 AND message_id < $2 ORDER BY message_id) AS ordered"
);

/// The places of a chunk whose messages were answered and are in the filter's statuses, ascending.
async fn answered_places(tx: &mut Tx, chunk: ChunkId, filter: Filter) -> Result<Vec<u16>> {
    let found = answered::in_statuses(tx, chunk, filter.statuses()).await?;
    Ok(found.into_iter().map(|(place, _)| place).collect())
}

async fn retry_places(tx: &mut Tx, chunk: ChunkId) -> Result<Vec<u16>> {
    let (from, to) = MessageId::of_chunk(chunk);
    let row: (String,) = tx.one(RETRY_PLACES, args![from, to]).await?;
    from_json(&row.0)
}

/// The places of a chunk that the filter takes, ascending.
pub async fn places(tx: &mut Tx, chunk: &Stretch, filter: Filter) -> Result<Vec<u16>> {
    let upto = |from: i64, to: i64| (from..to).filter_map(|place| u16::try_from(place).ok());
    match filter {
        Filter::All => Ok(upto(0, chunk.size).collect()),
        Filter::Status(status @ (MessageStatus::Queued | MessageStatus::Submitting)) => {
            let retries = retry_places(tx, chunk.id).await?;
            let answered = answered_places(tx, chunk.id, Filter::All).await?;
            let open = upto(0, chunk.size).filter(|place| answered.binary_search(place).is_err());
            Ok(open
                .filter(|place| chunk.unanswered(*place, retries.binary_search(place).is_ok()) == status)
                .collect())
        }
        Filter::Status(MessageStatus::Cancelled) if chunk.tail_cancelled > 0 => {
            let mut places = answered_places(tx, chunk.id, filter).await?;
            places.retain(|place| i64::from(*place) < chunk.cursor);
            places.extend(upto(chunk.cursor, chunk.size));
            Ok(places)
        }
        Filter::Status(_) | Filter::Failed => answered_places(tx, chunk.id, filter).await,
    }
}

impl Stretch {
    /// The status of a place without a message row.
    pub fn unanswered(&self, place: u16, retried: bool) -> MessageStatus {
        unanswered(place, retried, self.cursor, self.tail_cancelled)
    }
}

/// The status of a place of a chunk that has no message row.
pub fn unanswered(place: u16, retried: bool, cursor: i64, tail_cancelled: i64) -> MessageStatus {
    if retried {
        MessageStatus::Queued
    } else if i64::from(place) < cursor {
        MessageStatus::Submitting
    } else if tail_cancelled > 0 {
        MessageStatus::Cancelled
    } else {
        MessageStatus::Queued
    }
}

/// A chunk with what its messages have in common.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct ReportedChunk {
    pub id: ChunkId,
    pub campaign_id: CampaignId,
    pub user_id: UserId,
    pub username: String,
    pub carrier: String,
    pub size: i64,
    pub cursor: i64,
    pub tail_cancelled: i64,
    pub answered: i64,
    pub sender: String,
    pub kind: Kind,
    pub purpose: Purpose,
    pub unit_price: Amount,
    pub currency: Currency,
    /// The carriers that take over from its own, one a line.
    pub spares: Option<String>,
    /// The audience chunk: its numbers, unless all of it was asked for.
    pub data: Vec<u8>,
}

macro_rules! chunk_rows {
    ($data:expr, $where:literal) => {
        concat!(
            "SELECT ch.id, ch.campaign_id, c.user_id, u.username, ch.carrier, ch.size, ch.cursor, ch.tail_cancelled, \
             ch.answered, c.sender, c.kind, COALESCE(c.purpose, 'transactional') AS purpose, COALESCE(ch.unit_price_micros, c.unit_price_micros) AS unit_price, \
             c.currency, ch.spares, ",
            $data,
            " AS data FROM campaign_chunks ch JOIN campaigns c ON c.id = ch.campaign_id JOIN users u ON u.id = c.user_id \
             JOIN audience_chunks a ON a.id = ch.audience_chunk_id WHERE ",
            $where
        )
    };
}

/// These chunks, with the numbers of their recipients.
pub async fn chunks(tx: &mut Tx, chunks: Vec<ChunkId>) -> Result<Vec<ReportedChunk>> {
    tx.all(
        sql!(chunk_rows!(numbers_of!("a.data"), "ch.id = ANY($1::BIGINT[])")),
        args![vec![Column::of(chunks)]],
    )
    .await
}

/// A chunk, with the merge fields of its recipients too.
pub async fn whole_chunk(tx: &mut Tx, chunk: ChunkId) -> Result<Option<ReportedChunk>> {
    tx.opt(chunk_rows!("a.data", "ch.id = $1"), args![chunk]).await
}

/// The chunk of a campaign that follows `after`, with the numbers of its recipients.
pub async fn next_chunk(tx: &mut Tx, campaign: CampaignId, after: ChunkId) -> Result<Option<ReportedChunk>> {
    let sql = chunk_rows!(numbers_of!("a.data"), "ch.campaign_id = $1 AND ch.id > $2 ORDER BY ch.id LIMIT 1");
    tx.opt(sql, args![campaign, after]).await
}

/// What a message belongs to, for `why`.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct OriginRow {
    pub campaign_status: CampaignStatus,
    pub created_at: Time,
    pub scheduled_at: Option<Time>,
    /// [`Content`](crate::content::Content) as JSON: an export goes on where it cannot be read.
    pub content: String,
    /// [`FieldNames`](crate::content::FieldNames) as JSON.
    pub columns: String,
}

pub async fn origin(tx: &mut Tx, campaign: CampaignId) -> Result<Option<OriginRow>> {
    tx.opt(
        "SELECT c.status AS campaign_status, c.created_at, c.scheduled_at, c.content, a.columns \
         FROM campaigns c JOIN audiences a ON a.id = c.audience_id WHERE c.id = $1",
        args![campaign],
    )
    .await
}

/// Every statement that reads messages or walks chunks, with its plan, for the test that reads them.
#[cfg(test)]
pub async fn plans(tx: &mut Tx) -> Result<Vec<(&'static str, Vec<String>)>> {
    let many = || vec![Column::Ints(vec![1])];
    let (filter, from, to, any) = (Filter::Failed.number(), 0_i64, 20_i64, 1_i64);
    let asked: Vec<(Sql, Vec<crate::store::Arg>)> = vec![
        (WALK_CAMPAIGN.into(), args![filter, from, to, any]),
        (WALK_UNKNOWN.into(), args![filter, from, to, any, "", any]),
        (WALK_USER.into(), args![filter, from, to, any, any, any]),
        (RETRY_PLACES, args![any, any]),
        (super::report_columns::MESSAGES, args![many()]),
        (crate::store::campaign::list::FAILED, args![many()]),
        (crate::store::campaign::list::CAMPAIGNS, args![many()]),
        (crate::store::campaign::list::SAMPLES, args![any, any, many()]),
    ];
    let mut plans = answered::plans(tx).await?;
    for (sql, args) in asked {
        plans.push((sql.sqlite, tx.explain(sql, args).await?));
    }
    Ok(plans)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_is_a_range_of_the_statuses_it_takes() {
        let statuses = MessageStatus::ALL.iter().copied().map(Filter::Status);
        for filter in statuses.chain([Filter::All, Filter::Failed]) {
            let (low, high) = filter.statuses();
            for status in MessageStatus::ALL.iter().copied() {
                let within = (low..=high).contains(&status.number());
                assert_eq!(within, filter.takes(status), "{filter:?} {status}");
            }
        }
    }

    #[test]
    fn a_page_is_brought_into_its_range_and_cuts_what_is_in_memory() {
        assert_eq!(Page::new(0, 0), Page::new(1, 1));
        assert_eq!(Page::new(1, 5_000), Page::first());
        assert_eq!(Page::new(i64::MAX, i64::MAX).of(&[1, 2, 3]), &[] as &[i32]);
        assert_eq!(Page::new(2, 2).of(&[1, 2, 3]), &[3]);
    }
}
