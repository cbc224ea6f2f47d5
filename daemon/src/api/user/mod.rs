//! Users, for administrators.

mod activate;
mod codes;
mod create;
mod deactivate;
mod delete;
mod details;
mod legal_hold;
mod limits;
mod list;
pub(in crate::api) mod purpose;
mod rate_plan;
pub(crate) mod response;

use axum::Json;
use axum::extract::State;
use response::UserColumns;
use serde::Serialize;
use talkdrum_api::account::User;
use talkdrum_api::query::UsersQuery;
use talkdrum_core::model::account::user::UserStatus;
use utoipa::ToSchema;

use crate::http::routes::{Operations, routes};
use crate::http::{AdminCaller, Answer, Query, SortedPage};
use crate::state::AppState;

pub(super) fn router() -> Operations {
    Operations::new()
        .routes(routes!(create::create_user, list::list_users))
        .routes(routes!(list_active_users))
        .routes(routes!(list_inactive_users))
        .routes(routes!(activate::activate_user))
        .routes(routes!(deactivate::deactivate_user))
        .routes(routes!(delete::delete_user))
        .routes(routes!(details::show_user_details))
        .routes(routes!(limits::show_user_limits, limits::set_user_limits))
        .routes(routes!(legal_hold::put_legal_hold, legal_hold::lift_legal_hold))
        .routes(routes!(rate_plan::set_rate_plan))
        .routes(routes!(purpose::set_user_purpose))
        .routes(routes!(codes::set_user_codes))
}

/// A page of active users.
#[derive(Debug, Serialize, ToSchema)]
struct ActiveUsers {
    /// Newest first, unless sorted otherwise.
    active_users: Vec<User>,
    /// How many there are.
    total: i64,
}

/// List active users; `q` searches names, addresses and phone numbers.
#[utoipa::path(
    get, path = "/admin/get-all-active-users", tag = "user",
    params(UsersQuery, SortedPage<UserColumns>),
    responses((status = 200, body = ActiveUsers)),
)]
async fn list_active_users(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Query(filter): Query<UsersQuery>,
    page: SortedPage<UserColumns>,
) -> Answer<ActiveUsers> {
    let mut tx = app.store.snapshot().await?;
    let (active_users, total) = response::page(&mut tx, Some(UserStatus::Active), &filter, &page).await?;
    Ok(Json(ActiveUsers { active_users, total }))
}

/// A page of inactive users.
#[derive(Debug, Serialize, ToSchema)]
struct InactiveUsers {
    /// Newest first, unless sorted otherwise.
    inactive_users: Vec<User>,
    /// How many there are.
    total: i64,
}

/// List inactive users; `q` searches names, addresses and phone numbers.
#[utoipa::path(
    get, path = "/admin/get-all-inactive-users", tag = "user",
    params(UsersQuery, SortedPage<UserColumns>),
    responses((status = 200, body = InactiveUsers)),
)]
async fn list_inactive_users(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Query(filter): Query<UsersQuery>,
    page: SortedPage<UserColumns>,
) -> Answer<InactiveUsers> {
    let mut tx = app.store.snapshot().await?;
    let (inactive_users, total) = response::page(&mut tx, Some(UserStatus::Inactive), &filter, &page).await?;
    Ok(Json(InactiveUsers { inactive_users, total }))
}
