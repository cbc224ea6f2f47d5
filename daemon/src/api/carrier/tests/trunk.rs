//! Carriers of calls beside those of text messages.

use std::time::Duration;

use serde_json::Value;
use talkdrum_api::kind::Kind;
use talkdrum_core::model::user::Role;
use talkdrum_sip::callee::Callee;

use super::{carrier_section, names, until};
use crate::config::{self, Overrides};
use crate::sandbox::smsc::{Smsc, SmscOptions};
use crate::testing::TestDaemon;

/// The configuration of a trunk to phones on loopback.
fn trunk_section(callee: &Callee, channels: u32) -> String {
    format!(
        "[[carriers]]\nname = 'trunk'\nkind = 'sip'\nhost = '127.0.0.1'\nport = {}\nlisten = '127.0.0.1'\n\
         caller_id = '2342010000000'\nchannels = {channels}\n",
        callee.address().port()
    )
}

fn up<'l>(list: &'l Value, name: &str) -> Option<&'l Value> {
    let found = list["carriers"].as_array().unwrap().iter().find(|it| it["name"] == name);
    found.filter(|it| it["health"] == "up")
}

#[tokio::test]
async fn a_trunk_comes_changes_and_goes_by_reloads_and_text_messages_are_not_disturbed() {
    let smsc = Smsc::bind(SmscOptions::default()).await.unwrap();
    let callee = Callee::start(([127, 0, 0, 1], 0).into(), Duration::ZERO).await.unwrap();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("talkdrum.toml");
    let main = carrier_section("main", &smsc, 10);
    std::fs::write(&file, &main).unwrap();
    let overrides = Overrides { file: Some(file.clone()), ..Overrides::default() };
    let loaded = config::load(&overrides).unwrap();
    let daemon = TestDaemon::start_with(|settings| {
        settings.carriers = loaded.carriers.clone();
        settings.source = loaded.source.clone();
    })
    .await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    let list = until(&daemon, &admin, |list| up(list, "main").is_some()).await;
    let bound_since = up(&list, "main").unwrap()["binds"][0]["since"].clone();

    std::fs::write(&file, format!("{}{main}", trunk_section(&callee, 3))).unwrap();
    daemon.pass(Duration::from_secs(5));
    let report = daemon.post("/admin/carriers/reload", &admin, &[]).await.json();
    assert_eq!(
        (names(&report["started"]), names(&report["unchanged"])),
        (vec!["trunk"], vec!["main"]),
        "{report}"
    );
    let list = until(&daemon, &admin, |list| up(list, "trunk").is_some()).await;
    let trunk = up(&list, "trunk").unwrap();
    assert_eq!(
        (&trunk["kind"], &trunk["window"], &trunk["window_used"]),
        (&"sip".into(), &3.into(), &0.into())
    );

    std::fs::write(&file, format!("{}{main}", trunk_section(&callee, 4))).unwrap();
    daemon.pass(Duration::from_secs(5));
    let report = daemon.post("/admin/carriers/reload", &admin, &[]).await.json();
    assert_eq!(
        (names(&report["changed"]), names(&report["unchanged"])),
        (vec!["trunk"], vec!["main"]),
        "{report}"
    );
    let list = until(&daemon, &admin, |list| up(list, "trunk").is_some_and(|it| it["window"] == 4)).await;
    assert_eq!(up(&list, "main").unwrap()["binds"][0]["since"], bound_since, "it was not touched");

    // The trunk stands first, and still no text message and no rerouted one goes there.
    let test = daemon.post("/admin/carriers/trunk/test", &admin, &[("to", "08031234567")]).await;
    assert_eq!((test.status, test.code().as_str()), (409, "carries_calls"), "{}", test.text);
    daemon.post("/admin/carriers/main/pause", &admin, &[]).await;
    let reroute = daemon.post("/admin/carriers/main/reroute", &admin, &[("to", "trunk")]).await;
    assert_eq!((reroute.status, reroute.code().as_str()), (400, "carries_calls"), "{}", reroute.text);
    let exits = daemon.app().campaigns.router.now();
    let for_texts = exits.exits().iter().filter(|exit| exit.kinds.contains(&Kind::Text));
    assert_eq!(for_texts.map(|exit| &*exit.name).collect::<Vec<_>>(), ["main"]);

    std::fs::write(&file, &main).unwrap();
    daemon.pass(Duration::from_secs(5));
    let report = daemon.post("/admin/carriers/reload", &admin, &[]).await.json();
    assert_eq!(names(&report["removed"]), ["trunk"], "{report}");
    until(&daemon, &admin, |list| list["total"] == 1).await;
    daemon.stop().await;
}
