use std::time::Duration;

use reqwest::Method;
use talkdrum_core::model::account::user::Role;

use crate::testing::TestDaemon;

async fn key(daemon: &TestDaemon, token: &str, scopes: &str) -> (i64, String) {
    let reply = daemon.post("/api/api-keys", token, &[("name", "cron"), ("scopes", scopes)]).await;
    assert_eq!(reply.status, 201, "{}", reply.text);
    let body = reply.json();
    (body["api_key"]["id"].as_i64().unwrap(), body["key"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn what_a_key_says_its_messages_are_for_holds_unless_a_request_says_otherwise() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    let id = daemon.user("ada", Role::User).await;
    let session = daemon.login("ada").await;
    daemon.post("/admin/set-sms-unit-price", &admin, &[("price", "1")]).await;
    let money = [("espees", "100"), ("payment_ref", "p-1")];
    daemon.post(&format!("/admin/assign-espee/{id}"), &admin, &money).await;
    let refused = [("name", "x"), ("scopes", "send"), ("purpose", "alerts")];
    let refused = daemon.post("/api/api-keys", &session, &refused).await;
    assert_eq!((refused.status, refused.code().as_str()), (400, "bad_purpose"));
    let made = [("name", "codes"), ("scopes", "read,send"), ("purpose", "otp")];
    let made = daemon.post("/api/api-keys", &session, &made).await.json();
    assert_eq!(made["api_key"]["purpose"], "otp");
    assert_eq!(daemon.get("/api/api-keys", &session).await.json()["api_keys"][0]["purpose"], "otp");
    let key = made["key"].as_str().unwrap();
    // The account's default, which the key's comes before.
    let path = format!("/admin/users/{id}/purpose");
    let set = daemon.request(Method::PUT, &path, &admin).form(&[("purpose", "promotional")]);
    assert_eq!(daemon.send(set).await.status, 200);
    let message = [
        ("contacts", "08031234567"),
        ("senderid", "WEBSMS"),
        ("payment_method", "espees"),
        ("message", "Hi"),
    ];
    for (token, said, expected) in [
        (key, None, "otp"),
        (key, Some("transactional"), "transactional"),
        (session.as_str(), None, "promotional"),
        (session.as_str(), Some("otp"), "otp"),
    ] {
        let form: Vec<_> = message.into_iter().chain(said.map(|said| ("purpose", said))).collect();
        let quote = daemon.post("/api/send-text-sms", token, &form).await;
        assert_eq!(quote.status, 200, "{}", quote.text);
        assert_eq!(quote.json()["details"]["purpose"], expected, "a quote, {said:?}");
        let sent = daemon.post("/api/messages", token, &form).await;
        assert!(matches!(sent.status, 200 | 201), "{}", sent.text);
        let campaign = sent.json()["details"]["campaign_id"].clone();
        let campaign = daemon.get(&format!("/api/campaigns/{campaign}"), token).await.json();
        assert_eq!(campaign["campaign"]["purpose"], expected, "a message, {said:?}");
    }
    let kannel = format!(
        "/cgi-bin/sendsms?username=ada&password={key}&payment_method=espees&from=WEBSMS&to=08031234568&text=Hi"
    );
    let sent = daemon.get(&kannel, "").await;
    assert_eq!(sent.status, 202, "{}", sent.text);
    let codes = daemon.get("/api/get-campaign-history?purpose=otp", &session).await.json();
    assert_eq!(codes["total"], 3, "{codes}");
    let bad = daemon.get("/api/get-campaign-history?purpose=x", &session).await;
    assert_eq!(bad.code(), "bad_purpose");
}

#[tokio::test]
async fn a_key_reads_for_its_user_until_it_is_revoked_and_never_makes_another() {
    let daemon = TestDaemon::start().await;
    let session = daemon.signed_in("ada", Role::User).await;
    let (id, key) = key(&daemon, &session, "read").await;
    assert!(key.starts_with("td_"));
    let profile = daemon.get("/api/user-profile", &key).await.json();
    assert_eq!((profile["signed_in_with"].as_str(), &profile["scopes"]), (Some("api_key"), &["read"].into()));
    let made = daemon.post("/api/api-keys", &key, &[("name", "x"), ("scopes", "send")]).await;
    assert_eq!((made.status, made.code().as_str()), (403, "session_only"));
    let listed = daemon.get("/api/api-keys", &session).await;
    assert_eq!(listed.json()["total"], 1);
    assert!(!listed.text.contains(&key), "the secret is shown once");
    assert_eq!(listed.json()["api_keys"][0]["last_used_at"], "2023-11-14T22:13:20.000Z");
    let path = format!("/api/api-keys/{id}");
    let revoked = daemon.send(daemon.request(Method::DELETE, &path, &session)).await;
    assert_eq!(revoked.status, 200);
    assert_eq!(daemon.get("/api/user-profile", &key).await.status, 401, "at once, whatever was remembered");
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
