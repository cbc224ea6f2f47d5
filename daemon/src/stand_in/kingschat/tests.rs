use reqwest::Method;
use serde_json::{Value, json};

use crate::testing::TestDaemon;

async fn asks(daemon: &TestDaemon, path: &str, key: &str, bearer: &str, body: Option<Value>) -> (u16, Value) {
    let method = if body.is_some() { Method::POST } else { Method::GET };
    let request = daemon.request(method, &format!("/sandbox/kingschat{path}"), bearer).header("api-key", key);
    let reply = daemon.send(if let Some(body) = body { request.json(&body) } else { request }).await;
    (reply.status, reply.json())
}

#[tokio::test]
async fn refresh_tokens_are_used_once_and_give_the_next_pair() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let first = daemon.get("/sandbox/kingschat/token?id=7", "").await.json();
    for path in ["/oauth2/token", "/developer/api/oauth2/token"] {
        let given = daemon.get("/sandbox/kingschat/token?id=7", "").await.json();
        let body = json!({
            "client_id": "talkdrum-sandbox", "grant_type": "refresh_token", "refresh_token": given["refresh_token"],
        });
        let (status, next) = asks(&daemon, path, "", "", Some(body.clone())).await;
        assert_eq!(status, 200);
        assert_ne!(next["access_token"], first["access_token"]);
        let (status, profile) =
            asks(&daemon, "/api/profile", "", next["access_token"].as_str().unwrap(), None).await;
        assert_eq!((status, &profile["profile"]["user"]["user_id"]), (200, &json!("7")));
        assert_eq!(asks(&daemon, path, "", "", Some(body)).await.0, 401);
    }
}

#[tokio::test]
async fn messages_of_both_generations_are_kept_for_reading() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let given = daemon.get("/sandbox/kingschat/token?id=7", "").await.json();
    let bearer = given["access_token"].as_str().unwrap();
    let message =
        |text: &str| json!({ "recipient_id": "7", "message": { "body": { "text": { "body": text } } } });
    let (sdk, platform) = ("/api/users/7/new_message", "/developer/api/messages");
    assert_eq!(asks(&daemon, sdk, "", bearer, Some(message("one"))).await.0, 200);
    assert_eq!(asks(&daemon, platform, "sandbox", "", Some(message("two"))).await.0, 200);
    assert_eq!(asks(&daemon, sdk, "", "", Some(message("x"))).await.0, 401);
    assert_eq!(asks(&daemon, platform, "wrong", "", Some(message("x"))).await.0, 401);
    assert_eq!(asks(&daemon, "/api/users/8/new_message", "", bearer, Some(message("x"))).await.0, 404);
    assert_eq!(asks(&daemon, platform, "sandbox", "", Some(message(""))).await.0, 422);
    let (_, kept) = asks(&daemon, "/messages", "", "", None).await;
    let texts: Vec<_> = kept.as_array().unwrap().iter().map(|sent| sent["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["one", "two"]);
}

#[tokio::test]
async fn pages_show_what_came_with_the_address_as_text() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let evil = "%22%3E%3Cscript%3Ealert(1)%3C/script%3E";
    for path in [
        format!("/sandbox/kingschat/?client_id={evil}&scopes={evil}&redirect_uri={evil}&post_message=1"),
        format!("/sandbox/kingschat?client_id={evil}&scopes={evil}&redirect_uri={evil}&post_message=1"),
        format!("/sandbox/kingschat/log-in?clientId={evil}&origin={evil}"),
    ] {
        let page = daemon.get(&path, "").await;
        assert_eq!(page.status, 200, "{path}");
        assert!(page.text.contains("Ada Obi") && !page.text.contains("<script"), "{}", page.text);
    }
    let choice = [
        ("flow", "popup"),
        ("application", "a"),
        ("back", "</script>x"),
        ("person", "5f00000000000000000000a1"),
    ];
    let page = daemon.post("/sandbox/kingschat/choose", "", &choice).await;
    assert_eq!(page.text.matches("</script>").count(), 1, "{}", page.text);
    assert!(page.text.contains("accessToken") && page.text.contains("expiresInMillis"));
    let denied = daemon
        .post(
            "/sandbox/kingschat/choose",
            "",
            &[("flow", "popup"), ("application", "a"), ("back", "http://x")],
        )
        .await;
    assert!(denied.text.contains("denied access"), "{}", denied.text);
}
