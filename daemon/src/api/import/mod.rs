//! Imports of contacts, and how far they are.
//!
//! Nothing here writes contacts; the importer of the domain does, also when the client goes away.

pub(super) mod request;

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use futures::{StreamExt as _, stream};
use request::{ImportForm, Wait, import, read};
use serde::Serialize;
use talkdrum_api::contact::{Import, ImportAnswer, Imports};
use talkdrum_api::spreadsheet::push_row;
use talkdrum_core::Error;
use talkdrum_core::contact::import::ImportDestination;
use talkdrum_core::contact::{NewGroup, import};
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::contact::ImportStatus;
use talkdrum_core::model::contact::id::{GroupId, ImportId};
use utoipa::ToSchema;

use crate::api::contact::download;
use crate::api::document::ServerSentEvent;
use crate::http::routes::{Operations, routes};
use crate::http::{
    Answer, ApiError, Caller, IdempotencyKey, Page, Path, Query, StreamCaller, Upload, Watched, sse,
};
use crate::state::AppState;

pub(super) fn brief() -> Operations {
    Operations::new().routes(routes!(list_imports)).routes(routes!(show_import))
}

pub(super) fn lengthy() -> Operations {
    Operations::new()
        .routes(routes!(import_into_group))
        .routes(routes!(import_into_new_group))
        .routes(routes!(list_import_rejects))
        .routes(routes!(watch_import))
}

/// The caller's imports, newest first. They are kept for 30 days.
#[utoipa::path(
    get, path = "/api/imports", tag = "import",
    params(Page),
    responses((status = 200, body = Imports)),
)]
async fn list_imports(State(app): State<AppState>, caller: Caller, page: Page) -> Answer<Imports> {
    let mut tx = app.store.snapshot().await?;
    Ok(Json(import::list(&mut tx, caller.user_id, page.offset, page.limit).await?))
}

/// An import.
#[derive(Debug, Serialize, ToSchema)]
struct ShownImport {
    /// The import.
    import: Import,
}

/// How far an import is.
#[utoipa::path(
    get, path = "/api/imports/{id}", tag = "import",
    params(("id" = i64, Path, description = "The import's id")),
    responses((status = 200, body = ShownImport)),
)]
async fn show_import(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<ImportId>,
) -> Answer<ShownImport> {
    let import = import::show(&mut app.store.read().await?, caller.user_id, id).await?;
    Ok(Json(ShownImport { import }))
}

/// The entries that an import could not take, or not whole, as CSV: line, value, code, reason. The first 100,000.
#[utoipa::path(
    get, path = "/api/imports/{id}/rejects", tag = "import",
    params(("id" = i64, Path, description = "The import's id")),
    responses((status = 200, content_type = "text/csv", body = String)),
)]
async fn list_import_rejects(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<ImportId>,
) -> Result<Response, ApiError> {
    let user = caller.user_id;
    import::show(&mut app.store.read().await?, user, id).await?;
    let seat = app.exports.take(user)?;
    let header = Some(b"line,value,code,reason\r\n".to_vec());
    let pieces = stream::try_unfold((app, 0, header), move |(app, from, header)| async move {
        if let Some(header) = header {
            return Ok(Some((header, (app, from, None))));
        }
        let rejects = import::rejects(&mut app.store.read().await?, user, id, from).await?;
        if rejects.is_empty() {
            return Ok(None);
        }
        let next = from + rejects.len() as i64;
        let mut text = Vec::new();
        for reject in rejects {
            let reason = import::reason(&reject.code);
            let line = reject.line.to_string();
            push_row(&mut text, [&*line, &reject.value, &reject.code, &reason]);
        }
        Ok(Some((text, (app, next, None))))
    });
    Ok(download(seat, pieces.boxed(), "rejects.csv"))
}

/// Follow an import by server-sent events: `progress` whenever something changed, and `end`, both with an `Import`.
#[utoipa::path(
    get, path = "/api/imports/{id}/events", tag = "import",
    params(("id" = i64, Path, description = "The import's id")),
    responses((status = 200, content_type = "text/event-stream", body = ServerSentEvent)),
)]
async fn watch_import(
    State(app): State<AppState>,
    watcher: StreamCaller,
    Path(id): Path<ImportId>,
) -> Result<Response, ApiError> {
    let user = watcher.caller.user_id;
    import::show(&mut app.store.read().await?, user, id).await?;
    sse(app, watcher, WatchedImport { user, id })
}

/// An import that its user watches.
struct WatchedImport {
    user: UserId,
    id: ImportId,
}

impl Watched for WatchedImport {
    type State = Import;
    const EVENT: &'static str = "progress";
    const EVERY: Duration = Duration::from_millis(300);

    async fn look(&mut self, app: &AppState) -> Option<Import> {
        import::show(&mut app.store.read().await.ok()?, self.user, self.id).await.ok()
    }

    fn is_over(&self, import: &Import) -> bool {
        import.status != ImportStatus::Running.code()
    }
}

/// Import contacts into a group. Answers when it is done; with `background=1` at once, with an import to watch.
/// More contacts than the account may keep are refused (`contacts_quota`), larger files too (`imports_quota`).
#[utoipa::path(
    post, path = "/api/import/contact/group/{id}", tag = "import",
    params(("id" = i64, Path, description = "The group's id"), Wait),
    request_body = ImportForm,
    responses((status = 200, body = ImportAnswer), (status = 202, body = ImportAnswer)),
)]
async fn import_into_group(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Path(id): Path<GroupId>,
    Query(wait): Query<Wait>,
    upload: Upload,
) -> Result<(StatusCode, Json<ImportAnswer>), ApiError> {
    let (form, file) = read(&app, &caller, upload).await?;
    let claim = key.claim_with(&caller, "import.group", id.0, form.digest);
    import(&app, &caller, &wait, (ImportDestination::Group(id), form.data.mapping(), file), claim).await
}

/// Import contacts into a group that is made for them. Answers when it is done; with `background=1` at once, with an
/// import to watch. More contacts than the account may keep are refused (`contacts_quota`), larger files too
/// (`imports_quota`).
#[utoipa::path(
    post, path = "/api/import/contacts/new/group", tag = "import",
    params(Wait),
    request_body = ImportForm,
    responses((status = 200, body = ImportAnswer), (status = 202, body = ImportAnswer)),
)]
async fn import_into_new_group(
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
    import(&app, &caller, &wait, (ImportDestination::NewGroup(new), form.data.mapping(), file), claim).await
}

#[cfg(test)]
mod tests;
