//! `PUT /admin/users/{id}/codes`: the right to send codes.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::user::UserCodes;
use talkdrum_core::account::user::right_to_codes;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::store::Lane;
use utoipa::ToSchema;

use crate::http::{AdminCaller, Answer, Form, Path};
use crate::state::AppState;

/// Whether a user may send codes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SetCodes {
    /// `true`, as with every new account, or `false`.
    allowed: bool,
}

/// Withdraw from a user the right to send codes (purpose `otp`), which no opt-out and no quiet hours stop, or give it back.
/// Without it what is sent with that purpose is refused (`codes_not_allowed`), whether the request says it or a default, and every
/// campaign of codes that has not ended pauses: also those that are scheduled. Given back, the user resumes them. Repeating the
/// request changes nothing more.
#[utoipa::path(
    put, path = "/admin/users/{id}/codes", tag = "user",
    params(("id" = i64, Path, description = "The user's id")),
    request_body = SetCodes,
    responses((status = 200, body = UserCodes)),
)]
pub(super) async fn set_user_codes(
    State(app): State<AppState>,
    caller: AdminCaller,
    Path(id): Path<UserId>,
    Form { data: SetCodes { allowed }, .. }: Form<SetCodes>,
) -> Answer<UserCodes> {
    let input = (id, allowed, caller.user_id, app.clock.now());
    let paused = app
        .store
        .write(Lane::Interactive, input, |tx, (id, allowed, by, now)| {
            Box::pin(right_to_codes::set(tx, *id, *allowed, *by, *now))
        })
        .await?;
    tracing::info!(user_id = id.0, admin_id = caller.user_id.0, allowed, paused, "user.codes");
    Ok(Json(UserCodes { user_id: id.0, codes_allowed: allowed, campaigns_paused: paused.cast_signed() }))
}

#[cfg(test)]
mod tests {
    use reqwest::Method;
    use serde_json::json;
    use talkdrum_core::model::account::id::UserId;
    use talkdrum_core::model::account::user::Role;

    use crate::testing::{Reply, TestDaemon};

    async fn put(daemon: &TestDaemon, token: &str, id: UserId, allowed: bool) -> Reply {
        let body = json!({ "allowed": allowed });
        daemon.send(daemon.request(Method::PUT, &format!("/admin/users/{id}/codes"), token).json(&body)).await
    }

    #[tokio::test]
    async fn the_right_to_codes_is_withdrawn_shown_audited_and_given_back() {
        let daemon = TestDaemon::start_in_sandbox().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let id = daemon.user("ada", Role::User).await;
        let ada = daemon.login("ada").await;
        daemon.post("/admin/set-sms-unit-price", &admin, &[("price", "1")]).await;
        let money = [("espees", "100"), ("payment_ref", "p-1")];
        daemon.post(&format!("/admin/assign-espee/{id}"), &admin, &money).await;
        let codes = [
            ("contacts", "08031234567"),
            ("message", "Your code is 1234"),
            ("purpose", "otp"),
            ("payment_method", "espees"),
            ("senderid", "WEBSMS"),
        ];
        let key = [("name", "codes"), ("scopes", "send"), ("purpose", "otp")];
        let send = async || daemon.post("/api/messages", &ada, &codes).await;
        let shown = async || {
            daemon.get(&format!("/admin/get-user-details/{id}"), &admin).await.json()["codes_allowed"].clone()
        };
        let early = send().await;
        assert_eq!((early.status, shown().await), (200, json!(true)), "{}", early.text);
        assert_eq!(put(&daemon, &ada, id, false).await.status, 403);
        let taken = put(&daemon, &admin, id, false).await;
        assert_eq!((taken.status, &taken.json()["codes_allowed"]), (200, &json!(false)), "{}", taken.text);
        assert_eq!(put(&daemon, &admin, id, false).await.json()["campaigns_paused"], 0, "once");
        assert_eq!(shown().await, false);
        for refused in [
            send().await,
            daemon.post("/api/send-text-sms", &ada, &codes).await,
            daemon.post("/api/api-keys", &ada, &key).await,
            daemon
                .send(
                    daemon
                        .request(Method::PUT, &format!("/admin/users/{id}/purpose"), &admin)
                        .form(&[("purpose", "otp")]),
                )
                .await,
        ] {
            assert_eq!(
                (refused.status, refused.code().as_str()),
                (400, "codes_not_allowed"),
                "{}",
                refused.text
            );
        }
        let alert = [&codes[..2], &codes[3..]].concat();
        assert_eq!(daemon.post("/api/messages", &ada, &alert).await.status, 200);
        assert_eq!(put(&daemon, &admin, id, true).await.status, 200);
        assert_eq!((send().await.status, shown().await), (200, json!(true)));
        assert_eq!(daemon.post("/api/api-keys", &ada, &key).await.status, 201);
        assert_eq!(put(&daemon, &admin, UserId(999), false).await.status, 404);
        let trail = daemon.get("/admin/audit", &admin).await.json();
        let trail = trail["audit"].as_array().unwrap().iter().filter(|it| it["action"] == "user.codes");
        let trail: Vec<_> = trail.map(|it| (it["before"].clone(), it["after"].clone())).collect();
        let [allowed, withdrawn] = [json!("allowed"), json!("withdrawn")];
        assert_eq!(trail, [(withdrawn.clone(), allowed.clone()), (allowed, withdrawn)]);
    }
}
