//! Administrators' messages to one user or to all: by text message, and by KingsChat where an account is linked.
//!
//! A message is noted at once and given out by a worker, some users at a time, while few of the platform's own messages
//! wait: codes are never held up by it. Each user gets it once. A KingsChat message that may have been
//! sent is not sent again.

use std::time::Duration;

use talkdrum_api::purpose::Purpose;

use crate::account::kingschat::{ChatDelivery, KingsChat};
use crate::error::{Error, Result};
use crate::model::account::id::{UserId, UserMessageId};
use crate::model::platform::audit::AuditAction;
use crate::model::platform::notice::ChatStatus;
use crate::notice::{self, NewNotice, NoticePurpose, Notices};
use crate::phone::Msisdn;
use crate::platform::audit;
use crate::store::account::user_message::{ChatRow, NewRecipient, PersonRow, UserMessageRow};
use crate::store::account::{user, user_message as rows};
use crate::store::contact::suppression;
use crate::store::platform::notice as queued;
use crate::store::{Lane, Store, Tx};
use crate::time::{Clock, Time};

/// Messages that may be waiting to be given out.
const OPEN_MAX: i64 = 20;
/// Users given a message in one transaction.
const AT_ONCE: i64 = 100;
/// Notices that may wait before more are added.
const WAITING_MAX: i64 = 1_000;
/// KingsChat messages in one tick, all at once; half of the calls that the client makes at once.
const CHATS_AT_ONCE: i64 = 8;
/// How long one may be in hand: longer than a call takes.
const IN_HAND: Duration = Duration::from_mins(2);
/// Before each further try at KingsChat.
const AGAIN_AFTER: [Duration; 4] =
    [Duration::from_secs(30), Duration::from_mins(2), Duration::from_mins(10), Duration::from_hours(1)];
/// A number that every route is asked about when a text is checked.
const SAMPLE: &str = "2348030000000";

/// Messages are forgotten this long after all users were given them.
const KEPT_FOR: Duration = Duration::from_hours(180 * 24);

/// Forgets a bounded piece of the oldest message that was given out long ago; returns how many rows.
///
/// # Errors
/// Those of the store.
pub async fn purge(tx: &mut Tx, now: Time) -> Result<u64> {
    rows::purge(tx, now - KEPT_FOR).await
}

/// Refuses a text that cannot be sent as a text message.
///
/// # Errors
/// A rule on the field `message`.
pub fn check(notices: &Notices, text: &str) -> Result<()> {
    if text.trim().is_empty() {
        return Err(Error::field("message", "message_required", "Message is required"));
    }
    let Some(sample) = number(SAMPLE) else { return Err(Error::Corrupt("the sample is no number".into())) };
    match notices.draft_sms(sample, text, NoticePurpose::Message) {
        Err(Error::NoRoute(_)) | Ok(_) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Notes a message, to be given out soon; returns its id.
///
/// # Errors
/// When there is no such user; `messages_crowded`.
pub async fn write(
    tx: &mut Tx,
    by: UserId,
    to: Option<UserId>,
    text: &str,
    now: Time,
) -> Result<UserMessageId> {
    if let Some(to) = to {
        let user = user::by_id(tx, to).await?.filter(|user| user.deleted_at.is_none());
        user.ok_or(Error::NotFound("user"))?;
    }
    if rows::open_count(tx, OPEN_MAX).await? >= OPEN_MAX {
        return Err(Error::unavailable(
            "messages_crowded",
            "20 messages are still being given out: try again when the first has arrived",
        ));
    }
    let id = rows::insert(tx, by, to, text, now).await?;
    let subject = to.map_or_else(|| "all users".to_owned(), |to| format!("user {to}"));
    audit::record(tx, &audit::Entry::new(by, AuditAction::UserMessage, subject).after(Some(text)), now)
        .await?;
    Ok(id)
}

/// Gives the oldest open message to some more users. True when there is more to do at once.
///
/// # Errors
/// Those of the store.
pub async fn give_out(store: &Store, notices: &Notices, kingschat: &KingsChat, now: Time) -> Result<bool> {
    let mut tx = store.read().await?;
    let Some(message) = rows::open(&mut tx).await? else { return Ok(false) };
    if queued::is_crowded(&mut tx, WAITING_MAX).await? {
        return Ok(false);
    }
    let people = match message.to_user_id {
        Some(id) => rows::person(&mut tx, id).await?.into_iter().collect(),
        None => rows::people(&mut tx, message.next_user_id, message.last_user_id, AT_ONCE).await?,
    };
    drop(tx);
    let is_last = message.to_user_id.is_some() || i64::try_from(people.len()).unwrap_or(AT_ONCE) < AT_ONCE;
    let next = people.last().map_or(message.next_user_id, |person| UserId(person.id.0 + 1));
    let drafts = people.iter().map(|person| draft(notices, &message, person, kingschat.sends())).collect();
    let batch = Batch { message, drafts, next, spread_at: is_last.then_some(now), now };
    store.write(Lane::Background, batch, |tx, batch| Box::pin(give(tx, batch))).await?;
    Ok(true)
}

/// What one user gets.
struct Draft {
    recipient: NewRecipient,
    sms: Option<(Msisdn, NewNotice)>,
}

struct Batch {
    message: UserMessageRow,
    drafts: Vec<Draft>,
    next: UserId,
    spread_at: Option<Time>,
    now: Time,
}

fn draft(notices: &Notices, message: &UserMessageRow, person: &PersonRow, by_chat: bool) -> Draft {
    let sms = match person.phone_number.as_deref() {
        None => Err("no_phone"),
        Some(phone) => match number(phone) {
            None => Err("bad_phone"),
            Some(phone) => notices
                .draft_sms(phone, &message.message, NoticePurpose::Message)
                .map(|notice| (phone, notice))
                .map_err(|error| error.code()),
        },
    };
    let recipient = NewRecipient {
        user_id: person.id,
        notice_id: None,
        sms_skipped: sms.as_ref().err().copied(),
        provider_id: person.provider_id.clone().filter(|_| by_chat),
    };
    Draft { recipient, sms: sms.ok() }
}

async fn give(tx: &mut Tx, batch: &Batch) -> Result<()> {
    let from = (batch.message.id, batch.message.next_user_id);
    if !rows::advance(tx, from, batch.next, batch.spread_at).await? {
        // Another daemon gave it to them.
        return Ok(());
    }
    let numbers: Vec<i64> = batch.drafts.iter().filter_map(|draft| draft.sms.as_ref().map(key)).collect();
    // An opt-out from the whole platform, also one by STOP, covers messages of its administrators.
    let opted_out = suppression::among(tx, suppression::PLATFORM, &numbers, Purpose::Promotional).await?;
    for Draft { recipient, sms } in &batch.drafts {
        let mut recipient = recipient.clone();
        match sms {
            Some(sms) if opted_out.contains(&key(sms)) => recipient.sms_skipped = Some("opted_out"),
            Some((_, notice)) => recipient.notice_id = Some(notice::queue(tx, notice, batch.now).await?),
            None => {}
        }
        rows::add(tx, batch.message.id, &recipient, batch.now).await?;
    }
    Ok(())
}

fn key((number, _): &(Msisdn, NewNotice)) -> i64 {
    number.digits().cast_signed()
}

fn number(digits: &str) -> Option<Msisdn> {
    digits.parse().ok().and_then(Msisdn::from_digits)
}

/// Sends some of what is due at KingsChat. True when there is more to do at once.
///
/// # Errors
/// Those of the store.
pub async fn send_chats(store: &Store, kingschat: &KingsChat, clock: &dyn Clock) -> Result<bool> {
    let now = clock.now();
    let due = rows::chat_due(&mut store.read().await?, now, CHATS_AT_ONCE).await?;
    let found = !due.is_empty();
    let sent = due.into_iter().map(|row| send_chat(store, kingschat, clock, row));
    futures::future::join_all(sent).await.into_iter().collect::<Result<()>>()?;
    Ok(found)
}

/// Gives up what a daemon that died had in hand; returns how many.
///
/// # Errors
/// Those of the store.
pub async fn give_up_abandoned(store: &Store, now: Time) -> Result<u64> {
    if !rows::has_abandoned(&mut store.read().await?, now).await? {
        return Ok(0);
    }
    store.write(Lane::Background, now, |tx, now| Box::pin(rows::chat_abandoned(tx, *now))).await
}

async fn send_chat(store: &Store, kingschat: &KingsChat, clock: &dyn Clock, row: ChatRow) -> Result<()> {
    let claim = (row.clone(), clock.now() + IN_HAND);
    let claimed = store
        .write(Lane::Background, claim, |tx, (row, until)| Box::pin(rows::chat_claim(tx, row, *until)))
        .await?;
    if !claimed {
        return Ok(());
    }
    let delivery = kingschat.send(&row.provider_id, &row.message, None).await;
    let settled = (settled(&row, delivery, clock.now()), row);
    store
        .write(Lane::Background, settled, |tx, ((status, due, reason), row)| {
            Box::pin(rows::chat_settle(tx, row, *status, *due, reason.as_deref()))
        })
        .await
}

/// Where a message stands after an answer, when it is tried again, and why.
fn settled(row: &ChatRow, delivery: ChatDelivery, now: Time) -> (ChatStatus, Option<Time>, Option<String>) {
    match delivery {
        ChatDelivery::Sent => (ChatStatus::Sent, None, None),
        ChatDelivery::Refused(why) => (ChatStatus::Refused, None, Some(why)),
        ChatDelivery::Unknown(why) => (ChatStatus::Unknown, None, Some(why)),
        ChatDelivery::Later(why) => {
            match usize::try_from(row.chat_attempts).ok().and_then(|tries| AGAIN_AFTER.get(tries)) {
                Some(pause) => (ChatStatus::Queued, Some(now + *pause), Some(why)),
                None => (ChatStatus::Failed, None, Some(why)),
            }
        }
    }
}

#[cfg(test)]
mod tests;
