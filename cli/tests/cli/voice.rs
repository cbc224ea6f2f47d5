//! Recordings: listed, uploaded, deleted, and saved as calls play them.

use serde_json::{Value, json};

use crate::stand_in::{Answer, StandIn, problem};
use crate::talkdrum::{Talkdrum, campaign, confirmed, quote};

fn recording(id: i64, loudness: &str) -> Value {
    json!({
        "id": id, "name": "Easter sale",
        "audioFileUrl": format!("https://sms.example.com/api/recordings/{id}/audio?expires=9&signature=x"),
        "length_ms": 61_001, "loudness": loudness, "loudness_dbfs": -33, "bytes": 976_000, "used_at": null,
        "created_at": "2027-01-04T08:00:00Z",
    })
}

/// A quote of calls that take 70 seconds.
fn quote_of_calls() -> Value {
    let mut quote = quote();
    for (name, value) in [("length_s", json!(70)), ("pulses", json!(2)), ("pulse", json!("60/60"))] {
        quote[name] = value;
    }
    quote["sms_type"] = json!("voice");
    quote
}

/// A test call: 3 is answered, 4 is busy.
fn call(id: i64, over: bool) -> Value {
    let answered = id == 3;
    let outcome = over.then_some(if answered { "answered" } else { "busy" });
    let message = match outcome {
        None => "The call is being placed",
        Some("answered") => "The call was answered: heard to the end",
        Some(_) => "The call was not answered: the line is busy",
    };
    let seconds = if over && answered { 7 } else { 0 };
    json!({
        "id": id, "to": "2348031234567", "from": "2342010000000", "outcome": outcome, "over": over,
        "status": if over { "ended" } else { "calling" }, "message": message, "attempts": 1, "length_ms": 5000,
        "created_at": "2027-01-04T08:00:00Z", "ringing_at": null, "answered_at": null, "ended_at": null,
        "seconds": seconds, "heard_ms": 5000, "digits": if over && answered { "1" } else { "" }, "code": null,
        "ended_by": null,
    })
}

fn daemon() -> StandIn {
    StandIn::new(|request| match request.line.as_str() {
        "GET /api/get-voice-records?page=1&per_page=20"
        | "GET /api/get-voice-records?page=1&per_page=1000" => {
            Answer::Json(200, json!({"audioUrls": [recording(8, "good")], "total": 1}))
        }
        "POST /api/recordings" if request.body.contains("no MP3") => {
            problem(400, "invalid_mp3", "Please select a valid MP3 file.")
        }
        "POST /api/recordings" => {
            Answer::Json(201, json!({"message": "Recording added", "recording": recording(8, "quiet")}))
        }
        "POST /api/voice-test" if request.body.contains("too often") => {
            problem(429, "too_many_tests", "You may have 5 test calls an hour")
        }
        "POST /api/voice-test" => {
            Answer::Json(200, call(if request.body.contains("busy") { 4 } else { 3 }, false))
        }
        "GET /api/voice-test/3" => Answer::Json(200, call(3, true)),
        "GET /api/voice-test/4" => Answer::Json(200, call(4, true)),
        "POST /api/voice-call" if request.body.contains("quote_id") => {
            Answer::Json(200, confirmed(&campaign("sending")))
        }
        "POST /api/voice-call" if request.body.contains("digits") => {
            let mut quote = quote_of_calls();
            let keys = json!([{"key": "1", "label": "Yes"}, {"key": "2", "label": "No"}]);
            quote["poll"] = json!({"plays": 3, "keys": keys});
            Answer::Json(200, json!({"details": quote, "message": ""}))
        }
        "POST /api/voice-call" => Answer::Json(200, json!({"details": quote_of_calls(), "message": ""})),
        "GET /api/campaigns/7" => {
            let mut campaign = campaign("completed");
            let answer = |key: &str, label: &str, count: i64, share: i64| json!({"key": key, "label": label, "count": count, "per_mille": share});
            campaign["poll"] = json!([
                answer("1", "Yes", 2, 667),
                answer("2", "No", 0, 0),
                answer("none", "No key", 1, 333)
            ]);
            Answer::Json(200, json!({"campaign": campaign}))
        }
        "POST /api/voice-preview" => Answer::Text("audio/wav", "RIFF".into()),
        "DELETE /api/recordings/8" => Answer::Json(200, json!({"message": "Recording deleted"})),
        "GET /api/recordings/8/audio?expires=9&signature=x" => Answer::Text("audio/wav", "RIFF".into()),
        line => problem(404, "not_found", line),
    })
}

#[test]
fn recordings_are_listed_with_their_length_and_loudness() {
    let talkdrum = Talkdrum::at(&daemon());
    let table = talkdrum.run(&["voice", "recordings"]);
    assert_eq!(table.code, 0, "{}", table.stderr);
    for shown in ["Easter sale", "1:02", "good"] {
        assert!(table.stdout.contains(shown), "{}", table.stdout);
    }
    let json = talkdrum.run(&["voice", "recordings", "--output", "json"]);
    let json: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["audioUrls"][0]["length_ms"], 61_001);
}

#[test]
fn an_mp3_is_uploaded_under_its_name_or_another_and_a_quiet_one_is_warned_of() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    talkdrum.file("Easter sale.mp3", "sound");
    let added = talkdrum.run(&["voice", "recordings", "add", "Easter sale.mp3"]);
    assert_eq!(
        (added.code, &*added.stdout),
        (0, "Recording added: 8 'Easter sale', 1:02\n"),
        "{}",
        added.stderr
    );
    assert!(added.stderr.contains("it is quiet (-33 dBFS)"), "{}", added.stderr);
    let named = talkdrum.run_with(&["voice", "recordings", "add", "-", "--name", "Sale"], "sound");
    assert_eq!(named.code, 0, "{}", named.stderr);
    let bodies: Vec<String> = daemon.requests().into_iter().map(|request| request.body).collect();
    for part in ["name=\"audioFile\"; filename=\"Easter sale.mp3\"", "Content-Type: audio/mpeg", "sound"] {
        assert!(bodies[0].contains(part), "{}", bodies[0]);
    }
    assert!(!bodies[0].contains("name=\"name\"") && bodies[1].contains("name=\"name\""), "{bodies:?}");
    talkdrum.file("text.mp3", "no MP3");
    let refused = talkdrum.run(&["voice", "recordings", "add", "text.mp3"]);
    assert_eq!(refused.code, 4);
    assert!(refused.stderr.contains("Please select a valid MP3 file."), "{}", refused.stderr);
    assert_ne!(talkdrum.run(&["voice", "recordings", "add", "missing.mp3"]).code, 0);
}

#[test]
fn a_recording_is_saved_from_the_daemon_that_the_client_talks_to() {
    let talkdrum = Talkdrum::at(&daemon());
    let saved = talkdrum.run(&["voice", "recordings", "download", "8", "hello.wav"]);
    assert_eq!(saved.code, 0, "{}", saved.stderr);
    assert_eq!(std::fs::read_to_string(talkdrum.home.path().join("hello.wav")).unwrap(), "RIFF");
    let missing = talkdrum.run(&["voice", "recordings", "download", "9", "other.wav"]);
    assert_eq!(missing.code, 1);
    assert!(missing.stderr.contains("there is no recording 9"), "{}", missing.stderr);
    assert!(!talkdrum.home.path().join("other.wav").exists());
    let deleted = talkdrum.run(&["voice", "recordings", "delete", "8"]);
    assert_eq!((deleted.code, &*deleted.stdout), (0, "Recording deleted\n"));
}

#[test]
fn a_text_is_saved_as_it_is_said() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    let args = ["voice", "preview", "Pay N500", "--voice", "us-male", "--file", "pay.wav"];
    let saved = talkdrum.run(&args);
    assert_eq!(saved.code, 0, "{}", saved.stderr);
    assert_eq!(std::fs::read_to_string(talkdrum.home.path().join("pay.wav")).unwrap(), "RIFF");
    let asked: Value = serde_json::from_str(&daemon.requests()[0].body).unwrap();
    assert_eq!(asked, json!({"ttsMsg": "Pay N500", "ttsVoice": "us-male"}));
    let unknown = talkdrum.run(&["voice", "preview", "Hello", "--voice", "robot", "--file", "x.wav"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.stderr.contains("us-female"), "{}", unknown.stderr);
}

#[test]
fn a_test_call_is_begun_or_waited_for_and_an_answer_decides_the_exit_code() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    let begun = talkdrum.run(&["voice", "test", "--text", "Hello", "--voice", "us-male"]);
    assert_eq!(
        (begun.code, &*begun.stdout),
        (0, "Test call 3 to 2348031234567: The call is being placed\n"),
        "{}",
        begun.stderr
    );
    let answered = talkdrum.run(&["voice", "test", "--recording", "8", "--wait"]);
    assert_eq!(
        (answered.code, &*answered.stdout),
        (0, "Test call 3 to 2348031234567: The call was answered: heard to the end, 7 s, keys 1\n"),
        "{}",
        answered.stderr
    );
    let busy = talkdrum.run(&["voice", "test", "--text", "busy", "--wait"]);
    assert_eq!(busy.code, 1);
    assert!(busy.stdout.contains("the line is busy"), "{}", busy.stdout);
    let bodies: Vec<Value> = daemon
        .requests()
        .iter()
        .filter(|it| it.line.starts_with("POST"))
        .map(|it| serde_json::from_str(&it.body).unwrap())
        .collect();
    assert_eq!(bodies[0], json!({"ttsMsg": "Hello", "ttsVoice": "us-male"}));
    assert_eq!(bodies[1], json!({"audioUrl": "8"}));
    assert_eq!(talkdrum.run(&["voice", "test", "--text", "too often"]).code, 1);
    assert_eq!(talkdrum.run(&["voice", "test"]).code, 2);
    assert_eq!(talkdrum.run(&["voice", "test", "--text", "a", "--recording", "8"]).code, 2);
}

#[test]
fn calls_to_many_are_quoted_shown_and_confirmed_by_the_quote() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    talkdrum.file("news.mp3", "sound");
    let dry = ["voice", "send", "--text", "Hello", "--voice", "uk-male", "--to", "08031234567", "--dry-run"];
    let dry = talkdrum.run(&dry);
    assert_eq!(dry.code, 0, "{}", dry.stderr);
    for shown in ["1:10", "2 pulses", "60/60"] {
        assert!(dry.stdout.contains(shown), "{}", dry.stdout);
    }
    let sent = talkdrum.run(&[
        "voice",
        "send",
        "--mp3",
        "news.mp3",
        "--to",
        "08031234567",
        "--own-number",
        "08031230000",
        "--pay",
        "naira",
        "--at",
        "2027-01-04 09:00",
        "--yes",
    ]);
    assert_eq!(sent.code, 0, "{}", sent.stderr);
    assert!(sent.stdout.contains("Campaign 7"), "{}", sent.stdout);
    let asked: Vec<String> = daemon.requests().into_iter().map(|request| request.body).collect();
    for part in ["name=\"quote\"", "name=\"ttsMsg\"", "uk-male"] {
        assert!(asked[0].contains(part), "{}", asked[0]);
    }
    for part in ["filename=\"news.mp3\"", "name=\"startTime\"", "name=\"own_number\"", "paystack"] {
        assert!(asked[1].contains(part), "{}", asked[1]);
    }
    assert_eq!(serde_json::from_str::<Value>(&asked[2]).unwrap(), json!({"quote_id": 12}));
    for both in [&["--text", "Hi", "--recording", "8"][..], &[]] {
        let wrong = talkdrum.run(&[&["voice", "send", "--to", "08031234567"], both].concat());
        assert_eq!(wrong.code, 2, "{}", wrong.stderr);
    }
}

#[test]
fn a_question_is_asked_with_its_keys_and_its_answers_are_shown() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    let ask =
        ["voice", "send", "--text", "Press 1", "--to", "08031234567", "--digit", "1=Yes", "--digit", "2=No"];
    let dry = talkdrum.run(&[&ask[..], &["--plays", "3", "--dry-run"]].concat());
    assert_eq!(dry.code, 0, "{}", dry.stderr);
    for shown in ["1 = Yes, 2 = No, 9 always opts out", "Played up to 3 times"] {
        assert!(dry.stdout.contains(shown), "{}", dry.stdout);
    }
    let body = &daemon.requests()[0].body;
    for part in ["name=\"digits\"\r\n\r\n1=Yes", "name=\"digits\"\r\n\r\n2=No", "name=\"plays\"\r\n\r\n3"] {
        assert!(body.contains(part), "{body}");
    }
    let wrong = talkdrum.run(&["voice", "send", "--text", "Hi", "--to", "08031234567", "--plays", "2"]);
    assert_eq!(wrong.code, 2, "{}", wrong.stderr);
    let shown = talkdrum.run(&["campaigns", "show", "7"]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    let row = |label: &str| {
        let line = shown.stdout.lines().find(|line| line.starts_with(label)).unwrap_or_default();
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row("Yes"), ["Yes", "1", "2", "66.7%"], "{}", shown.stdout);
    assert_eq!(row("No key"), ["No", "key", "-", "1", "33.3%"], "{}", shown.stdout);
}
