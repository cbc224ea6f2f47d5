//! `PUT /api/update/contact/{id}`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_core::api::contact::ContactAnswer;
use talkdrum_core::contact::{self, Patch};
use talkdrum_core::store::Lane;
use talkdrum_core::store::idempotency::{begin_if_any, finish_if_any};
use utoipa::ToSchema;

use crate::http::{Answer, Caller, Form, IdempotencyKey, Path};
use crate::state::AppState;

/// What is to change; what is left out stays.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct UpdateContact {
    /// The number, in any usual form.
    phone: Option<String>,
    /// The name.
    name: Option<String>,
    /// The e-mail address.
    email: Option<String>,
    /// Other merge fields as `city=Lagos`, or `city=` to remove one; repeated.
    #[serde(default)]
    field: Vec<String>,
    /// `name` or `email`, to be emptied; repeated.
    #[serde(default)]
    clear: Vec<String>,
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
    // An empty value of a form is one that was not given; emptying has a word of its own.
    let given = |value: &'_ Option<String>, name: &str| match data.clear.iter().any(|clear| clear == name) {
        true => Some(String::new()),
        false => value.clone(),
    };
    let (name, email) = (given(&data.name, "name"), given(&data.email, "email"));
    let patch = Patch::parse(data.phone.as_deref(), name.as_deref(), email.as_deref(), &data.field)?;
    let claim = key.claim_with(&caller, "contact.update", id, digest);
    let input = (claim, caller.user_id, id, patch, app.clock.now());
    let contact = app
        .store
        .write(Lane::Interactive, input, |tx, (claim, user, id, patch, now)| {
            Box::pin(async move {
                if begin_if_any(tx, claim.as_ref(), *now).await?.is_none() {
                    contact::edit(tx, *user, *id, patch, *now).await?;
                    finish_if_any(tx, claim.as_ref(), &id.to_string()).await?;
                }
                contact::show(tx, *user, *id).await
            })
        })
        .await?;
    Ok(Json(ContactAnswer { contact, message: "Contact updated successfully".into() }))
}
