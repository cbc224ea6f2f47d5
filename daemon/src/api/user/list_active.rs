//! `GET /admin/get-all-active-users`.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use talkdrum_api::account::User;
use talkdrum_core::model::user::UserStatus;
use utoipa::ToSchema;

use crate::api::user::response::{self, RoleFilter, UserColumns};
use crate::http::{AdminCaller, Answer, Query, SortedPage};
use crate::state::AppState;

/// A page of active users.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ActiveUsers {
    /// Newest first, unless sorted otherwise.
    active_users: Vec<User>,
    /// How many there are.
    total: i64,
}

/// List active users; `q` searches names, addresses and phone numbers.
#[utoipa::path(
    get, path = "/admin/get-all-active-users", tag = "user",
    params(RoleFilter, SortedPage<UserColumns>),
    responses((status = 200, body = ActiveUsers)),
)]
pub(super) async fn list_active_users(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Query(filter): Query<RoleFilter>,
    page: SortedPage<UserColumns>,
) -> Answer<ActiveUsers> {
    let mut tx = app.store.snapshot().await?;
    let (active_users, total) = response::page(&mut tx, Some(UserStatus::Active), &filter, &page).await?;
    Ok(Json(ActiveUsers { active_users, total }))
}
