//! `GET /admin/get-all-active-users`.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use talkdrum_core::account::UserStatus;
use talkdrum_core::api::account::User;
use utoipa::ToSchema;

use super::shown;
use crate::http::{AdminCaller, Answer, Page};
use crate::state::AppState;

/// A page of active users.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ActiveUsers {
    /// Newest first.
    active_users: Vec<User>,
    /// How many there are.
    total: i64,
}

/// List active users; `q` searches names and addresses.
#[utoipa::path(
    get, path = "/admin/get-all-active-users", tag = "user",
    params(("q" = Option<String>, Query), ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = ActiveUsers)),
)]
pub(super) async fn list_active_users(
    State(app): State<AppState>,
    _caller: AdminCaller,
    page: Page,
) -> Answer<ActiveUsers> {
    let (active_users, total) = shown::page(&mut app.store.read().await?, UserStatus::Active, &page).await?;
    Ok(Json(ActiveUsers { active_users, total }))
}
