//! Notices: the platform's own messages to people, by e-mail and SMS: codes, alerts and administrators' messages.
//!
//! A notice is queued in the transaction of what it is about, then handed over by a worker: e-mails by the [`MailWorker`],
//! text messages by the dispatcher of the carrier that the routes choose, ahead of campaigns and within the same window
//! ([`Notices::claim_sms`], [`answer`]); other carriers of the route take over from one that is down ([`NoticeFailover`]). Tries
//! are bounded, and so is time: a code that has expired is of no use.
//!
//! Invariants: a queued notice is sent or recorded as failed; bodies are stored sealed, and only until then.

mod failover;
mod mail;
mod mail_worker;
#[cfg(test)]
mod tests;
mod text;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

pub use failover::NoticeFailover;
pub use mail::{Mail, MailConfig, MailFault, Mailer, SmtpMailer, Tls, check_mail};
pub use mail_worker::MailWorker;
pub use text::{DueTexts, Handover, NoticeAnswer, answer, is_ours, receipt};

use crate::error::{Error, Result};
use crate::model::account::user::Email;
use crate::model::platform::id::NoticeId;
pub use crate::model::platform::notice::{Channel, NoticePurpose};
use crate::phone::{Msisdn, NetworkTable};
use crate::routing::RouteCarrier;
use crate::routing::live_router::SharedRouter;
use crate::settings::{Sealed, Secret, Vault};
use crate::store::platform::notice as rows;
pub use crate::store::platform::notice::NewNotice;
use crate::store::{Lane, Store, Tx};
use crate::time::{Clock, Time};

/// Notices of one purpose that may wait at once. Each purpose has room of its own: alerts that pile up hold up no codes.
const SHARE_MAX: i64 = 20_000;
/// E-mails of one subject that an address gets in a day, where one account causes them.
pub(crate) const EMAILS_A_DAY: i64 = 10;
/// Within this time they are counted.
const DAY: Duration = Duration::from_hours(24);
/// How long what became of a notice is kept.
const KEPT_FOR: Duration = Duration::from_hours(90 * 24);
/// How often a text message is handed over to one carrier at most.
const TEXT_TRIES_MAX: i64 = 20;
/// The name bodies are sealed under.
const SEALED_AS: &str = "a notice";
/// The longest subject, in characters.
const SUBJECT_MAX: usize = 200;
/// The longest e-mail, in bytes.
const TEXT_MAX: usize = 64 << 10;

/// A notice in the clear, as it is handed over.
#[derive(Clone)]
pub struct Shown {
    /// By what.
    pub channel: Channel,
    /// To whom.
    pub to: String,
    /// Of an e-mail.
    pub subject: String,
    /// What it says.
    pub text: String,
    /// When.
    pub at: Time,
}

impl fmt::Debug for Shown {
    /// Without what it says: it may be a code.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shown").field("channel", &self.channel).field("at", &self.at).finish_non_exhaustive()
    }
}

/// Sees every notice that is handed over, and every code that is spoken: the sandbox's outbox.
pub trait Outbox: Send + Sync + fmt::Debug {
    /// A notice was handed over.
    fn show(&self, notice: Shown);

    /// A text, such as a code, is spoken in a call to a number.
    fn show_spoken(&self, to: String, text: String, at: Time);
}

/// Where notices are queued, and what it takes to hand them over. Cloning it is cheap.
#[derive(Clone, Debug)]
pub struct Notices {
    /// The database.
    pub store: Store,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Seals bodies.
    pub vault: Vault,
    /// The carriers and the routes to them.
    pub router: SharedRouter,
    /// Which network a number was issued to.
    pub networks: Arc<NetworkTable>,
    /// The sender id of text messages.
    pub sender: Arc<str>,
    /// The sandbox's outbox.
    pub outbox: Option<Arc<dyn Outbox>>,
}

impl Notices {
    /// Queues a text message; returns the notice's id.
    ///
    /// # Errors
    /// No carrier takes the number, the text cannot be sent, or too many notices wait.
    pub async fn sms(&self, to: Msisdn, text: &str, purpose: NoticePurpose) -> Result<NoticeId> {
        self.queue(self.draft_sms(to, text, purpose)?).await
    }

    /// Queues an e-mail to the operator's people, unless one with this subject was queued for the address within a day:
    /// one account cannot fill their mailboxes.
    ///
    /// # Errors
    /// The text is too long, or too many notices wait.
    pub async fn email(&self, to: &Email, subject: &str, text: &str) -> Result<()> {
        let notice = self.draft_email(to, subject, text, NoticePurpose::Message)?;
        self.store
            .write(Lane::Interactive, (notice, self.clock.now()), |tx, (notice, now)| {
                Box::pin(async move {
                    if emails_today(tx, notice, 1, *now).await? == 0 {
                        queue(tx, notice, *now).await?;
                    }
                    Ok(())
                })
            })
            .await
    }

    async fn queue(&self, notice: NewNotice) -> Result<NoticeId> {
        let now = self.clock.now();
        self.store
            .write(Lane::Interactive, (notice, now), |tx, (notice, now)| Box::pin(queue(tx, notice, *now)))
            .await
    }

    /// A text message, to be queued in the transaction of what it is about ([`queue`]).
    ///
    /// # Errors
    /// No carrier takes the number, or the text cannot be sent.
    pub fn draft_sms(&self, to: Msisdn, text: &str, purpose: NoticePurpose) -> Result<NewNotice> {
        let (kind, parts) = text::check(text)?;
        // The Do-Not-Disturb list is for advertising: the platform's own messages do not obey it.
        let plan = self.router.now().plan(kind, purpose.of_message(), &self.sender, None)?;
        let place = plan.decide(to, self.networks.lookup(to), parts).map_err(|_| {
            Error::NoRoute(format!("No route leads to the network of {to}: nothing was sent"))
        })?;
        let decision = plan.decisions().get(usize::from(place));
        let way = decision.and_then(|it| Some((plan.carriers().get(usize::from(it.carrier))?, it.spares)));
        let (carrier, spares) = way.ok_or_else(|| Error::Corrupt("a route leads to no carrier".into()))?;
        let notice =
            self.draft(Channel::Sms, purpose, to.to_string(), String::new(), text, carrier.name.to_string())?;
        let spares = spares.names(plan.carriers()).map_or_else(String::new, |names| names.to_string());
        Ok(NewNotice { spares, ..notice })
    }

    /// An e-mail, to be queued in the transaction of what it is about ([`queue`]).
    ///
    /// # Errors
    /// The text is too long.
    pub fn draft_email(
        &self,
        to: &Email,
        subject: &str,
        text: &str,
        purpose: NoticePurpose,
    ) -> Result<NewNotice> {
        let plain: String = subject.chars().filter(|sign| !sign.is_control()).take(SUBJECT_MAX).collect();
        self.draft(Channel::Email, purpose, to.as_str().to_owned(), plain, text, String::new())
    }

    /// A text message over a carrier of the operator's choice, whatever the routes say: a test of it.
    ///
    /// # Errors
    /// The text cannot be sent.
    pub fn draft_test(&self, to: Msisdn, text: &str, carrier: &RouteCarrier) -> Result<NewNotice> {
        let (kind, parts) = text::check(text)?;
        carrier.check(kind, &self.sender, parts)?;
        self.draft(
            Channel::Sms,
            NoticePurpose::Code,
            to.to_string(),
            String::new(),
            text,
            carrier.name.to_string(),
        )
    }

    fn draft(
        &self,
        channel: Channel,
        purpose: NoticePurpose,
        destination: String,
        subject: String,
        text: &str,
        carrier: String,
    ) -> Result<NewNotice> {
        if text.len() > TEXT_MAX {
            return Err(Error::field("message", "message_long", "Message must have at most 64 KiB"));
        }
        let body = self.vault.seal(SEALED_AS, &Secret::new(text))?;
        Ok(NewNotice {
            channel,
            purpose,
            destination,
            subject,
            body: body.as_str().to_owned(),
            carrier,
            spares: String::new(),
            expires_at: self.clock.now() + purpose.useful_for(),
        })
    }

    /// The body of a notice in hand.
    fn open(&self, body: Option<String>) -> Result<Secret> {
        let sealed = body.ok_or_else(|| Error::Corrupt("a notice that is due has no text".into()))?;
        self.vault.open(SEALED_AS, &Sealed::from(sealed))
    }

    fn show(&self, channel: Channel, to: &str, subject: &str, text: &str, at: Time) {
        if let Some(outbox) = &self.outbox {
            let (to, subject, text) = (to.to_owned(), subject.to_owned(), text.to_owned());
            outbox.show(Shown { channel, to, subject, text, at });
        }
    }

    /// E-mails that wait to be handed over.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn waiting_emails(&self) -> Result<i64> {
        rows::waiting(&mut self.store.read().await?, Channel::Email).await
    }

    /// Gives up expired notices, and settles those that a dead daemon had claimed.
    pub async fn sweep(&self, now: Time) -> Result<()> {
        let (expired, (unknown, again)) = self
            .store
            .write(Lane::Background, now, |tx, now| {
                Box::pin(async move { Ok((rows::expire(tx, *now).await?, rows::rescue(tx, *now).await?)) })
            })
            .await?;
        if expired > 0 {
            tracing::error!(
                notices = expired,
                "e-mails or text messages of the platform came too late to be sent"
            );
        }
        if unknown + again > 0 {
            tracing::warn!(unknown, again, "notices were in hand when a daemon stopped");
        }
        Ok(())
    }
}

/// Whether no further notice of this purpose may be queued now.
///
/// # Errors
/// Those of the store.
pub async fn is_full(tx: &mut Tx, purpose: NoticePurpose) -> Result<bool> {
    rows::is_share_full(tx, purpose, SHARE_MAX).await
}

/// How many e-mails with the subject of this one its address was to get within a day; counted up to `limit`.
async fn emails_today(tx: &mut Tx, notice: &NewNotice, limit: i64, now: Time) -> Result<i64> {
    rows::emails_of(tx, &notice.destination, &notice.subject, now - DAY, limit).await
}

/// Queues an e-mail that a user's own step causes, at most [`EMAILS_A_DAY`] of one subject. The step stands whether there
/// is room for the e-mail or not.
///
/// # Errors
/// Those of the store.
pub async fn queue_counted(tx: &mut Tx, notice: &NewNotice, now: Time) -> Result<()> {
    if emails_today(tx, notice, EMAILS_A_DAY, now).await? < EMAILS_A_DAY {
        queue_if_room(tx, notice, now).await?;
    }
    Ok(())
}

/// Queues a notice about something that stands whether there is room for the notice or not.
///
/// # Errors
/// Those of the store.
pub async fn queue_if_room(tx: &mut Tx, notice: &NewNotice, now: Time) -> Result<()> {
    match queue(tx, notice, now).await {
        Err(error @ Error::Unavailable { .. }) => {
            tracing::warn!(
                code = error.code(),
                purpose = notice.purpose.code(),
                "a notice finds no room in the queue"
            );
            Ok(())
        }
        queued => queued.map(|_| ()),
    }
}

/// Queues a notice in a transaction; returns its id.
///
/// # Errors
/// `notices_crowded` when too many of its purpose wait.
pub async fn queue(tx: &mut Tx, notice: &NewNotice, now: Time) -> Result<NoticeId> {
    if rows::is_share_full(tx, notice.purpose, SHARE_MAX).await? {
        return Err(Error::unavailable(
            "notices_crowded",
            "Too many e-mails and text messages of the platform are waiting: try again later",
        ));
    }
    rows::insert(tx, notice, now).await
}

/// Drops what became of notices long ago; returns how many.
pub async fn purge(tx: &mut Tx, now: Time) -> Result<u64> {
    rows::purge(tx, now - KEPT_FOR).await
}
