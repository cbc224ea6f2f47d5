//! `GET /api/imports/{id}`.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use talkdrum_api::contact::Import;
use talkdrum_core::contact::import;
use utoipa::ToSchema;

use crate::http::{Answer, Caller, Path};
use crate::state::AppState;

/// An import.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ShownImport {
    /// The import.
    import: Import,
}

/// How far an import is.
#[utoipa::path(
    get, path = "/api/imports/{id}", tag = "import",
    params(("id" = i64, Path, description = "The import's id")),
    responses((status = 200, body = ShownImport)),
)]
pub(super) async fn show_import(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<i64>,
) -> Answer<ShownImport> {
    let import = import::show(&mut app.store.read().await?, caller.user_id, id).await?;
    Ok(Json(ShownImport { import }))
}
