use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use talkdrum_core::Error;
use talkdrum_core::model::account::user::Role;
use talkdrum_core::model::webhook::endpoint::EndpointDraft;
use talkdrum_core::model::webhook::id::WebhookId;
use talkdrum_core::store::Lane;
use talkdrum_core::webhook::endpoint::{self, Reach};
use tokio::sync::Notify;

use crate::testing::{START, TestDaemon};

async fn create(daemon: &TestDaemon, token: &str) -> i64 {
    let reply = daemon.post("/api/webhooks", token, &[("url", "https://example.com/hook")]).await;
    assert_eq!(reply.status, 201, "{}", reply.text);
    reply.json()["webhook"]["id"].as_i64().unwrap()
}

#[tokio::test]
async fn a_webhook_is_made_shown_changed_and_deleted_and_its_secret_is_shown_once() {
    let daemon = TestDaemon::start().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let form = [("url", "https://example.com/hook"), ("events", "campaign.completed,messages.updated")];
    let made = daemon.post("/api/webhooks", &ada, &form).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let secret = made.json()["secret"].as_str().unwrap().to_owned();
    assert!(secret.starts_with("whsec_"));
    let id = made.json()["webhook"]["id"].as_i64().unwrap();
    let listed = daemon.get("/api/webhooks", &ada).await;
    assert_eq!(
        listed.json()["webhooks"][0]["events"],
        serde_json::json!(["campaign.completed", "messages.updated"])
    );
    assert!(!listed.text.contains(&secret));

    let path = format!("/api/webhooks/{id}");
    let off = daemon.send(daemon.request(Method::PUT, &path, &ada).form(&[("is_active", "false")])).await;
    assert_eq!((off.status, &off.json()["webhook"]["is_active"]), (200, &false.into()), "{}", off.text);
    assert_eq!(off.json()["webhook"]["url"], "https://example.com/hook", "what is not given stays");
    let refused = daemon.post(&format!("{path}/test"), &ada, &[]).await;
    assert_eq!(refused.code(), "webhook_inactive");
    let rotated = daemon.post(&format!("{path}/rotate"), &ada, &[]).await.json();
    assert_ne!(rotated["secret"].as_str().unwrap(), secret);
    assert_eq!(daemon.send(daemon.request(Method::DELETE, &path, &ada)).await.status, 200);
    assert_eq!(daemon.get(&path, &ada).await.status, 404);
}

#[tokio::test]
async fn an_edit_that_began_before_another_one_puts_no_address_back() {
    let daemon = TestDaemon::start().await;
    let user_id = daemon.user("ada", Role::User).await;
    let ada = daemon.login("ada").await;
    let id = create(&daemon, &ada).await;
    daemon.pass(Duration::from_secs(600));
    // Uses are noted to the minute.
    daemon.get("/api/user-profile", &ada).await;
    let draft = EndpointDraft::parse("https://example.com/new", "", &[""], Reach::Public).unwrap();
    let (begun, end) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let input = (user_id, WebhookId(id), draft, Arc::clone(&begun), Arc::clone(&end));
    let repointed = daemon.store().write(Lane::Interactive, input, |tx, (user_id, id, draft, begun, end)| {
        Box::pin(async move {
            endpoint::edit(tx, *user_id, *id, draft, true, START).await?;
            begun.notify_one();
            end.notified().await;
            Ok::<_, Error>(())
        })
    });
    let path = format!("/api/webhooks/{id}");
    let edit = async |field: (&'static str, &'static str)| {
        daemon.send(daemon.request(Method::PUT, &path, &ada).form(&[field])).await
    };
    let edits = async {
        begun.notified().await;
        // They wait for the transaction, and see nothing of it before.
        let ended = async {
            tokio::time::sleep(Duration::from_millis(500)).await;
            end.notify_one();
        };
        let switched = edit(("is_active", "false"));
        let put_back = edit(("url", "https://example.com/hook"));
        let (switched, put_back, ()) = futures::future::join3(switched, put_back, ended).await;
        (switched, put_back)
    };
    let (repointed, (switched, put_back)) = futures::future::join(repointed, edits).await;
    repointed.unwrap();
    assert_eq!(switched.status, 200, "{}", switched.text);
    assert_eq!((put_back.status, put_back.code().as_str()), (403, "reauthentication_required"));
    assert_eq!(edit(("url", "https://example.com/new")).await.status, 200, "it is no change");
    let webhook = daemon.get("/api/webhooks", &ada).await.json()["webhooks"][0].clone();
    assert_eq!(webhook["url"], "https://example.com/new");
    assert_eq!(webhook["is_active"], false);
}

#[tokio::test]
async fn addresses_inside_and_events_that_do_not_exist_are_refused_by_field() {
    let daemon = TestDaemon::start().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    for (url, events, field) in [
        ("", "", "url"),
        ("http://example.com/", "", "url"),
        ("https://127.0.0.1/", "", "url"),
        ("https://169.254.169.254/", "", "url"),
        ("https://example.com/", "campaign.done", "events"),
    ] {
        let reply = daemon.post("/api/webhooks", &ada, &[("url", url), ("events", events)]).await;
        assert_eq!((reply.status, reply.json()["errors"][0]["field"].as_str()), (400, Some(field)), "{url}");
    }
}

#[tokio::test]
async fn another_users_webhook_is_not_there_and_an_administrator_sees_all() {
    let daemon = TestDaemon::start().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let eve = daemon.signed_in("eve", Role::User).await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    let id = create(&daemon, &ada).await;
    let path = format!("/api/webhooks/{id}");
    for (method, path) in [
        (Method::GET, path.clone()),
        (Method::PUT, path.clone()),
        (Method::DELETE, path.clone()),
        (Method::POST, format!("{path}/test")),
        (Method::POST, format!("{path}/rotate")),
        (Method::POST, format!("{path}/redeliver-failed")),
        (Method::GET, format!("{path}/deliveries")),
        (Method::GET, format!("{path}/deliveries/1")),
    ] {
        let reply = daemon.send(daemon.request(method.clone(), &path, &eve)).await;
        assert_eq!(reply.status, 404, "{method} {path}");
    }
    let all = daemon.get("/admin/webhooks", &admin).await.json();
    assert_eq!((all["total"].as_i64(), all["webhooks"][0]["id"].as_i64()), (Some(1), Some(id)));
    assert_eq!(all["webhooks"][0]["username"], "ada");
    for (q, found) in [("ada", 1), ("EXAMPLE.com", 1), ("eve", 0)] {
        assert_eq!(daemon.get(&format!("/admin/webhooks?q={q}"), &admin).await.json()["total"], found, "{q}");
    }
    assert_eq!(daemon.get(&path, &admin).await.json()["username"], "ada");
    assert_eq!(daemon.get(&format!("{path}/deliveries"), &admin).await.status, 200);
    assert_eq!(daemon.post(&format!("{path}/redeliver-failed"), &admin, &[]).await.status, 200);
    let trail = daemon.get("/admin/audit?action=webhook.redeliver", &admin).await.json();
    assert_eq!(trail["audit"][0]["subject"], format!("webhook {id}"));
    assert_eq!(
        daemon.post(&format!("{path}/rotate"), &admin, &[]).await.status,
        404,
        "secrets are its owner's"
    );
}

#[tokio::test]
async fn trials_are_few_a_minute() {
    let daemon = TestDaemon::start_with(|settings| settings.webhooks.allow_private = true).await;
    let id = daemon.user("ada", Role::User).await;
    let ada = daemon.login("ada").await;
    let made = daemon.post("/api/webhooks", &ada, &[("url", "http://127.0.0.1:9/")]).await.json();
    let path = format!("/api/webhooks/{}/test", made["webhook"]["id"]);
    assert_eq!(daemon.post(&path, &ada, &[]).await.status, 200);
    while daemon.app().trial_rate.check(id).is_ok() {}
    assert_eq!(daemon.post(&path, &ada, &[]).await.status, 429);
}

#[tokio::test]
async fn a_trial_reaches_the_address_and_the_log_says_so() {
    let daemon = TestDaemon::start_with(|settings| settings.webhooks.allow_private = true).await;
    let server = wiremock::MockServer::start().await;
    wiremock::Mock::given(wiremock::matchers::header_exists("webhook-signature"))
        .respond_with(wiremock::ResponseTemplate::new(200).set_body_string("thanks"))
        .expect(1)
        .mount(&server)
        .await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let made = daemon.post("/api/webhooks", &ada, &[("url", &server.uri())]).await.json();
    let path = format!("/api/webhooks/{}", made["webhook"]["id"]);
    let trial = daemon.post(&format!("{path}/test"), &ada, &[]).await.json();
    assert_eq!((trial["type"].as_str(), trial["status"].as_str()), (Some("webhook.test"), Some("pending")));
    let line = format!("{path}/deliveries/{}", trial["id"]);
    let delivered = async {
        loop {
            let found = daemon.get(&line, &ada).await.json();
            if found["delivery"]["status"] == "delivered" {
                return found;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    let found = tokio::time::timeout(std::time::Duration::from_secs(20), delivered).await.unwrap();
    assert_eq!(
        (found["delivery"]["answer"].as_i64(), found["delivery"]["note"].as_str()),
        (Some(200), Some("thanks"))
    );
    assert_eq!(found["body"]["data"]["webhook_id"], made["webhook"]["id"]);
    let log = daemon.get(&format!("{path}/deliveries?status=failed"), &ada).await.json();
    assert_eq!(log["total"], 0);
}
