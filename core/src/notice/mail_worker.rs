//! The worker for e-mails: claims those that are due, sends them, and records the results.

use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;

use super::mail::{Mail, MailFault, Mailer};
use super::{Channel, Notices};
use crate::error::{Error, Result};
use crate::model::message::reason::PlatformReason;
use crate::model::platform::id::NoticeId;
use crate::model::platform::notice::NoticeStatus;
use crate::store::Lane;
use crate::store::platform::notice as rows;
use crate::store::platform::notice::NoticeRow;
use crate::time::Time;
use crate::time::backoff::doubled;

/// E-mails handed over at once.
const AT_ONCE: i64 = 8;
/// Longer than a mailer takes to give up.
const LEASE: Duration = Duration::from_mins(5);
/// How often one e-mail is handed over at most.
const TRIES_MAX: i64 = 12;
/// Before the second try; doubled for each after it.
const PAUSE: Duration = Duration::from_secs(5);
/// The longest pause.
const PAUSE_MAX: Duration = Duration::from_mins(15);

/// Hands e-mails over.
#[derive(Clone, Debug)]
pub struct MailWorker {
    notices: Notices,
    /// `None`: no way for e-mails is configured, so they wait, and expire with an error in the log.
    mailer: Option<Arc<dyn Mailer>>,
}

/// What became of an e-mail in hand.
#[derive(Clone, Debug)]
enum Fate {
    Sent,
    Again(Time, String),
    Failed(String),
}

impl MailWorker {
    /// The post of this queue.
    pub fn new(notices: Notices, mailer: Option<Arc<dyn Mailer>>) -> Self {
        Self { notices, mailer }
    }

    /// Whether e-mails can leave.
    pub fn is_open(&self) -> bool {
        self.mailer.is_some()
    }

    /// Hands over what is due; true when there may be more.
    pub async fn tick(&self, now: Time) -> Result<bool> {
        let Some(mailer) = &self.mailer else { return Ok(false) };
        let store = &self.notices.store;
        let due = rows::next_due(&mut store.read().await?, Channel::Email, "").await?;
        if due.is_none_or(|due| due > now) {
            return Ok(false);
        }
        let claimed = store
            .write(Lane::Interactive, now, |tx, now| {
                Box::pin(rows::claim(tx, Channel::Email, "", *now, *now + LEASE, AT_ONCE))
            })
            .await?;
        let more = claimed.len() as i64 == AT_ONCE;
        let fates: Vec<(NoticeId, Fate)> =
            join_all(claimed.into_iter().map(|row| self.hand_over(mailer.as_ref(), row, now))).await;
        let done = self.notices.clock.now();
        store
            .write(Lane::Interactive, (fates, done), |tx, (fates, done)| {
                Box::pin(async move {
                    for (id, fate) in fates {
                        match fate {
                            Fate::Sent => {
                                rows::finish(tx, *id, NoticeStatus::Sent, None, *done).await?;
                            }
                            Fate::Failed(reason) => {
                                rows::finish(tx, *id, NoticeStatus::Failed, Some(reason), *done).await?;
                            }
                            Fate::Again(due, reason) => {
                                rows::put_back(tx, *id, *due, 0, reason).await?;
                            }
                        }
                    }
                    Ok(())
                })
            })
            .await?;
        Ok(more)
    }

    async fn hand_over(&self, mailer: &dyn Mailer, row: NoticeRow, now: Time) -> (NoticeId, Fate) {
        let id = row.id;
        let fate = match self.try_once(mailer, &row, now).await {
            Ok(fate) => fate,
            Err(error) => Fate::Failed(error.code().to_owned()),
        };
        if let Fate::Failed(reason) = &fate {
            tracing::error!(notice = id.0, reason, "an e-mail could not be sent");
        }
        (id, fate)
    }

    async fn try_once(&self, mailer: &dyn Mailer, row: &NoticeRow, now: Time) -> Result<Fate> {
        if row.expires_at <= now {
            return Err(Error::rule(PlatformReason::Expired.code(), "The e-mail came too late to be of use"));
        }
        let text = self.notices.open(row.body.clone())?;
        let mail =
            Mail { id: row.id, to: &row.destination, subject: &row.subject, text: text.expose(), at: now };
        Ok(match mailer.send(mail).await {
            Ok(()) => {
                self.notices.show(Channel::Email, &row.destination, &row.subject, text.expose(), now);
                Fate::Sent
            }
            Err(MailFault { is_final, reason }) if is_final || row.tries >= TRIES_MAX => Fate::Failed(reason),
            Err(MailFault { reason, .. }) => {
                tracing::warn!(
                    notice = row.id.0,
                    tries = row.tries,
                    reason,
                    "an e-mail waits for another try"
                );
                Fate::Again(now + doubled(PAUSE, row.tries - 1, PAUSE_MAX), reason)
            }
        })
    }
}
