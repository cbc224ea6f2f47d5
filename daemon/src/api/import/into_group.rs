//! `POST /api/import/contact/group/{id}`.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use talkdrum_api::contact::ImportAnswer;
use talkdrum_core::contact::import::Target;

use crate::api::import::request::{ImportForm, Wait, import, read};
use crate::http::{ApiError, Caller, IdempotencyKey, Path, Query, Upload};
use crate::state::AppState;

/// Import contacts into a group. Answers when it is done; with `background=1` at once, with an import to watch.
/// More contacts than the account may keep are refused (`contacts_quota`), larger files too (`imports_quota`).
#[utoipa::path(
    post, path = "/api/import/contact/group/{id}", tag = "import",
    params(("id" = i64, Path, description = "The group's id"), Wait),
    request_body = ImportForm,
    responses((status = 200, body = ImportAnswer), (status = 202, body = ImportAnswer)),
)]
pub(super) async fn import_into_group(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Path(id): Path<i64>,
    Query(wait): Query<Wait>,
    upload: Upload,
) -> Result<(StatusCode, Json<ImportAnswer>), ApiError> {
    let (form, file) = read(&app, &caller, upload).await?;
    let claim = key.claim_with(&caller, "import.group", id, form.digest);
    import(&app, &caller, &wait, (Target::Group(id), form.data.mapping(), file), claim).await
}
