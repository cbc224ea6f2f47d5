use std::num::NonZeroU32;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use talkdrum_core::model::account::user::Role;

use crate::testing::{Reply, TestDaemon};

/// A token of a stand-in account.
async fn token(daemon: &TestDaemon, query: &str) -> String {
    let reply = daemon.get(&format!("/sandbox/kingschat/token?{query}"), "").await;
    reply.json()["access_token"].as_str().unwrap().to_owned()
}

async fn sends(daemon: &TestDaemon, path: &str, bearer: &str, body: &Value) -> Reply {
    daemon.send(daemon.request(Method::POST, path, bearer).json(body)).await
}

async fn signs_in(daemon: &TestDaemon, token: &str) -> Reply {
    sends(daemon, "/api/kingschat-login", "", &json!({ "access_token": token })).await
}

/// The user of this session, as the API shows it.
async fn who(daemon: &TestDaemon, session: &Value) -> Value {
    daemon.get("/api/user-profile", session.as_str().unwrap()).await.json()["user"].clone()
}

/// A person at a browser: begins, clicks, and comes back with the code.
struct Browser<'a> {
    daemon: &'a TestDaemon,
    state: String,
    cookie: String,
    page: reqwest::Url,
}

impl<'a> Browser<'a> {
    async fn begins(daemon: &'a TestDaemon, path: &str, bearer: &str) -> Self {
        let reply = daemon.post(path, bearer, &[]).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        let cookie = reply.headers["set-cookie"].to_str().unwrap();
        assert!(cookie.contains("HttpOnly") && cookie.contains("Path=/api/kingschat"), "{cookie}");
        Self {
            daemon,
            state: reply.json()["state"].as_str().unwrap().into(),
            cookie: cookie.split(';').next().unwrap().to_owned(),
            page: reply.json()["url"].as_str().unwrap().parse().unwrap(),
        }
    }

    /// Clicks a person on the page; returns code and nonce.
    async fn clicks(&self, person: &str) -> (String, String) {
        let asked = |name: &str| self.page.query_pairs().find(|(key, _)| key == name).unwrap().1.into_owned();
        let choice = [
            ("flow", "code".to_owned()),
            ("application", asked("clientId")),
            ("back", asked("origin")),
            ("person", person.to_owned()),
        ];
        let patient = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        let url = self.page.join("/sandbox/kingschat/choose").unwrap();
        let reply = patient.post(url).form(&choice).send().await.unwrap();
        let back: reqwest::Url = reply.headers()["location"].to_str().unwrap().parse().unwrap();
        assert_eq!(back.path(), "/api/kingschat/callback");
        let given = |name: &str| back.query_pairs().find(|(key, _)| key == name).unwrap().1.into_owned();
        (given("code"), given("origin"))
    }

    async fn comes_back(&self, (code, origin): &(String, String), how: &str, cookie: bool) -> Reply {
        let body = [("code", code.as_str()), ("origin", origin.as_str())];
        let path = "/api/kingschat/callback";
        let request = match how {
            "query" => self.daemon.request(Method::GET, path, "").query(&body),
            "form" => self.daemon.request(Method::POST, path, "").form(&body),
            _ => self.daemon.request(Method::POST, path, "").json(&json!({ "code": code, "origin": origin })),
        };
        let request =
            if cookie { request.header("cookie", format!("x=y; {}", self.cookie)) } else { request };
        self.daemon.send(request).await
    }

    async fn finishes(&self) -> Reply {
        self.daemon.post("/api/kingschat/finish", "", &[("state", &self.state)]).await
    }
}

#[tokio::test]
async fn kingschats_word_counts_and_not_the_posted_profile() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let token = token(&daemon, "id=7&username=Ada.Obi&name=Ada%20Obi&email=ada@chat.example").await;
    let forged = json!({
        "profile": { "user": { "user_id": "1", "username": "root" }, "email": { "address": "root@example.com", "verified": true } },
        "id": "1", "username": "root", "email": "root@example.com", "is_email_verified": true, "roles": ["admin"],
        "access_token": token,
    });
    let reply = sends(&daemon, "/api/kingschat-login", "", &forged).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    let body = reply.json();
    for same in [&body["data"]["access_token"], &body["token"], &body["authorization"]["token"]] {
        assert_eq!(*same, body["access_token"]);
    }
    let user = who(&daemon, &body["access_token"]).await;
    assert_eq!((&user["username"], &user["role"]), (&json!("ada.obi"), &json!("user")));
    assert_eq!(user["email"], "ada@chat.example");
    let again = signs_in(&daemon, &token).await.json();
    assert_eq!(again["user"]["id"], user["id"]);
    let no_token = json!({ "id": "7", "username": "ada.obi" });
    let reply = sends(&daemon, "/api/kingschat-login", "", &no_token).await;
    assert_eq!((reply.status, reply.code().as_str()), (400, "token_required"));
    assert_eq!(reply.json()["message"], "Token not found in authentication response.");
}

#[tokio::test]
async fn forged_foreign_and_expired_tokens_get_nowhere() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let good = token(&daemon, "id=7&username=ada").await;
    let mut parts: Vec<_> = good.split('.').map(str::to_owned).collect();
    parts[2] = "forged".into();
    let foreign = token(&daemon, "id=7&username=ada&application=other-app").await;
    let expired = token(&daemon, "id=7&username=ada&life_ms=-1").await;
    for bad in
        [parts.join("."), foreign, expired, "opaque".to_owned(), "a b\u{e9}".to_owned(), "x".repeat(9_000)]
    {
        let reply = signs_in(&daemon, &bad).await;
        assert_eq!((reply.status, reply.code().as_str()), (401, "chat_login_failed"), "{bad}");
        assert_eq!(reply.json()["message"], "Login failed. Please try again.");
    }
    daemon.pass(Duration::from_secs(3_600));
    assert_eq!(signs_in(&daemon, &good).await.status, 401, "it lived an hour");
    let admin = daemon.signed_in("root", Role::Admin).await;
    assert_eq!(daemon.get("/admin/get-all-active-users", &admin).await.json()["total"], 1, "nobody was made");
}

#[tokio::test]
async fn an_account_without_an_address_shows_none_and_an_inactive_user_may_sign_in() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let token = token(&daemon, "id=7&username=ada&email=victim@example.com&verified=0").await;
    let user = signs_in(&daemon, &token).await.json()["user"].clone();
    assert_eq!(user["email"], "", "an address that KingsChat did not prove is not taken over");
    let admin = daemon.signed_in("root", Role::Admin).await;
    daemon.post(&format!("/admin/deactivate-user/{}", user["id"]), &admin, &[]).await;
    let reply = signs_in(&daemon, &token).await;
    assert_eq!((reply.status, &reply.json()["user"]["status"]), (200, &json!("inactive")));
}

#[tokio::test]
async fn the_newer_flow_gives_the_browser_that_began_one_session_however_the_code_comes() {
    let daemon = TestDaemon::start_in_sandbox().await;
    for how in ["query", "form", "json"] {
        let browser = Browser::begins(&daemon, "/api/kingschat/start", "").await;
        assert_eq!(browser.finishes().await.status, 202);
        let back = browser.clicks("5f00000000000000000000a1").await;
        let page = browser.comes_back(&back, how, true).await;
        assert_eq!(page.status, 200, "{how}: {}", page.text);
        assert!(page.headers["content-type"].to_str().unwrap().starts_with("text/html"));
        let replayed = browser.comes_back(&back, how, true).await;
        assert_eq!(replayed.status, 400, "a nonce and a code are used once");
        let session = browser.finishes().await;
        assert_eq!(session.status, 200, "{}", session.text);
        assert_eq!(who(&daemon, &session.json()["access_token"]).await["username"], "ada");
        assert_eq!(browser.finishes().await.code(), "chat_login_over");
    }
}

#[tokio::test]
async fn nobody_gets_a_strangers_session_by_a_prepared_address() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let attacker = Browser::begins(&daemon, "/api/kingschat/start", "").await;
    let victim = Browser::begins(&daemon, "/api/kingschat/start", "").await;
    let victims_code = attacker.clicks("5f00000000000000000000a1").await;
    for (page, cookie) in [(&attacker, false), (&victim, true)] {
        assert_eq!(page.comes_back(&victims_code, "query", cookie).await.status, 400);
    }
    assert_eq!(attacker.finishes().await.status, 202);
    // The same through the call that takes a code.
    let (code, origin) = &victims_code;
    let posted = |state: &str| json!({ "code": code, "origin": origin, "state": state });
    for state in ["", &victim.state] {
        let reply = sends(&daemon, "/api/kingschat-login", "", &posted(state)).await;
        assert_eq!((reply.status, reply.code().as_str()), (400, "chat_login_over"));
    }
    let own = sends(&daemon, "/api/kingschat-login", "", &posted(&attacker.state)).await;
    assert_eq!(own.status, 200, "the page that began may bring the code itself: {}", own.text);
    assert_eq!(sends(&daemon, "/api/kingschat-login", "", &posted(&attacker.state)).await.status, 400);
    let late = Browser::begins(&daemon, "/api/kingschat/start", "").await;
    let back = late.clicks("5f00000000000000000000a1").await;
    daemon.pass(Duration::from_secs(15 * 60));
    assert_eq!(late.comes_back(&back, "form", true).await.status, 400);
    assert_eq!(late.finishes().await.code(), "chat_login_over");
}

#[tokio::test]
async fn an_account_is_linked_shown_and_unlinked_by_its_owner() {
    let daemon = TestDaemon::start_in_sandbox_with(|settings| {
        settings.limits.login_burst = NonZeroU32::new(100).unwrap();
    })
    .await;
    let id = daemon.user("ada", Role::User).await;
    let ada = daemon.login("ada").await;
    let eve = daemon.signed_in("eve", Role::User).await;
    let token = token(&daemon, "id=7&username=ada_chat").await;
    let posted = json!({ "access_token": token });
    assert_eq!(sends(&daemon, "/api/kingschat/link", &ada, &posted).await.status, 200);
    assert_eq!(sends(&daemon, "/api/kingschat/link", &eve, &posted).await.code(), "chat_account_taken");
    let shown = daemon.get("/api/kingschat/link", &ada).await.json();
    assert_eq!((&shown["linked"], &shown["username"]), (&json!(true), &json!("ada_chat")));
    assert_eq!(signs_in(&daemon, &token).await.json()["user"]["id"], id.0);
    let browser = Browser::begins(&daemon, "/api/kingschat/link/start", &eve).await;
    let back = browser.clicks("5f00000000000000000000b2").await;
    assert_eq!(browser.comes_back(&back, "query", true).await.status, 200);
    assert_eq!(browser.finishes().await.json()["status"], "linked");
    assert_eq!(daemon.get("/api/kingschat/link", &eve).await.json()["username"], "bola");
    let unlink = || daemon.send(daemon.request(Method::DELETE, "/api/kingschat/link", &ada));
    assert_eq!(unlink().await.status, 200);
    assert_eq!(unlink().await.status, 404);
    let stranger = signs_in(&daemon, &token).await.json()["user"].clone();
    assert_ne!(stranger["id"], id.0);
    let session = signs_in(&daemon, &token).await.json()["token"].as_str().unwrap().to_owned();
    let refused = daemon.send(daemon.request(Method::DELETE, "/api/kingschat/link", &session)).await;
    assert_eq!((refused.status, refused.code().as_str()), (400, "last_sign_in"));
}

#[tokio::test]
async fn without_an_application_it_is_off_and_a_page_is_told_so() {
    let daemon = TestDaemon::start().await;
    assert_eq!(daemon.get("/api/kingschat/options", "").await.json()["enabled"], false);
    assert_eq!(signs_in(&daemon, "x").await.code(), "kingschat_off");
    assert_eq!(daemon.post("/api/kingschat/start", "", &[]).await.code(), "kingschat_off");
    assert_eq!(daemon.get("/api/kingschat/callback?code=a&origin=b", "").await.code(), "kingschat_off");
    assert_eq!(
        daemon.get("/sandbox/kingschat/token?id=1", "").await.status,
        404,
        "no stand-in in production"
    );
    let sandbox = TestDaemon::start_in_sandbox().await;
    let options = sandbox.get("/api/kingschat/options", "").await.json();
    assert_eq!((&options["enabled"], &options["code_flow"]), (&json!(true), &json!(true)));
    assert_eq!(options["allowed_origins"].as_array().unwrap().len(), 1);
    assert!(!options.to_string().contains("api_key"));
}

#[tokio::test]
async fn a_provider_that_is_away_is_said_to_be_and_an_address_that_guesses_waits() {
    let daemon = TestDaemon::start_with(|settings| {
        settings.kingschat.client_id = "talkdrum".into();
        settings.kingschat.api_key = Some("key".into());
        settings.kingschat.platform_url = Some("http://127.0.0.1:1".into());
        settings.limits.login_burst = NonZeroU32::new(2).unwrap();
        settings.limits.login_per_minute = NonZeroU32::MIN;
    })
    .await;
    for _ in 0..2 {
        let reply = signs_in(&daemon, "opaque").await;
        assert_eq!((reply.status, reply.code().as_str()), (503, "kingschat_unavailable"));
    }
    assert_eq!(signs_in(&daemon, "opaque").await.status, 429);
    assert_eq!(daemon.post("/api/kingschat/start", "", &[]).await.status, 429);
}
