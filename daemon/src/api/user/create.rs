//! `POST /admin/users`.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use talkdrum_core::account::{self, DEFAULT_ZONE, NewUser, check_new_password};
use talkdrum_core::api::account::User;
use talkdrum_core::clock::Time;
use talkdrum_core::store::idempotency::{Claim, begin_if_any, finish_if_any};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::{Error, Result};
use utoipa::ToSchema;

use super::shown;
use crate::http::{AdminCaller, ApiError, Form, IdempotencyKey};
use crate::state::AppState;

/// The user to be made.
#[derive(Deserialize, ToSchema)]
pub(super) struct CreateUser {
    /// The person's or business's name.
    #[serde(default)]
    name: String,
    /// The name to sign in by: 3 to 32 letters, digits, dots, dashes or underscores.
    #[serde(default)]
    username: String,
    /// The e-mail address.
    #[serde(default)]
    email: String,
    /// The phone number in international form.
    phone_number: Option<String>,
    /// At least 8 characters.
    #[serde(default)]
    password: String,
    /// `user` or `admin`; `user` when it is not given.
    role: Option<String>,
}

/// The user that was made.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CreatedUser {
    /// The user.
    user: User,
    /// For people.
    message: String,
}

/// Make a user or an administrator.
#[utoipa::path(
    post, path = "/admin/users", tag = "user",
    request_body = CreateUser,
    responses((status = 201, body = CreatedUser)),
)]
pub(super) async fn create_user(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Form { data, digest }: Form<CreateUser>,
) -> Result<(StatusCode, Json<CreatedUser>), ApiError> {
    let user = parse(&app, data).await?;
    let making = Making { claim: key.claim(&caller, "user.create", digest), user, now: app.clock.now() };
    let user = app.store.write(Lane::Interactive, making, |tx, making| Box::pin(make(tx, making))).await?;
    let message = format!("{} can sign in now", user.username);
    Ok((StatusCode::CREATED, Json(CreatedUser { user, message })))
}

async fn parse(app: &AppState, data: CreateUser) -> Result<NewUser> {
    let user = NewUser {
        name: data.name.trim().to_owned(),
        username: data.username.parse()?,
        email: data.email.parse()?,
        email_verified_at: None,
        phone_number: data.phone_number.map(|text| phone_number(&text)).transpose()?,
        role: data.role.as_deref().unwrap_or("user").parse()?,
        zone: DEFAULT_ZONE.into(),
        password_hash: None,
    };
    check_new_password(&data.password)?;
    Ok(NewUser { password_hash: Some(app.passwords.hash(&data.password).await?), ..user })
}

/// A number in international form, without `+` and the signs people write between digits.
fn phone_number(text: &str) -> Result<String> {
    let digits: String = text.chars().filter(|sign| !"+ -().".contains(*sign)).collect();
    if (7..=15).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && !digits.starts_with('0')
    {
        return Ok(digits);
    }
    Err(Error::field(
        "phone_number",
        "phone_invalid",
        "Phone number must be in international form, such as +2348031234567",
    ))
}

struct Making {
    claim: Option<Claim>,
    user: NewUser,
    now: Time,
}

async fn make(tx: &mut Tx, making: &Making) -> Result<User> {
    let claim = making.claim.as_ref();
    if let Some(reference) = begin_if_any(tx, claim, making.now).await? {
        let id = reference.parse().map_err(|_| Error::Corrupt(format!("'{reference}' is no user's id")))?;
        return shown::by_id(tx, id).await;
    }
    let id = account::create_user(tx, &making.user, making.now).await?;
    finish_if_any(tx, claim, &id.to_string()).await?;
    shown::by_id(tx, id).await
}
