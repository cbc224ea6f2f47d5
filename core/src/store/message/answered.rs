//! The messages of a chunk that were answered: those that have rows, and those that are packed.

use super::{from_json, packed_messages};
use crate::error::Result;
use crate::model::campaign::id::ChunkId;
use crate::model::message::id::MessageId;
use crate::model::message::packed_messages::PackedMessage;
use crate::model::message::status::{MessageStatus, MoneyState};
use crate::store::message::done_at;
use crate::store::{Sql, Tx};
use crate::time::Time;
use crate::{args, sql};

/// One of them.
#[derive(Clone, Debug)]
pub struct AnsweredMessage {
    /// Its place in the chunk.
    pub place: u16,
    pub status: MessageStatus,
    /// Where its money is.
    pub money: MoneyState,
    pub submitted_at: Option<Time>,
    pub done_at: Option<Time>,
    pub carrier_ref: Option<Box<str>>,
    pub error: Option<Box<str>>,
}

impl From<PackedMessage> for AnsweredMessage {
    fn from(packed: PackedMessage) -> Self {
        Self {
            place: packed.place,
            status: MessageStatus::Delivered,
            money: MoneyState::Captured,
            submitted_at: Some(packed.submitted_at),
            done_at: Some(packed.done_at),
            carrier_ref: packed.carrier_ref,
            error: None,
        }
    }
}

/// One row a chunk, a JSON array a column: a driver's cost for each row and column would be most of an export.
pub(crate) const ROWS: Sql = sql!(
    "SELECT CAST(COALESCE(json_agg(id & 4095), '[]') AS TEXT), CAST(COALESCE(json_agg(status), '[]') AS TEXT), \
     CAST(COALESCE(json_agg(money), '[]') AS TEXT), CAST(COALESCE(json_agg(submitted_at), '[]') AS TEXT), \
     CAST(COALESCE(json_agg(done_at), '[]') AS TEXT), CAST(COALESCE(json_agg(carrier_ref), '[]') AS TEXT), \
     CAST(COALESCE(json_agg(error), '[]') AS TEXT) \
     FROM (SELECT id, status, money, submitted_at, ",
    done_at!(),
    " AS done_at, CAST(carrier_ref AS TEXT) AS carrier_ref, error FROM messages \
           WHERE id >= $1 AND id < $2 ORDER BY id) AS ordered",
);

/// All of a chunk, in order of place.
pub async fn of_chunk(tx: &mut Tx, chunk: ChunkId) -> Result<Vec<AnsweredMessage>> {
    let (from, to) = MessageId::of_chunk(chunk);
    let row: (String, String, String, String, String, String, String) = tx.one(ROWS, args![from, to]).await?;
    let places: Vec<u16> = from_json(&row.0)?;
    let statuses: Vec<MessageStatus> = from_json(&row.1)?;
    let money: Vec<MoneyState> = from_json(&row.2)?;
    let submitted_at: Vec<Option<Time>> = from_json(&row.3)?;
    let done_at: Vec<Option<Time>> = from_json(&row.4)?;
    let carrier_refs: Vec<Option<Box<str>>> = from_json(&row.5)?;
    let errors: Vec<Option<Box<str>>> = from_json(&row.6)?;
    let states = statuses.into_iter().zip(money);
    let times = submitted_at.into_iter().zip(done_at);
    let texts = carrier_refs.into_iter().zip(errors);
    let mut answered: Vec<AnsweredMessage> =
        places
            .into_iter()
            .zip(states.zip(times.zip(texts)))
            .map(|(place, ((status, money), ((submitted_at, done_at), (carrier_ref, error))))| {
                AnsweredMessage { place, status, money, submitted_at, done_at, carrier_ref, error }
            })
            .collect();
    let packed = packed_messages::of_chunk(tx, chunk).await?;
    add(&mut answered, packed.into_iter().map(Into::into), |message| message.place);
    Ok(answered)
}

const PLACES: Sql = sql!(
    "SELECT CAST(COALESCE(json_agg(id & 4095), '[]') AS TEXT), CAST(COALESCE(json_agg(error), '[]') AS TEXT) \
     FROM (SELECT id, error FROM messages WHERE id >= $1 AND id < $2 AND status >= $3 AND status <= $4 ORDER BY id) \
     AS ordered"
);

/// The places of a chunk whose messages are in one of these statuses, in order, with what is recorded of why.
pub async fn in_statuses(
    tx: &mut Tx,
    chunk: ChunkId,
    (low, high): (i64, i64),
) -> Result<Vec<(u16, Option<Box<str>>)>> {
    let (from, to) = MessageId::of_chunk(chunk);
    let (places, errors): (String, String) = tx.one(PLACES, args![from, to, low, high]).await?;
    let errors: Vec<Option<Box<str>>> = from_json(&errors)?;
    let mut found: Vec<_> = from_json::<Vec<u16>>(&places)?.into_iter().zip(errors).collect();
    if (low..=high).contains(&MessageStatus::Delivered.number()) {
        let packed = packed_messages::places(tx, chunk).await?;
        add(&mut found, packed.into_iter().map(|place| (place, None)), |(place, _)| *place);
    }
    Ok(found)
}

/// Adds what is packed to what has rows, both in order of place. What was packed between the two statements is in both, and kept
/// once.
fn add<T>(rows: &mut Vec<T>, packed: impl ExactSizeIterator<Item = T>, place: impl Fn(&T) -> u16) {
    if packed.len() == 0 {
        return;
    }
    let count = rows.len();
    for message in packed {
        if rows[..count].binary_search_by_key(&place(&message), &place).is_err() {
            rows.push(message);
        }
    }
    rows.sort_unstable_by_key(place);
}

/// The plans of both.
#[cfg(test)]
pub(super) async fn plans(tx: &mut Tx) -> Result<Vec<(&'static str, Vec<String>)>> {
    Ok(vec![
        (ROWS.sqlite, tx.explain(ROWS, args![0, 4096]).await?),
        (PLACES.sqlite, tx.explain(PLACES, args![0, 4096, 0, 1]).await?),
    ])
}
