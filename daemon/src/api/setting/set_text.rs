//! `POST /admin/set-wallet-address`, `contact-address`, `contact-phone`, `contact-email`, `set-admin-number`,
//! `about-us`. The wallet's address is where customers' money goes: it asks for more than the others.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::account::Message;
use talkdrum_core::account::Identity;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::account::user::Email;
use talkdrum_core::operate::setting::change_text;
use talkdrum_core::settings::{TextKey, clean_write_up};
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use talkdrum_core::{Error, Result};
use utoipa::ToSchema;

use crate::http::routes::{Operations, routes};
use crate::http::{AdminCaller, Answer, Form, IdempotencyKey};
use crate::state::AppState;

/// The longest single line, in characters.
const LINE_MAX: usize = 200;
/// The longest postal address, in characters.
const ADDRESS_MAX: usize = 500;

/// Where ESPEES payments go.
#[derive(Debug, Deserialize, ToSchema)]
struct SetWalletAddress {
    /// The wallet's address.
    #[serde(default)]
    wallet_address: String,
}

/// The business's postal address.
#[derive(Debug, Deserialize, ToSchema)]
struct SetAddress {
    /// The address; it may have several lines.
    #[serde(default)]
    address: String,
}

/// The number that visitors call.
#[derive(Debug, Deserialize, ToSchema)]
struct SetPhone {
    /// The number, as it is to be shown.
    #[serde(default)]
    phone: String,
}

/// The administrator's own number.
#[derive(Debug, Deserialize, ToSchema)]
struct SetAdminNumber {
    /// The number, as it is to be shown.
    #[serde(default)]
    phone_number: String,
}

/// The address that visitors write to.
#[derive(Debug, Deserialize, ToSchema)]
struct SetEmail {
    /// The e-mail address.
    #[serde(default)]
    email: String,
}

/// The pricing write-up.
#[derive(Debug, Deserialize, ToSchema)]
struct SetAboutUs {
    /// HTML. Images, scripts, forms, frames and styles are taken out.
    #[serde(default)]
    content: String,
}

/// A text that was checked.
struct Setting {
    claim: Option<Claim>,
    key: TextKey,
    value: String,
    by: UserId,
    identity: Identity,
    now: Time,
}

/// A text of at most `most` characters, trimmed.
fn given(field: &'static str, label: &str, text: &str, most: usize) -> Result<String> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Error::field(field, "value_required", format!("{label} is required")));
    }
    if text.chars().count() > most {
        return Err(Error::field(field, "value_long", format!("{label} has at most {most} characters")));
    }
    if text.chars().any(|sign| sign.is_control() && sign != '\n' && sign != '\r') {
        return Err(Error::field(
            field,
            "value_not_plain",
            format!("{label} cannot hold control characters"),
        ));
    }
    Ok(text.to_owned())
}

fn wallet_address(form: &SetWalletAddress) -> Result<String> {
    let address = given("wallet_address", "Wallet address", &form.wallet_address, LINE_MAX)?;
    if address.chars().any(char::is_whitespace) {
        return Err(Error::field(
            "wallet_address",
            "wallet_address_invalid",
            "A wallet address holds no spaces",
        ));
    }
    Ok(address)
}

fn address(form: &SetAddress) -> Result<String> {
    given("address", "Address", &form.address, ADDRESS_MAX)
}

fn phone(form: &SetPhone) -> Result<String> {
    phone_number("phone", "Phone", &form.phone)
}

fn admin_number(form: &SetAdminNumber) -> Result<String> {
    phone_number("phone_number", "Phone number", &form.phone_number)
}

/// A telephone number as people write it: 3 to 15 digits, with the signs that stand between them.
fn phone_number(field: &'static str, label: &str, text: &str) -> Result<String> {
    let number = given(field, label, text, 40)?;
    let digits = number.chars().filter(char::is_ascii_digit).count();
    let plain = number.chars().all(|sign| sign.is_ascii_digit() || "+-(). /".contains(sign));
    if plain && (3..=15).contains(&digits) {
        return Ok(number);
    }
    Err(Error::field(
        field,
        "phone_invalid",
        format!("{label} must be a telephone number, such as +2348031234567"),
    ))
}

fn email(form: &SetEmail) -> Result<String> {
    Ok(form.email.parse::<Email>()?.as_str().to_owned())
}

fn write_up(form: &SetAboutUs) -> Result<String> {
    clean_write_up(&form.content)
}

async fn set(app: &AppState, setting: Setting, done: &'static str) -> Answer<Message> {
    let (key, by) = (setting.key, setting.by);
    app.store.write(Lane::Interactive, setting, |tx, setting| Box::pin(apply(tx, setting))).await?;
    tracing::info!(key = key.name(), admin_id = by.0, "setting.set");
    Ok(Json(Message { message: done.to_owned() }))
}

async fn apply(tx: &mut Tx, it: &Setting) -> Result<()> {
    once(tx, it.claim.as_ref(), it.now, async |tx| {
        change_text(tx, &it.identity, (it.key, &it.value), it.by, it.now).await?;
        Ok(it.key.name().to_owned())
    })
    .await
    .map(|_| ())
}

/// One call.
#[rustfmt::skip] // It would indent the attribute again every time.
macro_rules! call {
    ($name:ident, $path:literal, $summary:literal, $form:ident, $check:ident, $key:ident, $done:literal) => {
        #[doc = $summary]
        #[utoipa::path(
            post, path = $path, tag = "setting",
            request_body = $form,
            responses((status = 200, body = Message)),
        )]
        async fn $name(
            State(app): State<AppState>,
            caller: AdminCaller,
            key: IdempotencyKey,
            Form { data, digest }: Form<$form>,
        ) -> Answer<Message> {
            if TextKey::$key == TextKey::WalletAddress {
                caller.require_recent(&app).await?;
            }
            let value = $check(&data)?;
            let claim = key.claim(&caller, concat!("setting.", stringify!($name)), digest);
            let (by, identity, now) = (caller.user_id, app.identity.clone(), app.clock.now());
            set(&app, Setting { claim, key: TextKey::$key, value, by, identity, now }, $done).await
        }
    };
}

call!(
    set_wallet_address,
    "/admin/set-wallet-address",
    "Set where ESPEES payments go. Needs a session with a sign-in or `POST /api/sessions/reauthenticate` within the last \
     ten minutes; all administrators get an e-mail of it.",
    SetWalletAddress,
    wallet_address,
    WalletAddress,
    "Wallet Address updated successfully!"
);
call!(
    set_contact_address,
    "/admin/contact-address",
    "Set the business's postal address.",
    SetAddress,
    address,
    ContactAddress,
    "Contact Address updated successfully!"
);
call!(
    set_contact_phone,
    "/admin/contact-phone",
    "Set the number that visitors call.",
    SetPhone,
    phone,
    ContactPhone,
    "Contact Phone updated successfully!"
);
call!(
    set_admin_number,
    "/admin/set-admin-number",
    "Set the administrator's own number.",
    SetAdminNumber,
    admin_number,
    AdminNumber,
    "Admin Number updated successfully!"
);
call!(
    set_contact_email,
    "/admin/contact-email",
    "Set the address that visitors write to.",
    SetEmail,
    email,
    ContactEmail,
    "Contact Email updated successfully!"
);
call!(
    set_about_us,
    "/admin/about-us",
    "Set the pricing write-up. Its HTML is sanitised.",
    SetAboutUs,
    write_up,
    AboutUs,
    "Pricing write up updated successfully!"
);

pub(super) fn router() -> Operations {
    Operations::new()
        .routes(routes!(set_wallet_address))
        .routes(routes!(set_contact_address))
        .routes(routes!(set_contact_phone))
        .routes(routes!(set_admin_number))
        .routes(routes!(set_contact_email))
        .routes(routes!(set_about_us))
}
