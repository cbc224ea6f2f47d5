//! `POST /api/api-keys`.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use talkdrum_api::account::NewApiKey;
use talkdrum_core::account::auth::api_key;
use talkdrum_core::account::{Identity, KeyScope, NewKey, Scopes};
use talkdrum_core::store::account::api_key::ApiKeyRow;
use talkdrum_core::store::account::user;
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use talkdrum_core::{Error, Result};
use utoipa::ToSchema;

use super::shown;
use crate::http::{ApiError, Form, IdempotencyKey, SessionCaller};
use crate::state::AppState;

/// The key to be made.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct CreateApiKey {
    /// What you call it.
    #[serde(default)]
    name: String,
    /// `read`, `send`, `admin`: repeated, or in one text with commas.
    #[serde(default)]
    scopes: Vec<String>,
    /// When it ends by itself: a day, which counts whole, or a time, local ones in your zone. Never when left out.
    expires_at: Option<String>,
}

/// Make an API key. Its secret is shown this once, and an e-mail reports the key to its owner. Needs a sign-in or
/// `POST /api/sessions/reauthenticate` within the last ten minutes.
#[utoipa::path(
    post, path = "/api/api-keys", tag = "api_key",
    request_body = CreateApiKey,
    responses((status = 201, body = NewApiKey)),
)]
pub(super) async fn create_api_key(
    State(app): State<AppState>,
    caller: SessionCaller,
    key: IdempotencyKey,
    Form { data, digest }: Form<CreateApiKey>,
) -> Result<(StatusCode, Json<NewApiKey>), ApiError> {
    caller.require_recent(&app).await?;
    let scopes = Scopes::parse(&data.scopes)?;
    if scopes.allow(KeyScope::Admin) && !caller.sees_all() {
        return Err(ApiError::forbidden(
            "admin_only",
            "Only administrators may make keys with the scope 'admin'",
        ));
    }
    let now = app.clock.now();
    let mut new = NewKey::new(caller.user_id, &data.name, scopes, app.entropy.as_ref())?;
    if let Some(end) = data.expires_at {
        let user = user::by_id(&mut app.store.read().await?, caller.user_id).await?;
        new = new.ending(&end, &user.ok_or(Error::NotFound("user"))?.zone, now)?;
    }
    let secret = new.secret.clone();
    let claim = key.claim(&caller, "api_key.create", digest);
    let making = Making { claim, new, identity: app.identity.clone(), now };
    let row = app.store.write(Lane::Interactive, making, |tx, making| Box::pin(make(tx, making))).await?;
    let answer = NewApiKey {
        key: secret.reveal().to_owned(),
        api_key: shown(row),
        message: "Keep this key now: it is not shown again".into(),
    };
    Ok((StatusCode::CREATED, Json(answer)))
}

struct Making {
    claim: Option<Claim>,
    new: NewKey,
    identity: Identity,
    now: Time,
}

async fn make(tx: &mut Tx, making: &Making) -> Result<ApiKeyRow> {
    let mut made = None;
    once(tx, making.claim.as_ref(), making.now, async |tx| {
        let row = api_key::create(tx, &making.new, making.now).await?;
        making.identity.tell_of_key(tx, making.new.user_id, &row, making.now).await?;
        let id = row.id;
        made = Some(row);
        Ok(id)
    })
    .await?;
    made.ok_or_else(|| Error::conflict(
            "already_made",
            "This key was made by an earlier request and its secret cannot be shown again: revoke it and make another",
        ))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use reqwest::Method;
    use talkdrum_core::model::user::Role;

    use crate::testing::TestDaemon;

    async fn key(daemon: &TestDaemon, token: &str, scopes: &str) -> (i64, String) {
        let reply = daemon.post("/api/api-keys", token, &[("name", "cron"), ("scopes", scopes)]).await;
        assert_eq!(reply.status, 201, "{}", reply.text);
        let body = reply.json();
        (body["api_key"]["id"].as_i64().unwrap(), body["key"].as_str().unwrap().to_owned())
    }

    #[tokio::test]
    async fn a_key_reads_for_its_user_until_it_is_revoked_and_never_makes_another() {
        let daemon = TestDaemon::start().await;
        let session = daemon.signed_in("ada", Role::User).await;
        let (id, key) = key(&daemon, &session, "read").await;
        assert!(key.starts_with("td_"));
        let profile = daemon.get("/api/user-profile", &key).await.json();
        assert_eq!(
            (profile["signed_in_with"].as_str(), &profile["scopes"]),
            (Some("api_key"), &["read"].into())
        );
        let made = daemon.post("/api/api-keys", &key, &[("name", "x"), ("scopes", "send")]).await;
        assert_eq!((made.status, made.code().as_str()), (403, "session_only"));
        let listed = daemon.get("/api/api-keys", &session).await;
        assert_eq!(listed.json()["total"], 1);
        assert!(!listed.text.contains(&key), "the secret is shown once");
        assert_eq!(listed.json()["api_keys"][0]["last_used_at"], "2023-11-14T22:13:20.000Z");
        let path = format!("/api/api-keys/{id}");
        let revoked = daemon.send(daemon.request(Method::DELETE, &path, &session)).await;
        assert_eq!(revoked.status, 200);
        assert_eq!(
            daemon.get("/api/user-profile", &key).await.status,
            401,
            "at once, whatever was remembered"
        );
        assert_eq!(daemon.send(daemon.request(Method::DELETE, &path, &session)).await.status, 404);
    }

    #[tokio::test]
    async fn only_an_administrator_makes_keys_that_administer_and_only_such_keys_do() {
        let daemon = TestDaemon::start().await;
        let user = daemon.signed_in("ada", Role::User).await;
        let refused = daemon.post("/api/api-keys", &user, &[("name", "x"), ("scopes", "read,admin")]).await;
        assert_eq!((refused.status, refused.code().as_str()), (403, "admin_only"));
        let admin = daemon.signed_in("root", Role::Admin).await;
        let (_, sending) = key(&daemon, &admin, "send").await;
        let (_, administering) = key(&daemon, &admin, "admin").await;
        let reply = daemon.get("/admin/get-all-active-users", &sending).await;
        assert_eq!((reply.status, reply.code().as_str()), (403, "scope_missing"));
        assert_eq!(daemon.get("/admin/get-all-active-users", &administering).await.status, 200);
    }

    #[tokio::test]
    async fn another_users_key_is_not_there() {
        let daemon = TestDaemon::start().await;
        let ada = daemon.signed_in("ada", Role::User).await;
        let eve = daemon.signed_in("eve", Role::User).await;
        let (id, _) = key(&daemon, &ada, "read").await;
        let reply = daemon.send(daemon.request(Method::DELETE, &format!("/api/api-keys/{id}"), &eve)).await;
        assert_eq!(reply.status, 404);
    }

    #[tokio::test]
    async fn repeating_a_request_makes_no_second_key() {
        let daemon = TestDaemon::start().await;
        let session = daemon.signed_in("ada", Role::User).await;
        let request = |name| {
            daemon
                .request(Method::POST, "/api/api-keys", &session)
                .header("Idempotency-Key", "k1")
                .form(&[("name", name), ("scopes", "read")])
        };
        assert_eq!(daemon.send(request("cron")).await.status, 201);
        assert_eq!(daemon.send(request("cron")).await.code(), "already_made");
        assert_eq!(daemon.send(request("other")).await.code(), "idempotency_key_reused");
        assert_eq!(daemon.get("/api/api-keys", &session).await.json()["total"], 1);
    }

    #[tokio::test]
    async fn the_last_use_is_kept_to_the_minute() {
        let daemon = TestDaemon::start().await;
        let session = daemon.signed_in("ada", Role::User).await;
        let (_, key) = key(&daemon, &session, "read").await;
        for (passed, used) in [(0, "22:13:20"), (30, "22:13:20"), (40, "22:14:30")] {
            daemon.pass(Duration::from_secs(passed));
            assert_eq!(daemon.get("/api/user-profile", &key).await.status, 200);
            let listed = daemon.get("/api/api-keys", &session).await.json();
            assert_eq!(listed["api_keys"][0]["last_used_at"], format!("2023-11-14T{used}.000Z"));
        }
    }

    #[tokio::test]
    async fn a_key_ends_by_itself_when_it_was_told_to() {
        let daemon = TestDaemon::start().await;
        let session = daemon.signed_in("ada", Role::User).await;
        let make = async |end: &str| {
            let form = [("name", "cron"), ("scopes", "read"), ("expires_at", end)];
            daemon.post("/api/api-keys", &session, &form).await
        };
        for (end, code) in [("2023-11-13", "expires_past"), ("soon", "bad_time")] {
            let refused = make(end).await;
            assert_eq!((refused.status, refused.code().as_str()), (400, code), "{}", refused.text);
            assert_eq!(refused.json()["errors"][0]["field"], "expires_at");
        }
        let made = make("2023-11-15").await.json();
        assert_eq!(made["api_key"]["expires_at"], "2023-11-15T23:00:00.000Z", "the end of the day in Lagos");
        let key = made["key"].as_str().unwrap();
        assert_eq!(daemon.get("/api/user-profile", key).await.status, 200);
        daemon.pass(Duration::from_secs(25 * 3600));
        let refused = daemon.get("/api/user-profile", key).await;
        assert_eq!((refused.status, refused.code().as_str()), (401, "api_key_expired"), "{}", refused.text);
    }
}
