//! Messages from handsets: kept as they came, and what was done about them.
//!
//! The invariant: a message is handled once, by the transaction that notes it.

use super::report::{Page, Scope};
use super::{Column, Sql, Tx};
use crate::args;
use crate::clock::Time;
use crate::error::Result;

/// A message from a handset.
#[derive(Clone, Debug)]
pub struct NewInbound {
    pub sender: String,
    pub recipient: String,
    pub text: String,
}

/// Keeps messages from handsets.
pub async fn keep(tx: &mut Tx, carrier: &str, messages: &[NewInbound], now: Time) -> Result<()> {
    for message in messages {
        tx.run(
            "INSERT INTO inbound_messages (carrier, sender, recipient, text, received_at) \
             VALUES ($1, $2, $3, $4, $5)",
            args![carrier, &message.sender, &message.recipient, &message.text, now],
        )
        .await?;
    }
    Ok(())
}

/// A message from a handset, as kept.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct InboundRow {
    pub id: i64,
    pub carrier: String,
    pub sender: String,
    pub recipient: String,
    pub text: String,
    pub received_at: i64,
    pub user_id: Option<i64>,
    pub action: Option<String>,
}

macro_rules! columns {
    () => {
        "SELECT id, carrier, sender, recipient, text, received_at, user_id, action FROM inbound_messages "
    };
}

/// The oldest that nobody looked at.
pub async fn unhandled(tx: &mut Tx, limit: i64) -> Result<Vec<InboundRow>> {
    tx.all(concat!(columns!(), "WHERE handled_at IS NULL ORDER BY id LIMIT $1"), args![limit]).await
}

/// Notes what was done about a message; false when somebody did before.
pub async fn handled(tx: &mut Tx, id: i64, user: Option<i64>, action: &str, now: Time) -> Result<bool> {
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
pub async fn owner_of(tx: &mut Tx, number: &str) -> Result<Option<i64>> {
    let row: Option<(i64,)> = tx
        .opt(
            "SELECT user_id FROM virtual_numbers WHERE virtual_num = $1 AND status = 'approved'",
            args![number],
        )
        .await?;
    Ok(row.map(|(user,)| user))
}

/// Whose messages these are, and from which sender, newest first; none of campaigns older than `since`.
pub async fn senders_of(tx: &mut Tx, chunks: Vec<i64>, since: Time) -> Result<Vec<(i64, String)>> {
    let sql = Sql::each(
        "SELECT c.user_id, c.sender FROM campaign_chunks ch JOIN campaigns c ON c.id = ch.campaign_id \
         WHERE ch.id IN (SELECT value ->> 0 FROM json_each($1)) AND c.created_at >= $2 ORDER BY ch.id DESC",
        "SELECT c.user_id, c.sender FROM campaign_chunks ch JOIN campaigns c ON c.id = ch.campaign_id \
         WHERE ch.id = ANY($1::BIGINT[]) AND c.created_at >= $2 ORDER BY ch.id DESC",
    );
    tx.all(sql, args![vec![Column::Ints(chunks)], since]).await
}

const OWN: &str = concat!(
    columns!(),
    "WHERE user_id = $1 AND ($2 = '' OR sender LIKE $2 ESCAPE '\\' OR lower(text) LIKE $2 ESCAPE '\\') \
     ORDER BY id DESC LIMIT $3 OFFSET $4"
);
const OWN_COUNT: &str = "SELECT COUNT(*) FROM inbound_messages \
     WHERE user_id = $1 AND ($2 = '' OR sender LIKE $2 ESCAPE '\\' OR lower(text) LIKE $2 ESCAPE '\\')";
const ALL: &str = concat!(
    columns!(),
    "WHERE ($1 = '' OR sender LIKE $1 ESCAPE '\\' OR lower(text) LIKE $1 ESCAPE '\\') \
     ORDER BY id DESC LIMIT $2 OFFSET $3"
);
const ALL_COUNT: &str = "SELECT COUNT(*) FROM inbound_messages \
     WHERE ($1 = '' OR sender LIKE $1 ESCAPE '\\' OR lower(text) LIKE $1 ESCAPE '\\')";

/// A page of them, newest first, and how many there are. `pattern` is [`super::listing::like_pattern`]'s, in lower case.
pub async fn page(tx: &mut Tx, scope: Scope, pattern: &str, page: Page) -> Result<(Vec<InboundRow>, i64)> {
    let (rows, (total,)) = match scope {
        Scope::Own(user) => (
            tx.all(OWN, args![user, pattern, page.size(), page.skip()]).await?,
            tx.one::<(i64,)>(OWN_COUNT, args![user, pattern]).await?,
        ),
        Scope::All => (
            tx.all(ALL, args![pattern, page.size(), page.skip()]).await?,
            tx.one::<(i64,)>(ALL_COUNT, args![pattern]).await?,
        ),
    };
    Ok((rows, total))
}

/// Forgets messages that came before.
pub async fn purge(tx: &mut Tx, before: Time) -> Result<u64> {
    tx.run("DELETE FROM inbound_messages WHERE received_at < $1 AND handled_at IS NOT NULL", args![before])
        .await
}
