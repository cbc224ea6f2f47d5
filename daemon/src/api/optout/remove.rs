//! `DELETE /api/optouts/{id}` and `DELETE /admin/optouts/{id}`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::account::Message;
use talkdrum_core::contact::suppression::{self, Scope};
use talkdrum_core::store::Lane;
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::time::Time;

use crate::http::{AdminCaller, Answer, Caller, IdempotencyKey, Path};
use crate::state::AppState;

/// Let a number have the caller's messages again.
#[utoipa::path(
    delete, path = "/api/optouts/{id}", tag = "optout",
    params(("id" = i64, Path, description = "The opt-out's id")),
    responses((status = 200, body = Message)),
)]
pub(super) async fn remove_optout(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Path(id): Path<i64>,
) -> Answer<Message> {
    let claim = key.claim_on(&caller, "optout.remove", id);
    remove(&app, Scope::User(caller.user_id), caller.user_id, id, claim).await
}

/// Let a number have messages again.
#[utoipa::path(
    delete, path = "/admin/optouts/{id}", tag = "optout",
    params(("id" = i64, Path, description = "The opt-out's id")),
    responses((status = 200, body = Message)),
)]
pub(super) async fn remove_platform_optout(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Path(id): Path<i64>,
) -> Answer<Message> {
    let claim = key.claim_on(&caller, "optout.remove_platform", id);
    remove(&app, Scope::Platform, caller.user_id, id, claim).await
}

async fn remove(app: &AppState, scope: Scope, by: i64, id: i64, claim: Option<Claim>) -> Answer<Message> {
    let input: (Option<Claim>, Scope, i64, i64, Time) = (claim, scope, by, id, app.clock.now());
    app.store
        .write(Lane::Interactive, input, |tx, (claim, scope, by, id, now)| {
            Box::pin(async move {
                once(tx, claim.as_ref(), *now, async |tx| {
                    let (_, number) = suppression::by_id(tx, *scope, *id).await?;
                    suppression::remove(tx, *scope, number).await?;
                    super::note(tx, *scope, *by, "optout.remove", number, *now).await?;
                    Ok(*id)
                })
                .await
            })
        })
        .await?;
    Ok(Json(Message { message: "The number gets messages again".into() }))
}
