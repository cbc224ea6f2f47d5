//! `GET /api/contacts/export`.

use axum::extract::State;
use axum::response::Response;
use talkdrum_core::contact::export;

use super::download;
use crate::http::{ApiError, Caller};
use crate::state::AppState;

/// All contacts of the caller as CSV, streamed group by group: group, phone, name, email.
#[utoipa::path(
    get, path = "/api/contacts/export", tag = "contact",
    responses((status = 200, content_type = "text/csv", body = String)),
)]
pub(super) async fn export_contacts(
    State(app): State<AppState>,
    caller: Caller,
) -> Result<Response, ApiError> {
    let seat = app.exports.take(caller.user_id)?;
    Ok(download(seat, export::everything(&app.store, caller.user_id).await?, "contacts.csv"))
}
