//! The rows of what is built.

use talkdrum_api::money::{Amount, Currency, Money};
use talkdrum_api::purpose::Purpose;

use super::{Built, Plan, START, Spot, UNIT_PRICE, charge, size};
use crate::error::Result;
use crate::ledger::{credit_by_admin, open_reserves};
use crate::model::campaign::audience_chunk::{CHUNK_SIZE, ChunkBuilder};
use crate::model::campaign::id::{AudienceChunkId, CampaignId, ChunkId};
use crate::model::message::id::MessageId;
use crate::model::message::status::{MessageStatus, MoneyState};
use crate::model::money::ledger::Reservation;
use crate::phone::Msisdn;
use crate::store::campaign::canary::{self, NewCanary};
use crate::store::{Column, Tx};
use crate::{args, sql};

pub(super) async fn store_audience_chunk(tx: &mut Tx, built: &mut Built, index: usize) -> Result<()> {
    let spots = built.plan.chunks[index].spots.len();
    assert!(spots <= CHUNK_SIZE, "a chunk has at most {CHUNK_SIZE} recipients");
    let mut builder = ChunkBuilder::new(built.plan.columns.len());
    for place in 0..spots {
        let given = built.plan.numbers.iter().find(|(chunk, at, _)| (*chunk, *at) == (index, place));
        // A few million numbers, no two alike within a database.
        let own = 2_348_000_000_000
            + (built.audience.0 * 40_000 + (index * CHUNK_SIZE + place) as i64).unsigned_abs();
        let number =
            given.map_or_else(|| Msisdn::from_digits(own).expect("a number"), |(_, _, number)| *number);
        let values: Vec<String> =
            built.plan.columns.iter().map(|column| format!("{column} {place}")).collect();
        builder.push(number, built.plan.pages, built.plan.segments, values.iter().map(String::as_str));
        built.numbers.push(number);
    }
    let chunk = builder.take()?.expect("a chunk with recipients");
    let row: (AudienceChunkId,) = tx
        .one(
            "INSERT INTO audience_chunks (audience_id, carrier, size, pages, segments, data) \
             VALUES ($1, 'main', $2, $3, $2, $4) RETURNING id",
            args![built.audience, spots as i64, spots as i64 * i64::from(built.plan.pages), chunk.data],
        )
        .await?;
    built.audience_chunks.push(row.0);
    Ok(())
}

/// Reserves the money and writes the campaign with its chunks, messages and retries.
pub(super) async fn store_run(tx: &mut Tx, built: &mut Built, run: i64) -> Result<()> {
    let charge = Amount(charge(&built.plan, size(&built.plan)));
    let money = Money { amount: charge, currency: Currency::Espees };
    credit_by_admin(tx, built.user, money, &format!("built-{}-{run}", built.quote), START).await?;
    let row: (CampaignId,) = tx.one("SELECT COALESCE(MAX(id), 0) + 1 FROM campaigns", args![]).await?;
    built.campaign = row.0;
    built.charge_micros = charge.0;
    let reservation = Reservation {
        campaign: built.campaign,
        user: built.user,
        wallet: built.wallet,
        money,
        narration: "Reserved".to_owned(),
    };
    let (reserves, bill) = open_reserves(tx, vec![reservation], START).await?;
    bill.pay(tx, START).await?;
    built.reserve = reserves[0];
    let plan = built.plan.clone();
    tx.run_exactly(
        1,
        "INSERT INTO campaigns (id, quote_id, run, user_id, audience_id, reserve_account_id, wallet_account_id, kind, \
         sender, content, currency, unit_price_micros, charge_micros, refund_undelivered, size, chunks_open, status, \
         created_at, started_at, purpose) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'espees', $11, $12, $16, $13, $14, 'sending', $15, $15, $17)",
        args![
            built.campaign,
            built.quote,
            run,
            built.user,
            built.audience,
            built.reserve.0,
            built.wallet.0,
            &plan.kind,
            &plan.sender,
            &plan.content,
            UNIT_PRICE,
            charge,
            size(&plan),
            plan.chunks.len() as i64,
            START,
            plan.refund_undelivered,
            plan.purpose
        ],
    )
    .await?;
    built.chunks.clear();
    for (index, audience_chunk) in built.audience_chunks.clone().into_iter().enumerate() {
        let chunk = store_chunk(tx, built.campaign, audience_chunk, (&plan, index)).await?;
        built.chunks.push(chunk);
    }
    let of_canary = plan.chunks.len() - plan.canary;
    let size = plan.chunks[of_canary..].iter().map(|chunk| chunk.spots.len() as i64).sum();
    let (campaign, delivery, wait_s) = (built.campaign, 80, 60);
    let canary =
        built.chunks.get(of_canary).map(|from| NewCanary { campaign, from: *from, size, delivery, wait_s });
    canary::set(tx, canary.as_slice()).await?;
    Ok(())
}

async fn store_chunk(
    tx: &mut Tx,
    campaign: CampaignId,
    audience_chunk: AudienceChunkId,
    (plan, index): (&Plan, usize),
) -> Result<ChunkId> {
    let planned = &plan.chunks[index];
    let spots = &planned.spots;
    let count = |wanted: fn(&Spot) -> bool| spots.iter().filter(|spot| wanted(spot)).count() as i64;
    let tail = count(|spot| *spot == Spot::Tail);
    let in_status =
        |status: MessageStatus| spots.iter().filter(|spot| status_of(**spot) == Some(status)).count() as i64;
    use MessageStatus as S;
    let row: (ChunkId,) = tx
        .one(
            "INSERT INTO campaign_chunks (campaign_id, audience_chunk_id, carrier, size, charge_micros, state, cursor, \
             tail_cancelled, answered, submitted, delivered, undelivered, rejected, expired, unknown, cancelled, \
             suppressed, spares, promotional) \
             VALUES ($1, $2, 'main', $3, $4, 'open', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) RETURNING id",
            args![
                campaign,
                audience_chunk,
                spots.len() as i64,
                charge(plan, spots.len() as i64),
                spots.len() as i64 - tail,
                if planned.cancelled { tail } else { 0 },
                count(|spot| status_of(*spot).is_some()),
                in_status(S::Submitted),
                in_status(S::Delivered),
                in_status(S::Undelivered),
                in_status(S::Rejected),
                in_status(S::Expired),
                in_status(S::Unknown),
                in_status(S::Cancelled),
                in_status(S::Suppressed),
                plan.spares.clone(),
                plan.purpose == Some(Purpose::Promotional)
            ],
        )
        .await?;
    store_messages(tx, row.0, spots).await?;
    for (place, _) in (0..).zip(spots).filter(|(_, spot)| **spot == Spot::Retry) {
        tx.run(
            "INSERT INTO retries (message_id, carrier, tries, parts_done, due_at, reason) \
             VALUES ($1, 'main', 1, 0, $2, 'throttled: the carrier''s rate limit was exceeded')",
            args![MessageId::new(row.0, place).0, START],
        )
        .await?;
    }
    Ok(row.0)
}

/// The status of the message row, where there is one.
fn status_of(spot: Spot) -> Option<MessageStatus> {
    match spot {
        Spot::Answered(status) => Some(status),
        Spot::Refunded => Some(MessageStatus::Undelivered),
        Spot::Retry | Spot::InFlight | Spot::Tail => None,
    }
}

/// Sequence 1 is the chunk's capture, 2 its release.
fn money_of(spot: Spot, status: MessageStatus) -> (MoneyState, Option<i64>) {
    use MessageStatus as S;
    match (spot, status) {
        (Spot::Refunded, _) => (MoneyState::Refunded, Some(1)),
        (_, S::Submitted | S::Delivered | S::Undelivered) => (MoneyState::Captured, Some(1)),
        (_, S::Rejected | S::Expired | S::Suppressed) => (MoneyState::Released, Some(2)),
        (_, S::Cancelled) => (MoneyState::Released, None),
        (_, S::Unknown | S::Queued | S::Submitting) => (MoneyState::Reserved, None),
    }
}

async fn store_messages(tx: &mut Tx, chunk: ChunkId, spots: &[Spot]) -> Result<()> {
    let rows: Vec<_> =
        (0..).zip(spots).filter_map(|(place, spot)| Some((place, *spot, status_of(*spot)?))).collect();
    let ints = |value: fn(ChunkId, &(u16, Spot, MessageStatus)) -> Option<i64>| {
        Column::of(rows.iter().map(|row| value(chunk, row)))
    };
    let texts = |value: fn(ChunkId, &(u16, Spot, MessageStatus)) -> Option<String>| {
        rows.iter().map(|row| value(chunk, row)).collect()
    };
    let sql = sql!(
        "INSERT INTO messages (id, status, money, sequence, submitted_at, done_after, carrier_ref, error) \
         SELECT j.* FROM UNNEST($1::BIGINT[], $2::BIGINT[], $3::BIGINT[], $4::BIGINT[], $5::BIGINT[], $6::BIGINT[], \
         $7::TEXT[], $8::TEXT[]) AS j"
    );
    let columns = vec![
        ints(|chunk, row| Some(MessageId::new(chunk, row.0).0)),
        ints(|_, row| Some(row.2.number())),
        ints(|_, row| Some(money_of(row.1, row.2).0.number())),
        ints(|_, row| money_of(row.1, row.2).1),
        ints(|_, row| Some(START.0 + i64::from(row.0))),
        ints(|_, row| (row.2 == MessageStatus::Delivered).then_some(60_000)),
        Column::Terse(texts(|chunk, row| {
            is_accepted(row.2).then(|| MessageId::new(chunk, row.0).0.to_string())
        })),
        Column::Texts(texts(|_, row| {
            (row.2 == MessageStatus::Rejected).then(|| "ESME_RINVDSTADR".to_owned())
        })),
    ];
    tx.run(sql, args![columns]).await.map(|_| ())
}

/// Whether the carrier gave a reference.
const fn is_accepted(status: MessageStatus) -> bool {
    use MessageStatus as S;
    matches!(status, S::Submitted | S::Delivered | S::Undelivered | S::Expired)
}
