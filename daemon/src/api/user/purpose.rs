//! `PUT /admin/users/{id}/purpose`: the default purpose of a user's messages.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::user::UserPurpose;
use talkdrum_core::campaign::quote::read_purpose;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::sender;
use talkdrum_core::store::Lane;
use utoipa::ToSchema;

use crate::http::{AdminCaller, Answer, Form, Path};
use crate::state::AppState;

/// The default purpose that an account or a sender id shall have.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct SetPurpose {
    /// `promotional`, `transactional` or `otp`; empty or left out: none.
    #[schema(example = "promotional")]
    pub(in crate::api) purpose: Option<String>,
}

/// Set or remove the default purpose of a user's messages: it holds where neither the request nor its API key or sender id
/// says one. What was quoted stays as it is; other daemons may use the old default for five seconds. Repeating the request
/// changes nothing more.
#[utoipa::path(
    put, path = "/admin/users/{id}/purpose", tag = "user",
    params(("id" = i64, Path, description = "The user's id")),
    request_body = SetPurpose,
    responses((status = 200, body = UserPurpose)),
)]
pub(super) async fn set_user_purpose(
    State(app): State<AppState>,
    caller: AdminCaller,
    Path(id): Path<UserId>,
    Form { data, .. }: Form<SetPurpose>,
) -> Answer<UserPurpose> {
    let purpose = read_purpose(data.purpose.as_deref())?;
    let input = (id, purpose, caller.user_id, app.clock.now());
    app.store
        .write(Lane::Interactive, input, |tx, (id, purpose, by, now)| {
            Box::pin(sender::set_default_of_user(tx, *id, *purpose, *by, *now))
        })
        .await?;
    app.campaigns.purposes.forget();
    tracing::info!(user_id = id.0, admin_id = caller.user_id.0, ?purpose, "user.purpose");
    Ok(Json(UserPurpose { user_id: id.0, purpose }))
}

#[cfg(test)]
mod tests {
    use reqwest::Method;
    use talkdrum_core::model::account::user::Role;

    use crate::testing::{Reply, TestDaemon};

    async fn put(daemon: &TestDaemon, token: &str, path: &str, purpose: &[(&str, &str)]) -> Reply {
        daemon.send(daemon.request(Method::PUT, path, token).form(purpose)).await
    }

    #[tokio::test]
    async fn an_administrator_says_what_messages_are_for_and_it_is_shown_and_audited() {
        let daemon = TestDaemon::start().await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        let id = daemon.user("ada", Role::User).await;
        let ada = daemon.login("ada").await;
        daemon.post("/api/request-senderid", &ada, &[("sender_ids", "SHOP")]).await;
        let of_user = format!("/admin/users/{id}/purpose");
        let sender = daemon.get("/admin/get-sender-ids", &admin).await.json()["senderids"][0]["id"].clone();
        let of_sender = format!("/admin/sender-ids/{sender}/purpose");
        for (path, key, own) in [(&of_user, "user_id", id.0.into()), (&of_sender, "id", sender.clone())] {
            let refused = put(&daemon, &admin, path, &[("purpose", "marketing")]).await;
            assert_eq!((refused.status, refused.code().as_str()), (400, "bad_purpose"), "{path}");
            assert!(refused.text.contains("promotional, transactional, otp"), "{}", refused.text);
            assert_eq!(put(&daemon, &ada, path, &[("purpose", "otp")]).await.status, 403, "{path}");
            let set = put(&daemon, &admin, path, &[("purpose", "promotional")]).await;
            assert_eq!(set.status, 200, "{}", set.text);
            let misspelt = put(&daemon, &admin, path, &[("default_purpose", "otp")]).await;
            assert_eq!(misspelt.status, 400, "nothing is taken by an oversight: {}", misspelt.text);
            assert_eq!((&set.json()[key], &set.json()["purpose"]), (&own, &"promotional".into()));
        }
        let shown = async || {
            let details = daemon.get(&format!("/admin/get-user-details/{id}"), &admin).await.json();
            let all = daemon.get("/admin/get-sender-ids", &admin).await.json();
            let theirs = daemon.get("/api/get-sender-id?status=all", &ada).await.json();
            let found = theirs["senderId"].as_array().unwrap().iter().find(|it| it["sender_id"] == "SHOP");
            let theirs = found.unwrap()["purpose"].clone();
            [details["purpose"].clone(), all["senderids"][0]["purpose"].clone(), theirs]
        };
        assert_eq!(shown().await, ["promotional"; 3]);
        let words = [("purpose", "")].as_slice();
        for path in [&of_user, &of_sender] {
            let taken = put(&daemon, &admin, path, words).await;
            assert_eq!((taken.status, &taken.json()["purpose"]), (200, &serde_json::Value::Null));
            // Once more changes nothing.
            assert_eq!(put(&daemon, &admin, path, words).await.status, 200);
        }
        assert_eq!(shown().await, [const { serde_json::Value::Null }; 3]);
        let trail = daemon.get("/admin/audit", &admin).await.json();
        let of_purposes: Vec<String> = trail["audit"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|it| it["action"].as_str().unwrap().ends_with(".purpose"))
            .map(|it| format!("{} {} -> {}", it["action"], it["before"], it["after"]).replace('"', ""))
            .collect();
        assert_eq!(
            of_purposes,
            [
                "sender.purpose promotional -> null",
                "user.purpose promotional -> null",
                "sender.purpose null -> promotional",
                "user.purpose null -> promotional",
            ]
        );
        for path in ["/admin/users/999/purpose", "/admin/sender-ids/999/purpose"] {
            assert_eq!(put(&daemon, &admin, path, &[("purpose", "otp")]).await.status, 404, "{path}");
        }
    }
}
