//! `POST /api/import/contacts/new/group`.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use talkdrum_api::contact::ImportAnswer;
use talkdrum_core::Error;
use talkdrum_core::contact::NewGroup;
use talkdrum_core::contact::import::Target;

use crate::api::import::request::{ImportForm, Wait, import, read};
use crate::http::{ApiError, Caller, IdempotencyKey, Query, Upload};
use crate::state::AppState;

/// Import contacts into a group that is made for them. Answers when it is done; with `background=1` at once, with an
/// import to watch. More contacts than the account may keep are refused (`contacts_quota`), larger files too
/// (`imports_quota`).
#[utoipa::path(
    post, path = "/api/import/contacts/new/group", tag = "import",
    params(Wait),
    request_body = ImportForm,
    responses((status = 200, body = ImportAnswer), (status = 202, body = ImportAnswer)),
)]
pub(super) async fn import_into_new_group(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Query(wait): Query<Wait>,
    upload: Upload,
) -> Result<(StatusCode, Json<ImportAnswer>), ApiError> {
    let (form, file) = read(&app, &caller, upload).await?;
    if form.data.group_name.trim().is_empty() {
        let message = "Please provide a file and group name.";
        return Err(Error::field("group_name", "group_name_required", message).into());
    }
    let new = NewGroup::parse(&form.data.group_name, &form.data.description)?;
    let claim = key.claim(&caller, "import.new_group", form.digest);
    import(&app, &caller, &wait, (Target::NewGroup(new), form.data.mapping(), file), claim).await
}
