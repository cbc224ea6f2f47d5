//! `POST /api/logout`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::account::Message;
use talkdrum_core::account;

use crate::http::{Answer, LeavingCaller};
use crate::state::AppState;

/// End this session.
#[utoipa::path(post, path = "/api/logout", tag = "session", responses((status = 200, body = Message)))]
pub(super) async fn logout(State(app): State<AppState>, caller: LeavingCaller) -> Answer<Message> {
    account::sign_out(&app.store, caller.session_id).await?;
    app.callers.forget_session(caller.session_id);
    Ok(Json(Message { message: "Logged out".into() }))
}
