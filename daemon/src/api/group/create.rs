//! `POST /api/create/group`.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use talkdrum_api::contact::GroupAnswer;
use talkdrum_core::Result;
use talkdrum_core::contact::{self, NewGroup};
use talkdrum_core::store::contact::group::GroupRow;
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;

use super::GroupForm;
use crate::http::{ApiError, Caller, Form, IdempotencyKey};
use crate::state::AppState;

/// Make a group of contacts.
#[utoipa::path(
    post, path = "/api/create/group", tag = "group",
    request_body = GroupForm,
    responses((status = 201, body = GroupAnswer)),
)]
pub(super) async fn create_group(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Form { data, digest }: Form<GroupForm>,
) -> Result<(StatusCode, Json<GroupAnswer>), ApiError> {
    let new = NewGroup::parse(&data.group_name, &data.description)?;
    let claim = key.claim(&caller, "group.create", digest);
    let making = Making { claim, user: caller.user_id, new, now: app.clock.now() };
    let row = app.store.write(Lane::Interactive, making, |tx, making| Box::pin(make(tx, making))).await?;
    let group = contact::shown_group(row)?;
    Ok((StatusCode::CREATED, Json(GroupAnswer { group, message: "Group Created".into() })))
}

struct Making {
    claim: Option<Claim>,
    user: i64,
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
