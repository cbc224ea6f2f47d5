//! `PUT /admin/users/{id}/rate-plan`: which rates hold for a user.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::user::UserRatePlan;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::settings;
use talkdrum_core::store::Lane;
use utoipa::ToSchema;

use crate::http::{AdminCaller, Answer, Form, Path};
use crate::state::AppState;

/// The plan that the user shall have.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SetRatePlan {
    /// Its name; empty or left out: the rates for all.
    #[schema(example = "gold")]
    plan: Option<String>,
}

/// Set or remove a user's rate plan. Quotes that were given keep their price. Repeating the request changes nothing more.
#[utoipa::path(
    put, path = "/admin/users/{id}/rate-plan", tag = "user",
    params(("id" = i64, Path, description = "The user's id")),
    request_body = SetRatePlan,
    responses((status = 200, body = UserRatePlan)),
)]
pub(super) async fn set_rate_plan(
    State(app): State<AppState>,
    caller: AdminCaller,
    Path(id): Path<UserId>,
    Form { data, .. }: Form<SetRatePlan>,
) -> Answer<UserRatePlan> {
    let input = (id, data.plan, caller.user_id, app.clock.now());
    let plan = app
        .store
        .write(Lane::Interactive, input, |tx, (id, plan, by, now)| {
            Box::pin(async move {
                settings::give_plan(tx, *id, plan.as_deref(), *by, *now).await?;
                settings::plan_of(tx, *id).await
            })
        })
        .await?;
    tracing::info!(user_id = id.0, admin_id = caller.user_id.0, plan, "user.rate_plan");
    Ok(Json(UserRatePlan { user_id: id.0, plan: Some(plan).filter(|plan| !plan.is_empty()) }))
}

#[cfg(test)]
mod tests {
    use reqwest::Method;
    use serde_json::{Value, json};
    use talkdrum_core::model::account::id::UserId;
    use talkdrum_core::model::account::user::Role;

    use crate::testing::{Reply, TestDaemon};

    async fn set(daemon: &TestDaemon, admin: &str, body: &Value) -> Reply {
        daemon.send(daemon.request(Method::PUT, "/admin/rates", admin).json(body)).await
    }

    async fn give(daemon: &TestDaemon, admin: &str, id: UserId, plan: &str) -> Reply {
        let put = daemon.request(Method::PUT, &format!("/admin/users/{id}/rate-plan"), admin);
        daemon.send(put.form(&[("plan", plan)])).await
    }

    /// What a page to this number costs by a quote, in Naira.
    async fn quoted(daemon: &TestDaemon, token: &str, contacts: &str) -> Value {
        let form = [
            ("message", "Hi"),
            ("senderid", "WEBSMS"),
            ("payment_method", "paystack"),
            ("contacts", contacts),
        ];
        let quote = daemon.post("/api/send-text-sms", token, &form).await;
        assert_eq!(quote.status, 200, "{}", quote.text);
        quote.json()["details"]["rates"][0]["unit_price"].clone()
    }

    /// Rates for all and two plans.
    fn lists() -> Value {
        json!({
            "rates": [{ "prefix": "44", "naira": 60 }],
            "plans": [
                { "name": "Gold", "rates": [{ "prefix": "44", "naira": 50 }, { "prefix": "234", "naira": 3 }] },
                { "name": "silver", "rates": [{ "prefix": "44", "naira": 55 }] },
            ],
        })
    }

    #[tokio::test]
    async fn users_pay_by_the_plan_that_an_administrator_gives_and_takes() {
        let daemon = TestDaemon::start_in_sandbox().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        daemon.post("/admin/set-sms-unit-price-naira", &admin, &[("price", "4")]).await;
        let (ada, bola) = (daemon.user("ada", Role::User).await, daemon.user("bola", Role::User).await);
        let (as_ada, as_bola) = (daemon.login("ada").await, daemon.login("bola").await);
        let lists = set(&daemon, &admin, &lists()).await;
        assert_eq!((lists.status, &lists.json()["changed"]), (200, &json!(4)), "{}", lists.text);
        let given = give(&daemon, &admin, ada, " GOLD ").await;
        assert_eq!((given.status, given.json()), (200, json!({ "user_id": ada, "plan": "gold" })));
        assert_eq!(give(&daemon, &admin, bola, "silver").await.status, 200);
        let shown = daemon.get("/admin/rates", &admin).await.json();
        let told: Vec<_> =
            shown["plans"].as_array().unwrap().iter().map(|it| (&it["name"], &it["users"])).collect();
        assert_eq!(told, [(&json!("gold"), &json!(1)), (&json!("silver"), &json!(1))]);

        for (token, abroad, home) in [(&as_ada, 50, 3), (&as_bola, 55, 4), (&admin, 60, 4)] {
            assert_eq!(quoted(&daemon, token, "+447911123456").await, abroad);
            assert_eq!(quoted(&daemon, token, "08031234567").await, home);
        }
        let details = daemon.get(&format!("/admin/get-user-details/{ada}"), &admin).await.json();
        assert_eq!(details["rate_plan"], "gold");

        // One's own rates are those one pays, by session and by key; visitors read those for all.
        let read = async |token: &str| daemon.get("/api/rates", token).await.json();
        assert_eq!(read("").await["rates"].as_array().unwrap().len(), 1);
        assert_eq!(read("").await["rates"][0]["naira"], 60);
        let own = read(&as_ada).await;
        assert_eq!((&own["rates"][0]["prefix"], &own["rates"][0]["naira"]), (&json!("234"), &json!(3)));
        assert_eq!((&own["rates"][1]["naira"], own.get("plans")), (&json!(50), None), "{own}");
        let key = daemon.post("/api/api-keys", &as_ada, &[("name", "k"), ("scopes", "read")]).await.json();
        let key = key["key"].as_str().unwrap_or_else(|| panic!("{key}"));
        assert_eq!(read(key).await["rates"][1]["naira"], 50);
        assert_eq!(
            daemon.get("/api/rates", "no-token").await.status,
            401,
            "never another's rates in silence"
        );

        let taken = give(&daemon, &admin, ada, "").await;
        assert_eq!(taken.json(), json!({ "user_id": ada, "plan": null }), "{}", taken.text);
        assert_eq!(quoted(&daemon, &as_ada, "+447911123456").await, 60);
        let trail = daemon.get("/admin/audit?action=user.rate_plan", &admin).await.json();
        let told: Vec<_> = trail["audit"]
            .as_array()
            .unwrap_or_else(|| panic!("{trail}"))
            .iter()
            .map(|it| (it["before"].as_str(), it["after"].as_str()))
            .collect();
        assert_eq!(told, [(Some("gold"), None), (None, Some("silver")), (None, Some("gold"))]);
    }

    #[tokio::test]
    async fn plans_are_given_by_administrators_alone_and_none_is_removed_under_its_users() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let ada = daemon.user("ada", Role::User).await;
        let as_ada = daemon.login("ada").await;
        set(&daemon, &admin, &lists()).await;
        assert_eq!(give(&daemon, &as_ada, ada, "gold").await.status, 403);
        assert_eq!(give(&daemon, &admin, UserId(999), "gold").await.status, 404);
        let put = daemon.request(Method::PUT, &format!("/admin/users/{ada}/rate-plan"), &admin);
        let misspelt = daemon.send(put.form(&[("rate_plan", "gold")])).await;
        assert_eq!(misspelt.status, 400, "nothing is taken by an oversight: {}", misspelt.text);
        let unknown = give(&daemon, &admin, ada, "bronze").await;
        assert_eq!((unknown.status, unknown.code().as_str()), (400, "unknown_plan"), "{}", unknown.text);
        assert!(unknown.text.contains("gold, silver"), "{}", unknown.text);
        assert_eq!(give(&daemon, &admin, ada, "gold").await.status, 200);
        let silver = json!({ "plans": [{ "name": "silver", "rates": [{ "prefix": "44", "naira": 55 }] }] });
        let used = set(&daemon, &admin, &silver).await;
        assert_eq!((used.status, used.code().as_str()), (409, "plan_in_use"), "{}", used.text);
        assert!(used.text.contains("The plan 'gold' cannot be removed: 1 user has it"), "{}", used.text);
        give(&daemon, &admin, ada, "").await;
        assert_eq!(set(&daemon, &admin, &silver).await.json()["changed"], 2);
        assert_eq!(daemon.get("/api/rates", "").await.json()["rates"][0]["naira"], 60, "those for all stay");
        let history = daemon.get("/admin/price-history?q=gold", &admin).await.json();
        assert_eq!(history["prices"][0]["price"], "RATE gold +44 naira", "{history}");
        assert_eq!(set(&daemon, &admin, &json!({ "plans": [] })).await.json()["changed"], 1);
    }
}
