//! `POST /api/optouts/import` and `POST /admin/optouts/import`.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use talkdrum_api::contact::ImportAnswer;
use talkdrum_core::contact::import::Target;
use talkdrum_core::contact::suppression::{Scope, note_of};

use crate::api::import::request::{ImportForm, Wait, import, read};
use crate::http::{AdminCaller, ApiError, Caller, IdempotencyKey, Query, Upload};
use crate::state::AppState;

/// Import numbers that get no messages of the caller. Answers when it is done; with `background=1` at once. More
/// than the account may keep are refused (`optouts_quota`).
#[utoipa::path(
    post, path = "/api/optouts/import", tag = "optout",
    params(Wait),
    request_body = ImportForm,
    responses((status = 200, body = ImportAnswer), (status = 202, body = ImportAnswer)),
)]
pub(super) async fn import_optouts(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Query(wait): Query<Wait>,
    upload: Upload,
) -> Result<(StatusCode, Json<ImportAnswer>), ApiError> {
    let (form, file) = read(&app, upload).await?;
    let claim = key.claim(&caller, "optout.import", form.digest);
    let target = Target::OptOuts(Scope::User(caller.user_id), note_of(&form.data.note)?);
    import(&app, &caller, &wait, (target, form.data.mapping(), file), claim).await
}

/// Import numbers that get no messages of anybody. Answers when it is done; with `background=1` at once.
#[utoipa::path(
    post, path = "/admin/optouts/import", tag = "optout",
    params(Wait),
    request_body = ImportForm,
    responses((status = 200, body = ImportAnswer), (status = 202, body = ImportAnswer)),
)]
pub(super) async fn import_platform_optouts(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Query(wait): Query<Wait>,
    upload: Upload,
) -> Result<(StatusCode, Json<ImportAnswer>), ApiError> {
    let (form, file) = read(&app, upload).await?;
    let claim = key.claim(&caller, "optout.import_platform", form.digest);
    let target = Target::OptOuts(Scope::Platform, note_of(&form.data.note)?);
    let caller = Caller(caller.0);
    import(&app, &caller, &wait, (target, form.data.mapping(), file), claim).await
}
