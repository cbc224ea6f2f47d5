//! `[mail]`, the way of e-mails, and `[notices]`, what the platform's own messages look like.
//!
//! A half-written section is refused when it is read, not when the first code is due.

use std::fmt;
use std::path::PathBuf;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use talkdrum_core::notice::{MailConfig, Tls};
use talkdrum_core::sender::{DEFAULT_SENDER, SenderId, check_reserved};
use talkdrum_core::settings::Secret;

/// The most that is read of a password file.
const PASSWORD_MAX: usize = 1_024;

/// Where e-mails are submitted (SMTP). Without a host, none can leave.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mail {
    /// The submission server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// Its port: 587, 465 or 25 by the kind of `tls` when it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    /// `starttls`, `implicit` or `none`.
    pub tls: MailTls,
    /// The user name for SMTP authentication; none when it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// The password.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
    /// A file whose first line is the password.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub password_file: Option<PathBuf>,
    /// The sender: `Talkdrum <no-reply@example.com>`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

impl fmt::Debug for Mail {
    /// Without the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mail").field("host", &self.host).field("from", &self.from).finish_non_exhaustive()
    }
}

/// How the connection to the submission server is protected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MailTls {
    /// STARTTLS, and nothing without it.
    #[default]
    Starttls,
    /// TLS from the first byte.
    Implicit,
    /// Not at all: for a relay on this machine.
    None,
}

impl Mail {
    /// The settings of the mailer; `None` when there is no host.
    ///
    /// # Errors
    /// A sentence that names the key at fault.
    pub fn config(&self) -> anyhow::Result<Option<MailConfig>> {
        let Some(host) = &self.host else {
            let is_begun = self.from.is_some() || self.username.is_some() || self.port.is_some();
            anyhow::ensure!(!is_begun, "mail.host is not set, though other keys of [mail] are");
            return Ok(None);
        };
        let from = self.from.clone().context("mail.from is not set: who are e-mails from?")?;
        let (tls, usual_port) = match self.tls {
            MailTls::Starttls => (Tls::StartTls, 587),
            MailTls::Implicit => (Tls::Implicit, 465),
            MailTls::None => (Tls::None, 25),
        };
        let credentials = match (&self.username, self.password()?) {
            (Some(user), Some(password)) => Some((user.clone(), password)),
            (None, None) => None,
            (Some(_), None) => anyhow::bail!("mail.username is set, but no password or password_file"),
            (None, Some(_)) => anyhow::bail!("a password is set under [mail], but no username"),
        };
        let port = self.port.unwrap_or(usual_port);
        Ok(Some(MailConfig { host: host.clone(), port, tls, credentials, from }))
    }

    fn password(&self) -> anyhow::Result<Option<Secret>> {
        match (&self.password, &self.password_file) {
            (Some(_), Some(_)) => {
                anyhow::bail!("mail.password and mail.password_file are both set: choose one")
            }
            (Some(password), None) => Ok(Some(Secret::new(password))),
            (None, Some(path)) => {
                let text = std::fs::read_to_string(path)
                    .with_context(|| format!("mail.password_file {} cannot be read", path.display()))?;
                anyhow::ensure!(
                    text.len() <= PASSWORD_MAX,
                    "mail.password_file is no password: it is too long"
                );
                Ok(Some(Secret::new(text.lines().next().unwrap_or_default())))
            }
            (None, None) => Ok(None),
        }
    }
}

/// The platform's own messages.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NoticeSection {
    /// The sender id of text messages. Customers cannot use it.
    pub sender: String,
}

impl NoticeSection {
    /// # Errors
    /// When customers may use the sender: a code would look like any customer's message.
    pub fn check(&self) -> anyhow::Result<()> {
        let sender: SenderId =
            self.sender.parse().map_err(|error| anyhow::anyhow!("notices.sender cannot be used: {error}"))?;
        anyhow::ensure!(
            check_reserved(DEFAULT_SENDER, sender.as_str()).is_ok(),
            "notices.sender is {DEFAULT_SENDER}, which every customer may send from: choose one of the platform's own"
        );
        Ok(())
    }
}

impl Default for NoticeSection {
    fn default() -> Self {
        Self { sender: "TALKDRUM".into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(text: &str) -> Mail {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn a_server_and_a_sender_are_enough_and_the_port_follows_from_the_protection() {
        assert!(Mail::default().config().unwrap().is_none());
        let minimal = "host = 'mail.example.com'\nfrom = 'drum@example.com'";
        assert_eq!(section(minimal).config().unwrap().unwrap().port, 587);
        let implicit = section(&format!("{minimal}\ntls = 'implicit'")).config().unwrap().unwrap();
        assert_eq!((implicit.port, implicit.tls), (465, Tls::Implicit));
    }

    #[test]
    fn the_platforms_own_sender_is_none_that_customers_use() {
        assert!(NoticeSection::default().check().is_ok());
        for refused in ["WEBSMS", "Web-SMS", "", "longer than eleven"] {
            assert!(NoticeSection { sender: refused.into() }.check().is_err(), "{refused}");
        }
    }

    #[test]
    fn half_a_section_is_refused_and_no_password_shows_itself() {
        for half in [
            "from = 'a@example.com'",
            "host = 'mail.example.com'",
            "host = 'h'\nfrom = 'a@example.com'\nusername = 'u'",
            "host = 'h'\nfrom = 'a@example.com'\npassword = 'hunter2'",
            "host = 'h'\nfrom = 'a@example.com'\nusername = 'u'\npassword_file = '/nonexistent/x'",
        ] {
            assert!(section(half).config().is_err(), "{half}");
        }
        let whole = section("host = 'h'\nfrom = 'a@example.com'\nusername = 'u'\npassword = 'hunter2'");
        assert!(!format!("{whole:?} {:?}", whole.config().unwrap()).contains("hunter2"));
    }
}
