//! `GET /admin/users`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::account::Users;

use crate::api::list_query::asked;
use crate::api::user::response::{self, RoleFilter};
use crate::http::{AdminCaller, Answer, Page, Query};
use crate::state::AppState;

/// Which users.
#[derive(Debug, Deserialize)]
pub(super) struct StatusFilter {
    status: Option<String>,
}

/// List users, active and inactive; `q` searches names, addresses and phone numbers.
#[utoipa::path(
    get, path = "/admin/users", tag = "user",
    params(("status" = Option<String>, Query, description = "`active` or `inactive`"),
           ("role" = Option<String>, Query), ("q" = Option<String>, Query),
           ("sort" = Option<String>, Query, description = "`id`, `username`, `name`, `email`, `last_login_at`"),
           ("order" = Option<String>, Query), ("page" = Option<i64>, Query), ("per_page" = Option<i64>, Query)),
    responses((status = 200, body = Users)),
)]
pub(super) async fn list_users(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Query(of): Query<StatusFilter>,
    Query(filter): Query<RoleFilter>,
    page: Page,
) -> Answer<Users> {
    let status = asked(of.status.as_deref()).map(str::parse).transpose()?;
    let mut tx = app.store.snapshot().await?;
    let (users, total) = response::page(&mut tx, status, &filter, &page).await?;
    Ok(Json(Users { users, total }))
}

#[cfg(test)]
mod tests {
    use talkdrum_core::model::user::Role;

    use crate::testing::TestDaemon;

    #[tokio::test]
    async fn users_of_both_statuses_are_found_in_one_list() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let ada = daemon.user("ada", Role::User).await;
        daemon.user("adamu", Role::User).await;
        daemon.post(&format!("/admin/deactivate-user/{ada}"), &admin, &[]).await;
        let names = async |query: &str| {
            let reply = daemon.get(&format!("/admin/users?sort=username&order=asc&{query}"), &admin).await;
            let users = reply.json()["users"].as_array().cloned().unwrap_or_default();
            users.iter().map(|user| user["username"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names("q=ada").await, ["ada", "adamu"]);
        assert_eq!(names("q=ada&status=inactive").await, ["ada"]);
        assert_eq!(names("status=active&role=user").await, ["adamu"]);
        assert_eq!(daemon.get("/admin/users?status=asleep", &admin).await.status, 400);
    }
}
