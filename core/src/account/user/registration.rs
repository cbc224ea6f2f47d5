//! Registration: a visitor gives their details, a code goes to their number, and the code makes them a user.
//!
//! Until then they are no user; registering an address or a number that has an account gets the same
//! answer as any other, and the owner is notified.

use std::time::Duration;

use crate::account::auth::password::check_new_password;
use crate::account::identity::{CodeAsked, Identity};
use crate::account::origin::Origin;
use crate::account::user::{Taken, create_user};
use crate::account::verification::code::{self, Asked, Binding, Code, Grant, Networks};
use crate::error::{Error, Result};
use crate::model::account::code_purpose::CodePurpose;
use crate::model::account::user::{DEFAULT_ZONE, Email, NewUser, Role, User, Username};
use crate::notice::{self, NewNotice, NoticePurpose};
use crate::phone::{self, Msisdn};
use crate::store::account::registration::RegistrationRow;
use crate::store::account::{profile, registration as rows, user};
use crate::store::{Lane, Tx};
use crate::time::Time;

/// How long a registration waits for its code, with new codes in between.
const OPEN_FOR: Duration = Duration::from_hours(24);
/// The longest name, in characters.
pub(crate) const NAME_MAX: usize = 100;

/// The form of `register/start`.
#[derive(Clone, Default)]
pub struct RegistrationForm {
    /// The person's or business's name.
    pub name: String,
    /// To sign in by.
    pub username: String,
    /// To sign in by, and to write to.
    pub email: String,
    /// In any form people write.
    pub phone_number: String,
    /// The password.
    pub password: String,
    /// The same again.
    pub password_confirmation: String,
}

impl std::fmt::Debug for RegistrationForm {
    /// Without the passwords.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RegistrationForm").field("username", &self.username).finish_non_exhaustive()
    }
}

/// A form that was read.
#[derive(Clone, Debug)]
struct Candidate {
    name: String,
    username: Username,
    email: Email,
    phone: Msisdn,
}

/// A registration about to be stored, with everything it may lead to.
#[derive(Clone, Debug)]
struct Starting {
    row: RegistrationRow,
    email: Email,
    asked: Asked,
    alerted: Asked,
    binding: Binding,
    code: Code,
    text: NewNotice,
    phone_alert: NewNotice,
    now: Time,
}

/// A name of a person or business.
///
/// # Errors
/// A rule on `name`.
pub(crate) fn name(text: &str) -> Result<String> {
    let name = text.trim();
    if name.is_empty() {
        return Err(Error::field("name", "name_required", "Name is required"));
    }
    if name.chars().count() > NAME_MAX || name.chars().any(char::is_control) {
        return Err(Error::field(
            "name",
            "name_invalid",
            "Name must have at most 100 characters, all of them visible",
        ));
    }
    Ok(name.to_owned())
}

/// A phone number of a person.
///
/// # Errors
/// A rule on `phone_number`.
pub fn phone_number(text: &str) -> Result<Msisdn> {
    phone::parse(text).map_err(|reason| {
        Error::field("phone_number", "phone_invalid", format!("Phone number is invalid: {reason}"))
    })
}

impl RegistrationForm {
    /// Checks the form in the order of the specification's section 5.
    fn read(&self) -> Result<Candidate> {
        let name = name(&self.name)?;
        let username = self.username.parse()?;
        let email = self.email.parse()?;
        if self.phone_number.trim().is_empty() {
            return Err(Error::field("phone_number", "phone_required", "Phone number is required"));
        }
        let phone = phone_number(&self.phone_number)?;
        check_new_password(&self.password)?;
        check_confirmation(&self.password, &self.password_confirmation)?;
        Ok(Candidate { name, username, email, phone })
    }
}

/// # Errors
/// The specification's sentence when the two differ.
pub(crate) fn check_confirmation(password: &str, confirmation: &str) -> Result<()> {
    if password == confirmation {
        return Ok(());
    }
    Err(Error::field("password_confirmation", "passwords_differ", "Passwords do not match"))
}

/// The code's text: brand and code first, no link, and for which user name, as another person may have asked for it. A name
/// that telephones may take for a link is left out.
fn text_of(code: &str, username: &str) -> String {
    let name = if username.contains('.') { String::new() } else { format!(" as {username}") };
    format!("Talkdrum: {code} is your code to register{name}. It is good for 10 minutes. Do not share it.")
}

impl Identity {
    /// Begins a registration.
    ///
    /// # Errors
    /// The rules of the specification's section 5; `codes_paused`; no carrier for codes.
    pub async fn start_registration(&self, form: &RegistrationForm, origin: &Origin) -> Result<CodeAsked> {
        let Candidate { name, username, email, phone } = form.read()?;
        let password_hash = self.passwords.hash_of_stranger(&form.password).await?;
        let binding = Binding::new(CodePurpose::Register, &phone);
        let code = binding.draw(&self.vault, self.entropy.as_ref());
        let text = self.code_text(phone, &code, username.as_str())?;
        let known = "Talkdrum: someone tried to register with this number, which has an account already. If it was you, \
                     sign in, or ask for a new password.";
        let phone_alert = self.notices.draft_sms(phone, known, NoticePurpose::Alert)?;
        let starting = Starting {
            row: RegistrationRow {
                phone_number: phone.to_string(),
                name,
                username: username.as_str().to_owned(),
                email: email.as_str().to_owned(),
                password_hash,
            },
            asked: Asked::sms(phone, origin),
            alerted: Asked::email(&email, origin),
            email,
            binding,
            code,
            text,
            phone_alert,
            now: self.now(),
        };
        let granted = self
            .store
            .write(Lane::Interactive, (self.clone(), starting), |tx, (identity, starting)| {
                Box::pin(identity.start(tx, starting))
            })
            .await?;
        granted.told()
    }

    fn code_text(&self, phone: Msisdn, code: &Code, username: &str) -> Result<NewNotice> {
        self.code_sms(phone, &text_of(code.digits(), username))
    }

    /// A text message with a code in it.
    pub(crate) fn code_sms(&self, phone: Msisdn, text: &str) -> Result<NewNotice> {
        let drafted = self.notices.draft_sms(phone, text, NoticePurpose::Code);
        drafted.map_err(|error| match error {
            Error::NoRoute(_) => {
                Error::field("phone_number", "no_route", "Text messages to this number are not possible")
            }
            error => {
                tracing::error!(code = error.code(), %error, "codes cannot be sent");
                Error::unavailable("sms_unavailable", "Codes cannot be sent at the moment: try again later")
            }
        })
    }

    async fn start(&self, tx: &mut Tx, starting: &Starting) -> Result<Grant> {
        let Starting { row, now, .. } = starting;
        let grant = self.limits.take(tx, &starting.asked, *now).await?;
        if grant != Grant::Given {
            return Ok(grant);
        }
        let email_known = user::credentials(tx, &row.email).await?.is_some();
        let phone_known = profile::owner_of_phone(tx, &row.phone_number).await?.is_some();
        if email_known {
            self.alert_owner(tx, starting).await?;
        }
        if phone_known {
            notice::queue_if_room(tx, &starting.phone_alert, *now).await?;
        }
        if !email_known && !phone_known && starting.binding.issue(tx, &starting.code, *now).await? {
            rows::put(tx, row, *now, *now + OPEN_FOR).await?;
            notice::queue(tx, &starting.text, *now).await?;
        }
        Ok(Grant::Given)
    }

    /// Notifies the owner of an address that a registration used it, unless the owner was notified a moment ago.
    async fn alert_owner(&self, tx: &mut Tx, starting: &Starting) -> Result<()> {
        // Counted apart from codes: registrations with another person's address must not use up the codes that its
        // owner may get.
        let destination = format!("alert:{}", starting.alerted.destination);
        let asked = Asked { destination, networks: Networks::default(), ..starting.alerted.clone() };
        if self.limits.take(tx, &asked, starting.now).await? != Grant::Given {
            return Ok(());
        }
        let text = "Somebody registered at Talkdrum with this e-mail address, which has an account already. Nothing was \
                    changed.\n\nIf it was you: sign in with this address, or ask for a new password. If it was not, \
                    there is nothing to do.\n";
        let alert = self.notices.draft_email(
            &starting.email,
            "You have an account at Talkdrum",
            text,
            NoticePurpose::Alert,
        )?;
        notice::queue_if_room(tx, &alert, starting.now).await
    }

    /// Sends a registration another code.
    ///
    /// # Errors
    /// A rule on `phone_number`; `codes_paused`; no carrier for codes.
    pub async fn resend_registration(&self, phone_number: &str, origin: &Origin) -> Result<CodeAsked> {
        let phone = entered_phone(phone_number)?;
        let binding = Binding::new(CodePurpose::Register, &phone);
        let code = binding.draw(&self.vault, self.entropy.as_ref());
        let again = Again { phone, asked: Asked::sms(phone, origin), binding, code, now: self.now() };
        let granted = self
            .store
            .write(Lane::Interactive, (self.clone(), again), |tx, (identity, again)| {
                Box::pin(identity.send_again(tx, again))
            })
            .await?;
        granted.told()
    }

    async fn send_again(&self, tx: &mut Tx, again: &Again) -> Result<Grant> {
        let grant = self.limits.take(tx, &again.asked, again.now).await?;
        if grant != Grant::Given {
            return Ok(grant);
        }
        let Some(row) = rows::find(tx, &again.phone.to_string(), again.now).await? else { return Ok(grant) };
        if again.binding.issue(tx, &again.code, again.now).await? {
            let text = self.code_text(again.phone, &again.code, &row.username)?;
            notice::queue(tx, &text, again.now).await?;
        }
        Ok(grant)
    }

    /// Makes a user of a registration whose code came back. `username` takes the place of the name that was registered,
    /// for a registration that was refused with `username_taken`.
    ///
    /// # Errors
    /// Rules on `phone_number`, `code` and `username`; `code_wrong`; `username_taken`, said to the owner of the number
    /// only, which leaves the code good; `registration_void` when address or number were taken meanwhile.
    pub async fn verify_registration(
        &self,
        phone_number: &str,
        code: &str,
        username: Option<&str>,
    ) -> Result<User> {
        let phone = entered_phone(phone_number)?;
        let username: Option<Username> = username.map(str::parse).transpose()?;
        let digits = code::digits(code, "Please enter the 6-digit code")?;
        let now = self.now();
        let binding = Binding::new(CodePurpose::Register, &phone);
        let proof = binding.check(&self.store, &self.vault, &digits, now).await?.ok_or_else(code::wrong)?;
        let made = self
            .store
            .write(Lane::Interactive, (phone, username, proof, now), |tx, (phone, username, proof, now)| {
                Box::pin(async move {
                    proof.consume(tx).await?;
                    make_user(tx, *phone, username.as_ref(), *now).await
                })
            })
            .await?;
        made.ok_or_else(|| {
            Error::rule(
                "registration_void",
                "The address or number was taken in the meantime: register again with others",
            )
        })
    }
}

/// A registration that wants another code.
#[derive(Clone, Debug)]
struct Again {
    phone: Msisdn,
    asked: Asked,
    binding: Binding,
    code: Code,
    now: Time,
}

/// The number that a code was sent to.
fn entered_phone(text: &str) -> Result<Msisdn> {
    if text.trim().is_empty() {
        return Err(Error::field("phone_number", "phone_required", "Please enter your phone number"));
    }
    phone_number(text)
}

/// The user of a registration, which is over then; `None` when something of it was taken meanwhile.
async fn make_user(
    tx: &mut Tx,
    phone: Msisdn,
    username: Option<&Username>,
    now: Time,
) -> Result<Option<User>> {
    let phone = phone.to_string();
    let row = rows::find(tx, &phone, now).await?.ok_or_else(code::wrong)?;
    let username = match username {
        Some(username) => username.clone(),
        None => row.username.parse()?,
    };
    let (name_taken, email_taken) = user::taken(tx, username.as_str(), &row.email).await?;
    if name_taken {
        return Err(Taken::Username.into());
    }
    rows::delete(tx, &phone).await?;
    if email_taken || profile::owner_of_phone(tx, &phone).await?.is_some() {
        return Ok(None);
    }
    let user = NewUser {
        name: row.name,
        username,
        email: row.email.parse()?,
        email_verified_at: None,
        phone_number: Some(phone),
        role: Role::User,
        zone: DEFAULT_ZONE.to_owned(),
        password_hash: Some(row.password_hash),
    };
    let id = create_user(tx, &user, now).await?;
    profile::phone_verified(tx, id, now).await?;
    user::by_id(tx, id).await
}

#[cfg(test)]
mod tests {
    use super::text_of;

    #[test]
    fn a_code_s_text_names_the_user_unless_that_looks_like_a_link() {
        assert!(text_of("123456", "ada").contains("123456 is your code to register as ada."));
        let text = text_of("123456", "free-airtime.com.ng");
        assert!(text.contains("123456 is your code to register.") && !text.contains("airtime"), "{text}");
    }
}
