//! E-mail over SMTP submission (RFC 6409), by lettre: it knows MIME, STARTTLS and pooling, which are not ours to write.
//!
//! A fault says whether the same e-mail may be taken later; a wrong password of ours is no fault of the
//! e-mail's.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use futures::future::BoxFuture;
use lettre::message::{Mailbox, Message};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls as SmtpTls, TlsParameters};
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Tokio1Executor};

use crate::error::{Error, Result};
use crate::model::platform::id::NoticeId;
use crate::settings::Secret;
use crate::time::Time;

/// How long one command of SMTP may take.
const TIMEOUT: Duration = Duration::from_secs(20);

/// How the connection is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tls {
    /// STARTTLS, and nothing without it (port 587).
    StartTls,
    /// TLS from the first byte (port 465).
    Implicit,
    /// Not at all: for a relay on this machine.
    None,
}

/// Where e-mails are handed over.
#[derive(Clone, Debug)]
pub struct MailConfig {
    /// The submission server.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// How the connection is protected.
    pub tls: Tls,
    /// User name and password, where it asks for them.
    pub credentials: Option<(String, Secret)>,
    /// `Talkdrum <no-reply@example.com>`.
    pub from: String,
}

/// An e-mail, about to be handed over.
#[derive(Clone, Copy, Debug)]
pub struct Mail<'a> {
    /// The notice's id: tries of one notice bear one Message-ID.
    pub id: NoticeId,
    /// To whom.
    pub to: &'a str,
    /// About what.
    pub subject: &'a str,
    /// What it says.
    pub text: &'a str,
    /// When.
    pub at: Time,
}

/// Why an e-mail was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailFault {
    /// Whether it never will be.
    pub is_final: bool,
    /// In words, without the e-mail's own.
    pub reason: String,
}

/// Sends e-mails.
pub trait Mailer: Send + Sync + fmt::Debug {
    /// Hands one over.
    fn send<'a>(&'a self, mail: Mail<'a>) -> BoxFuture<'a, Result<(), MailFault>>;
}

/// A submission server.
pub struct SmtpMailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl fmt::Debug for SmtpMailer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SmtpMailer").finish_non_exhaustive()
    }
}

/// Checks settings where no mailer can be made: one wants a Tokio runtime and a provider of TLS.
///
/// # Errors
/// A sentence that names the setting at fault.
pub fn check_mail(config: &MailConfig) -> Result<()> {
    sender(config).map(drop)
}

fn sender(config: &MailConfig) -> Result<Mailbox> {
    config.from.parse().map_err(|_| {
        Error::rule(
            "bad_mail",
            format!("mail.from: '{}' is no address: write Name <name@example.com>", config.from),
        )
    })
}

impl SmtpMailer {
    /// A mailer of these settings, made within a Tokio runtime; nothing is connected yet.
    ///
    /// # Errors
    /// A sentence that names the setting at fault.
    pub fn new(config: &MailConfig) -> Result<Arc<Self>> {
        let from = sender(config)?;
        let parameters = || {
            TlsParameters::new(config.host.clone())
                .map_err(|error| Error::rule("bad_mail", format!("mail.host: {error}")))
        };
        let tls = match config.tls {
            Tls::StartTls => SmtpTls::Required(parameters()?),
            Tls::Implicit => SmtpTls::Wrapper(parameters()?),
            Tls::None => SmtpTls::None,
        };
        let builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&config.host)
            .port(config.port)
            .tls(tls)
            .timeout(Some(TIMEOUT));
        let builder = match &config.credentials {
            Some((user, password)) => {
                builder.credentials(Credentials::new(user.clone(), password.expose().to_owned()))
            }
            None => builder,
        };
        Ok(Arc::new(Self { transport: builder.build(), from }))
    }

    fn message(&self, mail: &Mail<'_>) -> Result<Message, MailFault> {
        let fault = |reason: String| MailFault { is_final: true, reason };
        let to = mail.to.parse().map_err(|_| fault("the address cannot be written to".into()))?;
        let domain = self.from.email.domain();
        let sent = UNIX_EPOCH + Duration::from_millis(u64::try_from(mail.at.millis()).unwrap_or_default());
        Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .subject(mail.subject)
            .date(sent)
            .message_id(Some(format!("<notice-{}@{domain}>", mail.id)))
            .header(lettre::message::header::ContentType::TEXT_PLAIN)
            .body(mail.text.to_owned())
            .map_err(|error| fault(error.to_string()))
    }
}

impl Mailer for SmtpMailer {
    fn send<'a>(&'a self, mail: Mail<'a>) -> BoxFuture<'a, Result<(), MailFault>> {
        Box::pin(async move {
            let message = self.message(&mail)?;
            let sent = self.transport.send(message).await;
            sent.map(|_| ()).map_err(|error| {
                let code = error.status().map(|code| code.to_string());
                MailFault { is_final: code.as_deref().is_some_and(is_final), reason: error.to_string() }
            })
        })
    }
}

/// Whether an SMTP reply is about the e-mail itself. 530, 534, 535 and 538 (RFC 4954) are about our own sign-in.
fn is_final(code: &str) -> bool {
    code.starts_with('5') && !code.starts_with("53")
}
