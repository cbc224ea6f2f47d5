//! New passwords: by the old one, or by a code sent to the account's address.
//!
//! The invariant: a new password ends every session but the one it was set in, and the owner is told.

use super::code::{self, Asked, Binding, Code, Grant, Purpose};
use super::identity::{CodeAsked, Identity, Origin};
use super::password::check_new_password;
use super::registration::check_confirmation;
use super::user::Email;
use crate::clock::Time;
use crate::error::{Error, Result};
use crate::notice::{self, Purpose as NoticePurpose};
use crate::store::{Lane, Tx, profile, session, user};

/// Somebody who forgot a password.
#[derive(Clone, Debug)]
struct Forgot {
    email: Email,
    asked: Asked,
    now: Time,
}

/// A password about to be set.
#[derive(Clone)]
struct Change {
    user_id: i64,
    hash: String,
    before: Option<String>,
    kept_session: i64,
    now: Time,
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
        let grant = self.caps.take(tx, &forgot.asked, forgot.now).await?;
        if grant != Grant::Given {
            return Ok(grant);
        }
        // Drawn and written for everybody, so that it takes as long for nobody.
        let found = user::credentials(tx, forgot.email.as_str()).await?;
        let binding = Binding::new(Purpose::Reset, &found.as_ref().map_or(0, |(id, _)| *id));
        let code: Code = binding.draw(&self.vault, self.entropy.as_ref());
        let text = format!(
            "{} is your Talkdrum code for a new password. It is good for 10 minutes.\n\nTell it nobody. If you did not ask \
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

    /// Sets a new password by the code that was sent for it. Ends all sessions; returns the user's id.
    ///
    /// # Errors
    /// Rules on `email`, `code`, `password` and `password_confirmation`; `code_wrong`.
    pub async fn reset_password(
        &self,
        email: &str,
        code: &str,
        (password, confirmation): (&str, &str),
    ) -> Result<i64> {
        let email: Email = email.parse()?;
        let digits = code::digits(code, "Enter all 6 digits")?;
        check_new_password(password)?;
        check_confirmation(password, confirmation)?;
        let hash = self.passwords.hash(password).await?;
        let now = self.now();
        let found = user::credentials(&mut self.store.read().await?, email.as_str()).await?;
        let user_id = found.map_or(0, |(id, _)| id);
        let binding = Binding::new(Purpose::Reset, &user_id);
        let proof = binding.check(&self.store, &self.vault, &digits, now).await?.ok_or_else(code::wrong)?;
        let change = Change { user_id, hash, before: None, kept_session: 0, now };
        self.store
            .write(Lane::Interactive, (self.clone(), proof, change), |tx, (identity, proof, change)| {
                Box::pin(async move {
                    proof.consume(tx).await?;
                    // Whoever has the code has the address.
                    profile::email_verified(tx, change.user_id, change.now).await?;
                    identity.set_password(tx, change).await
                })
            })
            .await?;
        Ok(user_id)
    }

    /// Sets a new password by the old one. Ends all other sessions.
    ///
    /// # Errors
    /// Rules on `current_password`, `password` and `password_confirmation`.
    pub async fn change_password(
        &self,
        (user_id, session_id): (i64, i64),
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
        let change = Change { user_id, hash, before, kept_session: session_id, now: self.now() };
        self.store
            .write(Lane::Interactive, (self.clone(), change), |tx, (identity, change)| {
                Box::pin(identity.set_password(tx, change))
            })
            .await
    }

    async fn set_password(&self, tx: &mut Tx, change: &Change) -> Result<()> {
        let Change { user_id, now, .. } = *change;
        if !profile::set_password(tx, user_id, &change.hash, change.before.as_deref(), now).await? {
            return Err(Error::conflict(
                "password_changed",
                "The password was changed a moment ago: try again with the new one",
            ));
        }
        session::delete_others(tx, user_id, change.kept_session).await?;
        let user = user::by_id(tx, user_id).await?.ok_or(Error::NotFound("user"))?;
        if user.email_verified_at.is_some() {
            let text = format!(
                "The password of your Talkdrum account {} was changed, and other devices were signed out. If it was not \
                 you, ask for a new password at once.\n",
                user.username
            );
            let email: Email = user.email.parse()?;
            let alert =
                self.notices.draft_email(&email, "Your password was changed", &text, NoticePurpose::Alert)?;
            notice::queue(tx, &alert, now).await?;
        }
        Ok(())
    }
}
