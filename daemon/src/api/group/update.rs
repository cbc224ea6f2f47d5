//! `PUT /api/update/group/{id}`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::contact::GroupAnswer;
use talkdrum_core::contact::{self, NewGroup};
use talkdrum_core::store::Lane;
use talkdrum_core::store::operations::idempotency::once;

use super::GroupForm;
use crate::http::{Answer, Caller, Form, IdempotencyKey, Path};
use crate::state::AppState;

/// Give a group another name and description.
#[utoipa::path(
    put, path = "/api/update/group/{id}", tag = "group",
    params(("id" = i64, Path, description = "The group's id")),
    request_body = GroupForm,
    responses((status = 200, body = GroupAnswer)),
)]
pub(super) async fn update_group(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Path(id): Path<i64>,
    Form { data, digest }: Form<GroupForm>,
) -> Answer<GroupAnswer> {
    let new = NewGroup::parse(&data.group_name, &data.description)?;
    let claim = key.claim_with(&caller, "group.update", id, digest);
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
    Ok(Json(GroupAnswer { group: contact::shown_group(row)?, message: "Group Edit".into() }))
}
