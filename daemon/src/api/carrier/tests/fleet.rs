//! Carriers over HTTP under an administrator's hand, and orders to all daemons of a fleet.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use talkdrum_core::model::account::user::Role;
use talkdrum_core::testing::database::{POSTGRES_VARIABLE, PostgresDatabase};
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::config::{self, Overrides, Settings};
use crate::lifecycle::Running;
use crate::state::Surroundings;
use crate::testing::{Reply, TestDaemon};

/// A provider that takes everything.
async fn provider() -> MockServer {
    let server = MockServer::start().await;
    let taken = json!({ "code": "ok", "message_id": "30", "message": "Successfully Sent" });
    Mock::given(wiremock::matchers::any())
        .respond_with(ResponseTemplate::new(200).set_body_json(taken))
        .mount(&server)
        .await;
    server
}

fn section(name: &str, provider: &MockServer, secret: &str) -> String {
    format!(
        "[[carriers]]\nname = '{name}'\nkind = 'termii'\nurl = '{}'\napi_key = 's3cret-key'\nhook_secret = '{secret}'\n",
        provider.uri()
    )
}

fn read(settings: &mut Settings, file: &Path) {
    let loaded = config::load(&Overrides { file: Some(file.to_owned()), ..Overrides::default() }).unwrap();
    settings.carriers = loaded.carriers;
    settings.source = loaded.source;
}

async fn up(daemon: &TestDaemon, admin: &str, name: &str) {
    for _ in 0..400 {
        let list = daemon.get("/admin/carriers", admin).await.json();
        let found = list["carriers"].as_array().into_iter().flatten().find(|it| it["name"] == name).cloned();
        if found.is_some_and(|it| it["health"] == "up") {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{name} never got up");
}

async fn test_message(daemon: &TestDaemon, admin: &str) -> Reply {
    let form = [("to", "08031234567"), ("message", "the secret words"), ("wait_s", "5")];
    daemon.post("/admin/carriers/main/test", admin, &form).await
}

#[tokio::test]
async fn a_carrier_over_http_is_traced_and_reloaded_while_it_works() {
    let (first, second) = (provider().await, provider().await);
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("talkdrum.toml");
    std::fs::write(&file, section("main", &first, "0123456789abcdef")).unwrap();
    let daemon = TestDaemon::start_with(|settings| read(settings, &file)).await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    up(&daemon, &admin, "main").await;
    let reply = daemon.post("/admin/carriers/main/trace", &admin, &[("seconds", "60")]).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    let sent = test_message(&daemon, &admin).await;
    assert_eq!(sent.json()["status"], "sent", "{}", sent.text);
    assert_eq!(first.received_requests().await.unwrap().len(), 1);
    // Its receipt, and a message from a handset, come by callback.
    let receipt =
        json!({ "type": "outbound", "message_id": "30", "receiver": "2348031234567", "status": "Delivered" });
    let callback = |secret: &str, body: &Value| {
        let address = format!("/hooks/carriers/main/{secret}");
        daemon.send(daemon.request(Method::POST, &address, "").json(body))
    };
    // A receipt that no campaign awaits is held back for two seconds, by the daemon's clock.
    let (taken, ()) = tokio::join!(callback("0123456789abcdef", &receipt), async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        daemon.pass(Duration::from_secs(3));
    });
    assert_eq!(taken.status, 200);
    let message = json!({ "type": "inbound", "message_id": "77", "sender": "2348031234567", "receiver": "30012", "message": "hush" });
    assert_eq!(callback("0123456789abcdef", &message).await.status, 200);
    let mut text = String::new();
    for _ in 0..200 {
        text = daemon.get("/admin/carriers/main/trace", &admin).await.text;
        if text.contains("<- message") && text.contains("<- receipt") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    for wanted in
        ["-> POST 127.0.0.1", "HTTP 200", "accepted as 30:2348031234567", "<- receipt", "<- message from=234"]
    {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    for hidden in ["secret", "s3cret", "hush"] {
        assert!(!text.contains(hidden), "{hidden}: {text}");
    }
    let test = daemon.get(&format!("/admin/carrier-tests/{}", sent.json()["id"]), &admin).await.json();
    assert_eq!(test["status"], "delivered", "{test}");
    // Another provider under the same name, with another secret.
    std::fs::write(&file, section("main", &second, "another-secret-01")).unwrap();
    let report = daemon.post("/admin/carriers/reload", &admin, &[]).await.json();
    assert_eq!(report["changed"], json!(["main"]), "{report}");
    assert_eq!(
        (&report["daemons"][0]["outcome"], &report["daemons"][0]["role"]),
        (&"reloaded".into(), &"all".into())
    );
    assert_eq!(callback("0123456789abcdef", &receipt).await.status, 404);
    assert_eq!(callback("another-secret-01", &message).await.status, 200);
    up(&daemon, &admin, "main").await;
    let sent = test_message(&daemon, &admin).await;
    assert_eq!(sent.json()["status"], "sent", "{}", sent.text);
    assert_eq!(second.received_requests().await.unwrap().len(), 1);
    assert_eq!(daemon.get("/api/inbound-messages", &admin).await.json()["total"], 1, "the same one twice");
}

#[tokio::test]
async fn a_reload_and_a_reroute_are_answered_again_under_their_key_and_done_once() {
    let provider = provider().await;
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("talkdrum.toml");
    let main = section("main", &provider, "0123456789abcdef");
    std::fs::write(&file, &main).unwrap();
    let daemon = TestDaemon::start_with(|settings| read(settings, &file)).await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    let ask = |path: &'static str, key: &'static str, form: Vec<(&'static str, &'static str)>| {
        daemon.send(daemon.request(Method::POST, path, &admin).header("Idempotency-Key", key).form(&form))
    };
    std::fs::write(&file, format!("{main}{}", section("spare", &provider, "0123456789abcdef"))).unwrap();
    let first = ask("/admin/carriers/reload", "r1", vec![]).await;
    assert_eq!(first.json()["started"], json!(["spare"]), "{}", first.text);
    // The file has changed again, and would even be refused: the same request is the same reload.
    std::fs::write(&file, "nonsense").unwrap();
    let again = ask("/admin/carriers/reload", "r1", vec![]).await;
    assert_eq!((again.status, again.json()), (200, first.json()), "{}", again.text);
    assert_eq!(ask("/admin/carriers/reload", "r2", vec![]).await.status, 400);
    daemon.post("/admin/carriers/main/pause", &admin, &[]).await;
    let first = ask("/admin/carriers/main/reroute", "r3", vec![("to", "spare")]).await;
    assert_eq!(first.status, 200, "{}", first.text);
    daemon.post("/admin/carriers/main/resume", &admin, &[]).await;
    // It would be refused now, were it not the same request.
    let again = ask("/admin/carriers/main/reroute", "r3", vec![("to", "spare")]).await;
    assert_eq!((again.status, again.json()), (200, first.json()), "{}", again.text);
    let other = ask("/admin/carriers/main/reroute", "r3", vec![]).await;
    assert_eq!((other.status, other.code().as_str()), (409, "idempotency_key_reused"), "{}", other.text);
    assert_eq!(ask("/admin/carriers/main/reroute", "r4", vec![("to", "spare")]).await.status, 409);
    let trail = daemon.get("/admin/audit?action=carriers.reload", &admin).await.json();
    assert_eq!(trail["total"], 1, "{trail}");
}

#[tokio::test]
async fn a_reload_reaches_every_daemon_on_the_database_and_says_which_did_not_take_it() {
    let Ok(url) = std::env::var(POSTGRES_VARIABLE) else {
        eprintln!("skipped: a fleet needs PostgreSQL, and {POSTGRES_VARIABLE} is not set");
        return;
    };
    let database = PostgresDatabase::create(&url).await;
    let provider = provider().await;
    let dir = tempfile::tempdir().unwrap();
    let (here, there) = (dir.path().join("here.toml"), dir.path().join("there.toml"));
    let main = section("main", &provider, "0123456789abcdef");
    let both = format!("{main}{}", section("spare", &provider, "0123456789abcdef"));
    for file in [&here, &there] {
        std::fs::write(file, &main).unwrap();
    }
    let daemon = TestDaemon::start_with(|settings| {
        settings.database.url = Some(database.url());
        read(settings, &here);
    })
    .await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    // A worker, which has no API at all.
    let mut settings = Settings::default();
    settings.server.listen = "127.0.0.1:0".parse().unwrap();
    settings.server.data_dir = dir.path().join("worker");
    std::fs::create_dir(&settings.server.data_dir).unwrap();
    settings.limits.free_disk_mib = 0;
    settings.database.url = Some(database.url());
    read(&mut settings, &there);
    let around = Surroundings { clock: Arc::clone(&daemon.app().clock), ..Surroundings::of_life() };
    let worker = Running::start(&settings, crate::args::Role::Worker, around).await.unwrap();
    let status = async |path: &str| {
        reqwest::get(format!("http://{}{path}", worker.address())).await.unwrap().status().as_u16()
    };
    assert_eq!(
        (status("/healthz").await, status("/api/openapi.json").await, status("/api/docs/").await),
        (200, 404, 404)
    );
    for file in [&here, &there] {
        std::fs::write(file, &both).unwrap();
    }
    let report = daemon.post("/admin/carriers/reload", &admin, &[]).await.json();
    let mut outcomes: Vec<_> = report["daemons"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["role"].as_str().unwrap(), it["outcome"].as_str().unwrap()))
        .collect();
    outcomes.sort_unstable();
    assert_eq!(outcomes, [("all", "reloaded"), ("worker", "reloaded")], "{report}");
    assert!(report["message"].as_str().unwrap().contains("2 of 2 daemons took it"), "{report}");
    assert_eq!(worker.app().fleet.now().names(), ["main", "spare"]);
    assert_eq!(worker.app().campaigns.router.now().carriers().len(), 2);
    // A file that cannot be used there changes nothing there.
    std::fs::write(&here, &main).unwrap();
    std::fs::write(&there, "nonsense").unwrap();
    let report = daemon.post("/admin/carriers/reload", &admin, &[]).await.json();
    let refused = report["daemons"].as_array().unwrap().iter().find(|it| it["role"] == "worker").unwrap();
    assert_eq!(refused["outcome"], "refused", "{report}");
    assert!(refused["message"].as_str().unwrap().contains("Nothing has changed"), "{report}");
    assert!(report["message"].as_str().unwrap().contains("1 of 2 daemons took it. Refused by"), "{report}");
    assert_eq!(daemon.app().fleet.now().names(), ["main"]);
    assert_eq!(worker.app().fleet.now().names(), ["main", "spare"]);
    worker.stop().await.unwrap();
    let report = daemon.post("/admin/carriers/reload", &admin, &[]).await.json();
    assert_eq!(report["daemons"].as_array().unwrap().len(), 1, "it has left: {report}");
    daemon.stop().await;
    database.drop().await;
}
