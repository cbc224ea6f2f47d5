//! Contacts, one by one and as lists.

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures::TryStreamExt as _;
use serde::Deserialize;
use talkdrum_api::account::Message;
use talkdrum_api::contact::{Contact, ContactAnswer, Contacts, ContactsWithGroups};
use talkdrum_core::Result;
use talkdrum_core::contact::export::CsvPieces;
use talkdrum_core::contact::{self, Asked, NewContact, Patch, SORTS, export};
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::contact::id::{ContactId, GroupId};
use talkdrum_core::platform::quota::Quotas;
use talkdrum_core::store::contact::list::Slice;
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use utoipa::ToSchema;

use crate::http::fields::sent;
use crate::http::routes::{Operations, routes};
use crate::http::{Answer, ApiError, Caller, Columns, Form, IdempotencyKey, Path, SortedPage};
use crate::limit::seats::Seat;
use crate::state::AppState;

pub(super) fn brief() -> Operations {
    Operations::new()
        .routes(routes!(create_contact))
        .routes(routes!(update_contact))
        .routes(routes!(delete_contact))
        .routes(routes!(list_contacts))
        .routes(routes!(list_group_contacts))
        .routes(routes!(list_contacts_with_groups))
}

pub(super) fn lengthy() -> Operations {
    Operations::new().routes(routes!(export_contacts))
}

/// What contacts can be sorted by.
enum ContactColumns {}

impl Columns for ContactColumns {
    const NAMES: &'static [&'static str] = &SORTS;
    const NOTE: &'static str = "More than 20,000 contacts are sorted by `created_at` only.";
}

/// What of a list of contacts was asked for.
fn asked(SortedPage { page, q, sort, descending, .. }: SortedPage<ContactColumns>) -> Asked {
    Asked { sort, slice: Slice { offset: page.offset, limit: page.limit, descending }, q }
}

/// An answer of CSV under a file's name, to a user who has a seat for it until its end.
pub(super) fn download(seat: Seat, pieces: CsvPieces, name: &str) -> Response {
    // The answer has begun: all that is left is to break it off, so that the client cannot take it for complete.
    let pieces =
        pieces.inspect_err(|error| tracing::error!(code = error.code(), %error, "an export broke off"));
    let headers = [
        (CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    (headers, Body::from_stream(seat.hold(pieces))).into_response()
}

/// The contact to be added.
#[derive(Debug, Deserialize, ToSchema)]
struct CreateContact {
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
async fn create_contact(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Path(group): Path<GroupId>,
    Form { data, digest }: Form<CreateContact>,
) -> Result<(StatusCode, Json<ContactAnswer>), ApiError> {
    let new = NewContact::parse(&data.phone, &data.name, &data.email, &data.field)?;
    let claim = key.claim_with(&caller, "contact.create", group.0, digest);
    let making = Making {
        claim,
        user: caller.user_id,
        group,
        new,
        quotas: app.campaigns.quotas,
        now: app.clock.now(),
    };
    let contact = app.store.write(Lane::Interactive, making, |tx, making| Box::pin(make(tx, making))).await?;
    let message = "Contact created successfully".into();
    Ok((StatusCode::CREATED, Json(ContactAnswer { contact, message })))
}

struct Making {
    claim: Option<Claim>,
    user: UserId,
    group: GroupId,
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

/// What is to change; what is left out stays, and an empty name or address is removed.
#[derive(Debug, Deserialize, ToSchema)]
struct UpdateContact {
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
async fn update_contact(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Path(id): Path<ContactId>,
    Form { data, digest }: Form<UpdateContact>,
) -> Answer<ContactAnswer> {
    let (phone, name, email) = (data.phone.as_deref(), data.name.as_deref(), data.email.as_deref());
    let patch = Patch::parse(phone, name, email, &data.field)?;
    let claim = key.claim_with(&caller, "contact.update", id.0, digest);
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

/// Remove a contact from its group.
#[utoipa::path(
    delete, path = "/api/delete/contact/{id}", tag = "contact",
    params(("id" = i64, Path, description = "The contact's id")),
    responses((status = 200, body = Message)),
)]
async fn delete_contact(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Path(id): Path<ContactId>,
) -> Answer<Message> {
    let input = (key.claim_on(&caller, "contact.delete", id.0), caller.user_id, id, app.clock.now());
    app.store
        .write(Lane::Interactive, input, |tx, (claim, user, id, now)| {
            Box::pin(async move {
                once(tx, claim.as_ref(), *now, async |tx| {
                    contact::remove(tx, *user, *id, *now).await?;
                    Ok(*id)
                })
                .await
            })
        })
        .await?;
    Ok(Json(Message { message: "Contact deleted successfully".into() }))
}

/// All contacts of the caller; `q` searches number, name and e-mail address.
#[utoipa::path(
    get, path = "/api/get/contact", tag = "contact",
    params(SortedPage<ContactColumns>),
    responses((status = 200, body = Contacts)),
)]
async fn list_contacts(
    State(app): State<AppState>,
    caller: Caller,
    page: SortedPage<ContactColumns>,
) -> Answer<Contacts> {
    let asked = asked(page);
    let (store, user, is_scan) = (app.store.clone(), caller.user_id, asked.is_scan());
    let read = async move { contact::of_user(&mut store.snapshot().await?, user, &asked).await };
    Ok(Json(app.scans.read(is_scan, user, read).await?))
}

/// The contacts of a group; `q` searches number, name and e-mail address.
#[utoipa::path(
    get, path = "/api/get/group/contacts/{id}", tag = "contact",
    params(("id" = i64, Path, description = "The group's id"), SortedPage<ContactColumns>),
    responses((status = 200, body = Contacts)),
)]
async fn list_group_contacts(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<GroupId>,
    page: SortedPage<ContactColumns>,
) -> Answer<Contacts> {
    let asked = asked(page);
    let (store, user, is_scan) = (app.store.clone(), caller.user_id, asked.is_scan());
    let read = async move { contact::of_group(&mut store.snapshot().await?, user, id, &asked).await };
    Ok(Json(app.scans.read(is_scan, user, read).await?))
}

/// All contacts of the caller, each with every group that holds its number.
#[utoipa::path(
    get, path = "/api/group/contact", tag = "contact",
    params(SortedPage<ContactColumns>),
    responses((status = 200, body = ContactsWithGroups)),
)]
async fn list_contacts_with_groups(
    State(app): State<AppState>,
    caller: Caller,
    page: SortedPage<ContactColumns>,
) -> Answer<ContactsWithGroups> {
    let asked = asked(page);
    let (store, user, is_scan) = (app.store.clone(), caller.user_id, asked.is_scan());
    let read = async move { contact::with_groups(&mut store.snapshot().await?, user, &asked).await };
    Ok(Json(app.scans.read(is_scan, user, read).await?))
}

/// All contacts of the caller as CSV, streamed group by group: group, phone, name, email.
#[utoipa::path(
    get, path = "/api/contacts/export", tag = "contact",
    responses((status = 200, content_type = "text/csv", body = String)),
)]
async fn export_contacts(State(app): State<AppState>, caller: Caller) -> Result<Response, ApiError> {
    let seat = app.exports.take(caller.user_id)?;
    Ok(download(seat, export::everything(&app.store, caller.user_id).await?, "contacts.csv"))
}

#[cfg(test)]
mod tests;
