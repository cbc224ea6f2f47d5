//! The rows that a confirmation makes: campaigns and their chunks.
//!
//! A quote is claimed once, and its campaigns, their chunks and their money are there or none of them
//! is. The chunks' charges add up to the campaign's.

use std::collections::{BTreeSet, HashMap, HashSet};

use talkdrum_api::money::Amount;
use talkdrum_api::purpose::Purpose;

use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::account::user::Role;
use crate::model::campaign::id::{AudienceId, CampaignId, ChunkId, QuoteId};
use crate::model::message::status::CampaignStatus;
use crate::model::money::ledger::AccountId;
use crate::store::campaign::quote::QuoteRow;
use crate::store::campaign::spending::UserLimitsRow;
use crate::store::{Column, Dialect, Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// A user who may send, with the limits of the account.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct ActiveUser {
    pub id: UserId,
    pub role: Role,
    /// Since when the user may not send codes.
    pub codes_withdrawn_at: Option<Time>,
    #[sqlx(flatten)]
    pub user_limits: UserLimitsRow,
}

impl ActiveUser {
    /// Refuses codes of a user who may not send any.
    ///
    /// # Errors
    /// `codes_not_allowed`.
    pub fn require_right_to(&self, purpose: Option<Purpose>) -> Result<()> {
        match (purpose, self.codes_withdrawn_at) {
            (Some(Purpose::Otp), Some(_)) => Err(Error::codes_not_allowed()),
            _ => Ok(()),
        }
    }
}

/// Those of these users who are active; they stay so until the transaction ends. A transaction that deactivates one
/// waits, and then finds the campaigns to pause.
pub async fn lock_active(tx: &mut Tx, users: BTreeSet<UserId>) -> Result<HashMap<UserId, ActiveUser>> {
    let ids = || args![vec![Column::of(&users)]];
    if tx.dialect() == Dialect::Postgres {
        // Before the look: a limit that was set while a user was waited for would be overlooked.
        tx.run("SELECT id FROM users WHERE id = ANY($1::BIGINT[]) ORDER BY id FOR SHARE", ids()).await?;
    }
    let sql = sql!(
        "SELECT u.id, u.role, u.codes_withdrawn_at, g.cap_espees_micros, g.cap_naira_micros, g.proven_at \
         FROM users u LEFT JOIN guards g ON g.user_id = u.id WHERE u.id = ANY($1::BIGINT[]) AND u.status = 'active'"
    );
    let rows: Vec<ActiveUser> = tx.all(sql, ids()).await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

/// Marks quotes as confirmed and tells which: not those that were before, or have expired. Two at once: the second
/// waits here and is not told of.
pub async fn claim(tx: &mut Tx, quotes: BTreeSet<QuoteId>, now: Time) -> Result<HashSet<QuoteId>> {
    let sql = sql!(
        "UPDATE quotes SET confirmed_at = $1 WHERE id IN (SELECT id FROM quotes WHERE id = ANY($2::BIGINT[]) \
           ORDER BY id FOR NO KEY UPDATE) AND confirmed_at IS NULL AND COALESCE(canary_expires_at, expires_at) > $1 RETURNING id"
    );
    let args = args![now, vec![Column::of(quotes)]];
    let rows: Vec<(QuoteId,)> = tx.all(sql, args).await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// The campaigns of a quote in the order of their runs.
pub async fn campaigns_of(tx: &mut Tx, quote: QuoteId) -> Result<Vec<CampaignId>> {
    let rows: Vec<(CampaignId,)> =
        tx.all("SELECT id FROM campaigns WHERE quote_id = $1 ORDER BY run", args![quote]).await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// One run of a quote, about to become a campaign.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// What was agreed.
    pub quote: &'a QuoteRow,
    /// Counted from 0.
    pub number: i64,
    /// The wallet that pays.
    pub wallet: AccountId,
    /// Whether accepted messages that are not delivered are refunded.
    pub refund_undelivered: bool,
    /// When it starts; `None` for at once.
    pub start: Option<Time>,
    /// `sending` or `scheduled`.
    pub status: CampaignStatus,
}

/// Makes campaigns and returns their ids in the same order. Their reserve column holds the wallet's id until the same
/// transaction opens the reserves ([`set_reserves`]).
pub async fn insert_campaigns(tx: &mut Tx, runs: &[Run<'_>], now: Time) -> Result<Vec<CampaignId>> {
    let rows = vec![
        Column::of(runs.iter().map(|run| run.quote.id)),
        Column::of(runs.iter().map(|run| run.number)),
        Column::of(runs.iter().map(|run| run.wallet)),
        Column::of(runs.iter().map(|run| i64::from(run.refund_undelivered))),
        Column::of(runs.iter().map(|run| run.status)),
        Column::of(runs.iter().map(|run| run.start)),
    ];
    let made: Vec<(CampaignId, QuoteId, i64)> = tx.all(INSERT_CAMPAIGNS, args![now, rows]).await?;
    let made: HashMap<(QuoteId, i64), CampaignId> =
        made.into_iter().map(|(id, quote, number)| ((quote, number), id)).collect();
    let ids = runs.iter().map(|run| made.get(&(run.quote.id, run.number)).copied());
    ids.collect::<Option<_>>().ok_or_else(|| Error::Corrupt("a campaign was not made".into()))
}

/// CROSS JOIN keeps SQLite from starting at the quotes.
pub(crate) const INSERT_CAMPAIGNS: Sql = Sql::each(
    "INSERT INTO campaigns (quote_id, run, user_id, audience_id, reserve_account_id, wallet_account_id, kind, sender, \
       content, currency, unit_price_micros, charge_micros, refund_undelivered, size, chunks_open, status, resend_of, \
       created_at, scheduled_at, purpose) \
     SELECT q.id, j.value ->> 1, q.user_id, q.audience_id, j.value ->> 2, j.value ->> 2, q.kind, q.sender, q.content, \
       q.currency, q.unit_price_micros, q.charge_micros, (j.value ->> 3) = 1, q.size, \
       (SELECT COUNT(*) FROM audience_chunks a WHERE a.audience_id = q.audience_id), j.value ->> 4, q.resend_of, $1, \
       j.value ->> 5, q.purpose \
     FROM jsonb_each($2) AS j CROSS JOIN quotes q WHERE q.id = (j.value ->> 0) RETURNING id, quote_id, run",
    "INSERT INTO campaigns (quote_id, run, user_id, audience_id, reserve_account_id, wallet_account_id, kind, sender, \
       content, currency, unit_price_micros, charge_micros, refund_undelivered, size, chunks_open, status, resend_of, \
       created_at, scheduled_at, purpose) \
     SELECT q.id, j.run, q.user_id, q.audience_id, j.wallet, j.wallet, q.kind, q.sender, q.content, q.currency, \
       q.unit_price_micros, q.charge_micros, j.refund = 1, q.size, \
       (SELECT COUNT(*) FROM audience_chunks a WHERE a.audience_id = q.audience_id), j.status, q.resend_of, $1, j.start, q.purpose \
     FROM UNNEST($2::BIGINT[], $3::BIGINT[], $4::BIGINT[], $5::BIGINT[], $6::TEXT[], $7::BIGINT[]) \
       AS j(quote, run, wallet, refund, status, start) JOIN quotes q ON q.id = j.quote \
     ORDER BY q.id, j.run RETURNING id, quote_id, run",
);

/// A chunk of a campaign that was made.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct MadeChunk {
    /// Its id.
    pub id: ChunkId,
    /// Whose it is.
    #[sqlx(rename = "campaign_id")]
    pub campaign: CampaignId,
    /// The carrier that takes it.
    pub carrier: String,
    size: i64,
    #[sqlx(rename = "charge_micros")]
    charge: Amount,
}

/// Makes the chunks of campaigns, one for each of their audiences', in the same order.
///
/// # Errors
/// Damaged data when the charges or sizes of the chunks do not add up to what was agreed.
pub async fn insert_chunks(tx: &mut Tx, campaigns: &[(CampaignId, &QuoteRow)]) -> Result<Vec<MadeChunk>> {
    let rows = vec![
        Column::of(campaigns.iter().map(|(campaign, _)| campaign)),
        Column::of(campaigns.iter().map(|(_, quote)| quote.audience_id)),
        Column::of(campaigns.iter().map(|(_, quote)| quote.agreed.unit_price)),
        Column::of(campaigns.iter().map(|(_, quote)| quote.agreed.abroad_price)),
    ];
    let mut made: Vec<MadeChunk> = tx.all(INSERT_CHUNKS, args![rows]).await?;
    // Ids are given out in order, but not told in it.
    made.sort_unstable_by_key(|chunk| chunk.id);
    let mut sums: HashMap<CampaignId, (i64, Amount)> = HashMap::with_capacity(campaigns.len());
    for chunk in &made {
        let sum = sums.entry(chunk.campaign).or_default();
        *sum = (sum.0 + chunk.size, sum.1.plus(chunk.charge)?);
    }
    for (campaign, QuoteRow { id, agreed, .. }) in campaigns {
        let (size, charge) = sums.remove(campaign).unwrap_or_default();
        if (charge, size) != (agreed.charge, agreed.size) {
            return Err(Error::Corrupt(format!(
                "quote {id} is for {} recipients at {}, its audience has {size} at {charge}",
                agreed.size, agreed.charge
            )));
        }
    }
    Ok(made)
}

/// The one statement of a confirmation whose cost grows with the campaign: one row for 4,096 recipients. Chunks get their
/// ids in the order of the argument and of each audience: SQLite joins in this order by itself, PostgreSQL needs an
/// `ORDER BY`.
pub(crate) const INSERT_CHUNKS: Sql = Sql::each(
    "INSERT INTO campaign_chunks \
       (campaign_id, audience_chunk_id, carrier, size, charge_micros, state, promotional, minds_dnd, \
        unit_price_micros, spares) \
     SELECT j.value ->> 0, a.id, a.carrier, a.size, \
       a.pages * COALESCE(a.unit_price_micros, j.value ->> CASE WHEN a.abroad THEN 3 ELSE 2 END), \
       'open', a.promotional, a.minds_dnd, COALESCE(a.unit_price_micros, CASE WHEN a.abroad THEN j.value ->> 3 END), a.spares \
     FROM jsonb_each($1) AS j CROSS JOIN audience_chunks a WHERE a.audience_id = (j.value ->> 1) \
     RETURNING id, campaign_id, carrier, size, charge_micros",
    "INSERT INTO campaign_chunks \
       (campaign_id, audience_chunk_id, carrier, size, charge_micros, state, promotional, minds_dnd, \
        unit_price_micros, spares) \
     SELECT j.campaign, a.id, a.carrier, a.size, \
       a.pages * COALESCE(a.unit_price_micros, CASE WHEN a.abroad THEN j.abroad ELSE j.price END), \
       'open', a.promotional, a.minds_dnd, COALESCE(a.unit_price_micros, CASE WHEN a.abroad THEN j.abroad END), a.spares \
     FROM UNNEST($1::BIGINT[], $2::BIGINT[], $3::BIGINT[], $4::BIGINT[]) AS j(campaign, audience, price, abroad) \
     JOIN audience_chunks a ON a.audience_id = j.audience ORDER BY j.campaign, a.id \
     RETURNING id, campaign_id, carrier, size, charge_micros",
);

/// A carrier's own refund policy for its chunks of a campaign.
#[derive(Clone, Copy, Debug)]
pub struct ChunkRefundPolicy<'a> {
    /// The campaign.
    pub campaign: CampaignId,
    /// The carrier's name.
    pub carrier: &'a str,
    /// Whether accepted messages that it does not deliver are refunded.
    pub refund_undelivered: bool,
}

/// Freezes carriers' own refund policies into the chunks of campaigns that were just made.
pub async fn freeze_refunds(tx: &mut Tx, policies: &[ChunkRefundPolicy<'_>]) -> Result<()> {
    if policies.is_empty() {
        return Ok(());
    }
    let rows = vec![
        Column::of(policies.iter().map(|it| it.campaign)),
        Column::of(policies.iter().map(|it| it.carrier)),
        Column::of(policies.iter().map(|it| i64::from(it.refund_undelivered))),
    ];
    tx.run(FREEZE_REFUNDS, args![rows]).await?;
    Ok(())
}

pub(crate) const FREEZE_REFUNDS: Sql = sql!(
    "UPDATE campaign_chunks SET refund_undelivered = j.refund = 1 \
     FROM UNNEST($1::BIGINT[], $2::TEXT[], $3::BIGINT[]) AS j (campaign, carrier, refund) \
     WHERE campaign_chunks.campaign_id = j.campaign AND campaign_chunks.carrier = j.carrier"
);

/// Gives campaigns their reserves.
pub async fn set_reserves(tx: &mut Tx, campaigns: Vec<CampaignId>, reserves: &[AccountId]) -> Result<()> {
    let sql = sql!(
        "UPDATE campaigns SET reserve_account_id = j.reserve FROM UNNEST($1::BIGINT[], $2::BIGINT[]) AS j (id, reserve) \
         WHERE campaigns.id = j.id"
    );
    let count = campaigns.len() as u64;
    let rows = vec![Column::of(campaigns), Column::of(reserves)];
    tx.run_exactly(count, sql, args![rows]).await
}

/// Has the numbers of audiences merged into the index of numbers, behind the send.
pub async fn queue_numbers(tx: &mut Tx, audiences: Vec<AudienceId>) -> Result<()> {
    let sql = sql!(
        "INSERT INTO number_index_queue (audience_id) SELECT j.id FROM UNNEST($1::BIGINT[]) AS j (id) WHERE true \
         ON CONFLICT (audience_id) DO NOTHING"
    );
    tx.run(sql, args![vec![Column::of(audiences)]]).await?;
    Ok(())
}
