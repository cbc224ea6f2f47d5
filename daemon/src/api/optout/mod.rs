//! Opt-outs: numbers that get no messages. Each call is there twice: for the caller's own list, and under `/admin` for
//! the platform's, which holds for all users.

mod add;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use talkdrum_api::account::Message;
use talkdrum_api::contact::{ImportAnswer, OptOuts};
use talkdrum_core::Result;
use talkdrum_core::contact::export;
use talkdrum_core::contact::import::ImportDestination;
use talkdrum_core::contact::suppression::{self, SuppressionScope, note_of, reach_of};
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::contact::id::SuppressionId;
use talkdrum_core::store::Lane;
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::time::Time;

use crate::api::contact::download;
use crate::api::import::request::{ImportForm, Wait, import, read};
use crate::http::routes::{Operations, routes};
use crate::http::{AdminCaller, Answer, ApiError, Caller, IdempotencyKey, Page, Path, Query, Search, Upload};
use crate::state::AppState;

pub(super) fn brief() -> Operations {
    Operations::new()
        .routes(routes!(list_optouts, add::add_optout))
        .routes(routes!(list_platform_optouts, add::add_platform_optout))
        .routes(routes!(remove_optout))
        .routes(routes!(remove_platform_optout))
}

pub(super) fn lengthy() -> Operations {
    Operations::new()
        .routes(routes!(import_optouts))
        .routes(routes!(import_platform_optouts))
        .routes(routes!(export_optouts))
        .routes(routes!(export_platform_optouts))
}

/// Numbers that opted out of the caller's messages; `q` searches number and note.
#[utoipa::path(
    get, path = "/api/optouts", tag = "optout",
    params(Search, Page),
    responses((status = 200, body = OptOuts)),
)]
async fn list_optouts(
    State(app): State<AppState>,
    caller: Caller,
    search: Search,
    page: Page,
) -> Answer<OptOuts> {
    list(&app, caller.user_id, SuppressionScope::User(caller.user_id), (search, page)).await
}

/// Numbers that opted out of all users' messages; `q` searches number and note.
#[utoipa::path(
    get, path = "/admin/optouts", tag = "optout",
    params(Search, Page),
    responses((status = 200, body = OptOuts)),
)]
async fn list_platform_optouts(
    State(app): State<AppState>,
    caller: AdminCaller,
    search: Search,
    page: Page,
) -> Answer<OptOuts> {
    list(&app, caller.user_id, SuppressionScope::Platform, (search, page)).await
}

async fn list(
    app: &AppState,
    user: UserId,
    scope: SuppressionScope,
    (Search { q }, page): (Search, Page),
) -> Answer<OptOuts> {
    let (store, is_scan) = (app.store.clone(), suppression::is_scan(&q));
    let read = async move {
        let mut tx = store.snapshot().await?;
        suppression::list(&mut tx, scope, &q, page.offset, page.limit).await
    };
    Ok(Json(app.scans.read(is_scan, user, read).await?))
}

/// Let a number have the caller's messages again.
#[utoipa::path(
    delete, path = "/api/optouts/{id}", tag = "optout",
    params(("id" = i64, Path, description = "The opt-out's id")),
    responses((status = 200, body = Message)),
)]
async fn remove_optout(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Path(id): Path<SuppressionId>,
) -> Answer<Message> {
    let claim = key.claim_on(&caller, "optout.remove", id.0);
    remove(&app, SuppressionScope::User(caller.user_id), caller.user_id, id, claim).await
}

/// Let a number have messages again.
#[utoipa::path(
    delete, path = "/admin/optouts/{id}", tag = "optout",
    params(("id" = i64, Path, description = "The opt-out's id")),
    responses((status = 200, body = Message)),
)]
async fn remove_platform_optout(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Path(id): Path<SuppressionId>,
) -> Answer<Message> {
    let claim = key.claim_on(&caller, "optout.remove_platform", id.0);
    remove(&app, SuppressionScope::Platform, caller.user_id, id, claim).await
}

async fn remove(
    app: &AppState,
    scope: SuppressionScope,
    by: UserId,
    id: SuppressionId,
    claim: Option<Claim>,
) -> Answer<Message> {
    let input: (Option<Claim>, SuppressionScope, UserId, SuppressionId, Time) =
        (claim, scope, by, id, app.clock.now());
    app.store
        .write(Lane::Interactive, input, |tx, (claim, scope, by, id, now)| {
            Box::pin(async move {
                once(tx, claim.as_ref(), *now, async |tx| {
                    suppression::remove_by_id(tx, *scope, *id, *by, *now).await?;
                    Ok(*id)
                })
                .await
            })
        })
        .await?;
    Ok(Json(Message { message: "The number gets messages again".into() }))
}

/// A list of opt-outs that what a form says is to be added to.
fn opt_outs(scope: SuppressionScope, form: &ImportForm) -> Result<ImportDestination> {
    let (reach, note) = (reach_of(form.reach.as_deref())?, note_of(&form.note)?);
    Ok(ImportDestination::OptOuts { scope, reach, note })
}

/// Import opt-outs from the caller's messages. Answers when it is done; with `background=1` at once. More
/// than the account may keep are refused (`optouts_quota`).
#[utoipa::path(
    post, path = "/api/optouts/import", tag = "optout",
    params(Wait),
    request_body = ImportForm,
    responses((status = 200, body = ImportAnswer), (status = 202, body = ImportAnswer)),
)]
async fn import_optouts(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Query(wait): Query<Wait>,
    upload: Upload,
) -> Result<(StatusCode, Json<ImportAnswer>), ApiError> {
    let (form, file) = read(&app, &caller, upload).await?;
    let claim = key.claim(&caller, "optout.import", form.digest);
    let target = opt_outs(SuppressionScope::User(caller.user_id), &form.data)?;
    import(&app, &caller, &wait, (target, form.data.mapping(), file), claim).await
}

/// Import opt-outs from all users' messages. Answers when it is done; with `background=1` at once.
#[utoipa::path(
    post, path = "/admin/optouts/import", tag = "optout",
    params(Wait),
    request_body = ImportForm,
    responses((status = 200, body = ImportAnswer), (status = 202, body = ImportAnswer)),
)]
async fn import_platform_optouts(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Query(wait): Query<Wait>,
    upload: Upload,
) -> Result<(StatusCode, Json<ImportAnswer>), ApiError> {
    let caller = Caller(caller.0);
    let (form, file) = read(&app, &caller, upload).await?;
    let claim = key.claim(&caller, "optout.import_platform", form.digest);
    let target = opt_outs(SuppressionScope::Platform, &form.data)?;
    import(&app, &caller, &wait, (target, form.data.mapping(), file), claim).await
}

/// The caller's opt-outs as CSV, streamed, oldest first: phone, source, note, created_at, reach.
#[utoipa::path(
    get, path = "/api/optouts/export", tag = "optout",
    responses((status = 200, content_type = "text/csv", body = String)),
)]
async fn export_optouts(State(app): State<AppState>, caller: Caller) -> Result<Response, ApiError> {
    let seat = app.exports.take(caller.user_id)?;
    Ok(download(seat, export::optouts(&app.store, SuppressionScope::User(caller.user_id)), "optouts.csv"))
}

/// The platform's opt-outs as CSV, streamed, oldest first: phone, source, note, created_at, reach.
#[utoipa::path(
    get, path = "/admin/optouts/export", tag = "optout",
    responses((status = 200, content_type = "text/csv", body = String)),
)]
async fn export_platform_optouts(
    State(app): State<AppState>,
    caller: AdminCaller,
) -> Result<Response, ApiError> {
    let seat = app.exports.take(caller.0.user_id)?;
    Ok(download(seat, export::optouts(&app.store, SuppressionScope::Platform), "optouts.csv"))
}

#[cfg(test)]
mod tests;
