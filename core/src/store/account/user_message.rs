//! The rows of administrators' messages to users, and of who gets them.
//!
//! A recipient's row is written with the text message it names, so no user is written to twice.

use crate::args;
use crate::error::Result;
use crate::model::account::id::{UserId, UserMessageId};
use crate::model::platform::id::NoticeId;
use crate::model::platform::notice::{self, ChatStatus, MessageWay};
use crate::store::operations::purge::bounded;
use crate::store::{PURGED_AT_ONCE, Tx};
use crate::time::Time;

/// A message.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct UserMessageRow {
    /// The message's id.
    pub id: UserMessageId,
    /// Which administrator wrote it.
    pub by_user_id: UserId,
    /// To whom; `None` to everybody there was.
    pub to_user_id: Option<UserId>,
    /// That user's name.
    pub to_username: Option<String>,
    /// What it says.
    pub message: String,
    /// The newest user when it was written.
    pub last_user_id: UserId,
    /// Users with lower ids were given it.
    pub next_user_id: UserId,
    /// When it was written.
    pub created_at: Time,
    /// When all users had been given it.
    pub spread_at: Option<Time>,
}

/// A user to be given a message.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct PersonRow {
    /// The user's id.
    pub id: UserId,
    /// The phone number, where known.
    pub phone_number: Option<String>,
    /// The id at KingsChat, where an account is linked.
    pub provider_id: Option<String>,
}

/// A recipient to be noted.
#[derive(Clone, Debug)]
pub struct NewRecipient {
    /// The user's id.
    pub user_id: UserId,
    /// The text message, among notices.
    pub notice_id: Option<NoticeId>,
    /// Why there is none.
    pub sms_skipped: Option<&'static str>,
    /// The id at KingsChat, when something is to be sent there.
    pub provider_id: Option<String>,
}

/// A message for KingsChat that is due.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct ChatRow {
    /// The message's id.
    pub message_id: UserMessageId,
    /// The recipient.
    pub user_id: UserId,
    /// The recipient's id at KingsChat.
    pub provider_id: String,
    /// Tries so far.
    pub chat_attempts: i64,
    /// What it says.
    pub message: String,
}

/// A recipient as shown.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct RecipientRow {
    /// The user's id.
    pub user_id: UserId,
    /// The user's name to sign in by.
    pub username: String,
    /// Where the text message stands; `None` when there is none, or it was forgotten.
    pub sms_status: Option<notice::NoticeStatus>,
    /// The code of what kept it from being queued.
    pub sms_skipped: Option<String>,
    /// Where the KingsChat message stands; `None` when there is none.
    pub chat_status: Option<ChatStatus>,
    /// What KingsChat said of it.
    pub chat_reason: Option<String>,
}

/// How many recipients there are that stand alike on one of the ways.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct CountRow {
    /// The message.
    pub message_id: UserMessageId,
    /// The way.
    pub way: MessageWay,
    /// Where their text messages stand; `None` when there are none, or they were forgotten.
    pub sms_status: Option<notice::NoticeStatus>,
    /// The code of what kept text messages from being queued.
    pub sms_skipped: Option<String>,
    /// Where their KingsChat messages stand.
    pub chat_status: Option<ChatStatus>,
    /// How many.
    pub count: i64,
}

/// Notes a message for one user, or for all users there are.
pub async fn insert(
    tx: &mut Tx,
    by: UserId,
    to: Option<UserId>,
    message: &str,
    now: Time,
) -> Result<UserMessageId> {
    let (id,): (UserMessageId,) = tx
        .one(
            "INSERT INTO user_messages (by_user_id, to_user_id, message, last_user_id, next_user_id, created_at) \
             VALUES ($1, $2, $3, (SELECT COALESCE(MAX(id), 0) FROM users), 0, $4) RETURNING id",
            args![by, to, message, now],
        )
        .await?;
    Ok(id)
}

/// A message.
pub async fn by_id(tx: &mut Tx, id: UserMessageId) -> Result<Option<UserMessageRow>> {
    tx.opt(
        "SELECT id, by_user_id, to_user_id, (SELECT u.username FROM users u WHERE u.id = to_user_id) AS to_username, \
         message, last_user_id, next_user_id, created_at, spread_at FROM user_messages WHERE id = $1",
        args![id],
    )
    .await
}

/// The oldest message that is still to be given out.
pub async fn open(tx: &mut Tx) -> Result<Option<UserMessageRow>> {
    tx.opt(
        "SELECT id, by_user_id, to_user_id, (SELECT u.username FROM users u WHERE u.id = to_user_id) AS to_username, \
         message, last_user_id, next_user_id, created_at, spread_at FROM user_messages WHERE spread_at IS NULL ORDER BY id LIMIT 1",
        args![],
    )
    .await
}

/// How many messages are still to be given out, counted up to `most`.
pub async fn open_count(tx: &mut Tx, most: i64) -> Result<i64> {
    let (open,): (i64,) = tx
        .one(
            "SELECT COUNT(*) FROM (SELECT id FROM user_messages WHERE spread_at IS NULL LIMIT $1) AS open",
            args![most],
        )
        .await?;
    Ok(open)
}

/// A page of messages, newest first, and how many there are.
pub async fn page(tx: &mut Tx, offset: i64, limit: i64) -> Result<(Vec<UserMessageRow>, i64)> {
    let (total,): (i64,) = tx.one("SELECT COUNT(*) FROM user_messages", args![]).await?;
    let rows = tx
        .all(
            "SELECT id, by_user_id, to_user_id, (SELECT u.username FROM users u WHERE u.id = to_user_id) AS to_username, \
             message, last_user_id, next_user_id, created_at, spread_at FROM user_messages ORDER BY id DESC LIMIT $1 OFFSET $2",
            args![limit, offset],
        )
        .await?;
    Ok((rows, total))
}

/// The next users who get a message to all: administrators do not.
pub async fn people(tx: &mut Tx, from: UserId, last: UserId, limit: i64) -> Result<Vec<PersonRow>> {
    tx.all(
        "SELECT u.id, u.phone_number, c.provider_id FROM users u LEFT JOIN chat_links c ON c.user_id = u.id \
         WHERE u.id >= $1 AND u.id <= $2 AND u.role = 'user' AND u.deleted_at IS NULL \
         ORDER BY u.id LIMIT $3",
        args![from, last, limit],
    )
    .await
}

/// One user, active or not, unless deleted.
pub async fn person(tx: &mut Tx, id: UserId) -> Result<Option<PersonRow>> {
    tx.opt(
        "SELECT u.id, u.phone_number, c.provider_id FROM users u LEFT JOIN chat_links c ON c.user_id = u.id \
         WHERE u.id = $1 AND u.deleted_at IS NULL",
        args![id],
    )
    .await
}

/// Moves on to `next`, or to the end; false when another daemon did, and nothing of this is to stand.
pub async fn advance(
    tx: &mut Tx,
    (id, from): (UserMessageId, UserId),
    next: UserId,
    spread_at: Option<Time>,
) -> Result<bool> {
    let moved = tx
        .run(
            "UPDATE user_messages SET next_user_id = $3, spread_at = $4 \
             WHERE id = $1 AND next_user_id = $2 AND spread_at IS NULL",
            args![id, from, next, spread_at],
        )
        .await?;
    Ok(moved == 1)
}

/// Notes a recipient.
pub async fn add(tx: &mut Tx, message_id: UserMessageId, recipient: &NewRecipient, now: Time) -> Result<()> {
    let chat = recipient.provider_id.is_some();
    tx.run_exactly(
        1,
        "INSERT INTO user_message_recipients (message_id, user_id, notice_id, sms_skipped, provider_id, chat_status, \
         chat_due_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
        args![
            message_id,
            recipient.user_id,
            recipient.notice_id,
            recipient.sms_skipped,
            recipient.provider_id.as_deref(),
            chat.then_some(ChatStatus::Queued),
            chat.then_some(now),
        ],
    )
    .await
}

/// What is due at KingsChat, oldest first.
pub async fn chat_due(tx: &mut Tx, now: Time, limit: i64) -> Result<Vec<ChatRow>> {
    tx.all(
        "SELECT r.message_id, r.user_id, r.provider_id, r.chat_attempts, m.message FROM user_message_recipients r \
         JOIN user_messages m ON m.id = r.message_id \
         WHERE r.chat_status = 'queued' AND r.chat_due_at <= $1 ORDER BY r.chat_due_at LIMIT $2",
        args![now, limit],
    )
    .await
}

/// Takes one in hand until `until`; false when another daemon did.
pub async fn chat_claim(tx: &mut Tx, row: &ChatRow, until: Time) -> Result<bool> {
    let claimed = tx
        .run(
            "UPDATE user_message_recipients SET chat_status = 'sending', chat_attempts = chat_attempts + 1, \
             chat_due_at = $4 \
             WHERE message_id = $1 AND user_id = $2 AND chat_status = 'queued' AND chat_attempts = $3",
            args![row.message_id, row.user_id, row.chat_attempts, until],
        )
        .await?;
    Ok(claimed == 1)
}

/// Notes the result of a message under way, and forgets the id at KingsChat once it is not needed any more. A message
/// is not tried again when its user unlinked meanwhile.
pub async fn chat_settle(
    tx: &mut Tx,
    row: &ChatRow,
    status: ChatStatus,
    due: Option<Time>,
    reason: Option<&str>,
) -> Result<()> {
    tx.run(
        "UPDATE user_message_recipients SET \
           chat_status = CASE WHEN $3 = 'queued' AND provider_id IS NULL THEN 'refused' ELSE $3 END, \
           chat_due_at = $4, chat_reason = $5, provider_id = CASE WHEN $3 = 'queued' THEN provider_id END \
         WHERE message_id = $1 AND user_id = $2 AND chat_status IN ('sending', 'unknown')",
        args![row.message_id, row.user_id, status, due, reason],
    )
    .await?;
    Ok(())
}

pub(crate) const FORGET_CHATS: &str = "UPDATE user_message_recipients SET provider_id = NULL, \
       chat_reason = CASE chat_status WHEN 'queued' THEN 'the account was unlinked' ELSE chat_reason END, \
       chat_status = CASE chat_status WHEN 'queued' THEN 'refused' ELSE chat_status END \
     WHERE user_id = $1 AND provider_id IS NOT NULL";

/// Removes a user's KingsChat id from messages to them; those that still wait to be sent there are refused.
pub async fn forget_chats(tx: &mut Tx, user_id: UserId) -> Result<()> {
    tx.run(FORGET_CHATS, args![user_id]).await?;
    Ok(())
}

/// Whether something is in the hands of a daemon that died.
pub async fn has_abandoned(tx: &mut Tx, now: Time) -> Result<bool> {
    let row: Option<(i64,)> = tx
        .opt(
            "SELECT message_id FROM user_message_recipients \
             WHERE chat_status = 'sending' AND chat_due_at <= $1 LIMIT 1",
            args![now],
        )
        .await?;
    Ok(row.is_some())
}

/// Messages that a dead daemon had under way: they may have been sent, and are not sent again.
pub async fn chat_abandoned(tx: &mut Tx, now: Time) -> Result<u64> {
    tx.run(
        "UPDATE user_message_recipients SET chat_status = 'unknown', chat_due_at = NULL, \
         chat_reason = 'the daemon ended before the answer' WHERE chat_status = 'sending' AND chat_due_at <= $1",
        args![now],
    )
    .await
}

/// Removes a piece of the oldest message given out before `before`: a bounded number of its recipients, or when few are
/// left, itself. Returns how many rows.
pub async fn purge(tx: &mut Tx, before: Time) -> Result<u64> {
    let oldest: Option<(UserMessageId,)> = tx
        .opt("SELECT id FROM user_messages WHERE spread_at < $1 ORDER BY id LIMIT 1", args![before])
        .await?;
    let Some((id,)) = oldest else { return Ok(0) };
    let recipients = bounded!("user_message_recipients", "message_id, user_id", "message_id = $1");
    let removed = tx.run(recipients, args![id]).await?;
    if removed == PURGED_AT_ONCE {
        return Ok(removed);
    }
    Ok(removed + tx.run("DELETE FROM user_messages WHERE id = $1", args![id]).await?)
}

/// Where the recipients of these messages stand.
pub async fn counts(tx: &mut Tx, from: UserMessageId, to: UserMessageId) -> Result<Vec<CountRow>> {
    tx.all(
        "SELECT r.message_id, 'sms' AS way, n.status AS sms_status, \
           CASE WHEN n.status IS NULL THEN r.sms_skipped END AS sms_skipped, CAST(NULL AS TEXT) AS chat_status, \
           COUNT(*) AS count FROM user_message_recipients r LEFT JOIN notices n ON n.id = r.notice_id \
         WHERE r.message_id >= $1 AND r.message_id <= $2 GROUP BY 1, 2, 3, 4 \
         UNION ALL \
         SELECT message_id, 'chat', NULL, NULL, chat_status, COUNT(*) FROM user_message_recipients \
         WHERE message_id >= $1 AND message_id <= $2 AND chat_status IS NOT NULL GROUP BY message_id, chat_status",
        args![from, to],
    )
    .await
}

/// A page of a message's recipients, by user, and how many there are.
pub async fn recipients(
    tx: &mut Tx,
    message_id: UserMessageId,
    offset: i64,
    limit: i64,
) -> Result<(Vec<RecipientRow>, i64)> {
    let (total,): (i64,) = tx
        .one("SELECT COUNT(*) FROM user_message_recipients WHERE message_id = $1", args![message_id])
        .await?;
    let rows = tx
        .all(
            "SELECT r.user_id, u.username, n.status AS sms_status, r.sms_skipped, r.chat_status, r.chat_reason \
             FROM user_message_recipients r JOIN users u ON u.id = r.user_id \
             LEFT JOIN notices n ON n.id = r.notice_id \
             WHERE r.message_id = $1 ORDER BY r.user_id LIMIT $2 OFFSET $3",
            args![message_id, limit, offset],
        )
        .await?;
    Ok((rows, total))
}
