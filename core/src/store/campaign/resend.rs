//! Which messages of a campaign may be sent again, and which of them were.
//!
//! Those that failed, and the unknown ones that a person settled as never sent. A message is resent at
//! most once, and only while it stands as one of these.
//!
//! A message's mark names the quote that sends it again, and means something once that quote is confirmed: what an
//! unconfirmed quote has marked, another may mark. Marks are made in pieces before the confirmation, by the one that
//! has the campaign's turn, so that the transaction of the confirmation only looks whether the turn is still its own.

use std::time::Duration;

use talkdrum_api::kind::Kind;
use talkdrum_api::money::Currency;
use talkdrum_api::purpose::Purpose;

use crate::content::Content;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::id::{AudienceId, CampaignId, ChunkId, QuoteId};
use crate::model::message::id::MessageId;
use crate::model::message::reason::PlatformReason;
use crate::model::message::status::message_status;
use crate::store::message::statuses::{status_column, statuses};
use crate::store::{Column, Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// The fields of a campaign that its resend repeats.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct ResentCampaign {
    /// The campaign's id.
    pub id: CampaignId,
    /// Its owner.
    pub user_id: UserId,
    /// The quote it came from.
    pub quote_id: QuoteId,
    /// Who got it.
    pub audience_id: AudienceId,
    /// The kind of message.
    pub kind: Kind,
    /// The sender id.
    pub sender: String,
    /// What it said.
    pub content: Content,
    /// What it was paid in.
    pub currency: Currency,
    /// What it was for; `None` where it was quoted by a daemon that knew no purpose.
    pub purpose: Option<Purpose>,
}

/// The campaign of this id.
pub async fn campaign(tx: &mut Tx, id: CampaignId) -> Result<Option<ResentCampaign>> {
    tx.opt(
        "SELECT id, user_id, quote_id, audience_id, kind, sender, content, currency, purpose FROM campaigns WHERE id = $1",
        args![id],
    )
    .await
}

/// A chunk with failed messages.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct FailedChunk {
    /// The campaign chunk's id.
    pub id: ChunkId,
    /// Its recipients as stored.
    pub data: Vec<u8>,
}

/// Up to `limit` chunks of a campaign after `after` in which a message may be sent again, in order.
pub async fn chunks_with_failures(
    tx: &mut Tx,
    campaign: CampaignId,
    after: ChunkId,
    limit: i64,
) -> Result<Vec<FailedChunk>> {
    let sql = concat!(
        "SELECT c.id, a.data FROM campaign_chunks c JOIN audience_chunks a ON a.id = c.audience_chunk_id \
         WHERE c.campaign_id = $1 AND c.id > $2 AND ",
        statuses!(failed, " + ", ["c.", column]),
        " + c.",
        status_column!(Cancelled),
        " > 0 ORDER BY c.id LIMIT $3"
    );
    tx.all(sql, args![campaign, after, limit]).await
}

/// The messages of a chunk that may be sent again and were not yet, in order.
pub async fn failed_messages(tx: &mut Tx, chunk: ChunkId) -> Result<Vec<MessageId>> {
    let (from, to) = MessageId::of_chunk(chunk);
    let rows: Vec<(MessageId,)> =
        tx.all(FAILED, args![from, to, PlatformReason::ResolvedRefunded.code()]).await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// The messages that may be sent again: those that failed, or were cancelled by a person's decision that they were never
/// sent ([`crate::campaign::control::resolve_unknown`]); the argument is [`PlatformReason::ResolvedRefunded`].
macro_rules! resendable {
    ($refunded:literal) => {
        concat!(
            "(m.status IN (",
            statuses!(failed, ", ", [number]),
            ") OR (m.status = ",
            message_status!(Cancelled),
            " AND m.error = ",
            $refunded,
            "))"
        )
    };
}

pub(crate) const FAILED: &str = concat!(
    "SELECT m.id FROM messages m WHERE m.id >= $1 AND m.id < $2 AND ",
    resendable!("$3"),
    " AND NOT EXISTS (SELECT 1 FROM message_resends r JOIN quotes q ON q.id = r.quote_id \
       WHERE r.message_id = m.id AND q.confirmed_at IS NOT NULL) ORDER BY m.id"
);

/// The joins of a count go chunk by chunk, and from what was sent again to its message.
pub(crate) const COUNT: &str = concat!(
    "SELECT CAST(COALESCE(SUM(",
    statuses!(failed, " + ", ["ch.", column]),
    " - CASE WHEN ",
    statuses!(failed, " + ", ["ch.", column]),
    " > 0 THEN (SELECT COUNT(*) FROM message_resends r \
         CROSS JOIN messages m CROSS JOIN quotes q \
         WHERE r.message_id >= ch.id * 4096 AND r.message_id < (ch.id + 1) * 4096 \
         AND m.id = r.message_id AND m.status IN (",
    statuses!(failed, ", ", [number]),
    ") AND q.id = r.quote_id AND q.confirmed_at IS NOT NULL) ELSE 0 END \
     + CASE WHEN ch.",
    status_column!(Cancelled),
    " > 0 THEN (SELECT COUNT(*) FROM messages m WHERE m.id >= ch.id * 4096 \
         AND m.id < (ch.id + 1) * 4096 AND m.status = ",
    message_status!(Cancelled),
    " AND m.error = $2 \
         AND NOT EXISTS (SELECT 1 FROM message_resends r JOIN quotes q ON q.id = r.quote_id \
           WHERE r.message_id = m.id AND q.confirmed_at IS NOT NULL)) ELSE 0 END), 0) AS BIGINT) \
     FROM campaign_chunks ch WHERE ch.campaign_id = $1"
);

/// How many messages of a campaign may be sent again and were not yet.
pub async fn count(tx: &mut Tx, campaign: CampaignId) -> Result<i64> {
    let row: (i64,) = tx.one(COUNT, args![campaign, PlatformReason::ResolvedRefunded.code()]).await?;
    Ok(row.0)
}

/// The turn of one confirmation to mark the messages of a campaign for its quote. The newest turn of a campaign is the
/// only one.
#[derive(Clone, Copy, Debug)]
pub struct ResendTurn {
    /// The campaign that is sent again.
    pub campaign: CampaignId,
    /// The quote that sends it again.
    pub quote: QuoteId,
    /// A number that no other turn has: one that was drawn at random.
    pub number: i64,
}

/// A turn that has marked nothing for so long is given up: its daemon is gone.
const GIVEN_UP_AFTER: Duration = Duration::from_secs(15);

/// Begins a turn; the one before it can neither mark nor be confirmed any more. Settlements in which a message of the
/// campaign turns out not to have failed are waited for: what they store is not marked, and later ones see the turn.
///
/// # Errors
/// `resend_under_way` while another confirmation of the same quote marks messages, as on another daemon.
pub async fn begin_turn(tx: &mut Tx, turn: ResendTurn, now: Time) -> Result<()> {
    tx.run(sql!("SELECT id FROM campaigns WHERE id = $1 FOR SHARE"), args![turn.campaign]).await?;
    let sql = "INSERT INTO resend_turns (campaign_id, turn, quote_id, marked, marked_at) VALUES ($1, $2, $3, 0, $4) \
               ON CONFLICT (campaign_id) DO UPDATE SET turn = excluded.turn, quote_id = excluded.quote_id, marked = 0, \
                 marked_at = excluded.marked_at \
               WHERE resend_turns.quote_id <> excluded.quote_id OR resend_turns.marked_at < $5";
    let args = args![turn.campaign, turn.number, turn.quote, now, now - GIVEN_UP_AFTER];
    if tx.run(sql, args).await? == 1 {
        return Ok(());
    }
    Err(Error::unavailable(
        "resend_under_way",
        "This resend is being confirmed: ask again in a few seconds, with the same Idempotency-Key",
    ))
}

/// Gives a turn up.
pub async fn end_turn(tx: &mut Tx, turn: ResendTurn) -> Result<()> {
    let sql = "DELETE FROM resend_turns WHERE campaign_id = $1 AND turn = $2";
    tx.run(sql, args![turn.campaign, turn.number]).await.map(|_| ())
}

/// These messages of the campaigns have not failed after all: a turn that has marked one of them has not marked all of
/// its own any more.
pub async fn outdate_turns(tx: &mut Tx, campaigns: Vec<CampaignId>, messages: Vec<MessageId>) -> Result<()> {
    // A piece that is being marked is waited for here, so that its marks are seen below.
    let hold = sql!(
        "SELECT campaign_id FROM resend_turns WHERE campaign_id = ANY($1::BIGINT[]) ORDER BY campaign_id FOR UPDATE"
    );
    let turns: Vec<(i64,)> = tx.all(hold, args![vec![Column::of(&campaigns)]]).await?;
    if turns.is_empty() {
        return Ok(());
    }
    let messages = vec![Column::of(messages)];
    // Whatever is marked from here on, it is fewer than all.
    let outdate = sql!(
        "UPDATE resend_turns SET marked = -1 WHERE campaign_id = ANY($1::BIGINT[]) AND quote_id IN \
           (SELECT r.quote_id FROM UNNEST($2::BIGINT[]) AS j (id) JOIN message_resends r ON r.message_id = j.id)"
    );
    tx.run(outdate, args![vec![Column::of(campaigns)], messages]).await.map(|_| ())
}

/// Keeps a turn that has marked `size` messages until the transaction ends.
///
/// # Errors
/// `resend_superseded` when another one has begun; `resend_outdated` when it has not marked all of them, as in a
/// database that forgot some, or one of them has not failed after all ([`outdate_turns`]).
pub async fn lock_turn(tx: &mut Tx, turn: ResendTurn, size: i64) -> Result<()> {
    let sql = sql!("SELECT marked FROM resend_turns WHERE campaign_id = $1 AND turn = $2 FOR UPDATE");
    match tx.opt::<(i64,)>(sql, args![turn.campaign, turn.number]).await? {
        Some((marked,)) if size == marked => Ok(()),
        Some(_) => Err(outdated()),
        None => Err(superseded()),
    }
}

/// How many marks one transaction makes or removes.
pub const MARKS_AT_ONCE: usize = 8_192;

/// Marks up to [`MARKS_AT_ONCE`] messages as sent again by the quote of a turn.
///
/// # Errors
/// `resend_superseded` when the turn is over; `resend_outdated` when one of them was sent again by another quote, or
/// has not failed any more.
pub async fn mark(tx: &mut Tx, turn: ResendTurn, messages: &[MessageId], now: Time) -> Result<()> {
    let count = messages.len() as u64;
    // It also keeps the turn until the transaction ends.
    let sql =
        "UPDATE resend_turns SET marked = marked + $3, marked_at = $4 WHERE campaign_id = $1 AND turn = $2";
    if tx.run(sql, args![turn.campaign, turn.number, count.cast_signed(), now]).await? == 0 {
        return Err(superseded());
    }
    let messages = vec![Column::of(messages)];
    let args = args![turn.quote, PlatformReason::ResolvedRefunded.code(), messages];
    if tx.run(MARK, args).await? == count { Ok(()) } else { Err(outdated()) }
}

/// Removes up to [`MARKS_AT_ONCE`] marks of a quote that is not confirmed, and ends its turn; whether there were or are
/// any.
pub async fn unmark(tx: &mut Tx, quote: QuoteId) -> Result<bool> {
    // Until the transaction ends it cannot be confirmed.
    let open = sql!("SELECT id FROM quotes WHERE id = $1 AND confirmed_at IS NULL FOR UPDATE");
    if tx.opt::<(QuoteId,)>(open, args![quote]).await?.is_none() {
        return Ok(false);
    }
    tx.run(
        "DELETE FROM resend_turns WHERE quote_id = $1 AND campaign_id IN (SELECT resend_of FROM quotes WHERE id = $1)",
        args![quote],
    )
    .await?;
    // The quote is compared in the row itself: another one may have taken the mark since it was looked up.
    let sql = "DELETE FROM message_resends WHERE quote_id = $1 AND message_id IN \
               (SELECT message_id FROM message_resends WHERE quote_id = $1 LIMIT $2)";
    let removed = tx.run(sql, args![quote, MARKS_AT_ONCE as i64]).await?;
    let left = "SELECT message_id FROM message_resends WHERE quote_id = $1 LIMIT 1";
    Ok(removed > 0 || tx.opt::<(i64,)>(left, args![quote]).await?.is_some())
}

fn superseded() -> Error {
    Error::conflict(
        "resend_superseded",
        "Another confirmation of a resend of this campaign began after this one and ends it: look at the list of \
         campaigns before you try again",
    )
}

/// The refusal of a resend whose messages are not what they were.
pub fn outdated() -> Error {
    Error::conflict(
        "resend_outdated",
        "Some of these messages were delivered or sent again since this quote: ask for a new one; nothing was charged",
    )
}

/// The messages come from the argument and are looked up one by one; never the other way round.
pub(crate) const MARK: Sql = sql!(
    "INSERT INTO message_resends (message_id, quote_id) SELECT m.id, $1 FROM UNNEST($3::BIGINT[]) AS j (id) \
     CROSS JOIN messages m WHERE m.id = j.id AND ",
    resendable!("$2"),
    " ON CONFLICT (message_id) DO UPDATE SET quote_id = excluded.quote_id WHERE NOT EXISTS \
       (SELECT 1 FROM quotes q WHERE q.id = message_resends.quote_id AND q.confirmed_at IS NOT NULL)"
);
