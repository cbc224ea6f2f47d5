use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;
use wiremock::matchers::{body_partial_json, header, method, path};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use super::*;
use crate::time::Time;

const NOW: Time = Time(1_700_000_000_000);

fn client(server: &MockServer, change: impl FnOnce(&mut KingsChatConfig)) -> KingsChat {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut config = KingsChatConfig {
        accounts_url: server.uri(),
        api_url: server.uri(),
        login_url: format!("{}/accounts", server.uri()),
        platform_url: server.uri(),
        client_id: "talkdrum".into(),
        timeout: Duration::from_secs(2),
        ..KingsChatConfig::default()
    };
    change(&mut config);
    KingsChat::new(reqwest::Client::new(), config)
}

fn with_key(config: &mut KingsChatConfig) {
    config.api_key = Some("key".into());
}

fn token(acid: Option<&str>) -> String {
    let claims = json!({ "acid": acid, "aud": ["profile"], "exp": NOW.0 + 60_000 });
    format!("e30.{}.c2ln", URL_SAFE_NO_PAD.encode(claims.to_string()))
}

async fn answers(server: &MockServer, verb: &str, at: &str, status: u16, body: serde_json::Value) {
    Mock::given(method(verb))
        .and(path(at))
        .respond_with(ResponseTemplate::new(status).set_body_json(body))
        .mount(server)
        .await;
}

#[tokio::test]
async fn the_older_interface_is_asked_about_our_tokens_only() {
    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .and(path("/api/profile"))
        .and(header("authorization", format!("Bearer {}", token(Some("talkdrum"))).as_str()))
        .respond_with(
            ResponseTemplate::new(200).set_body_json(json!({ "profile": { "user": { "user_id": "7" } } })),
        )
        .expect(1)
        .mount(&server)
        .await;
    let chat = client(&server, |_| {});
    assert_eq!(chat.profile(&token(Some("talkdrum")), NOW).await.unwrap().id, "7");
    for foreign in [token(Some("other")), token(None), "opaque".into(), String::new(), "a b".into()] {
        let refused = chat.profile(&foreign, NOW).await;
        assert!(matches!(refused, Err(ChatError::Refused(_))), "{foreign}: {refused:?}");
    }
    assert_eq!(server.received_requests().await.unwrap().len(), 1, "strange tokens go nowhere");
}

#[tokio::test]
async fn the_newer_interface_tells_our_people_by_the_key_and_a_refusal_opens_no_other_way() {
    let server = MockServer::start().await;
    Mock::given(path("/developer/api/user/profile"))
        .and(header("api-key", "key"))
        .and(header("authorization", "Bearer good"))
        .respond_with(ResponseTemplate::new(200).set_body_json(json!({ "profile": { "id": "7" } })))
        .mount(&server)
        .await;
    answers(&server, "GET", "/developer/api/user/profile", 403, json!({ "error": "user_not_authorized" }))
        .await;
    answers(&server, "GET", "/api/profile", 200, json!({ "profile": { "id": "666" } })).await;
    let chat = client(&server, with_key);
    assert_eq!(chat.profile("good", NOW).await.unwrap().id, "7");
    assert!(matches!(chat.profile("other-app", NOW).await, Err(ChatError::Refused(_))));
    // A token that names us goes on to the older interface.
    assert_eq!(chat.profile(&token(Some("talkdrum")), NOW).await.unwrap().id, "666");
}

#[tokio::test]
async fn a_code_is_exchanged_in_our_name_and_its_token_asked_about() {
    let server = MockServer::start().await;
    Mock::given(path("/developer/api/oauth2/token"))
        .and(body_partial_json(json!({ "grant_type": "code", "client_id": "talkdrum", "code": "c0de" })))
        .respond_with(ResponseTemplate::new(200).set_body_json(json!({
            "access_token": "opaque", "refresh_token": "r", "expires_in_millis": 5_000,
        })))
        .mount(&server)
        .await;
    answers(&server, "POST", "/developer/api/oauth2/token", 400, json!({ "error": "invalid_code" })).await;
    answers(&server, "GET", "/developer/api/profile", 200, json!({ "profile": { "id": "7" } })).await;
    let chat = client(&server, |_| {});
    assert_eq!(chat.profile_by_code("c0de", NOW).await.unwrap().id, "7");
    assert!(matches!(chat.profile_by_code("used", NOW).await, Err(ChatError::Refused(_))));
}

#[tokio::test]
async fn tokens_are_refreshed_at_the_address_of_their_generation() {
    let server = MockServer::start().await;
    let answer =
        |name: &str| json!({ "access_token": name, "refresh_token": "next", "expires_in_millis": 5_000 });
    answers(&server, "POST", "/oauth2/token", 200, answer("sdk")).await;
    answers(&server, "POST", "/developer/api/oauth2/token", 200, answer("platform")).await;
    let chat = client(&server, |_| {});
    for (generation, name) in [(Generation::Sdk, "sdk"), (Generation::Platform, "platform")] {
        let tokens = chat.refresh(generation, "old", NOW).await.unwrap();
        assert_eq!((tokens.access_token.as_str(), tokens.expires_at), (name, Time(NOW.0 + 5_000)));
        assert_eq!(tokens.refresh_token.as_deref(), Some("next"));
        assert!(!format!("{tokens:?}").contains("next"));
    }
}

#[tokio::test]
async fn a_message_goes_by_the_key_where_there_is_one_and_else_as_the_sending_account() {
    let server = MockServer::start().await;
    let text = json!({ "message": { "body": { "text": { "body": "hello" } } } });
    Mock::given(path("/developer/api/messages"))
        .and(header("api-key", "key"))
        .and(body_partial_json(json!({ "recipient_id": "7" })))
        .and(body_partial_json(&text))
        .respond_with(ResponseTemplate::new(200).set_body_json(json!({ "status": "ok" })))
        .mount(&server)
        .await;
    Mock::given(path("/api/users/7/new_message"))
        .and(header("authorization", "Bearer mine"))
        .and(body_partial_json(&text))
        .respond_with(ResponseTemplate::new(200))
        .mount(&server)
        .await;
    assert_eq!(client(&server, with_key).send("7", "hello", None).await, ChatDelivery::Sent);
    let chat = client(&server, |_| {});
    assert_eq!(chat.send("7", "hello", Some("mine")).await, ChatDelivery::Sent);
    assert!(matches!(chat.send("7", "hello", None).await, ChatDelivery::Refused(_)));
    assert!(matches!(chat.send("7", "hello", Some("spent")).await, ChatDelivery::Refused(_)));
    assert!(matches!(chat.send("../7", "hello", Some("mine")).await, ChatDelivery::Refused(_)), "escaped");
}

#[tokio::test]
async fn what_came_of_a_message_is_told_apart() {
    let server = MockServer::start().await;
    Mock::given(path("/developer/api/messages"))
        .respond_with(|request: &Request| {
            let body: serde_json::Value = request.body_json().unwrap_or_default();
            let status = body["recipient_id"].as_str().and_then(|id| id.parse().ok()).unwrap_or(500);
            ResponseTemplate::new(status)
        })
        .mount(&server)
        .await;
    let chat = client(&server, with_key);
    for status in ["403", "404", "422"] {
        assert!(matches!(chat.send(status, "x", None).await, ChatDelivery::Refused(_)), "{status}");
    }
    for status in ["429", "503"] {
        assert!(matches!(chat.send(status, "x", None).await, ChatDelivery::Later(_)), "{status}");
    }
    assert!(matches!(chat.send("500", "x", None).await, ChatDelivery::Unknown(_)));
    let nobody = client(&server, |config| {
        with_key(config);
        config.platform_url = "http://127.0.0.1:1".into();
    });
    assert!(matches!(nobody.send("7", "x", None).await, ChatDelivery::Later(_)));
}

#[tokio::test]
async fn a_silent_provider_and_an_endless_answer_are_given_up() {
    let server = MockServer::start().await;
    let slow = ResponseTemplate::new(200).set_delay(Duration::from_secs(5));
    Mock::given(path("/developer/api/user/profile")).respond_with(slow).mount(&server).await;
    let endless = ResponseTemplate::new(200).set_body_string("x".repeat(300 * 1_024));
    Mock::given(path("/api/profile")).respond_with(endless).mount(&server).await;
    let hasty = client(&server, |config| {
        with_key(config);
        config.timeout = Duration::from_millis(100);
    });
    assert!(matches!(hasty.profile("t", NOW).await, Err(ChatError::Unclear(_))));
    let chat = client(&server, |_| {});
    assert!(matches!(chat.profile(&token(Some("talkdrum")), NOW).await, Err(ChatError::Unclear(_))));
}

#[test]
fn the_page_to_sign_in_at_carries_our_id_and_the_nonce() {
    let config = KingsChatConfig {
        login_url: "https://accounts.example".into(),
        client_id: "our id".into(),
        ..KingsChatConfig::default()
    };
    let _ = rustls::crypto::ring::default_provider().install_default();
    let url = KingsChat::new(reqwest::Client::new(), config).login_page("n&nce").unwrap();
    assert_eq!(
        url.as_str(),
        "https://accounts.example/log-in?clientId=our+id&origin=n%26nce&forceLogin=true"
    );
}
