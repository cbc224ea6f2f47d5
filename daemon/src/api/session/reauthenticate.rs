//! `POST /api/sessions/reauthenticate`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::account::Message;
use utoipa::ToSchema;

use crate::http::{Answer, Form, SessionCaller};
use crate::state::AppState;

/// The password of the user who is signed in.
#[derive(Deserialize, ToSchema)]
pub(super) struct Reauthenticate {
    /// The password.
    #[serde(default)]
    password: String,
}

/// Give the password again. For ten minutes this session may then do what outlasts it: make API keys, link accounts, change
/// the e-mail address, add, re-point or rotate webhooks, and, as an administrator, make or activate administrators and set
/// the wallet address and the keys of payment providers and carriers. A session whose sign-in is older is refused with
/// `reauthentication_required`.
#[utoipa::path(
    post, path = "/api/sessions/reauthenticate", tag = "session",
    request_body = Reauthenticate,
    responses((status = 200, body = Message)),
)]
pub(super) async fn reauthenticate(
    State(app): State<AppState>,
    caller: SessionCaller,
    Form { data, .. }: Form<Reauthenticate>,
) -> Answer<Message> {
    app.proof_rate.check(caller.user_id)?;
    app.identity.reauthenticate((caller.user_id, caller.session_id), &data.password).await?;
    Ok(Json(Message { message: "Your password is confirmed".into() }))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;
    use std::time::Duration;

    use reqwest::Method;
    use talkdrum_core::model::account::user::Role;
    use talkdrum_core::testing::database::dump;

    use crate::testing::{PASSWORD, Reply, TestDaemon};

    async fn make_key(daemon: &TestDaemon, token: &str) -> Reply {
        daemon.post("/api/api-keys", token, &[("name", "cron"), ("scopes", "read")]).await
    }

    #[tokio::test]
    async fn a_session_whose_sign_in_is_old_opens_the_account_to_nothing_else_until_the_password_is_given() {
        let daemon = TestDaemon::start_in_sandbox().await;
        let ada = daemon.signed_in("ada", Role::User).await;
        assert_eq!(make_key(&daemon, &ada).await.status, 201, "the sign-in is a proof");
        let told = daemon.outbox_to("ada@example.com").await;
        assert!(told.contains("API key was made") && told.contains("'cron' (td_"), "{told}");
        daemon.pass(Duration::from_secs(600));
        daemon.get("/api/user-profile", &ada).await;
        let tables = ["api_keys", "chat_links", "email_changes", "codes", "users", "notices"];
        let dumped = async || {
            let mut rows = dump(daemon.store(), &[]).await;
            rows.retain(|table, _| tables.contains(&table.as_str()));
            rows
        };
        let before = dumped().await;
        for (path, form) in [
            ("/api/api-keys", &[("name", "evil"), ("scopes", "send")][..]),
            ("/api/edit-profile", &[("name", "Eve"), ("email", "eve@example.com")]),
            ("/api/kingschat/link", &[("access_token", "x")]),
            ("/api/kingschat/link/start", &[]),
        ] {
            let refused = daemon.post(path, &ada, form).await;
            assert_eq!(
                (refused.status, refused.code().as_str()),
                (403, "reauthentication_required"),
                "{path}"
            );
        }
        assert_eq!(dumped().await, before);
        let same = daemon.post("/api/edit-profile", &ada, &[("email", "Ada@example.com")]).await;
        assert_eq!(same.status, 200, "the present address is no change: {}", same.text);
        let wrong = daemon.post("/api/sessions/reauthenticate", &ada, &[("password", "wrong horse")]).await;
        assert_eq!((wrong.status, wrong.code().as_str()), (400, "password_wrong"));
        assert_eq!(make_key(&daemon, &ada).await.code(), "reauthentication_required");
        let proven = daemon.post("/api/sessions/reauthenticate", &ada, &[("password", PASSWORD)]).await;
        assert_eq!(proven.status, 200, "{}", proven.text);
        assert_eq!(make_key(&daemon, &ada).await.status, 201);
        let changed = daemon.post("/api/edit-profile", &ada, &[("email", "new@example.com")]).await;
        assert_eq!(changed.status, 200, "{}", changed.text);
        daemon.pass(Duration::from_secs(600));
        assert_eq!(make_key(&daemon, &ada).await.code(), "reauthentication_required", "for ten minutes");
    }

    #[tokio::test]
    async fn strangers_who_guess_a_password_keep_no_session_from_giving_it() {
        let daemon = TestDaemon::start_with(|settings| {
            settings.limits.login_per_minute = NonZeroU32::MIN;
            settings.limits.login_burst = NonZeroU32::new(3).unwrap();
        })
        .await;
        let ada = daemon.signed_in("ada", Role::User).await;
        // All come through the proxy that the tests are to the daemon.
        let login = async |from: String| {
            let request = daemon.request(Method::POST, "/api/login", "").header("x-forwarded-for", from);
            daemon.send(request.form(&[("username", "ada"), ("password", "guess")])).await.status
        };
        for last in 1..=3 {
            login(format!("203.0.113.{last}")).await;
        }
        assert_eq!(login("203.0.113.9".to_owned()).await, 429);
        let prove = async |password: &str| {
            let request = daemon.request(Method::POST, "/api/sessions/reauthenticate", &ada);
            let request = request.header("x-forwarded-for", "198.51.100.2");
            daemon.send(request.form(&[("password", password)])).await.status
        };
        assert_eq!(prove(PASSWORD).await, 200, "from an address that never signed in");
        assert_eq!(prove("guess").await, 429, "who has the session may not guess for ever");
    }

    #[tokio::test]
    async fn a_session_proves_itself_and_no_other() {
        let daemon = TestDaemon::start().await;
        let here = daemon.signed_in("ada", Role::User).await;
        let there = daemon.login("ada").await;
        daemon.pass(Duration::from_secs(600));
        daemon.post("/api/sessions/reauthenticate", &here, &[("password", PASSWORD)]).await;
        assert_eq!(make_key(&daemon, &there).await.code(), "reauthentication_required");
        assert_eq!(make_key(&daemon, &here).await.status, 201);
    }
}
