//! Test calls over a real trunk of loopback, to the phones of the sandbox.

use std::time::Duration;

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::Value;
use talkdrum_api::kind::Kind;
use talkdrum_core::model::account::user::Role;
use talkdrum_core::store::Lane;
use talkdrum_core::store::account::profile;
use talkdrum_core::testing::mp3::Tone;

use crate::testing::{Reply, START, TestDaemon};

const PATH: &str = "/api/voice-test";
const TRUNK: &str = "sandbox-voice";

/// A user whose phone is verified, and the token.
async fn with_phone(daemon: &TestDaemon, username: &str, phone: &str) -> String {
    let id = daemon.user(username, Role::User).await;
    let input = (id, phone.to_owned());
    let set = daemon.store().write(Lane::Interactive, input, |tx, (id, phone)| {
        Box::pin(profile::set_phone(tx, *id, phone, START))
    });
    assert!(set.await.unwrap());
    daemon.login(username).await
}

/// The id of a new recording of so many seconds.
async fn recording(daemon: &TestDaemon, token: &str, seconds: f32) -> Value {
    let mp3 = Part::bytes(Tone::of(seconds).mp3()).file_name("Tone.mp3");
    let form = Form::new().part("audioFile", mp3);
    let reply = daemon.send(daemon.request(Method::POST, "/api/recordings", token).multipart(form)).await;
    assert_eq!(reply.status, 201, "{}", reply.text);
    reply.json()["recording"].clone()
}

/// Asks for a test call until the trunk is up, which it is some moments after the start.
async fn begin(daemon: &TestDaemon, token: &str, form: &[(&str, &str)]) -> Reply {
    for _ in 0..400 {
        let reply = daemon.post(PATH, token, form).await;
        if !matches!(reply.code().as_str(), "trunk_down" | "trunk_elsewhere" | "calls_held") {
            return reply;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the trunk never came up");
}

/// A test call that was begun, once it is over.
async fn ended(daemon: &TestDaemon, token: &str, begun: &Reply) -> Value {
    assert_eq!(begun.status, 200, "{}", begun.text);
    let path = format!("{PATH}/{}", begun.json()["id"]);
    for _ in 0..1_200 {
        let reply = daemon.get(&path, token).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        if reply.json()["over"] == true {
            return reply.json();
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the call never ended: {}", daemon.get(&path, token).await.text);
}

/// The newest call that the phones know, once it is over.
async fn heard(daemon: &TestDaemon) -> Value {
    for _ in 0..200 {
        let calls = daemon.get("/sandbox/calls", "").await.json();
        let newest = calls.as_array().unwrap().last().cloned().unwrap_or_default();
        if newest["ended_at"].is_string() {
            return newest;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no call ended at the phones");
}

async fn wav(daemon: &TestDaemon, path: &str) -> Vec<i16> {
    let reply = daemon.request(Method::GET, path, "").send().await.unwrap();
    assert_eq!(
        (reply.status().as_u16(), &reply.headers()["content-type"]),
        (200, &"audio/wav".parse().unwrap())
    );
    let bytes = reply.bytes().await.unwrap();
    assert_eq!((&bytes[..4], &bytes[8..16]), (&b"RIFF"[..], &b"WAVEfmt "[..]));
    bytes[44..].chunks(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect()
}

/// How much two signals are alike, in thousandths.
fn alike(a: &[i16], b: &[i16]) -> i64 {
    let product =
        |a: &[i16], b: &[i16]| a.iter().zip(b).map(|(a, b)| i64::from(*a) * i64::from(*b)).sum::<i64>();
    let scale = product(a, a).isqrt() * product(b, b).isqrt();
    product(a, b) * 1_000 / scale.max(1)
}

#[tokio::test]
async fn one_s_own_phone_rings_and_hears_the_recording_as_it_was_uploaded() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let ada = with_phone(&daemon, "ada", "2348031239106").await;
    let eve = with_phone(&daemon, "eve", "2348031230001").await;
    let recording = recording(&daemon, &ada, 2.0).await;
    let url = recording["audioFileUrl"].as_str().unwrap();
    let begun = begin(&daemon, &ada, &[("audioUrl", url)]).await;
    let call = begun.json();
    assert_eq!((&call["to"], &call["over"]), (&"2348031239106".into(), &false.into()), "{}", begun.text);
    assert_eq!(call["length_ms"], recording["length_ms"]);
    let foreign = daemon.get(&format!("{PATH}/{}", call["id"]), &eve).await;
    assert_eq!(foreign.status, 404, "{}", foreign.text);
    let call = ended(&daemon, &ada, &begun).await;
    assert_eq!((&call["status"], &call["outcome"]), (&"ended".into(), &"answered".into()), "{call}");
    assert_eq!((&call["digits"], &call["code"], &call["attempts"]), (&"1".into(), &200.into(), &1.into()));
    assert_eq!(
        (&call["carrier"], &call["from"]),
        (&Value::Null, &"2342010000000".into()),
        "the trunk is the operator's"
    );
    let records = daemon.get("/api/get-voice-records", &ada).await.json();
    assert!(records["audioUrls"][0]["used_at"].is_string(), "{records}");
    assert_eq!(call["ended_by"], "caller");
    assert!((5..=8).contains(&call["seconds"].as_i64().unwrap()), "the clip and its tail: {call}");

    let heard = heard(&daemon).await;
    assert_eq!((&heard["to"], &heard["from"]), (&"2348031239106".into(), &"2342010000000".into()), "{heard}");
    assert_eq!(
        (&heard["status"], &heard["digits"], &heard["ended_by"]),
        (&"answered".into(), &"1".into(), &"caller".into())
    );
    assert!(
        heard["rms"].as_i64().unwrap() > 1_000 && heard["rtp_packets"].as_i64().unwrap() >= 100,
        "{heard}"
    );
    assert!((5.0..8.0).contains(&heard["seconds"].as_f64().unwrap()), "{heard}");
    let played = wav(&daemon, &url[url.find("/api/").unwrap()..]).await;
    let heard = wav(&daemon, heard["wav"].as_str().unwrap()).await;
    let likeness = alike(&played, &heard[..played.len()]);
    assert!(likeness > 990, "{likeness}");
    for missing in ["/sandbox/calls/99.wav", "/sandbox/calls/x", "/sandbox/calls/1"] {
        assert_eq!(daemon.get(missing, "").await.status, 404, "{missing}");
    }
    daemon.stop().await;
}

/// Needs espeak-ng, which `.ci/prepare test` installs.
#[tokio::test]
async fn a_text_is_spoken_on_the_phone_and_a_line_that_is_busy_says_so() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let ada = with_phone(&daemon, "ada", "2348031230001").await;
    let text = ("ttsMsg", "Good morning.");
    let begun = begin(&daemon, &ada, &[text, ("ttsVoice", "us-male")]).await;
    let call = ended(&daemon, &ada, &begun).await;
    assert_eq!(
        (&call["outcome"], &call["message"]),
        (&"answered".into(), &"The call was answered: heard to the end".into())
    );
    assert!(call["heard_ms"].as_i64().unwrap() >= call["length_ms"].as_i64().unwrap() - 20, "{call}");
    let preview =
        daemon.request(Method::POST, "/api/voice-preview", &ada).form(&[text, ("ttsVoice", "us-male")]);
    let preview = preview.send().await.unwrap().bytes().await.unwrap();
    let preview: Vec<i16> = preview[44..].chunks(2).map(|it| i16::from_le_bytes([it[0], it[1]])).collect();
    let heard = wav(&daemon, heard(&daemon).await["wav"].as_str().unwrap()).await;
    let likeness = alike(&preview, &heard[..preview.len()]);
    assert!(likeness > 970, "{likeness}");

    for (username, phone, outcome, code) in [
        ("bisi", "2348031239101", "busy", 486),
        ("chi", "2348031239104", "invalid_number", 404),
        ("dayo", "2348031239107", "rejected", 603),
        ("efe", "2348031239105", "trunk_error", 503),
    ] {
        let token = with_phone(&daemon, username, phone).await;
        let begun = begin(&daemon, &token, &[text]).await;
        let call = ended(&daemon, &token, &begun).await;
        assert_eq!((&call["outcome"], &call["code"]), (&outcome.into(), &code.into()), "{call}");
        assert_eq!((&call["seconds"], &call["answered_at"]), (&0.into(), &Value::Null), "{call}");
        let says = if outcome == "trunk_error" {
            "The line for calls failed: "
        } else {
            "The call was not answered: "
        };
        assert!(call["message"].as_str().unwrap().starts_with(says), "{call}");
    }
    daemon.stop().await;
}

#[tokio::test]
async fn what_cannot_be_called_or_played_is_refused_and_costs_no_test() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let bare = daemon.signed_in("bare", Role::User).await;
    let ada = with_phone(&daemon, "ada", "2348031230001").await;
    let abroad = with_phone(&daemon, "abroad", "447911123456").await;
    let eves = recording(&daemon, &bare, 1.0).await["id"].to_string();
    let text = ("ttsMsg", "Hello");
    begin(&daemon, &ada, &[]).await;
    for (token, form, status, code) in [
        (&ada, &[][..], 400, "voice_message_required"),
        (&ada, &[text, ("ttsVoice", "uk-robot")], 400, "unknown_voice"),
        (&ada, &[text, ("audioUrl", "1")], 400, "text_and_recording"),
        (&ada, &[("audioUrl", "https://example.com/a.mp3")], 400, "bad_audio_url"),
        (&ada, &[("audioUrl", &eves)], 404, "not_found"),
        (&bare, &[text], 400, "phone_unverified"),
        (&abroad, &[text], 400, "not_callable"),
    ] {
        for _ in 0..6 {
            let reply = daemon.post(PATH, token, form).await;
            assert_eq!((reply.status, reply.code().as_str()), (status, code), "{}", reply.text);
        }
    }
    assert_eq!(daemon.get("/sandbox/calls", "").await.text, "[]");
    daemon.stop().await;
}

#[tokio::test]
async fn a_user_has_one_at_a_time_and_few_an_hour_and_a_paused_trunk_takes_none() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    let ada = with_phone(&daemon, "ada", "2348031239107").await;
    let form = [("audioUrl", &*recording(&daemon, &ada, 1.0).await["id"].to_string())];
    let begun = begin(&daemon, &ada, &form).await;
    let again = daemon.post(PATH, &ada, &form).await;
    // The call may be over by now: it is declined at once.
    if again.status == 409 {
        assert_eq!(again.code(), "test_under_way", "{}", again.text);
        assert!(again.text.contains(&begun.json()["id"].to_string()), "{}", again.text);
    }
    ended(&daemon, &ada, &begun).await;
    let mut calls = 1;
    if again.status == 200 {
        ended(&daemon, &ada, &again).await;
        calls += 1;
    }
    for _ in calls..5 {
        ended(&daemon, &ada, &begin(&daemon, &ada, &form).await).await;
    }
    let refused = daemon.post(PATH, &ada, &form).await;
    assert_eq!(
        (refused.code().as_str(), &refused.headers["retry-after"]),
        ("too_many_tests", &"86401".parse().unwrap()),
        "an account without money has five a day"
    );
    let paused = daemon.post(&format!("/admin/carriers/{TRUNK}/pause"), &admin, &[]).await;
    assert_eq!(paused.json()["message"], format!("No new calls go out by the carrier {TRUNK}, 0 are up"));
    let reply = daemon.post(PATH, &ada, &form).await;
    assert_eq!((reply.status, reply.code().as_str()), (503, "trunk_paused"), "{}", reply.text);
    let resumed = daemon.post(&format!("/admin/carriers/{TRUNK}/resume"), &admin, &[]).await;
    assert_eq!(resumed.json()["message"], format!("Calls go out by the carrier {TRUNK} again"));
    daemon.pass(Duration::from_secs(86_400));
    let ada = daemon.login("ada").await;
    ended(&daemon, &ada, &begin(&daemon, &ada, &form).await).await;
    daemon.stop().await;
}

#[tokio::test]
async fn stopping_hangs_up_within_its_bound_and_the_phone_gets_the_bye() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    let ada = with_phone(&daemon, "ada", "2348031230001").await;
    let form = [("audioUrl", &*recording(&daemon, &ada, 60.0).await["id"].to_string())];
    let begun = begin(&daemon, &ada, &form).await;
    let path = format!("{PATH}/{}", begun.json()["id"]);
    while daemon.get(&path, &ada).await.json()["status"] != "answered" {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // What carriers are doing is stored every few seconds; the clock here stands still, and so shows it.
    let mut trunk = Value::Null;
    for _ in 0..400 {
        let list = daemon.get("/admin/carriers", &admin).await.json();
        trunk = list["carriers"].as_array().unwrap().iter().find(|it| it["name"] == TRUNK).unwrap().clone();
        if trunk["window_used"] == 1 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(
        (&trunk["kind"], &trunk["health"], &trunk["in_flight"]),
        (&"sip".into(), &"up".into(), &1.into()),
        "{trunk}"
    );
    assert_eq!((&trunk["window"], &trunk["rate"]), (&100.into(), &50.into()));
    assert_eq!((&trunk["binds"][0]["role"], &trunk["binds"][0]["state"]), (&"trunk".into(), &"bound".into()));
    let drained = daemon.post(&format!("/admin/carriers/{TRUNK}/drain"), &admin, &[]).await;
    assert_eq!(drained.json()["carrier"]["state"], "draining", "a call is up: {}", drained.text);
    let app = daemon.app().clone();
    let began = std::time::Instant::now();
    daemon.stop().await;
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    let call = app.sandbox.as_ref().unwrap().callee.calls().pop().unwrap();
    assert_eq!(call.ended_by, Some(talkdrum_sip::EndedBy::Caller));
}

#[tokio::test]
async fn without_a_trunk_and_while_it_is_down_no_call_is_promised() {
    let daemon = TestDaemon::start().await;
    let ada = with_phone(&daemon, "ada", "2348031230001").await;
    let reply = daemon.post(PATH, &ada, &[("ttsMsg", "Hello")]).await;
    assert_eq!((reply.status, reply.code().as_str()), (503, "no_trunk"), "{}", reply.text);
    let reply = daemon.get(&format!("{PATH}/1"), &ada).await;
    assert_eq!(reply.status, 404, "{}", reply.text);
    assert!(reply.text.contains("until the daemon restarts"), "{}", reply.text);
    daemon.stop().await;

    let silent = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let daemon = TestDaemon::start_with(|settings| {
        let text =
            "host = '127.0.0.1'\nlisten = '127.0.0.1'\ncaller_id = '2342010000000'\nfirst_answer_s = 1";
        let options = toml::from_str(&format!("{text}\nport = {port}")).unwrap();
        settings.carriers.push(crate::config::CarrierSection {
            name: "dead".into(),
            kind: "sip".into(),
            options,
        });
    })
    .await;
    let ada = with_phone(&daemon, "ada", "2348031230001").await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    let mut reply = daemon.post(PATH, &ada, &[("ttsMsg", "Hello")]).await;
    for _ in 0..400 {
        let list = daemon.get("/admin/carriers", &admin).await.json();
        reply = daemon.post(PATH, &ada, &[("ttsMsg", "Hello")]).await;
        if list["carriers"][0]["reason"] == "The trunk does not answer" && reply.code() == "trunk_down" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!((reply.status, reply.code().as_str()), (503, "trunk_down"), "{}", reply.text);
    // What is about text messages passes it by.
    assert_eq!(daemon.app().campaigns.router.now().carriers()[0].kinds, [Kind::Voice]);
    for (path, form) in [("test", &[("to", "08031234567")][..]), ("trace", &[])] {
        let reply = daemon.post(&format!("/admin/carriers/dead/{path}"), &admin, form).await;
        assert_eq!((reply.status, reply.code().as_str()), (409, "carries_calls"), "{}", reply.text);
    }
    assert_eq!(daemon.app().fleet.now().trunks().collect::<Vec<_>>(), ["dead"]);
    daemon.stop().await;
}

#[tokio::test]
async fn test_calls_can_be_turned_off_and_be_for_accounts_with_money() {
    for (a_day, code, says) in [
        (0, "tests_off", "Test calls are turned off on this platform"),
        (9, "tests_unfunded", "Test calls are for accounts with money in them: fund your wallet first"),
    ] {
        let daemon = TestDaemon::start_with(|settings| {
            settings.limits.test_calls_per_day = a_day;
            settings.limits.test_calls_per_day_unfunded = 0;
            let text = "host = '127.0.0.1'\nlisten = '127.0.0.1'\ncaller_id = '2342010000000'\noptions_s = 0";
            settings.carriers.push(crate::config::CarrierSection {
                name: "main".into(),
                kind: "sip".into(),
                options: toml::from_str(text).unwrap(),
            });
        })
        .await;
        let ada = with_phone(&daemon, "ada", "2348031230001").await;
        let reply = begin(&daemon, &ada, &[("ttsMsg", "Hello")]).await;
        assert_eq!((reply.status, reply.code().as_str()), (403, code), "{}", reply.text);
        assert!(reply.text.contains(says), "{}", reply.text);
        daemon.stop().await;
    }
}
