//! The parts of messages that are longer than one segment.

use crate::error::Result;
use crate::model::message::id::{MessageId, PartId};
use crate::model::message::status::{MessageStatus, message_status};
use crate::store::message::statuses::statuses;
use crate::store::{Column, Tx};
use crate::{args, sql};

/// An accepted part of a message with several.
#[derive(Clone, Debug)]
pub struct NewPart {
    /// Which part.
    pub part_id: PartId,
    /// The carrier's reference.
    pub reference: Box<str>,
}

/// Records accepted parts.
pub async fn insert_parts(tx: &mut Tx, parts: &[NewPart]) -> Result<()> {
    if parts.is_empty() {
        return Ok(());
    }
    let columns = vec![
        Column::of(parts.iter().map(|part| part.part_id)),
        Column::of(parts.iter().map(|part| &*part.reference)),
    ];
    let sql = sql!(
        "INSERT INTO message_parts (id, carrier_ref, status) SELECT j.id, j.ref, ",
        message_status!(Submitted),
        " FROM UNNEST($1::BIGINT[], $2::TEXT[]) AS j (id, ref) WHERE true ON CONFLICT (id) DO NOTHING"
    );
    tx.run(sql, args![columns]).await.map(|_| ())
}

/// What a receipt says of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartReceipt {
    /// Which part.
    pub part_id: PartId,
    /// The status it takes.
    pub status: MessageStatus,
    /// Why it failed, as the network's code.
    pub error: Option<Box<str>>,
}

/// Records what receipts say of parts; a part's status never moves backwards.
pub async fn update_parts(tx: &mut Tx, parts: &[PartReceipt]) -> Result<()> {
    if parts.is_empty() {
        return Ok(());
    }
    let columns = vec![
        Column::of(parts.iter().map(|part| part.part_id)),
        Column::of(parts.iter().map(|part| part.status)),
        Column::of(parts.iter().map(|part| part.error.as_deref())),
    ];
    let sql = sql!(
        "UPDATE message_parts SET status = j.status, error = j.error \
         FROM UNNEST($1::BIGINT[], $2::BIGINT[], $3::TEXT[]) AS j (id, status, error) \
         WHERE message_parts.id = j.id AND message_parts.status NOT IN (",
        statuses!(confirmed, ", ", [number]),
        ")"
    );
    tx.run(sql, args![columns]).await.map(|_| ())
}

/// The statuses of a message's parts, in order, each with why it failed.
pub async fn parts_of(tx: &mut Tx, message: MessageId) -> Result<Vec<(MessageStatus, Option<String>)>> {
    tx.all(
        "SELECT status, error FROM message_parts WHERE id >= $1 AND id < $2 ORDER BY id",
        args![message.0 * 16, (message.0 + 1) * 16],
    )
    .await
}
