//! `GET /admin/users`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::account::Users;
use talkdrum_api::query::UsersQuery;
use utoipa::IntoParams;

use crate::api::list_query::asked;
use crate::api::user::response::{self, UserColumns};
use crate::http::{AdminCaller, Answer, Query, SortedPage};
use crate::state::AppState;

/// Which users.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct StatusFilter {
    /// `active` or `inactive`.
    status: Option<String>,
}

/// List users, active and inactive; `q` searches names, addresses and phone numbers.
#[utoipa::path(
    get, path = "/admin/users", tag = "user",
    params(StatusFilter, UsersQuery, SortedPage<UserColumns>),
    responses((status = 200, body = Users)),
)]
pub(super) async fn list_users(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Query(of): Query<StatusFilter>,
    Query(filter): Query<UsersQuery>,
    page: SortedPage<UserColumns>,
) -> Answer<Users> {
    let status = asked(of.status.as_deref()).map(str::parse).transpose()?;
    let mut tx = app.store.snapshot().await?;
    let (users, total) = response::page(&mut tx, status, &filter, &page).await?;
    Ok(Json(Users { users, total }))
}

#[cfg(test)]
mod tests {
    use reqwest::Method;
    use talkdrum_core::model::account::user::Role;

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
        let gold =
            serde_json::json!({ "plans": [{ "name": "gold", "rates": [{ "prefix": "44", "naira": 1 }] }] });
        let request = |path: &str, body| daemon.request(Method::PUT, path, &admin).json(body);
        daemon.send(request("/admin/rates", &gold)).await;
        let given = request(&format!("/admin/users/{ada}/rate-plan"), &serde_json::json!({ "plan": "gold" }));
        assert_eq!(daemon.send(given).await.status, 200);
        assert_eq!(names("rate_plan=Gold").await, ["ada"]);
        assert_eq!(names("rate_plan=gold&status=active").await, [""; 0]);
        assert_eq!(names("rate_plan=silver").await, [""; 0]);
    }
}
