//! `GET /api/imports/{id}/rejects`.

use axum::extract::State;
use axum::response::Response;
use futures::{StreamExt as _, stream};
use talkdrum_api::spreadsheet::push_row;
use talkdrum_core::contact::import;

use crate::api::contact::download;
use crate::http::{ApiError, Caller, Path};
use crate::state::AppState;

/// The entries that an import could not take, or not whole, as CSV: line, value, code, reason. The first 100,000.
#[utoipa::path(
    get, path = "/api/imports/{id}/rejects", tag = "import",
    params(("id" = i64, Path, description = "The import's id")),
    responses((status = 200, content_type = "text/csv", body = String)),
)]
pub(super) async fn list_import_rejects(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<i64>,
) -> Result<Response, ApiError> {
    let user = caller.user_id;
    import::show(&mut app.store.read().await?, user, id).await?;
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
    Ok(download(pieces.boxed(), "rejects.csv"))
}
