//! Carriers under an administrator's hand, against the sandbox's SMSC.

mod breaker;
mod fleet;
mod trunk;

use std::time::Duration;

use serde_json::Value;
use talkdrum_core::model::account::user::Role;

use crate::config::{self, Overrides};
use crate::sandbox::smsc::{Smsc, SmscOptions};
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
    let form = [("to", "08031234567"), ("message", "the secret words"), ("wait_s", "3")];
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

/// The configuration of a carrier that leads to an SMSC on loopback.
fn carrier_section(name: &str, smsc: &Smsc, window: u32) -> String {
    format!(
        "[[carriers]]\nname = '{name}'\nkind = 'smpp'\nhost = '127.0.0.1'\nport = {}\nsystem_id = 'talkdrum'\n\
         password = 'secret'\nwindow = {window}\n",
        smsc.local_addr().port()
    )
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array()
        .into_iter()
        .flatten()
        .filter_map(|it| it.as_str().or_else(|| it["name"].as_str()))
        .collect()
}

#[tokio::test]
async fn a_reload_starts_changes_and_removes_carriers_and_leaves_the_others_alone() {
    let smsc = Smsc::bind(SmscOptions::default()).await.unwrap();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("talkdrum.toml");
    let main = carrier_section("main", &smsc, 10);
    let (spare, wide) = (carrier_section("spare", &smsc, 10), carrier_section("spare", &smsc, 20));
    let third = carrier_section("third", &smsc, 5);
    std::fs::write(&file, format!("{main}{spare}")).unwrap();
    let overrides = Overrides { file: Some(file.clone()), ..Overrides::default() };
    let loaded = config::load(&overrides).unwrap();
    let daemon = TestDaemon::start_with(|settings| {
        settings.carriers = loaded.carriers.clone();
        settings.source = loaded.source.clone();
    })
    .await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    let up = |list: &Value, name: &str| {
        let found = list["carriers"].as_array().unwrap().iter().find(|it| it["name"] == name).cloned();
        found.filter(|it| it["health"] == "up")
    };
    let list = until(&daemon, &admin, |list| up(list, "main").is_some() && up(list, "spare").is_some()).await;
    let bound_since = up(&list, "main").unwrap()["binds"][0]["since"].clone();
    // A file with an error changes nothing, and says what is wrong.
    std::fs::write(&file, format!("{main}{spare}windov = 3\n")).unwrap();
    let reply = daemon.post("/admin/carriers/reload", &admin, &[]).await;
    assert_eq!((reply.status, reply.code().as_str()), (400, "bad_configuration"), "{}", reply.text);
    assert!(reply.text.contains("windov") && reply.text.contains("Nothing has changed"), "{}", reply.text);
    // One is changed, one is new, and another setting needs a restart.
    std::fs::write(&file, format!("[limits]\nlogin_burst = 9\n{main}{wide}{third}")).unwrap();
    daemon.pass(Duration::from_secs(5));
    let report = daemon.post("/admin/carriers/reload", &admin, &[]).await.json();
    assert_eq!(names(&report["unchanged"]), ["main"], "{report}");
    assert_eq!((names(&report["changed"]), names(&report["started"])), (vec!["spare"], vec!["third"]));
    assert!(names(&report["needs_restart"]).contains(&"limits.login_burst"), "{report}");
    let list = until(&daemon, &admin, |list| {
        let widened = up(list, "spare").is_some_and(|it| it["window"] == 20);
        widened && up(list, "main").is_some() && up(list, "third").is_some()
    })
    .await;
    assert_eq!(up(&list, "main").unwrap()["binds"][0]["since"], bound_since, "it was not touched");
    // One is removed; a route to it would be refused.
    std::fs::write(&file, format!("{main}{third}[[routes]]\ncarrier = 'spare'\n")).unwrap();
    let reply = daemon.post("/admin/carriers/reload", &admin, &[]).await;
    assert_eq!(reply.status, 400, "{}", reply.text);
    std::fs::write(&file, format!("{main}{third}[[routes]]\ncarrier = 'third'\n")).unwrap();
    let report = daemon.post("/admin/carriers/reload", &admin, &[]).await.json();
    assert_eq!(
        (names(&report["removed"]), &report["routes_changed"]),
        (vec!["spare"], &true.into()),
        "{report}"
    );
    until(&daemon, &admin, |list| list["total"] == 2).await;
    assert_eq!(daemon.app().campaigns.router.now().carriers().len(), 2);
    let trail = daemon.get("/admin/audit?action=carriers.reload", &admin).await.json();
    assert_eq!(trail["total"], 2, "{trail}");
}

/// The list of carriers, once `wanted` holds of it.
async fn until(daemon: &TestDaemon, admin: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    let mut seen = Value::Null;
    for _ in 0..400 {
        seen = daemon.get("/admin/carriers", admin).await.json();
        if wanted(&seen) {
            return seen;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the carriers never got there: {seen}");
}

#[tokio::test]
async fn what_waits_at_a_held_carrier_is_led_elsewhere_and_an_open_one_keeps_its_own() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    let reply = daemon.post("/admin/carriers/sandbox/reroute", &admin, &[("to", "nobody")]).await;
    assert_eq!((reply.status, reply.code().as_str()), (400, "no_such_carrier"), "{}", reply.text);
    let reply = daemon.post("/admin/carriers/sandbox/reroute", &admin, &[]).await;
    assert_eq!((reply.status, reply.code().as_str()), (409, "carrier_open"), "{}", reply.text);
    daemon.post("/admin/carriers/sandbox/pause", &admin, &[]).await;
    let reply = daemon.post("/admin/carriers/sandbox/reroute", &admin, &[]).await;
    assert_eq!(reply.json()["message"], "Nothing waits at the carrier sandbox", "{}", reply.text);
    let reply = daemon.post("/admin/carriers/sandbox/reroute", &admin, &[("to", "sandbox")]).await;
    assert_eq!((reply.status, reply.code().as_str()), (400, "same_carrier"), "{}", reply.text);
}
