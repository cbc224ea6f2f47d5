//! Carriers under an administrator's hand, against the sandbox's SMSC.

use std::time::Duration;

use serde_json::Value;
use talkdrum_core::account::Role;

use crate::testing::TestDaemon;

/// The sandbox's carrier, once `wanted` holds of it.
async fn carrier(daemon: &TestDaemon, admin: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    let mut seen = Value::Null;
    for _ in 0..400 {
        seen = daemon.get("/admin/carriers", admin).await.json()["carriers"][0].clone();
        if wanted(&seen) {
            return seen;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the carrier never got there: {seen}");
}

#[tokio::test]
async fn a_carrier_shows_its_binds_and_what_an_administrator_said_of_it() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    let up = carrier(&daemon, &admin, |it| it["health"] == "up").await;
    assert_eq!(
        (&up["name"], &up["state"], &up["configured"]),
        (&"sandbox".into(), &"open".into(), &true.into())
    );
    assert_eq!((&up["binds"][0]["role"], &up["binds"][0]["state"]), (&"transceiver".into(), &"bound".into()));
    assert_eq!((&up["window"], &up["queued"], &up["in_flight"]), (&1000.into(), &0.into(), &0.into()));
    let reply =
        daemon.post("/admin/carriers/sandbox/pause", &admin, &[("reason", "the invoice is disputed")]).await;
    assert_eq!((reply.status, &reply.json()["carrier"]["state"]), (200, &"paused".into()), "{}", reply.text);
    assert_eq!(reply.json()["carrier"]["state_reason"], "the invoice is disputed");
    assert_eq!(reply.json()["carrier"]["state_by"], "root");
    let reply = daemon.post("/admin/carriers/sandbox/drain", &admin, &[]).await;
    assert_eq!(reply.json()["carrier"]["state"], "drained", "{}", reply.text);
    let reply = daemon.post("/admin/carriers/sandbox/resume", &admin, &[]).await;
    assert_eq!(reply.json()["carrier"]["state"], "open", "{}", reply.text);
    let trail = daemon.get("/admin/audit?action=carrier.pause", &admin).await.json();
    assert_eq!(trail["audit"][0]["subject"], "carrier sandbox");
    let reply = daemon.post("/admin/carriers/nobody/pause", &admin, &[]).await;
    assert_eq!(reply.status, 404, "{}", reply.text);
    let metrics = daemon.get("/metrics", "").await.text;
    assert!(metrics.contains("talkdrum_carrier_held{carrier=\"sandbox\"}"), "{metrics}");
}

#[tokio::test]
async fn a_test_goes_out_while_the_carrier_is_paused_and_the_trace_shows_it_masked() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    carrier(&daemon, &admin, |it| it["health"] == "up").await;
    daemon.post("/admin/carriers/sandbox/pause", &admin, &[]).await;
    let reply = daemon.post("/admin/carriers/sandbox/trace", &admin, &[("seconds", "60")]).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert!(reply.json()["until"].is_string(), "{}", reply.text);
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    let form = [("to", "08031234567"), ("message", "the secret words"), ("wait_s", "20")];
    let reply = daemon.post("/admin/carriers/sandbox/test", &admin, &form).await;
    let test = reply.json();
    assert!(matches!(test["status"].as_str(), Some("sent" | "delivered")), "{}", reply.text);
    assert_eq!(test["references"].as_array().map(Vec::len), Some(1), "{}", reply.text);
    let again = daemon.get(&format!("/admin/carrier-tests/{}", test["id"]), &admin).await;
    assert_eq!(again.json()["carrier"], "sandbox", "{}", again.text);
    let mut text = String::new();
    for _ in 0..200 {
        text = daemon.get("/admin/carriers/sandbox/trace", &admin).await.text;
        if text.contains("submit_sm_resp") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(text.contains("-> submit_sm #") && text.contains("to=234********67"), "{text}");
    assert!(
        !text.contains("08031234567") && !text.contains("8031234567") && !text.contains("secret"),
        "{text}"
    );
    let trail = daemon.get("/admin/audit?action=carrier.test", &admin).await.json();
    assert_eq!(trail["audit"][0]["after"], "to 234********67", "{trail}");
    let reply = daemon.post("/admin/carriers/sandbox/test", &admin, &[("to", "hello")]).await;
    assert_eq!((reply.status, reply.code().as_str()), (400, "bad_number"));
    let reply = daemon.post("/admin/carriers/sandbox/trace", &admin, &[("seconds", "0")]).await;
    assert_eq!(reply.json()["until"], Value::Null, "{}", reply.text);
    let reply = daemon.post("/admin/carriers/sandbox/trace", &admin, &[("seconds", "3601")]).await;
    assert_eq!((reply.status, reply.code().as_str()), (400, "trace_long"));
}

#[tokio::test]
async fn the_sandbox_has_nothing_to_reload() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    let reply = daemon.post("/admin/carriers/reload", &admin, &[]).await;
    assert_eq!((reply.status, reply.code().as_str()), (409, "sandbox"));
}
