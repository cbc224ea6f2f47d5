//! Text messages of the platform. They go the way of every message: through a carrier's dispatcher, window and settler.
//!
//! For the carrier a notice is a message with its negated id, so that it is never taken for one of a campaign.

use std::sync::Arc;
use std::time::Duration;

use talkdrum_api::kind::Kind;

use super::{Channel, Notices, SEALED_AS, TEXT_TRIES_MAX, failover};
use crate::carrier::{Accepted, Answer, Submission, Verdict};
use crate::content::{Body, Content, ContentFields, Scratch, no_values};
use crate::error::{Error, Result};
use crate::model::message::id::MessageId;
use crate::model::message::reason::PlatformReason;
use crate::model::message::status::MessageStatus;
use crate::model::platform::id::NoticeId;
use crate::model::platform::notice::NoticeStatus;
use crate::phone::Msisdn;
use crate::store::db::once::Once;
use crate::store::platform::notice as rows;
use crate::store::platform::notice::NoticeRow;
use crate::store::{Lane, Tx};
use crate::time::Time;

/// How long a carrier may take to answer before the message counts as unknown.
const LEASE: Duration = Duration::from_mins(2);
/// Before a throttled notice is tried again, times its tries.
const PAUSE: Duration = Duration::from_secs(1);

/// The kind of message that a text needs, plain where it can be, and its parts.
///
/// # Errors
/// Those of the content room, when it is empty or too long.
pub(super) fn check(text: &str) -> Result<(Kind, u8)> {
    match prepared(Kind::Text, text) {
        Ok(body) => Ok((Kind::Text, parts(&body))),
        Err(refused) => match prepared(Kind::Unicode, text) {
            Ok(body) => Ok((Kind::Unicode, parts(&body))),
            Err(_) => Err(refused),
        },
    }
}

fn parts(body: &Body) -> u8 {
    u8::try_from(body.parts.len()).unwrap_or(u8::MAX)
}

/// Braces are what they are: a notice has no merge fields.
fn prepared(kind: Kind, text: &str) -> Result<Body> {
    let text = text.replace('{', "{{").replace('}', "}}");
    let fields = match kind {
        Kind::Unicode | Kind::Text => ContentFields { message: Some(&text), ..ContentFields::default() },
        _ => return Err(Error::Corrupt("a notice is plain text".into())),
    };
    let prepared = Content::parse(kind, &fields)?.prepare()?;
    prepared
        .encode(no_values, &mut Scratch::default())
        .map_err(|error| Error::field("message", "message_unfit", error.to_string()))
}

/// Which of the text messages that are due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DueTexts {
    /// All of them.
    All,
    /// Tests of the carrier: while an operator holds it.
    Tests,
}

/// Text messages for a carrier, claimed.
#[derive(Debug, Default)]
pub struct Handover {
    /// To be submitted.
    pub batch: Vec<Submission>,
}

impl Notices {
    /// Claims the text messages that are due at a carrier, codes first, as far as `room` parts go.
    /// They are claimed by a write of `claims`: a claim whose answer is lost is not lost itself.
    pub async fn claim_sms(
        &self,
        claims: &Once,
        carrier: &str,
        wanted: DueTexts,
        room: u32,
        now: Time,
    ) -> Result<Handover> {
        let tests = wanted == DueTexts::Tests;
        let mut tx = self.store.read().await?;
        let due = match wanted {
            DueTexts::All => rows::next_due(&mut tx, Channel::Sms, carrier).await?,
            DueTexts::Tests => rows::next_test_due(&mut tx, carrier).await?,
        };
        drop(tx);
        if due.is_none_or(|due| due > now) {
            return Ok(Handover::default());
        }
        // Most are one part, none more than eight.
        let limit = i64::from((room / 8).max(1));
        let input = (carrier.to_owned(), now, limit, tests);
        let claimed = claims
            .write(Lane::Intent, input, |tx, (carrier, now, limit, tests)| {
                Box::pin(async move {
                    match tests {
                        true => rows::claim_tests(tx, carrier, *now, *now + LEASE, *limit).await,
                        false => rows::claim(tx, Channel::Sms, carrier, *now, *now + LEASE, *limit).await,
                    }
                })
            })
            .await?;
        let mut handover = Handover::default();
        for row in claimed {
            let id = row.id;
            match self.submission(row, now) {
                Ok(Some(submission)) => handover.batch.push(submission),
                Ok(None) => {
                    self.give_up(id, NoticeStatus::Expired, PlatformReason::Expired.code(), now).await?;
                }
                Err(error) => {
                    tracing::error!(notice = id.0, code = error.code(), %error, "a text message cannot be sent");
                    self.give_up(id, NoticeStatus::Failed, error.code(), now).await?;
                }
            }
        }
        Ok(handover)
    }

    fn submission(&self, row: NoticeRow, now: Time) -> Result<Option<Submission>> {
        if row.expires_at <= now {
            return Ok(None);
        }
        let text = self.open(row.body)?;
        let body = prepared(check(text.expose())?.0, text.expose())?;
        let digits = row.destination.parse().ok().and_then(Msisdn::from_digits);
        let to = digits.ok_or_else(|| Error::Corrupt(format!("{SEALED_AS} has no number")))?;
        if row.error.is_none() {
            self.show(Channel::Sms, &row.destination, "", text.expose(), now);
        }
        Ok(Some(Submission {
            message: MessageId::of_notice(row.id),
            to,
            from: Arc::clone(&self.sender),
            body: Arc::new(body),
            parts_done: u16::try_from(row.parts_done).unwrap_or_default(),
            tries: 0,
            caller: None,
            expires_at: Some(row.expires_at),
        }))
    }

    async fn give_up(
        &self,
        id: NoticeId,
        status: NoticeStatus,
        error: &'static str,
        now: Time,
    ) -> Result<()> {
        self.store
            .write(Lane::Background, (id, status, error, now), |tx, (id, status, error, now)| {
                Box::pin(rows::finish(tx, *id, *status, Some(*error), *now))
            })
            .await
    }
}

/// What a carrier answered to a notice.
#[derive(Clone, Debug)]
pub struct NoticeAnswer {
    id: NoticeId,
    verdict: Verdict,
    accepted: Accepted,
}

impl NoticeAnswer {
    /// The answer, if it is about a notice.
    pub fn of(answer: &Answer) -> Option<Self> {
        let id = answer.message.notice()?;
        Some(Self { id, verdict: answer.verdict.clone(), accepted: answer.accepted.clone() })
    }
}

/// Notes a carrier's answer to a notice.
pub async fn answer(tx: &mut Tx, carrier: &str, answer: &NoticeAnswer, now: Time) -> Result<()> {
    let mut parts = 0;
    for (part, reference) in answer.accepted.iter() {
        parts |= 1_i64 << part;
        if !reference.0.is_empty() {
            rows::keep_reference(tx, carrier, &reference.0, answer.id).await?;
        }
    }
    let refused = match &answer.verdict {
        Verdict::Refused(refusal) => Some((refusal, true)),
        Verdict::Throttled(refusal) => Some((refusal, false)),
        _ => None,
    };
    if let Some(refused) = refused.filter(|_| parts == 0)
        && failover::go_on(tx, answer.id, carrier, refused, now).await?
    {
        return Ok(());
    }
    match &answer.verdict {
        Verdict::Accepted => rows::finish(tx, answer.id, NoticeStatus::Sent, None, now).await,
        Verdict::Refused(refusal) => {
            let code = format!("{:#x}", refusal.code);
            tracing::error!(
                notice = answer.id.0,
                carrier,
                code,
                "a carrier refused a text message of the platform"
            );
            rows::finish(tx, answer.id, NoticeStatus::Failed, Some(&code), now).await
        }
        Verdict::Unanswered => {
            rows::finish(tx, answer.id, NoticeStatus::Unknown, Some(PlatformReason::Unanswered.code()), now)
                .await
        }
        Verdict::Throttled(refusal) => {
            rows::put_back(tx, answer.id, now + PAUSE, parts, &format!("{:#x}", refusal.code)).await?;
            rows::give_up_after(tx, answer.id, TEXT_TRIES_MAX, now).await
        }
        // A notice is no call: none was placed for it.
        Verdict::Called(_) | Verdict::Unsent => {
            rows::put_back(tx, answer.id, now + PAUSE, parts, PlatformReason::Unsent.code()).await?;
            Ok(())
        }
    }
}

/// Whether a carrier's reference is a notice's.
pub async fn is_ours(tx: &mut Tx, carrier: &str, reference: &str) -> Result<bool> {
    Ok(rows::of_reference(tx, carrier, reference).await?.is_some())
}

/// Notes a receipt, if it is about a notice; false when it is not.
pub async fn receipt(
    tx: &mut Tx,
    (carrier, reference): (&str, &str),
    status: MessageStatus,
    error: Option<&str>,
    now: Time,
) -> Result<bool> {
    let Some(id) = rows::of_reference(tx, carrier, reference).await? else { return Ok(false) };
    match status {
        MessageStatus::Delivered => rows::note_receipt(tx, id, NoticeStatus::Delivered, None, now).await?,
        MessageStatus::Undelivered | MessageStatus::Rejected | MessageStatus::Expired => {
            rows::note_receipt(tx, id, NoticeStatus::Undelivered, error, now).await?;
        }
        MessageStatus::Queued
        | MessageStatus::Submitting
        | MessageStatus::Submitted
        | MessageStatus::Unknown
        | MessageStatus::Cancelled
        | MessageStatus::Suppressed => {}
    }
    Ok(true)
}
