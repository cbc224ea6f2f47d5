//! `GET /admin/get-all-inactive-users`.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use talkdrum_api::account::User;
use talkdrum_core::model::user::UserStatus;
use utoipa::ToSchema;

use crate::api::user::response::{self, RoleFilter, UserColumns};
use crate::http::{AdminCaller, Answer, Query, SortedPage};
use crate::state::AppState;

/// A page of inactive users.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct InactiveUsers {
    /// Newest first, unless sorted otherwise.
    inactive_users: Vec<User>,
    /// How many there are.
    total: i64,
}

/// List inactive users; `q` searches names, addresses and phone numbers.
#[utoipa::path(
    get, path = "/admin/get-all-inactive-users", tag = "user",
    params(RoleFilter, SortedPage<UserColumns>),
    responses((status = 200, body = InactiveUsers)),
)]
pub(super) async fn list_inactive_users(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Query(filter): Query<RoleFilter>,
    page: SortedPage<UserColumns>,
) -> Answer<InactiveUsers> {
    let mut tx = app.store.snapshot().await?;
    let (inactive_users, total) = response::page(&mut tx, Some(UserStatus::Inactive), &filter, &page).await?;
    Ok(Json(InactiveUsers { inactive_users, total }))
}
