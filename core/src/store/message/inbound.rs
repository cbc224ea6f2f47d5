//! Messages from handsets: kept as they came, their parts until all are there, and what was done about them.
//!
//! A message is handled once, and a part becomes part of one message, each by the transaction that notes
//! it.

use crate::carrier::http::Said;
use crate::carrier::{Inbound, InboundPart, Script};
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::id::ChunkId;
use crate::model::message::id::{InboundId, InboundPartId};
use crate::model::page::{Page, RecordScope};
use crate::store::operations::purge::bounded;
use crate::store::{AgedRow, Column, PURGED_AT_ONCE, Tx};
use crate::time::Time;
use crate::{args, sql};

/// A message from a handset, or a part of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewInbound {
    pub sender: String,
    pub recipient: String,
    pub text: String,
    /// The provider's own name for it, where it has one: what comes under it again is the same message.
    pub reference: Option<String>,
    /// A number that wraps around: the same text under it within a short time is the same message.
    pub mark: Option<String>,
    /// The part that it is; then `text` says nothing.
    pub part: Option<InboundPart>,
}

impl From<&Inbound> for NewInbound {
    fn from(inbound: &Inbound) -> Self {
        Self {
            sender: inbound.from.to_string(),
            recipient: inbound.to.to_string(),
            text: inbound.text.clone(),
            reference: inbound.reference.as_deref().map(str::to_owned),
            mark: inbound.mark.as_deref().map(str::to_owned),
            part: inbound.part.clone(),
        }
    }
}

impl From<Said> for NewInbound {
    fn from(said: Said) -> Self {
        let Said { from, to, text, reference, part } = said;
        Self { sender: from, recipient: to, text, reference, mark: None, part }
    }
}

/// How long an address or a reference may be, in characters.
const NAME_MAX: usize = 100;
/// How long a text may be, in characters: more than 255 parts hold.
const TEXT_MAX: usize = 40_000;

/// A text that both databases take: PostgreSQL has no U+0000.
fn storable(text: &str, characters_max: usize) -> String {
    text.chars()
        .take(characters_max)
        .map(|sign| if sign == '\0' { char::REPLACEMENT_CHARACTER } else { sign })
        .collect()
}

const KEEP: &str = "INSERT INTO inbound_messages (carrier, sender, recipient, text, received_at, carrier_ref, mark) \
     SELECT $1, $2, $3, $4, $5, $6, $7 WHERE NOT EXISTS (SELECT 1 FROM inbound_messages m \
     WHERE m.sender = $2 AND m.mark = $7 AND m.recipient = $3 AND m.carrier = $1 AND m.text = $4 \
     AND m.received_at > $8) ON CONFLICT DO NOTHING";

/// Keeps messages from handsets, and parts of some. What came before, by its reference, or since `repeats_since` as the
/// same part or as the same text under the same mark, is kept once.
pub async fn keep(
    tx: &mut Tx,
    carrier: &str,
    messages: &[NewInbound],
    repeats_since: Time,
    now: Time,
) -> Result<()> {
    for message in messages {
        let sender = storable(&message.sender, NAME_MAX);
        let recipient = storable(&message.recipient, NAME_MAX);
        if let Some(part) = &message.part {
            tx.run(
                "INSERT INTO inbound_parts (carrier, sender, recipient, reference, total, place, script, octets, \
                 received_at) SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9 WHERE NOT EXISTS (SELECT 1 FROM inbound_parts p \
                 WHERE p.sender = $2 AND p.reference = $4 AND p.total = $5 AND p.place = $6 AND p.recipient = $3 \
                 AND p.carrier = $1 AND p.octets = $8 AND p.received_at > $10)",
                args![
                    carrier,
                    sender,
                    recipient,
                    part.reference,
                    part.total,
                    part.place,
                    part.script.code(),
                    part.octets.to_vec(),
                    now,
                    repeats_since,
                ],
            )
            .await?;
            continue;
        }
        let name = |name: &Option<String>| name.as_deref().map(|name| storable(name, NAME_MAX));
        let (reference, mark) = (name(&message.reference), name(&message.mark));
        let text = storable(&message.text, TEXT_MAX);
        tx.run(KEEP, args![carrier, sender, recipient, text, now, reference, mark, repeats_since]).await?;
    }
    Ok(())
}

/// The parts of a message that may be joined.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct OpenMessage {
    pub carrier: String,
    pub sender: String,
    pub recipient: String,
    pub reference: i64,
    pub total: i64,
}

/// A part that waits for the others.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct PartRow {
    pub id: InboundPartId,
    pub place: i64,
    pub script: Script,
    pub octets: Vec<u8>,
    pub received_at: Time,
}

/// When the part came before which more than `kept` others came and wait; `None` when there are no more than that.
pub async fn crowded_since(tx: &mut Tx, kept: i64) -> Result<Option<Time>> {
    let row: Option<(Time,)> = tx
        .opt(
            "SELECT received_at FROM inbound_parts WHERE message_id IS NULL ORDER BY id DESC LIMIT 1 OFFSET $1",
            args![kept],
        )
        .await?;
    Ok(row.map(|(at,)| at))
}

pub(crate) const TO_BE_JOINED: &str = "SELECT carrier, sender, recipient, reference, total FROM inbound_parts \
     WHERE message_id IS NULL GROUP BY carrier, sender, recipient, reference, total \
     HAVING COUNT(DISTINCT place) = total OR MIN(received_at) <= $1 ORDER BY MIN(id) LIMIT $2";

/// The messages whose parts are all there, and those with a part that came at `waited_until` or before.
pub async fn to_be_joined(tx: &mut Tx, waited_until: Time, limit: i64) -> Result<Vec<OpenMessage>> {
    tx.all(TO_BE_JOINED, args![waited_until, limit]).await
}

pub(crate) const PARTS: &str = "SELECT id, place, script, octets, received_at FROM inbound_parts \
     WHERE sender = $1 AND reference = $2 AND total = $3 AND recipient = $4 AND carrier = $5 AND message_id IS NULL \
     ORDER BY id DESC LIMIT 1000";

/// The parts of a message that wait, newest first.
pub async fn parts(tx: &mut Tx, of: &OpenMessage) -> Result<Vec<PartRow>> {
    tx.all(PARTS, args![&of.sender, of.reference, of.total, &of.recipient, &of.carrier]).await
}

/// Makes a message of parts; false when another transaction did.
pub async fn join(
    tx: &mut Tx,
    of: &OpenMessage,
    parts: &[PartRow],
    text: &str,
    received_at: Time,
) -> Result<bool> {
    let ids = || vec![Column::of(parts.iter().map(|part| part.id))];
    let sql =
        sql!("UPDATE inbound_parts SET message_id = 0 WHERE message_id IS NULL AND id = ANY($1::BIGINT[])");
    let taken = tx.run(sql, args![ids()]).await?;
    let count = parts.len() as i64;
    if taken == 0 {
        return Ok(false);
    }
    if taken != parts.len() as u64 {
        return Err(Error::conflict("parts_taken", "Another daemon joins some of these parts"));
    }
    let (id,): (i64,) = tx
        .one(
            "INSERT INTO inbound_messages (carrier, sender, recipient, text, received_at, parts_total, parts_missing) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id",
            args![
                &of.carrier,
                &of.sender,
                &of.recipient,
                storable(text, TEXT_MAX),
                received_at,
                of.total,
                of.total - count,
            ],
        )
        .await?;
    let sql = sql!("UPDATE inbound_parts SET message_id = $1 WHERE id = ANY($2::BIGINT[])");
    tx.run_exactly(taken, sql, args![id, ids()]).await?;
    Ok(true)
}

/// A message from a handset, as kept.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct InboundRow {
    pub id: InboundId,
    pub carrier: String,
    pub sender: String,
    pub recipient: String,
    pub text: String,
    pub received_at: Time,
    pub user_id: Option<UserId>,
    pub username: Option<String>,
    pub action: Option<String>,
    pub parts_total: i64,
    pub parts_missing: i64,
}

macro_rules! columns {
    () => {
        "SELECT id, carrier, sender, recipient, text, received_at, user_id, \
           (SELECT u.username FROM users u WHERE u.id = inbound_messages.user_id) AS username, \
           action, parts_total, parts_missing \
         FROM inbound_messages "
    };
}

/// The oldest that are not handled yet.
pub async fn unhandled(tx: &mut Tx, limit: i64) -> Result<Vec<InboundRow>> {
    tx.all(concat!(columns!(), "WHERE handled_at IS NULL ORDER BY id LIMIT $1"), args![limit]).await
}

/// Notes what was done about a message; false when it was handled before.
pub async fn handled(
    tx: &mut Tx,
    id: InboundId,
    user: Option<UserId>,
    action: &str,
    now: Time,
) -> Result<bool> {
    let rows = tx
        .run(
            "UPDATE inbound_messages SET user_id = $2, action = $3, handled_at = $4 \
             WHERE id = $1 AND handled_at IS NULL",
            args![id, user, action, now],
        )
        .await?;
    Ok(rows == 1)
}

/// Whose virtual number this is.
pub async fn owner_of(tx: &mut Tx, number: &str) -> Result<Option<UserId>> {
    let row: Option<(UserId,)> = tx
        .opt(
            "SELECT user_id FROM virtual_numbers WHERE virtual_num = $1 AND status = 'approved'",
            args![number],
        )
        .await?;
    Ok(row.map(|(user,)| user))
}

/// Whose messages these are, and from which sender, newest first; none of campaigns older than `since`.
pub async fn senders_of(tx: &mut Tx, chunks: Vec<ChunkId>, since: Time) -> Result<Vec<(UserId, String)>> {
    let sql = sql!(
        "SELECT c.user_id, c.sender FROM campaign_chunks ch JOIN campaigns c ON c.id = ch.campaign_id \
         WHERE c.created_at >= $1 AND ch.id = ANY($2::BIGINT[]) ORDER BY ch.id DESC"
    );
    tx.all(sql, args![since, vec![Column::of(chunks)]]).await
}

const OWN: &str = concat!(
    columns!(),
    "WHERE user_id = $1 AND ($2 = '' OR lower(sender COLLATE \"binary\") LIKE $2 ESCAPE '\\' \
       OR lower(text COLLATE \"binary\") LIKE $2 ESCAPE '\\') \
     ORDER BY id DESC LIMIT $3 OFFSET $4"
);
const OWN_COUNT: &str = "SELECT COUNT(*) FROM inbound_messages \
     WHERE user_id = $1 AND ($2 = '' OR lower(sender COLLATE \"binary\") LIKE $2 ESCAPE '\\' \
       OR lower(text COLLATE \"binary\") LIKE $2 ESCAPE '\\')";
const ALL: &str = concat!(
    columns!(),
    "WHERE ($1 = '' OR lower(sender COLLATE \"binary\") LIKE $1 ESCAPE '\\' \
       OR lower(text COLLATE \"binary\") LIKE $1 ESCAPE '\\') \
     ORDER BY id DESC LIMIT $2 OFFSET $3"
);
const ALL_COUNT: &str = "SELECT COUNT(*) FROM inbound_messages \
     WHERE ($1 = '' OR lower(sender COLLATE \"binary\") LIKE $1 ESCAPE '\\' \
       OR lower(text COLLATE \"binary\") LIKE $1 ESCAPE '\\')";

/// A page of them, newest first, and how many there are. `pattern` is [`crate::store::db::listing::like_pattern`]'s, in lower case.
pub async fn page(
    tx: &mut Tx,
    scope: RecordScope,
    pattern: &str,
    page: Page,
) -> Result<(Vec<InboundRow>, i64)> {
    let (rows, (total,)) = match scope {
        RecordScope::Own(user) => (
            tx.all(OWN, args![user, pattern, page.size(), page.skip()]).await?,
            tx.one::<(i64,)>(OWN_COUNT, args![user, pattern]).await?,
        ),
        RecordScope::All => (
            tx.all(ALL, args![pattern, page.size(), page.skip()]).await?,
            tx.one::<(i64,)>(ALL_COUNT, args![pattern]).await?,
        ),
    };
    Ok((rows, total))
}

/// The next messages that came before a time and were taken, in the order of their age, a bounded number.
pub async fn aged(tx: &mut Tx, before: Time, after: AgedRow) -> Result<Vec<AgedRow>> {
    tx.all(AGED, args![before, after.at, after.id, PURGED_AT_ONCE.cast_signed()]).await
}

const AGED: &str = "SELECT id, user_id, received_at AS at FROM inbound_messages \
     WHERE received_at < $1 AND (received_at, id) > ($2, $3) AND handled_at IS NOT NULL \
     ORDER BY received_at, id LIMIT $4";

/// Forgets these messages; how many.
pub async fn remove(tx: &mut Tx, messages: Vec<i64>) -> Result<u64> {
    let sql = sql!("DELETE FROM inbound_messages WHERE id = ANY($1::BIGINT[])");
    tx.run(sql, args![vec![Column::Ints(messages)]]).await
}

/// Forgets a bounded number of joined parts that came before a time; how many.
pub async fn purge_parts(tx: &mut Tx, before: Time) -> Result<u64> {
    tx.run(bounded!("inbound_parts", "id", "received_at < $1 AND message_id IS NOT NULL"), args![before])
        .await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;

    both_databases! {
        async fn parts_and_repeats_are_found_by_their_indexes(store: Store) {
            let mut tx = store.read().await.unwrap();
            // An empty PostgreSQL table is scanned whatever its indexes.
            if tx.dialect() == crate::store::Dialect::Postgres {
                return;
            }
            let plan = tx.explain(PARTS, args!["1", 1_i64, 2_i64, "2", "main"]).await.unwrap().join(" ");
            assert!(plan.contains("inbound_parts_of (sender=? AND reference=? AND total=?)"), "{plan}");
            let plan = tx.explain(AGED, args![9_i64, 1_i64, 1_i64, 500_i64]).await.unwrap().join(" ");
            assert!(plan.contains("inbound_messages_age (") && !plan.contains("TEMP B-TREE"), "{plan}");
            let plan = tx.explain(TO_BE_JOINED, args![1_i64, 50_i64]).await.unwrap().join(" ");
            assert!(plan.contains("inbound_parts_open"), "{plan}");
            let given = args!["main", "1", "2", "YES", 9_i64, None::<String>, "16:1", 1_i64];
            let plan = tx.explain(KEEP, given).await.unwrap().join(" ");
            assert!(plan.contains("inbound_marked (sender=? AND mark=?)"), "{plan}");
        }
    }
}
