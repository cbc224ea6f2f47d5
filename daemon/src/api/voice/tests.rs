use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::Value;
use talkdrum_core::model::account::user::Role;
use talkdrum_core::testing::mp3::Tone;

use crate::limit::PLAYERS_PER_USER;
use crate::testing::{Reply, TestDaemon};

const PATH: &str = "/api/recordings";
const LIST: &str = "/api/get-voice-records";

fn form(mp3: Vec<u8>) -> Form {
    Form::new().part("audioFile", Part::bytes(mp3).file_name("Easter sale.mp3"))
}

async fn upload(daemon: &TestDaemon, token: &str, form: Form) -> Reply {
    daemon.send(daemon.request(Method::POST, PATH, token).multipart(form)).await
}

async fn listed(daemon: &TestDaemon, token: &str) -> Vec<Value> {
    daemon.get(LIST, token).await.json()["audioUrls"].as_array().unwrap().clone()
}

/// The path and query of a recording's address.
fn path_of(recording: &Value) -> String {
    let url = recording["audioFileUrl"].as_str().unwrap();
    url[url.find("/api/").unwrap()..].to_owned()
}

async fn played(daemon: &TestDaemon, path: &str, range: &str) -> (u16, String, Vec<u8>) {
    let request = daemon.request(Method::GET, path, "");
    let request = if range.is_empty() { request } else { request.header("range", range) };
    let reply = request.send().await.unwrap();
    let header = |name| reply.headers().get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
    assert_eq!(header("content-type"), "audio/wav");
    assert_eq!(header("accept-ranges"), "bytes");
    assert_eq!(header("x-content-type-options"), "nosniff");
    assert_eq!(header("cache-control"), "private, max-age=3600");
    let (status, range) = (reply.status().as_u16(), header("content-range"));
    let length = header("content-length");
    let bytes = reply.bytes().await.unwrap().to_vec();
    assert_eq!(length, bytes.len().to_string());
    (status, range, bytes)
}

#[tokio::test]
async fn a_recording_is_uploaded_listed_played_and_deleted() {
    let daemon = TestDaemon::start().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let reply = upload(&daemon, &ada, form(Tone::of(20.0).mp3())).await;
    assert_eq!(reply.status, 201, "{}", reply.text);
    let added = reply.json();
    let recording = &added["recording"];
    assert_eq!((&added["message"], &recording["name"]), (&"Recording added".into(), &"Easter sale".into()));
    assert_eq!((&recording["loudness"], &recording["used_at"]), (&"good".into(), &Value::Null));
    assert!((20_000..20_300).contains(&recording["length_ms"].as_i64().unwrap()), "{recording}");
    let list = listed(&daemon, &ada).await;
    assert_eq!(list, std::slice::from_ref(recording));
    let path = path_of(recording);
    let (status, _, wav) = played(&daemon, &path, "").await;
    assert_eq!((status, &wav[..4], &wav[8..16]), (200, &b"RIFF"[..], &b"WAVEfmt "[..]));
    assert_eq!(wav.len() as i64, 44 + recording["bytes"].as_i64().unwrap());
    let all = wav.len();
    for (range, from, to) in [
        ("bytes=0-1", 0, 2),
        ("bytes=40-50", 40, 51),
        ("bytes=262180-262200", 262_180, 262_201),
        ("bytes=1000-", 1_000, all),
        ("bytes=-3", all - 3, all),
    ] {
        let (status, told, part) = played(&daemon, &path, range).await;
        assert_eq!((status, told), (206, format!("bytes {from}-{}/{all}", to - 1)), "{range}");
        assert!(part == wav[from..to], "{range}");
    }
    let (status, told, part) = played(&daemon, &path, &format!("bytes={all}-")).await;
    assert_eq!((status, told, part.len()), (416, format!("bytes */{all}"), 0));
    let id = recording["id"].to_string();
    let gone = daemon.send(daemon.request(Method::DELETE, &format!("{PATH}/{id}"), &ada)).await;
    assert_eq!((gone.status, &gone.json()["message"]), (200, &"Recording deleted".into()));
    assert!(listed(&daemon, &ada).await.is_empty());
    assert_eq!(daemon.get(&path, "").await.status, 404);
}

#[tokio::test]
async fn an_address_that_was_changed_or_has_expired_plays_nothing() {
    let daemon = TestDaemon::start().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let first = upload(&daemon, &ada, form(Tone::of(1.5).mp3())).await.json()["recording"].clone();
    let second = upload(&daemon, &ada, form(Tone::of(3.0).mp3())).await.json()["recording"].clone();
    let (path, other) = (path_of(&first), path_of(&second));
    let (_, query) = path.split_once('?').unwrap();
    let (other_path, _) = other.split_once('?').unwrap();
    let (bare, _) = path.split_once('?').unwrap();
    for forged in [
        bare.to_owned(),
        format!("{other_path}?{query}"),
        path.replace("expires=", "expires=9"),
        path.replace("made=", "made=9"),
        format!("{path}A"),
    ] {
        let refused = daemon.get(&forged, &ada).await;
        assert_eq!((refused.status, &*refused.code()), (403, "link_expired"), "{forged}");
    }
    assert_eq!(daemon.get(&path, "").await.status, 200);
    daemon.pass(std::time::Duration::from_secs(2 * 3_600));
    assert_eq!(daemon.get(&path, "").await.status, 403);
}

#[tokio::test]
async fn so_many_recordings_of_a_user_are_played_at_once() {
    let daemon = TestDaemon::start().await;
    let id = daemon.user("ada", Role::User).await;
    let ada = daemon.login("ada").await;
    let recording = upload(&daemon, &ada, form(Tone::of(40.0).mp3())).await.json()["recording"].clone();
    let path = path_of(&recording);
    let mut seats: Vec<_> = (1..PLAYERS_PER_USER).map(|_| daemon.app().players.take(id).unwrap()).collect();
    assert_eq!(daemon.get(&path, "").await.status, 200, "the last one");
    seats.push(daemon.app().players.take(id).unwrap());
    let refused = daemon.get(&path, "").await;
    assert_eq!((refused.status, &*refused.code()), (429, "too_many_players"));
}

#[tokio::test]
async fn what_cannot_be_kept_is_refused_and_names_its_field() {
    let daemon = TestDaemon::start_with(|settings| {
        settings.voice.recording_mib = 1.try_into().unwrap();
        settings.voice.recording_minutes = 1.try_into().unwrap();
        settings.limits.recordings_unfunded = 2;
    })
    .await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let tone = |seconds| Tone { rate: 8_000, ..Tone::of(seconds) }.mp3();
    let named = |name: &str| form(tone(2.0)).text("name", name.to_owned());
    let two = form(tone(2.0)).part("audioFile", Part::bytes(tone(3.0)).file_name("b.mp3"));
    for (form, code, field) in [
        (Form::new().text("name", "x"), "voice_required", "audioFile"),
        (form(Vec::new()), "voice_required", "audioFile"),
        (form(b"RIFF0000WAVEfmt 0000".repeat(50)), "invalid_mp3", "audioFile"),
        (form(vec![0xff; (1 << 20) + 1]), "recording_too_large", "audioFile"),
        (form(tone(0.3)), "recording_too_short", "audioFile"),
        (form(tone(61.0)), "recording_too_long", "audioFile"),
        (form(Tone { amplitude: 0.001, ..Tone::default() }.mp3()), "recording_too_quiet", "audioFile"),
        (two, "too_many_files", "audioFile"),
        (named(&"n".repeat(101)), "recording_name_too_long", "name"),
    ] {
        let refused = upload(&daemon, &ada, form).await;
        assert_eq!((refused.status, &*refused.code()), (400, code), "{}", refused.text);
        assert_eq!(refused.json()["errors"][0]["field"], field);
    }
    assert!(listed(&daemon, &ada).await.is_empty());
    for seconds in [2.0, 3.0] {
        assert_eq!(upload(&daemon, &ada, form(tone(seconds))).await.status, 201);
    }
    let again = upload(&daemon, &ada, named("Another name")).await;
    assert_eq!((again.status, &again.json()["message"]), (201, &"You have this recording already".into()));
    let full = upload(&daemon, &ada, form(tone(4.0))).await;
    assert_eq!((full.status, &*full.code()), (400, "recordings_quota"), "{}", full.text);
    assert_eq!(listed(&daemon, &ada).await.len(), 2);
}

#[tokio::test]
async fn a_user_uploads_once_at_a_time_and_a_key_adds_once() {
    let daemon = TestDaemon::start().await;
    let id = daemon.user("ada", Role::User).await;
    let ada = daemon.login("ada").await;
    let turn = daemon.app().decodings.take(id).await.unwrap();
    let refused = upload(&daemon, &ada, form(Tone::default().mp3())).await;
    assert_eq!((refused.status, &*refused.code()), (429, "too_many_recordings"));
    drop(turn);
    let keyed = async |seconds: f32| {
        let request = daemon.request(Method::POST, PATH, &ada).header("idempotency-key", "k");
        daemon.send(request.multipart(form(Tone::of(seconds).mp3()))).await
    };
    let first = keyed(2.0).await;
    let again = keyed(2.0).await;
    assert_eq!((first.status, again.status), (201, 201), "{} {}", first.text, again.text);
    assert_eq!(first.json()["recording"]["id"], again.json()["recording"]["id"]);
    assert_eq!(keyed(3.0).await.status, 409, "the key stands for another file");
    assert_eq!(listed(&daemon, &ada).await.len(), 1);
}
