//! Carriers of calls beside those of text messages.

use std::time::Duration;

use serde_json::Value;
use talkdrum_api::kind::Kind;
use talkdrum_core::carrier::voice::{CallClip, CallEvent, CallOutcome, CallRequest, EndedBy};
use talkdrum_core::model::account::user::Role;
use talkdrum_core::phone::Msisdn;
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
    // What waits at a trunk may go to a trunk, though not to itself.
    daemon.post("/admin/carriers/trunk/pause", &admin, &[]).await;
    let reroute = daemon.post("/admin/carriers/trunk/reroute", &admin, &[("to", "trunk")]).await;
    assert_eq!((reroute.status, reroute.code().as_str()), (400, "same_carrier"), "{}", reroute.text);
    daemon.post("/admin/carriers/trunk/resume", &admin, &[]).await;
    let router = daemon.app().campaigns.router.now();
    let for_texts = router.carriers().iter().filter(|carrier| carrier.kinds.contains(&Kind::Text));
    assert_eq!(for_texts.map(|carrier| &*carrier.name).collect::<Vec<_>>(), ["main"]);

    std::fs::write(&file, &main).unwrap();
    daemon.pass(Duration::from_secs(5));
    let report = daemon.post("/admin/carriers/reload", &admin, &[]).await.json();
    assert_eq!(names(&report["removed"]), ["trunk"], "{report}");
    until(&daemon, &admin, |list| list["total"] == 1).await;
    daemon.stop().await;
}

#[tokio::test]
async fn all_calls_of_a_trunk_are_hung_up_and_no_new_ones_go_out() {
    let callee = Callee::start(([127, 0, 0, 1], 0).into(), Duration::ZERO).await.unwrap();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("talkdrum.toml");
    let smsc = Smsc::bind(SmscOptions::default()).await.unwrap();
    std::fs::write(&file, format!("{}{}", trunk_section(&callee, 3), carrier_section("main", &smsc, 10)))
        .unwrap();
    let loaded = config::load(&Overrides { file: Some(file), ..Overrides::default() }).unwrap();
    let daemon = TestDaemon::start_with(|settings| {
        settings.carriers = loaded.carriers.clone();
        settings.source = loaded.source.clone();
    })
    .await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    until(&daemon, &admin, |list| up(list, "trunk").is_some() && up(list, "main").is_some()).await;
    let trunk = daemon.app().workers.as_ref().unwrap().trunks().remove(0);
    let request = CallRequest {
        to: Msisdn::from_digits(2_348_031_234_567).unwrap(),
        from: None,
        clip: CallClip::new(vec![0; 60 * 8_000]),
        tail: Duration::ZERO,
        plays: 1,
        ends_on: String::new(),
        of: None,
    };
    let mut call = trunk.place(request).await.unwrap();
    while call.next_event().await != Some(CallEvent::Answered) {}
    let refused = daemon.post("/admin/carriers/main/hang-up", &admin, &[]).await;
    assert_eq!((refused.status, refused.code().as_str()), (409, "carries_no_calls"), "{}", refused.text);
    let answer =
        daemon.post("/admin/carriers/trunk/hang-up", &admin, &[("reason", "a bad list")]).await.json();
    assert_eq!(
        (&answer["carrier"]["state"], &answer["carrier"]["state_reason"]),
        (&"paused".into(), &"a bad list".into()),
        "{answer}"
    );
    let ended = async {
        loop {
            match call.next_event().await {
                Some(CallEvent::Ended(result)) => return result,
                Some(_) => {}
                None => panic!("its end was not told"),
            }
        }
    };
    let result = tokio::time::timeout(Duration::from_secs(20), ended).await.unwrap();
    assert_eq!((result.outcome, result.ended_by), (CallOutcome::Answered, EndedBy::Caller));
    assert!(result.heard < Duration::from_secs(50), "{result:?}");
    let list = until(&daemon, &admin, |list| {
        up(list, "trunk").is_some_and(|it| it["calls"]["ended"]["answered"] == 1)
    })
    .await;
    let calls = &up(&list, "trunk").unwrap()["calls"];
    assert_eq!((&calls["up"], &calls["begun_last_minute"]), (&0.into(), &1.into()), "{calls}");
    let packets = |key: &str| calls[key].as_u64().unwrap();
    assert!(packets("packets") > 0 && packets("packets_late") <= packets("packets"), "{calls}");
    // Gauges are read every 15 seconds.
    let gauged = r#"talkdrum_carrier_calls_ended_last_5_minutes{carrier="trunk",outcome="answered"} 1"#;
    let is_gauged = async {
        while !daemon.get("/metrics", "").await.text.contains(gauged) {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(40), is_gauged).await.unwrap();
    assert_eq!(up(&list, "main").unwrap()["calls"], Value::Null);
    daemon.stop().await;
}
