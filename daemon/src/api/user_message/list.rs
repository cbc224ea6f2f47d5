//! `GET /admin/user-messages`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::user_message::UserMessages;
use talkdrum_core::store::account::user_message as rows;

use super::shown;
use crate::http::{AdminCaller, Answer, Page};
use crate::state::AppState;

/// The most messages of one answer: each is counted.
const MOST: i64 = 100;

/// List administrators' messages to users, newest first, with where they stand.
#[utoipa::path(
    get, path = "/admin/user-messages", tag = "user",
    params(Page),
    responses((status = 200, body = UserMessages)),
)]
pub(super) async fn list_user_messages(
    State(app): State<AppState>,
    _caller: AdminCaller,
    page: Page,
) -> Answer<UserMessages> {
    let mut tx = app.store.snapshot().await?;
    let (found, total) = rows::page(&mut tx, page.offset, page.limit.min(MOST)).await?;
    Ok(Json(UserMessages { user_messages: shown(&mut tx, found).await?, total }))
}
