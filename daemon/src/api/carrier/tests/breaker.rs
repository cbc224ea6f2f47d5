//! Breakers as administrators see and order them.

use serde_json::{Value, json};
use talkdrum_core::model::account::user::Role;

use crate::config::{self, Overrides};
use crate::testing::TestDaemon;

/// A carrier that is not reached.
fn section(name: &str) -> String {
    format!(
        "[[carriers]]\nname = '{name}'\nkind = 'smpp'\nhost = '127.0.0.1'\nport = 1\nsystem_id = 'talkdrum'\n\
         password = 'secret'\n"
    )
}

#[tokio::test]
async fn a_breaker_is_opened_shown_and_closed_by_an_administrator() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("talkdrum.toml");
    let text = format!("{}[carriers.breaker]\nfloor = 60\n{}", section("main"), section("spare"));
    std::fs::write(&file, text).unwrap();
    let daemon = TestDaemon::start_with(|settings| {
        let overrides = Overrides { file: Some(file.clone()), ..Overrides::default() };
        settings.carriers = config::load(&overrides).unwrap().carriers;
    })
    .await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    let order = async |name: &str, network: &str, state: &str| {
        let form = [("network", network), ("state", state)];
        daemon.post(&format!("/admin/carriers/{name}/breaker"), &admin, &form).await
    };
    let reply = order("main", "MTN", "open").await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert_eq!(reply.json()["message"], "Promotional messages to mtn by the carrier main wait");
    let seen = reply.json()["carrier"]["breakers"].clone();
    assert_eq!(seen.as_array().map(Vec::len), Some(1), "{seen}");
    let seen = &seen[0];
    assert_eq!(
        json!([seen["network"], seen["state"], seen["waiting"], seen["failed"], seen["changed_by"]]),
        json!(["mtn", "open", 0, 0, "root"])
    );
    assert!(seen["opened_at"].is_string(), "{seen}");
    crate::lifecycle::gauges::gauge(daemon.app()).await.unwrap();
    let metrics = daemon.get("/metrics", "").await.text;
    assert!(metrics.contains("talkdrum_breaker_open{carrier=\"main\",network=\"mtn\"} 1"), "{metrics}");
    for (name, network, state, status, code) in [
        ("spare", "mtn", "open", 409, "no_breaker"),
        ("main", "vodacom", "open", 400, "unknown_network"),
        ("main", "mtn", "half_open", 400, "bad_state"),
        ("main", "mtn", "", 400, "bad_state"),
        ("nowhere", "mtn", "open", 404, "not_found"),
    ] {
        let reply = order(name, network, state).await;
        assert_eq!((reply.status, reply.code().as_str()), (status, code), "{}", reply.text);
    }
    let reply = order("main", "mtn", "closed").await;
    assert_eq!(
        (reply.status, &reply.json()["carrier"]["breakers"]),
        (200, &Value::Array(Vec::new())),
        "{}",
        reply.text
    );
    let trail = daemon.get("/admin/audit?action=breaker.close", &admin).await.json();
    assert_eq!(trail["audit"][0]["subject"], "carrier main, network mtn", "{trail}");
}
