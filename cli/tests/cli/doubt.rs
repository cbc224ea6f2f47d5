//! What is said where it is not known whether something was done, or where it goes on: money never moves twice because a
//! hint was followed.

use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use crate::contacts::import;
use crate::stand_in::{Answer, Request, StandIn, problem};
use crate::talkdrum::{Run, Talkdrum, campaign, completed, confirmed, quote};

/// The object on the last line of stderr.
fn error(run: &Run) -> Value {
    let last = run.stderr.lines().last().unwrap_or_default();
    serde_json::from_str(last).unwrap_or_else(|_| panic!("{}", run.stderr))
}

/// A code, and what the hint is to hold.
fn assert_told(run: &Run, code: &str, hint: &str) {
    let error = error(run);
    let told = error["hint"].as_str().unwrap_or_default();
    assert!(error["code"] == code && told.contains(hint), "{hint}: {}", run.stderr);
}

/// A daemon that does what is asked without an answer, and then does not let the caller in.
fn loses_the_first(call: &'static str) -> StandIn {
    let calls = AtomicU32::new(0);
    StandIn::new(move |request| match request.line.as_str() {
        line if line == call && calls.fetch_add(1, Ordering::SeqCst) == 0 => Answer::HangUp,
        line if line == call => problem(401, "token_expired", "The session has ended"),
        "POST /api/send-text-sms" | "POST /api/campaigns/7/resend" => {
            Answer::Json(200, json!({"details": quote(), "message": ""}))
        }
        line => problem(404, "not_found", line),
    })
}

#[test]
fn a_change_whose_answer_was_lost_stays_in_doubt_whatever_the_next_attempt_says() {
    let cases: [(&str, &[&str], &str); 5] = [
        (
            "POST /api/transfer-fund",
            &["transfer", "eve", "1", "--yes", "--key", "k1"],
            "same command again with --key k1",
        ),
        (
            "POST /api/payment-initiate",
            &["fund", "espees", "1", "--key", "k2"],
            "same command again with --key k2",
        ),
        (
            "POST /api/voice-call",
            &["numbers", "own", "verify", "0803", "--key", "k3"],
            "same command again with --key k3",
        ),
        (
            "POST /api/confirm-send-text-sms",
            &["campaigns", "resend", "7", "--yes"],
            "talkdrum campaigns list shows",
        ),
        (
            "POST /api/confirm-send-text-sms",
            &["send", "--to", "1", "-m", "x", "--yes", "--key", "k4"],
            "same command with --key k4",
        ),
    ];
    for (call, command, hint) in cases {
        let daemon = loses_the_first(call);
        let run = Talkdrum::at(&daemon).run(&[command, &["-o", "json"]].concat());
        assert_eq!(daemon.lines().iter().filter(|line| *line == call).count(), 2, "{command:?}");
        assert_told(&run, "connection_lost", hint);
    }
    let daemon = loses_the_first("POST /api/transfer-fund");
    let run = Talkdrum::at(&daemon).run(&["transfer", "eve", "1", "--yes", "-o", "json"]);
    let sent = daemon.requests()[0].header("idempotency-key").to_owned();
    assert_told(&run, "connection_lost", &format!("--key {sent}:"));
}

/// Quotes, confirms, and answers what follows as told.
fn sending(request: &Request, follow: impl Fn(&str) -> Answer) -> Answer {
    match request.line.as_str() {
        "POST /api/send-text-sms" => Answer::Json(200, json!({"details": quote(), "message": ""})),
        "POST /api/confirm-send-text-sms" => Answer::Json(200, confirmed(&campaign("sending"))),
        line => follow(line),
    }
}

#[test]
fn what_was_begun_is_said_to_go_on_where_it_cannot_be_followed() {
    let begun = |request: &Request| match request.line.as_str() {
        "POST /api/voice-call" => {
            let call = json!({
                "id": 3, "phone_number": "2348031234567", "from": null, "status": "calling", "outcome": null,
                "over": false, "message": "", "attempts": 1, "currency": "naira", "unit_price": 9, "pulses": 1,
                "charged": 9, "refunded": 0, "created_at": "2027-01-04T08:00:00Z",
                "code_expires_at": "2027-01-04T08:10:00Z", "ringing_at": null, "answered_at": null,
                "ended_at": null, "seconds": 0,
            });
            Answer::Json(200, json!({"details": call, "message": "Code sent"}))
        }
        "POST /admin/carriers/main/test" => Answer::Json(
            200,
            json!({
                "id": 3, "carrier": "main", "status": "sent", "error": null, "references": [], "created_at": "",
                "over": false, "done_at": null, "message": "",
            }),
        ),
        "POST /admin/carriers/main/drain" => {
            let main = json!({
                "name": "main", "kind": "smpp", "configured": true, "health": "up", "reason": null, "binds": [],
                "window": 100, "window_used": 12, "rate": 0, "rate_now": 480, "throttled": false, "calls": null,
                "receipt_lag": null, "state": "draining", "state_reason": null, "state_by": "root",
                "state_since": null, "queued": 0, "queued_later": 0, "in_flight": 12, "queued_notices": 0,
                "oldest_queued_at": null, "oldest_queued_s": null, "oldest_lease_at": null,
                "unmatched_receipts": 0, "unknown_messages": 0, "held_by": 3, "seen_at": null, "traced_until": null,
            });
            Answer::Json(200, json!({"carrier": main, "message": "Draining"}))
        }
        line if line.starts_with("GET /api/get/group?group_name=") => {
            let group = json!({
                "id": 4, "group_name": "Members", "description": "", "contacts_count": 2, "columns": [],
                "created_at": "2027-01-04T08:00:00Z", "updated_at": "2027-01-04T08:00:00Z",
            });
            Answer::Json(200, json!({"groups": [group], "total": 1}))
        }
        "POST /api/import/contact/group/4?background=1" => {
            Answer::Json(200, json!({"import": import("running"), "message": ""}))
        }
        _ => sending(request, |_| problem(401, "token_expired", "The session has ended")),
    };
    let daemon = StandIn::new(begun);
    let talkdrum = Talkdrum::at(&daemon);
    talkdrum.file("m.csv", "08031234567\n");
    let cases: [(&[&str], &str); 5] = [
        (&["contacts", "import", "m.csv", "--group", "Members"], "import 5 goes on"),
        (
            &["send", "--to", "1", "-m", "x", "--yes", "--wait"],
            "campaign 7 was started, and must not be sent again: talkdrum campaigns watch 7",
        ),
        (&["numbers", "own", "verify", "0803", "--wait"], "call 3 to 2348031234567 goes on"),
        (
            &["carriers", "test", "main", "--to", "0803", "--key", "k"],
            "test 3 was submitted: the same command with --key k",
        ),
        (&["carriers", "drain", "main", "--wait", "9"], "the drain goes on"),
    ];
    for (command, hint) in cases {
        let run = talkdrum.run(&[command, &["-o", "json"]].concat());
        assert_eq!(run.code, 6, "{command:?} {}", run.stderr);
        assert_told(&run, "not_followed", hint);
        assert_told(&run, "not_followed", "is not valid here");
    }
    let run = talkdrum.run(&["campaigns", "watch", "7", "-o", "json"]);
    assert_told(&run, "token_expired", "is not valid here");
}

#[test]
fn a_look_at_receipts_that_fails_is_made_again() {
    let looks = AtomicU32::new(0);
    let daemon = StandIn::new(move |request| {
        sending(request, |line| match line {
            "GET /api/campaigns/7/events" => {
                let mut awaited = completed();
                awaited["counts"]["submitted"] = json!(1);
                let data = json!({"campaign": awaited, "rate": 0.0, "remaining_s": null});
                Answer::Text("text/event-stream", format!("event: end\ndata: {data}\n\n"))
            }
            _ if looks.fetch_add(1, Ordering::SeqCst) == 0 => Answer::HangUp,
            _ => Answer::Json(200, json!({"campaign": completed()})),
        })
    });
    let send = ["send", "--to", "1", "-m", "x", "--yes", "--wait", "--receipts", "60", "-q"];
    let run = Talkdrum::at(&daemon).run(&send);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(daemon.lines().iter().filter(|line| line.ends_with("/7")).count(), 2);
}

#[cfg(unix)]
#[test]
fn ctrl_c_in_a_call_that_hangs_tells_the_key() {
    let commands: [(&str, &[&str]); 6] = [
        ("transfer-fund", &["transfer", "eve", "1", "--yes"]),
        ("payment-initiate", &["fund", "espees", "1"]),
        ("/api/messages", &["messages", "send", "0803", "-m", "x"]),
        ("admin-send-sms-user", &["users", "message", "5", "--message", "x"]),
        ("carriers/main/test", &["carriers", "test", "main", "--to", "0803"]),
        ("assign-naira", &["users", "credit", "5", "10", "--currency", "naira", "--ref", "b-1"]),
    ];
    for (call, command) in commands {
        let daemon = StandIn::new(move |request| {
            if request.line.contains(call) {
                std::thread::sleep(std::time::Duration::from_secs(600));
            }
            Answer::HangUp
        });
        let mut child = Command::new(env!("CARGO_BIN_EXE_talkdrum"))
            .env_clear()
            .args(command)
            .args(["--token", "t", "--url", &daemon.url])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        while !daemon.lines().iter().any(|line| line.contains(call)) {
            assert_eq!(child.try_wait().unwrap(), None, "{command:?}");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130));
        let stderr = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
        let sent = daemon.requests().pop().unwrap().header("idempotency-key").to_owned();
        let told =
            if sent.is_empty() { "under the reference b-1".to_owned() } else { format!("--key {sent}:") };
        assert!(stderr.contains("whether it was done is not known") && stderr.contains(&told), "{stderr}");
    }
}

#[test]
fn another_run_of_a_relative_start_is_told_the_start_as_it_was() {
    let daemon = StandIn::new(|request| match request.line.as_str() {
        "POST /api/schedule-text-sms" => {
            Answer::Json(200, json!({"details": scheduled(request), "message": ""}))
        }
        // A 500 is not tried again, and leaves it open whether it was confirmed.
        _ => problem(500, "internal", "It failed"),
    });
    let talkdrum = Talkdrum::at(&daemon);
    let hint = |at: &[&str]| {
        let begun = daemon.requests().len();
        let send = ["send", "--to", "1", "-m", "x", "--yes", "-o", "json"];
        let run = talkdrum.run(&[&send[..], at].concat());
        let asked = daemon.requests()[begun].fields("time")[0].clone();
        (error(&run)["hint"].as_str().unwrap_or_default().to_owned(), asked)
    };
    let (told, asked) = hint(&["--at", "+2h"]);
    let start = told.split("--at ").last().unwrap().split(':').collect::<Vec<_>>();
    let start = start[..4].join(":");
    let (_, again) = hint(&["--at", &start, "--key", "k"]);
    assert_eq!(asked, again, "{told}");
    let (told, _) = hint(&["--at", "2027-01-04 09:00"]);
    assert!(!told.contains("--at"), "{told}");
}

fn scheduled(request: &Request) -> Value {
    let mut scheduled = quote();
    scheduled["starts"] = json!(request.fields("time"));
    scheduled
}

#[test]
fn a_key_that_was_given_may_have_sent_in_an_earlier_run() {
    let daemon = StandIn::new(|_| Answer::HangUp);
    let talkdrum = Talkdrum::at(&daemon);
    let send = ["send", "--to", "1", "-m", "x", "--yes", "-o", "json"];
    assert_told(&talkdrum.run(&send), "connection_lost", "nothing was sent or charged: it is safe");
    let run = talkdrum.run(&[&send[..], &["--key", "k"]].concat());
    assert_told(&run, "connection_lost", "this run sent nothing; run the same command with --key k");
    assert!(!run.stderr.contains("nothing was sent or charged"), "{}", run.stderr);
    let daemon =
        StandIn::new(|_| problem(409, "idempotency_key_reused", "This key was used for another request"));
    let run = Talkdrum::at(&daemon).run(&[&send[..], &["--key", "k"]].concat());
    assert_told(&run, "idempotency_key_reused", "look first in talkdrum campaigns list");
}

#[test]
fn an_error_of_the_daemon_in_a_change_without_a_key_is_looked_into_before_another_try() {
    let daemon = StandIn::new(|_| problem(503, "timeout", "It took too long"));
    let talkdrum = Talkdrum::at(&daemon);
    let run = talkdrum.run(&["campaigns", "pause", "7", "-o", "json"]);
    assert_told(&run, "timeout", "look whether it was done before you try again");
    assert_told(&talkdrum.run(&["wallet", "balance", "-o", "json"]), "timeout", "try again later");
    let run = talkdrum.run(&["carriers", "test", "main", "--to", "0803", "-o", "json"]);
    let sent = daemon.requests().pop().unwrap().header("idempotency-key").to_owned();
    assert_told(&run, "timeout", &format!("--key {sent}:"));
}

#[test]
fn of_several_campaigns_the_worst_is_told_last() {
    let daemon = StandIn::new(|request| {
        let of = |id: i64, status: &str| {
            let mut it = if status == "completed" { completed() } else { campaign(status) };
            it["id"] = json!(id);
            it
        };
        let ended = |it: Value| {
            let data = json!({"campaign": it, "rate": 0.0, "remaining_s": null});
            Answer::Text("text/event-stream", format!("event: end\ndata: {data}\n\n"))
        };
        match request.line.as_str() {
            "POST /api/schedule-text-sms" => Answer::Json(200, json!({"details": quote(), "message": ""})),
            "POST /api/confirm-send-text-sms" => {
                let all = [of(7, "sending"), of(8, "sending")];
                Answer::Json(200, json!({"details": all[0], "campaigns": all, "message": ""}))
            }
            "GET /api/campaigns/7/events" => ended(of(7, "failed")),
            "GET /api/campaigns/8/events" => ended(of(8, "completed")),
            line => problem(404, "not_found", line),
        }
    });
    let send = ["send", "--to", "1", "-m", "x", "--yes", "--wait", "--at", "2027-01-04 09:00", "--at"];
    let run = Talkdrum::at(&daemon)
        .run(&[&send[..], &["2027-01-05 09:00", "--fail-if", "failed>0", "-q", "-o", "json"]].concat());
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert!(lines[0].contains("\"fail_if\"") && lines[1].contains("\"campaign_failed\""), "{}", run.stderr);
    assert_eq!((lines.len(), run.code), (2, 1));
}
