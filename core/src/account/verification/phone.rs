//! Proving a new phone number: it takes the place of the old one once the code that was sent to it comes back.
//!
//! A number that is another account's never becomes this one's, and the attempt gets the same answer as
//! any other; the owner is notified.

use super::code::{self, Asked, Binding, Code, Grant};
use crate::account::identity::Identity;
use crate::account::origin::Origin;
use crate::error::{Error, Result};
use crate::model::account::code_purpose::CodePurpose;
use crate::model::account::id::UserId;
use crate::notice::{self, NewNotice, NoticePurpose};
use crate::phone::Msisdn;
use crate::store::account::{profile, user};
use crate::store::{Lane, Tx};
use crate::time::Time;

/// A code to be sent to a number, with everything it may lead to.
#[derive(Clone, Debug)]
pub(crate) struct NewPhone {
    number: Msisdn,
    asked: Asked,
    binding: Binding,
    code: Code,
    text: NewNotice,
    alert: NewNotice,
}

impl Identity {
    /// What proving this number takes.
    ///
    /// # Errors
    /// A rule on `phone_number` when nothing can be sent to it; no carrier for codes.
    pub(crate) fn new_phone(&self, user_id: UserId, number: Msisdn, origin: &Origin) -> Result<NewPhone> {
        let binding = Binding::new(CodePurpose::Phone, &user_id);
        let code = binding.draw(&self.vault, self.entropy.as_ref());
        let text = format!(
            "Talkdrum: {} is your code to use this number for your account. It is good for 10 minutes. Do not share it.",
            code.digits()
        );
        let text = self.code_sms(number, &text)?;
        let known = "Talkdrum: someone tried to use this number for another account. It has an account already, so \
                     nothing was changed, and there is nothing to do.";
        let alert = self.notices.draft_sms(number, known, NoticePurpose::Alert)?;
        Ok(NewPhone { number, asked: Asked::sms(number, origin).proven(), binding, code, text, alert })
    }

    /// Notes a user's new number and sends a code there; the old one stays until the code comes back. `None` when it is
    /// the user's proven number already.
    pub(crate) async fn begin_phone_change(
        &self,
        tx: &mut Tx,
        user_id: UserId,
        new: &NewPhone,
        now: Time,
    ) -> Result<Option<Grant>> {
        let number = new.number.to_string();
        let owner = profile::owner_of_phone(tx, &number).await?;
        if owner == Some(user_id) {
            return Ok(None);
        }
        let grant = self.limits.take(tx, &new.asked, now).await?;
        if grant != Grant::Given {
            return Ok(Some(grant));
        }
        if owner.is_some() {
            notice::queue_if_room(tx, &new.alert, now).await?;
        } else if new.binding.issue(tx, &new.code, now).await? {
            profile::put_phone_change(tx, user_id, &number, now).await?;
            notice::queue(tx, &new.text, now).await?;
        }
        Ok(Some(grant))
    }

    /// Gives a user the new number whose code came back, and tells the user's address.
    ///
    /// # Errors
    /// Rules on `code`; `code_wrong`, also when the number became another account's meanwhile.
    pub async fn confirm_phone(&self, user_id: UserId, code: &str) -> Result<()> {
        let digits = code::digits(code, "Please enter the 6-digit code")?;
        let now = self.now();
        let binding = Binding::new(CodePurpose::Phone, &user_id);
        let proof = binding.check(&self.store, &self.vault, &digits, now).await?.ok_or_else(code::wrong)?;
        let input = (self.clone(), proof, user_id, now);
        self.store
            .write(Lane::Interactive, input, |tx, (identity, proof, user_id, now)| {
                Box::pin(async move {
                    proof.consume(tx).await?;
                    identity.change_phone(tx, *user_id, *now).await
                })
            })
            .await
    }

    async fn change_phone(&self, tx: &mut Tx, user_id: UserId, now: Time) -> Result<()> {
        let user = user::by_id(tx, user_id).await?.ok_or(Error::NotFound("user"))?;
        let number = profile::phone_change(tx, user_id).await?.ok_or_else(code::wrong)?;
        profile::drop_phone_change(tx, user_id).await?;
        if !profile::set_phone(tx, user_id, &number, now).await? {
            return Err(code::wrong());
        }
        // A user who registered by KingsChat may have no address.
        if user.phone_number.is_some_and(|old| old != number)
            && let Ok(email) = user.email.parse()
        {
            let text = format!(
                "The phone number of your Talkdrum account {} is now another one. If it was not you, tell the operator \
                 at once.\n",
                user.username
            );
            let subject = "Your phone number was changed";
            let alert = self.notices.draft_email(&email, subject, &text, NoticePurpose::Alert)?;
            notice::queue_counted(tx, &alert, now).await?;
        }
        Ok(())
    }
}
