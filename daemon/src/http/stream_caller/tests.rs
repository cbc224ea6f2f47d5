use std::time::Duration;

use reqwest::{Method, Response};
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::account::user::Role;

use crate::testing::TestDaemon;

/// How long a stream that must end may go on.
const PATIENCE: Duration = Duration::from_secs(30);

/// A campaign of Ada's that waits for its time, so that nothing but its watcher ends a stream.
async fn scheduled(daemon: &TestDaemon, admin: &str, id: UserId, ada: &str) -> String {
    let priced = daemon.post("/admin/set-sms-unit-price", admin, &[("price", "1")]).await;
    assert_eq!(priced.status, 200, "{}", priced.text);
    let path = format!("/admin/assign-espee/{id}");
    let paid = daemon.post(&path, admin, &[("espees", "100"), ("payment_ref", "start")]).await;
    assert_eq!(paid.status, 200, "{}", paid.text);
    let form = [
        ("senderid", "WEBSMS"),
        ("payment_method", "espees"),
        ("contacts", "08031239876"),
        ("message", "later"),
        ("time", "2023-12-01 10:00"),
    ];
    let quoted = daemon.post("/api/schedule-text-sms", ada, &form).await.json();
    let quote = quoted["details"]["quote_id"].to_string();
    let confirmed = daemon.post("/api/confirm-schedule-text-sms", ada, &[("quote_id", &quote)]).await;
    let campaign = confirmed.json()["details"]["id"].as_i64().unwrap_or_else(|| panic!("{}", confirmed.text));
    format!("/api/campaigns/{campaign}/events")
}

async fn stream(daemon: &TestDaemon, path: &str, token: &str) -> Response {
    let mut response = daemon.request(Method::GET, path, token).send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert!(response.chunk().await.unwrap().is_some(), "the campaign as it is");
    response
}

async fn ends(mut response: Response) -> bool {
    let rest = async { while let Ok(Some(_)) = response.chunk().await {} };
    tokio::time::timeout(PATIENCE, rest).await.is_ok()
}

#[tokio::test]
async fn a_stream_ends_soon_after_its_session_its_key_or_its_user_and_no_other_does() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    let id = daemon.user("ada", Role::User).await;
    let second = daemon.user("second", Role::Admin).await;
    let [ada, other, deleted] =
        [daemon.login("ada").await, daemon.login("ada").await, daemon.login("second").await];
    let key = daemon.post("/api/api-keys", &ada, &[("name", "k"), ("scopes", "read")]).await.json();
    let path = scheduled(&daemon, &admin, id, &ada).await;
    let by_session = stream(&daemon, &path, &other).await;
    let by_key = stream(&daemon, &path, key["key"].as_str().unwrap()).await;
    let by_user = stream(&daemon, &path, &deleted).await;
    let mut goes_on = stream(&daemon, &path, &ada).await;

    assert_eq!(daemon.post("/api/logout", &other, &[]).await.status, 200);
    let revoked = format!("/api/api-keys/{}", key["api_key"]["id"]);
    assert_eq!(daemon.send(daemon.request(Method::DELETE, &revoked, &ada)).await.status, 200);
    let gone = format!("/admin/delete-user/{second}");
    assert_eq!(daemon.send(daemon.request(Method::DELETE, &gone, &admin)).await.status, 200);
    let (session, key, user) = tokio::join!(ends(by_session), ends(by_key), ends(by_user));
    assert!(session && key && user, "by session: {session}, by key: {key}, by user: {user}");
    let more = tokio::time::timeout(Duration::from_secs(3), goes_on.chunk()).await;
    assert!(more.is_err() || more.unwrap().unwrap().is_some(), "this session is good");
    drop(goes_on);
    daemon.stop().await;
}
