//! New passwords: by the old one, or by a code sent to the account's address.
//!
//! A new password ends every session but the one it was set in. The owner gets an e-mail of it, of what else still opens
//! the account, and of wrong codes.

use super::password::check_new_password;
use super::reauthentication::RemainingAccess;
use crate::account::identity::{CodeAsked, Identity};
use crate::account::origin::Origin;
use crate::account::user::registration::check_confirmation;
use crate::account::verification::code::{
    self, Asked, Binding, Code, FAILURES_KEPT_FOR, FAILURES_MAX, Grant, TRIES_MAX,
};
use crate::error::{Error, Result};
use crate::model::account::code_purpose::CodePurpose;
use crate::model::account::id::{SessionId, UserId};
use crate::model::account::user::Email;
use crate::notice::{self, NoticePurpose};
use crate::store::account::{api_key, kingschat, profile, session, user};
use crate::store::{Lane, Tx};
use crate::time::Time;

/// A user's request to reset a forgotten password.
#[derive(Clone, Debug)]
struct Forgot {
    email: Email,
    asked: Asked,
    now: Time,
}

/// A password about to be set.
#[derive(Clone)]
struct Change {
    user_id: UserId,
    hash: String,
    before: Option<String>,
    kept_session: SessionId,
    revoke_keys: bool,
    now: Time,
}

/// A code that came back with a new password.
#[derive(Clone, Copy, Debug)]
pub struct Reset<'a> {
    /// The account's e-mail address.
    pub email: &'a str,
    /// The code that was sent to it.
    pub code: &'a str,
    /// The new password.
    pub password: &'a str,
    /// The same again.
    pub confirmation: &'a str,
    /// Whether to revoke the account's API keys.
    pub revoke_keys: bool,
}

impl Identity {
    /// Sends a code for a new password to an address, if it has an account.
    ///
    /// # Errors
    /// A rule on `email`; `codes_paused`.
    pub async fn forgot_password(&self, email: &str, origin: &Origin) -> Result<CodeAsked> {
        let email: Email = email.parse()?;
        let forgot = Forgot { asked: Asked::email(&email, origin), email, now: self.now() };
        let granted = self
            .store
            .write(Lane::Interactive, (self.clone(), forgot), |tx, (identity, forgot)| {
                Box::pin(identity.send_reset(tx, forgot))
            })
            .await?;
        granted.told()
    }

    async fn send_reset(&self, tx: &mut Tx, forgot: &Forgot) -> Result<Grant> {
        let grant = self.limits.take(tx, &forgot.asked, forgot.now).await?;
        if grant != Grant::Given {
            return Ok(grant);
        }
        // Drawn and written for unknown names as well, so that the time it takes tells nothing.
        let found = user::credentials(tx, forgot.email.as_str()).await?;
        let binding = Binding::new(CodePurpose::Reset, &found.as_ref().map_or(UserId::NONE, |(id, _)| *id))
            .sent_to(&forgot.email);
        let code: Code = binding.draw(&self.vault, self.entropy.as_ref());
        let text = format!(
            "{} is your Talkdrum code for a new password. It is good for 10 minutes.\n\nDo not share it. If you did not ask \
             for it, there is nothing to do: your password is as it was.\n",
            code.digits()
        );
        let mail = self.notices.draft_email(
            &forgot.email,
            "Your code for a new password",
            &text,
            NoticePurpose::Code,
        )?;
        if found.is_some() && binding.issue(tx, &code, forgot.now).await? {
            notice::queue(tx, &mail, forgot.now).await?;
        }
        Ok(grant)
    }

    /// Sets a new password by the code that was sent for it. Ends all sessions; returns the user's id and what else still
    /// opens the account.
    ///
    /// # Errors
    /// Rules on `email`, `code`, `password` and `password_confirmation`; `code_wrong`; `passwords_busy`.
    pub async fn reset_password(&self, reset: Reset<'_>) -> Result<(UserId, RemainingAccess)> {
        let Reset { email, code, password, confirmation, revoke_keys } = reset;
        let email: Email = email.parse()?;
        let digits = code::digits(code, "Enter all 6 digits")?;
        check_new_password(password)?;
        check_confirmation(password, confirmation)?;
        // Taken before the code is tried, so that where there is none no try is lost.
        let _place = self.passwords.place_of_stranger()?;
        let now = self.now();
        let found = user::credentials(&mut self.store.read().await?, email.as_str()).await?;
        let user_id = found.map_or(UserId::NONE, |(id, _)| id);
        let binding = Binding::new(CodePurpose::Reset, &user_id).sent_to(&email);
        let proof = match binding.check_counting(&self.store, &self.vault, &digits, now).await? {
            Ok(proof) => proof,
            Err(failures) => {
                self.tell_of_wrong_codes(user_id, failures, now).await?;
                return Err(code::wrong());
            }
        };
        let hash = self.passwords.hash(password).await?;
        let change = Change { user_id, hash, before: None, kept_session: SessionId::NONE, revoke_keys, now };
        let remaining = self
            .store
            .write(Lane::Interactive, (self.clone(), proof, change), |tx, (identity, proof, change)| {
                Box::pin(async move {
                    proof.consume(tx).await?;
                    // The code proves that the user reads mail at this address.
                    profile::email_verified(tx, change.user_id, change.now).await?;
                    identity.set_password(tx, change).await
                })
            })
            .await?;
        Ok((user_id, remaining))
    }

    /// Tells the owner when the first code was tried until it was void, and when too many tries failed for another code.
    async fn tell_of_wrong_codes(&self, user_id: UserId, failures: i64, now: Time) -> Result<()> {
        let (what, advice) = match failures {
            TRIES_MAX => (
                "A code for a new password of your Talkdrum account {} was entered wrongly until it was void. Your \
                 password is as it was."
                    .to_owned(),
                "If it was you, ask for a new code. If it was not, there is nothing to do.",
            ),
            FAILURES_MAX => (
                format!(
                    "Codes for a new password of your Talkdrum account {{}} were entered wrongly {FAILURES_MAX} times in \
                     a row. No other code is sent for {} days; your password is as it was, and signs in.",
                    FAILURES_KEPT_FOR.as_secs() / (24 * 3600)
                ),
                "If you have forgotten it, ask the operator.",
            ),
            _ => return Ok(()),
        };
        let input = (self.clone(), user_id, what, advice, now);
        self.store
            .write(Lane::Interactive, input, |tx, (identity, user_id, what, advice, now)| {
                let subject = "Wrong codes for a new password";
                Box::pin(identity.tell_owner(tx, *user_id, subject, (what.as_str(), advice), *now))
            })
            .await
    }

    /// Sets a new password by the old one. Ends all other sessions.
    ///
    /// # Errors
    /// Rules on `current_password`, `password` and `password_confirmation`.
    pub async fn change_password(
        &self,
        (user_id, session_id): (UserId, SessionId),
        current: &str,
        (password, confirmation): (&str, &str),
    ) -> Result<()> {
        if current.is_empty() {
            return Err(Error::field(
                "current_password",
                "current_password_required",
                "Current password is required",
            ));
        }
        check_new_password(password)?;
        check_confirmation(password, confirmation)?;
        let before = profile::password_hash(&mut self.store.read().await?, user_id).await?;
        if !self.passwords.verify(current, before.as_deref()).await? {
            return Err(Error::field(
                "current_password",
                "current_password_wrong",
                "The current password is wrong",
            ));
        }
        let hash = self.passwords.hash(password).await?;
        let now = self.now();
        let change = Change { user_id, hash, before, kept_session: session_id, revoke_keys: false, now };
        self.store
            .write(Lane::Interactive, (self.clone(), change), |tx, (identity, change)| {
                Box::pin(identity.set_password(tx, change))
            })
            .await?;
        Ok(())
    }

    async fn set_password(&self, tx: &mut Tx, change: &Change) -> Result<RemainingAccess> {
        let Change { user_id, now, .. } = *change;
        if !profile::set_password(tx, user_id, &change.hash, change.before.as_deref(), now).await? {
            return Err(Error::conflict(
                "password_changed",
                "The password was changed a moment ago: try again with the new one",
            ));
        }
        session::delete_others(tx, user_id, change.kept_session).await?;
        // A sign-in by KingsChat that came back and was not fetched would become a session later.
        kingschat::forget_flows(tx, user_id).await?;
        let revoked = if change.revoke_keys { api_key::revoke_all(tx, user_id, now).await? } else { 0 };
        let remaining = RemainingAccess::of(tx, user_id).await?;
        let revoked = match revoked {
            0 => String::new(),
            1 => "1 API key was revoked. ".to_owned(),
            count => format!("{count} API keys were revoked. "),
        };
        let what = format!(
            "The password of your Talkdrum account {{}} was changed, and other devices were signed out. {revoked}{}",
            remaining.told()
        );
        let advice = "If it was not you, ask for a new password at once.";
        self.tell_owner(tx, user_id, "Your password was changed", (what.trim_end(), advice), now).await?;
        Ok(remaining)
    }
}
