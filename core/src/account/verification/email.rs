//! Proving e-mail addresses: at the first sign-in, and when a user changes to another one.
//!
//! A code is only sent to an address after a right password, or to the new address of the signed-in
//! user; it proves nothing but that address.

use std::time::Duration;

use super::code::{self, Asked, Binding, Code, Grant, Networks};
use crate::account::auth::session::{SignIn, begin};
use crate::account::auth::token::SecretToken;
use crate::account::identity::{CodeAsked, Identity};
use crate::account::origin::Origin;
use crate::error::{Error, Result};
use crate::model::account::code_purpose::CodePurpose;
use crate::model::account::id::{SessionId, UserId};
use crate::model::account::user::{Email, User};
use crate::notice::{self, NoticePurpose};
use crate::store::account::{profile, session, user};
use crate::store::{Lane, Tx};
use crate::time::Time;

/// After a right password, another code may be asked for this long.
const PENDING_FOR: Duration = Duration::from_mins(30);

/// A code to be sent to an address.
#[derive(Clone, Debug)]
struct Sending {
    email: Email,
    asked: Asked,
    binding: Binding,
    code: Code,
    now: Time,
}

impl Identity {
    /// A code for a user who showed the password or a session.
    fn sending(&self, user_id: UserId, email: Email, purpose: CodePurpose, origin: &Origin) -> Sending {
        let binding = Binding::new(purpose, &user_id).sent_to(&email);
        let code = binding.draw(&self.vault, self.entropy.as_ref());
        Sending { asked: Asked::email(&email, origin).proven(), email, binding, code, now: self.now() }
    }

    /// Queues the e-mail with a new code, if one may be sent. The code before stays good otherwise.
    async fn send_code(&self, tx: &mut Tx, sending: &Sending, subject: &str, why: &str) -> Result<Grant> {
        let grant = self.limits.take(tx, &sending.asked, sending.now).await?;
        if grant == Grant::Given && sending.binding.issue(tx, &sending.code, sending.now).await? {
            let text = format!(
                "{} is your Talkdrum code {why}. It is good for 10 minutes.\n\nDo not share it. If you did not ask for it, \
                 change your password.\n",
                sending.code.digits()
            );
            let mail = self.notices.draft_email(&sending.email, subject, &text, NoticePurpose::Code)?;
            notice::queue(tx, &mail, sending.now).await?;
        }
        Ok(grant)
    }

    /// Sends the code of a first sign-in, after the right password. Where one was sent a moment ago, that one is good.
    ///
    /// # Errors
    /// `codes_paused`.
    pub async fn send_sign_in_code(&self, user: &User, origin: &Origin) -> Result<CodeAsked> {
        let sending = self.sending(user.id, user.email.parse()?, CodePurpose::SignIn, origin);
        let granted = self
            .store
            .write(Lane::Interactive, (self.clone(), sending), |tx, (identity, sending)| {
                Box::pin(identity.send_code(
                    tx,
                    sending,
                    "Your sign-in code",
                    "to sign in for the first time",
                ))
            })
            .await?;
        granted.told()
    }

    /// The user of a name or address, and where a code would go. A name without an account gets the user 0, and so does
    /// an account without an address: both are answered like all others.
    async fn signing_in(&self, login: &str) -> Result<(UserId, Email)> {
        let mut tx = self.store.read().await?;
        let found = match user::credentials(&mut tx, login).await? {
            Some((id, _)) => user::by_id(&mut tx, id).await?,
            None => None,
        };
        match found.map(|user| (user.id, user.email.parse())) {
            Some((id, Ok(email))) => Ok((id, email)),
            _ => Ok((UserId::NONE, "nobody@invalid.example".parse()?)),
        }
    }

    /// Sends another code to a user who signs in for the first time; for others it does nothing and answers the same.
    ///
    /// # Errors
    /// A rule on `username`; `codes_paused`.
    pub async fn resend_sign_in_code(&self, login: &str, origin: &Origin) -> Result<CodeAsked> {
        let login = required_login(login)?;
        let (user_id, email) = self.signing_in(&login).await?;
        let mut sending = self.sending(user_id, email, CodePurpose::SignIn, origin);
        let destination = format!("login:{login}");
        let asked = Asked { destination, is_proven: false, ..sending.asked.clone() };
        sending.asked.networks = Networks::default();
        let granted = self
            .store
            .write(Lane::Interactive, (self.clone(), sending, asked), |tx, (identity, sending, asked)| {
                Box::pin(async move {
                    let grant = identity.limits.take(tx, asked, sending.now).await?;
                    let pending = sending.binding.sent_at(tx).await?;
                    if grant == Grant::Given && pending.is_some_and(|at| sending.now.since(at) < PENDING_FOR)
                    {
                        identity
                            .send_code(tx, sending, "Your sign-in code", "to sign in for the first time")
                            .await?;
                    }
                    Ok(grant)
                })
            })
            .await?;
        granted.told()
    }

    /// Proves the address of a first sign-in by its code and begins the session.
    ///
    /// # Errors
    /// Rules on `username` and `code`; `code_wrong`.
    pub async fn verify_email(&self, login: &str, code: &str, origin: &Origin) -> Result<SignIn> {
        let login = required_login(login)?;
        let digits = code::digits(code, "Enter all 6 digits")?;
        let now = self.now();
        let (user_id, email) = self.signing_in(&login).await?;
        let binding = Binding::new(CodePurpose::SignIn, &user_id).sent_to(&email);
        let proof = binding.check(&self.store, &self.vault, &digits, now).await?.ok_or_else(code::wrong)?;
        let token = SecretToken::session(self.entropy.as_ref());
        let begun = self.begun(user_id, &token, origin, now);
        let user = self
            .store
            .write(Lane::Interactive, (proof, begun), |tx, (proof, begun)| {
                Box::pin(async move {
                    proof.consume(tx).await?;
                    profile::email_verified(tx, begun.user_id, begun.now).await?;
                    begin(tx, begun).await
                })
            })
            .await?;
        Ok(SignIn::Accepted { token, user: Box::new(user) })
    }

    /// Notes a user's new address and sends a code there; the old one stays until the code comes back. If another
    /// account has that address, its owner is notified, and the answer is the same.
    pub(crate) async fn begin_email_change(
        &self,
        tx: &mut Tx,
        user_id: UserId,
        email: &Email,
        origin: &Origin,
    ) -> Result<Grant> {
        let sending = self.sending(user_id, email.clone(), CodePurpose::Email, origin);
        if user::credentials(tx, email.as_str()).await?.is_some() {
            let grant = self.limits.take(tx, &sending.asked, sending.now).await?;
            if grant == Grant::Given {
                let text = "Somebody wanted to use this e-mail address for another account at Talkdrum. It has an account \
                            already, so nothing was changed, and there is nothing to do.\n";
                let alert = self.notices.draft_email(
                    email,
                    "You have an account at Talkdrum",
                    text,
                    NoticePurpose::Alert,
                )?;
                notice::queue_if_room(tx, &alert, sending.now).await?;
            }
            return Ok(grant);
        }
        let grant =
            self.send_code(tx, &sending, "Your code for a new address", "to use this address").await?;
        if grant == Grant::Given {
            profile::put_email_change(tx, user_id, email.as_str(), sending.now).await?;
        }
        Ok(grant)
    }

    /// Gives a user the new address whose code came back, and tells the old one.
    ///
    /// # Errors
    /// Rules on `code`; `code_wrong`.
    pub async fn confirm_email(&self, user_id: UserId, code: &str) -> Result<()> {
        let digits = code::digits(code, "Enter all 6 digits")?;
        let now = self.now();
        let pending = profile::email_change(&mut self.store.read().await?, user_id).await?;
        let email: Email = pending.ok_or_else(code::wrong)?.parse()?;
        let binding = Binding::new(CodePurpose::Email, &user_id).sent_to(&email);
        let proof = binding.check(&self.store, &self.vault, &digits, now).await?.ok_or_else(code::wrong)?;
        self.store
            .write(
                Lane::Interactive,
                (self.clone(), proof, user_id, now),
                |tx, (identity, proof, user_id, now)| {
                    Box::pin(async move {
                        proof.consume(tx).await?;
                        identity.change_email(tx, *user_id, *now).await
                    })
                },
            )
            .await
    }

    async fn change_email(&self, tx: &mut Tx, user_id: UserId, now: Time) -> Result<()> {
        let user = user::by_id(tx, user_id).await?.ok_or(Error::NotFound("user"))?;
        let email = profile::email_change(tx, user_id).await?.ok_or_else(code::wrong)?;
        profile::drop_email_change(tx, user_id).await?;
        if !profile::set_email(tx, user_id, &email, now).await? {
            return Err(code::wrong());
        }
        let text = format!(
            "The e-mail address of your Talkdrum account {} is now another one. If it was not you, tell the operator \
             at once.\n",
            user.username
        );
        // A user who registered by KingsChat may have had none.
        if let Ok(old) = user.email.parse() {
            let alert =
                self.notices.draft_email(&old, "Your address was changed", &text, NoticePurpose::Alert)?;
            notice::queue_counted(tx, &alert, now).await?;
        }
        Ok(())
    }

    pub(crate) fn begun(
        &self,
        user_id: UserId,
        token: &SecretToken,
        origin: &Origin,
        now: Time,
    ) -> crate::account::auth::session::Begun {
        crate::account::auth::session::Begun {
            user_id,
            hash: token.hash().0,
            now,
            expires_at: now + self.sessions.lives_for,
            client: origin.client(),
            address: origin.address.to_string(),
        }
    }

    /// Ends all sessions of a user but one.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn end_other_sessions(&self, user_id: UserId, kept: SessionId) -> Result<u64> {
        self.store
            .write(Lane::Interactive, (user_id, kept), |tx, (user_id, kept)| {
                Box::pin(session::delete_others(tx, *user_id, *kept))
            })
            .await
    }
}

/// Bytes of a user name or an e-mail address, of which addresses are the longer.
const LOGIN_MAX: usize = 254;

/// A user name or address in the form it is stored in.
fn required_login(text: &str) -> Result<String> {
    let login = text.trim().to_lowercase();
    if login.is_empty() {
        Err(Error::field("username", "username_required", "Username is required"))
    } else if login.len() > LOGIN_MAX {
        Err(Error::field("username", "username_long", "A user name or e-mail address has at most 254 bytes"))
    } else {
        Ok(login)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_is_as_long_as_the_longest_address_at_most() {
        assert_eq!(required_login(" Ada ").unwrap(), "ada");
        assert!(required_login(&"a".repeat(LOGIN_MAX)).is_ok());
        assert_eq!(required_login(&"a".repeat(LOGIN_MAX + 1)).unwrap_err().code(), "username_long");
        assert_eq!(required_login(" ").unwrap_err().code(), "username_required");
    }
}
