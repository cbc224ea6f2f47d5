//! Groups of contacts.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use talkdrum_api::account::Message;
use talkdrum_api::contact::{GroupAnswer, GroupShown, Groups};
use talkdrum_api::query::GroupQuery;
use talkdrum_core::Result;
use talkdrum_core::contact::{self, NewGroup, export, find_group};
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::contact::id::GroupId;
use talkdrum_core::store::contact::group::GroupRow;
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use utoipa::ToSchema;

use crate::api::contact::download;
use crate::http::routes::{Operations, routes};
use crate::http::{Answer, ApiError, Caller, Columns, Form, IdempotencyKey, Path, Query, SortedPage};
use crate::state::AppState;

pub(super) fn brief() -> Operations {
    Operations::new()
        .routes(routes!(create_group))
        .routes(routes!(list_groups))
        .routes(routes!(show_group))
        .routes(routes!(update_group))
        .routes(routes!(delete_group))
}

pub(super) fn lengthy() -> Operations {
    Operations::new().routes(routes!(export_group))
}

/// What a group is called.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct GroupForm {
    /// Its name, which no other group of the caller has.
    #[serde(default)]
    group_name: String,
    /// What it is for.
    #[serde(default)]
    description: String,
}

/// Make a group of contacts.
#[utoipa::path(
    post, path = "/api/create/group", tag = "group",
    request_body = GroupForm,
    responses((status = 201, body = GroupAnswer)),
)]
async fn create_group(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Form { data, digest }: Form<GroupForm>,
) -> Result<(StatusCode, Json<GroupAnswer>), ApiError> {
    let new = NewGroup::parse(&data.group_name, &data.description)?;
    let claim = key.claim(&caller, "group.create", digest);
    let making = Making { claim, user: caller.user_id, new, now: app.clock.now() };
    let row = app.store.write(Lane::Interactive, making, |tx, making| Box::pin(make(tx, making))).await?;
    let group = row.try_into()?;
    Ok((StatusCode::CREATED, Json(GroupAnswer { group, message: "Group Created".into() })))
}

struct Making {
    claim: Option<Claim>,
    user: UserId,
    new: NewGroup,
    now: Time,
}

async fn make(tx: &mut Tx, making: &Making) -> Result<GroupRow> {
    let id = once(tx, making.claim.as_ref(), making.now, async |tx| {
        contact::create_group(tx, making.user, &making.new, making.now).await
    })
    .await?;
    contact::find_group(tx, making.user, id).await
}

/// What groups can be sorted by.
enum GroupColumns {}

impl Columns for GroupColumns {
    const NAMES: &'static [&'static str] = &["created_at", "group_name", "contacts_count"];
}

/// The caller's groups; `q` searches name and description, `group_name` finds the one of that name.
#[utoipa::path(
    get, path = "/api/get/group", tag = "group",
    params(GroupQuery, SortedPage<GroupColumns>),
    responses((status = 200, body = Groups)),
)]
async fn list_groups(
    State(app): State<AppState>,
    caller: Caller,
    Query(filter): Query<GroupQuery>,
    page: SortedPage<GroupColumns>,
) -> Answer<Groups> {
    let name = filter.group_name.as_deref().map(str::trim).filter(|name| !name.is_empty());
    let mut tx = app.store.read().await?;
    let order = (page.sort, page.descending);
    let range = (page.page.offset, page.page.limit);
    Ok(Json(contact::list_groups(&mut tx, caller.user_id, (&page.q, name), order, range).await?))
}

/// One of the caller's groups.
#[utoipa::path(
    get, path = "/api/get/group/{id}", tag = "group",
    params(("id" = i64, Path, description = "The group's id")),
    responses((status = 200, body = GroupShown)),
)]
async fn show_group(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<GroupId>,
) -> Answer<GroupShown> {
    let found = find_group(&mut app.store.read().await?, caller.user_id, id).await?;
    Ok(Json(GroupShown { group: found.try_into()? }))
}

/// Give a group another name and description.
#[utoipa::path(
    put, path = "/api/update/group/{id}", tag = "group",
    params(("id" = i64, Path, description = "The group's id")),
    request_body = GroupForm,
    responses((status = 200, body = GroupAnswer)),
)]
async fn update_group(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Path(id): Path<GroupId>,
    Form { data, digest }: Form<GroupForm>,
) -> Answer<GroupAnswer> {
    let new = NewGroup::parse(&data.group_name, &data.description)?;
    let claim = key.claim_with(&caller, "group.update", id.0, digest);
    let input = (claim, caller.user_id, id, new, app.clock.now());
    let row = app
        .store
        .write(Lane::Interactive, input, |tx, (claim, user, id, new, now)| {
            Box::pin(async move {
                once(tx, claim.as_ref(), *now, async |tx| {
                    contact::rename_group(tx, *user, *id, new, *now).await?;
                    Ok(*id)
                })
                .await?;
                contact::find_group(tx, *user, *id).await
            })
        })
        .await?;
    Ok(Json(GroupAnswer { group: row.try_into()?, message: "Group Edit".into() }))
}

/// Delete a group with all its contacts.
#[utoipa::path(
    delete, path = "/api/delete/group/{id}", tag = "group",
    params(("id" = i64, Path, description = "The group's id")),
    responses((status = 200, body = Message)),
)]
async fn delete_group(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Path(id): Path<GroupId>,
) -> Answer<Message> {
    let input = (key.claim_on(&caller, "group.delete", id.0), caller.user_id, id, app.clock.now());
    app.store
        .write(Lane::Interactive, input, |tx, (claim, user, id, now)| {
            Box::pin(async move {
                once(tx, claim.as_ref(), *now, async |tx| {
                    contact::delete_group(tx, *user, *id, *now).await.map(|()| *id)
                })
                .await
            })
        })
        .await?;
    Ok(Json(Message { message: "Group deleted successfully".into() }))
}

/// The contacts of a group as CSV, streamed in order of numbers: phone, name, email and the merge fields.
#[utoipa::path(
    get, path = "/api/groups/{id}/export", tag = "group",
    params(("id" = i64, Path, description = "The group's id")),
    responses((status = 200, content_type = "text/csv", body = String)),
)]
async fn export_group(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<GroupId>,
) -> Result<Response, ApiError> {
    let seat = app.exports.take(caller.user_id)?;
    Ok(download(seat, export::group(&app.store, caller.user_id, id).await?, "contacts.csv"))
}

#[cfg(test)]
mod tests;
