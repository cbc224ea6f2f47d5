//! `GET /admin/get-all-inactive-users`.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use talkdrum_core::account::UserStatus;
use talkdrum_core::api::account::User;
use utoipa::ToSchema;

use super::shown;
use crate::http::{AdminCaller, Answer, Page};
use crate::state::AppState;

/// A page of inactive users.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct InactiveUsers {
    /// Newest first.
    inactive_users: Vec<User>,
    /// How many there are.
    total: i64,
}

/// List inactive users; `q` searches names and addresses.
#[utoipa::path(
    get, path = "/admin/get-all-inactive-users", tag = "user",
    params(("q" = Option<String>, Query), ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = InactiveUsers)),
)]
pub(super) async fn list_inactive_users(
    State(app): State<AppState>,
    _caller: AdminCaller,
    page: Page,
) -> Answer<InactiveUsers> {
    let (inactive_users, total) =
        shown::page(&mut app.store.read().await?, UserStatus::Inactive, &page).await?;
    Ok(Json(InactiveUsers { inactive_users, total }))
}
