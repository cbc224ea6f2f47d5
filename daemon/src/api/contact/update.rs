//! `PUT /api/update/contact/{id}`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::contact::ContactAnswer;
use talkdrum_core::contact::{self, Patch};
use talkdrum_core::store::Lane;
use talkdrum_core::store::operations::idempotency::once;
use utoipa::ToSchema;

use crate::http::fields::sent;
use crate::http::{Answer, Caller, Form, IdempotencyKey, Path};
use crate::state::AppState;

/// What is to change; what is left out stays, and an empty name or address is removed.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct UpdateContact {
    /// The number, in any usual form.
    #[serde(default, deserialize_with = "sent")]
    phone: Option<String>,
    /// The name.
    #[serde(default, deserialize_with = "sent")]
    name: Option<String>,
    /// The e-mail address.
    #[serde(default, deserialize_with = "sent")]
    email: Option<String>,
    /// Other merge fields as `city=Lagos`, or `city=` to remove one; repeated.
    #[serde(default)]
    field: Vec<String>,
}

/// Change a contact.
#[utoipa::path(
    put, path = "/api/update/contact/{id}", tag = "contact",
    params(("id" = i64, Path, description = "The contact's id")),
    request_body = UpdateContact,
    responses((status = 200, body = ContactAnswer)),
)]
pub(super) async fn update_contact(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Path(id): Path<i64>,
    Form { data, digest }: Form<UpdateContact>,
) -> Answer<ContactAnswer> {
    let (phone, name, email) = (data.phone.as_deref(), data.name.as_deref(), data.email.as_deref());
    let patch = Patch::parse(phone, name, email, &data.field)?;
    let claim = key.claim_with(&caller, "contact.update", id, digest);
    let input = (claim, caller.user_id, id, patch, app.clock.now());
    let contact = app
        .store
        .write(Lane::Interactive, input, |tx, (claim, user, id, patch, now)| {
            Box::pin(async move {
                once(tx, claim.as_ref(), *now, async |tx| {
                    contact::edit(tx, *user, *id, patch, *now).await?;
                    Ok(*id)
                })
                .await?;
                contact::show(tx, *user, *id).await
            })
        })
        .await?;
    Ok(Json(ContactAnswer { contact, message: "Contact updated successfully".into() }))
}
