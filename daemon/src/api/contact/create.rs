//! `POST /api/create/contact/group/{id}`.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use talkdrum_api::contact::{Contact, ContactAnswer};
use talkdrum_core::Result;
use talkdrum_core::contact::{self, NewContact};
use talkdrum_core::platform::quota::Quotas;
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use utoipa::ToSchema;

use crate::http::{ApiError, Caller, Form, IdempotencyKey, Path};
use crate::state::AppState;

/// The contact to be added.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct CreateContact {
    /// The number, in any usual form.
    #[serde(default)]
    phone: String,
    /// The name.
    #[serde(default)]
    name: String,
    /// The e-mail address.
    #[serde(default)]
    email: String,
    /// Other merge fields as `city=Lagos`; repeated.
    #[serde(default)]
    field: Vec<String>,
}

/// Add a contact to a group. One more than the account may keep is refused (`contacts_quota`).
#[utoipa::path(
    post, path = "/api/create/contact/group/{id}", tag = "contact",
    params(("id" = i64, Path, description = "The group's id")),
    request_body = CreateContact,
    responses((status = 201, body = ContactAnswer)),
)]
pub(super) async fn create_contact(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Path(group): Path<i64>,
    Form { data, digest }: Form<CreateContact>,
) -> Result<(StatusCode, Json<ContactAnswer>), ApiError> {
    let new = NewContact::parse(&data.phone, &data.name, &data.email, &data.field)?;
    let claim = key.claim_with(&caller, "contact.create", group, digest);
    let making =
        Making { claim, user: caller.user_id, group, new, quotas: app.desk.quotas, now: app.clock.now() };
    let contact = app.store.write(Lane::Interactive, making, |tx, making| Box::pin(make(tx, making))).await?;
    let message = "Contact created successfully".into();
    Ok((StatusCode::CREATED, Json(ContactAnswer { contact, message })))
}

struct Making {
    claim: Option<Claim>,
    user: i64,
    group: i64,
    new: NewContact,
    quotas: Quotas,
    now: Time,
}

async fn make(tx: &mut Tx, making: &Making) -> Result<Contact> {
    let id = once(tx, making.claim.as_ref(), making.now, async |tx| {
        contact::create(tx, making.user, making.group, (&making.new, &making.quotas), making.now).await
    })
    .await?;
    contact::show(tx, making.user, id).await
}
