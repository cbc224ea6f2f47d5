//! `GET /admin/get-user-details/{id}`.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use talkdrum_core::api::account::User;
use utoipa::ToSchema;

use super::shown;
use crate::http::{AdminCaller, Answer, Path};
use crate::state::AppState;

/// Everything about a user.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct UserDetails {
    /// The user.
    user: User,
}

/// Show a user.
#[utoipa::path(
    get, path = "/admin/get-user-details/{id}", tag = "user",
    params(("id" = i64, Path, description = "The user's id")),
    responses((status = 200, body = UserDetails)),
)]
pub(super) async fn show_user_details(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Path(id): Path<i64>,
) -> Answer<UserDetails> {
    Ok(Json(UserDetails { user: shown::by_id(&mut app.store.read().await?, id).await? }))
}
