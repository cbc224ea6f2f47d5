//! Fresh proof of identity, and the reports of changes that could open an account to another person.
//!
//! A session that was borrowed for a minute, or a key that leaked, must not become permanent access. New API keys, links to
//! other accounts, new e-mail addresses and the addresses and secrets of webhooks need a session whose user signed in or gave
//! the password within the last [`PROVEN_FOR`], and each is reported to the owner's address. So do new administrators and
//! where customers' money goes, which are reported to all administrators.

use std::time::Duration;

use crate::account::identity::Identity;
use crate::error::{Error, Result};
use crate::model::account::id::{SessionId, UserId};
use crate::model::account::user::is_reachable;
use crate::notice::{self, NoticePurpose};
use crate::store::account::api_key::ApiKeyRow;
use crate::store::account::{api_key as keys, kingschat, profile, session, user};
use crate::store::campaign::spending;
use crate::store::webhook::{self, WebhookRow};
use crate::store::{Lane, Tx};
use crate::time::Time;

/// How long a sign-in or a password counts as a fresh proof.
pub const PROVEN_FOR: Duration = Duration::from_mins(10);
/// Keys that an e-mail names at most.
const KEYS_NAMED: i64 = 10;
/// Characters of a webhook's URL that an e-mail shows.
const URL_SHOWN: usize = 80;

/// What still opens an account after its password changed.
#[derive(Clone, Debug)]
pub struct RemainingAccess {
    /// API keys in use, the newest first, at most ten.
    pub api_keys: Vec<ApiKeyRow>,
    /// How many API keys there are.
    pub total_keys: i64,
    /// Whether a KingsChat account is linked.
    pub is_kingschat_linked: bool,
    /// Webhooks that are on, in the order in which they were added. They receive events and open nothing else.
    pub webhooks: Vec<WebhookRow>,
}

impl RemainingAccess {
    /// What a user's account is open to beside its password.
    pub(crate) async fn of(tx: &mut Tx, user_id: UserId) -> Result<Self> {
        let (api_keys, total_keys) = keys::page(tx, user_id, 0, KEYS_NAMED).await?;
        let webhooks = webhook::of_user(tx, user_id).await?.into_iter().filter(|row| row.is_active).collect();
        let is_kingschat_linked = kingschat::of_user(tx, user_id).await?.is_some();
        Ok(Self { api_keys, total_keys, is_kingschat_linked, webhooks })
    }

    /// The same as sentences of an e-mail; empty when there is nothing.
    pub(crate) fn told(&self) -> String {
        let mut text = String::new();
        if !self.api_keys.is_empty() {
            let names: Vec<_> = self.api_keys.iter().map(named).collect();
            let more = self.total_keys - i64::try_from(names.len()).unwrap_or(i64::MAX);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            text.push_str(&format!("These API keys still work: {}{more}. ", names.join(", ")));
        }
        if self.is_kingschat_linked {
            text.push_str("A KingsChat account is linked and still signs in. ");
        }
        if !self.webhooks.is_empty() {
            let urls: Vec<_> = self.webhooks.iter().map(|row| shown_url(&row.url)).collect();
            text.push_str(&format!("These webhooks still receive your events: {}. ", urls.join(", ")));
        }
        if !text.is_empty() {
            text.push_str("Revoke or delete what you do not know. ");
        }
        text
    }
}

/// A key as an e-mail names it: its owner's word for it, on one line, and its first characters.
fn named(key: &ApiKeyRow) -> String {
    let name: String = key.name.chars().filter(|sign| !sign.is_control()).collect();
    format!("'{name}' ({}...)", key.prefix)
}

/// A webhook's URL as an e-mail shows it: without its query, which may hold a secret of the receiver, and cut.
fn shown_url(url: &str) -> String {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    match path.char_indices().nth(URL_SHOWN) {
        Some((end, _)) => format!("{}...", &path[..end]),
        None => path.to_owned(),
    }
}

/// A change of a webhook that its owner gets a notice of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WebhookChange {
    /// It was added.
    Added,
    /// It got another URL.
    Repointed,
    /// It got a new secret.
    Rotated,
}

impl Identity {
    /// Whether a session's user signed in or gave the password within the last [`PROVEN_FOR`].
    ///
    /// # Errors
    /// Those of the store.
    pub async fn is_recently_proven(&self, session_id: SessionId) -> Result<bool> {
        let proven = session::proven_at(&mut self.store.read().await?, session_id).await?;
        Ok(proven.is_some_and(|at| self.now() < at + PROVEN_FOR))
    }

    /// Takes the password of a session's user again.
    ///
    /// # Errors
    /// Rules on `password`; `password_missing` for an account that has none.
    pub async fn reauthenticate(
        &self,
        (user_id, session_id): (UserId, SessionId),
        password: &str,
    ) -> Result<()> {
        if password.is_empty() {
            return Err(Error::field("password", "password_required", "Password is required"));
        }
        let hash = profile::password_hash(&mut self.store.read().await?, user_id).await?;
        if hash.is_none() {
            return Err(Error::rule(
                "password_missing",
                "This account has no password: sign out and sign in again",
            ));
        }
        if !self.passwords.verify(password, hash.as_deref()).await? {
            return Err(Error::field("password", "password_wrong", "The password is wrong"));
        }
        self.store
            .write(Lane::Interactive, (session_id, self.now()), |tx, (id, now)| {
                Box::pin(session::prove(tx, *id, *now))
            })
            .await
    }

    /// Tells a user of a new API key.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn tell_of_key(&self, tx: &mut Tx, user_id: UserId, key: &ApiKeyRow, now: Time) -> Result<()> {
        let what = format!(
            "An API key was made for your Talkdrum account {{}}: {}, with the scopes {}. It works without a password \
             until it is revoked or ends.",
            named(key),
            key.scopes
        );
        let advice = "If it was not you, revoke the key and change your password at once.";
        self.tell_owner(tx, user_id, "A new API key", (&what, advice), now).await
    }

    /// Tells a user that a KingsChat account was linked.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn tell_of_link(&self, tx: &mut Tx, user_id: UserId, now: Time) -> Result<()> {
        let what = "A KingsChat account was linked to your Talkdrum account {}. It signs in to your account without the \
                    password.";
        let advice = "If it was not you, end the link and change your password at once.";
        self.tell_owner(tx, user_id, "A KingsChat account was linked", (what, advice), now).await
    }

    /// Tells a user of a webhook that was added, or got another URL or secret.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn tell_of_webhook(
        &self,
        tx: &mut Tx,
        row: &WebhookRow,
        change: WebhookChange,
        now: Time,
    ) -> Result<()> {
        let url = shown_url(&row.url);
        let (subject, what) = match change {
            WebhookChange::Added => {
                ("A new webhook", format!("A webhook was added to your Talkdrum account {{}}: {url}."))
            }
            WebhookChange::Repointed => (
                "A webhook has another address",
                format!("Webhook {} of your Talkdrum account {{}} has another address: {url}.", row.id),
            ),
            WebhookChange::Rotated => (
                "A webhook has a new secret",
                format!("Webhook {} of your Talkdrum account {{}} ({url}) has a new secret.", row.id),
            ),
        };
        let what =
            format!("{what} It receives the events of your campaigns and messages until it is deleted.");
        let advice = "If it was not you, delete the webhook and change your password at once.";
        self.tell_owner(tx, row.user_id, subject, (&what, advice), now).await
    }

    /// Tells all active administrators what one of them, `by`, did. `{}` stands for that one's user name.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn tell_administrators(
        &self,
        tx: &mut Tx,
        by: UserId,
        (subject, what): (&str, &str),
        now: Time,
    ) -> Result<()> {
        let by = user::by_id(tx, by).await?.ok_or(Error::NotFound("user"))?;
        let text = format!(
            "{} If it was not meant, undo it, deactivate the account {} and look at the audit trail.\n",
            what.replace("{}", &by.username),
            by.username
        );
        for (address,) in spending::administrators(tx).await? {
            if is_reachable(&address) {
                let alert =
                    self.notices.draft_email(&address.parse()?, subject, &text, NoticePurpose::Alert)?;
                notice::queue_counted(tx, &alert, now).await?;
            }
        }
        Ok(())
    }

    /// Queues an e-mail about an account to its verified address; does nothing when there is none. `{}` in the text is
    /// replaced by the user name.
    pub(crate) async fn tell_owner(
        &self,
        tx: &mut Tx,
        user_id: UserId,
        subject: &str,
        (what, advice): (&str, &str),
        now: Time,
    ) -> Result<()> {
        let user = user::by_id(tx, user_id).await?.ok_or(Error::NotFound("user"))?;
        if user.email_verified_at.is_none() || !is_reachable(&user.email) {
            return Ok(());
        }
        let text = format!("{} {advice}\n", what.replace("{}", &user.username));
        let email = user.email.parse()?;
        let alert = self.notices.draft_email(&email, subject, &text, NoticePurpose::Alert)?;
        notice::queue_counted(tx, &alert, now).await
    }
}
