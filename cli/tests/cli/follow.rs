//! `--wait` and `campaigns watch`: to the end, through broken connections, with an exit code that tells.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use crate::stand_in::{Answer, Request, StandIn, problem};
use crate::talkdrum::{Talkdrum, campaign, completed, confirmed, quote};

fn event(name: &str, campaign: &Value) -> String {
    let data = json!({ "campaign": campaign, "rate": 250.4, "remaining_s": 7.2 });
    format!("event: {name}\ndata: {data}\n\n")
}

fn events(text: String) -> Answer {
    Answer::Text("text/event-stream", text)
}

fn whole() -> Answer {
    events(format!(": hello\n\n{}{}", event("progress", &campaign("sending")), event("end", &completed())))
}

fn sending(request: &Request, follow: impl Fn() -> Answer) -> Answer {
    match request.line.as_str() {
        "POST /api/send-text-sms" => Answer::Json(200, json!({"details": quote(), "message": ""})),
        "POST /api/confirm-send-text-sms" => Answer::Json(200, confirmed(&campaign("sending"))),
        "GET /api/campaigns/7/events" => follow(),
        line => problem(404, "not_found", line),
    }
}

#[test]
fn a_send_that_waits_ends_with_the_outcome() {
    let daemon = StandIn::new(|request| sending(request, whole));
    let run = Talkdrum::at(&daemon).run(&["send", "--to", "1", "-m", "x", "--yes", "--wait"]);
    insta::assert_snapshot!(run.golden());
}

#[test]
fn more_failures_than_allowed_end_with_5() {
    let daemon = StandIn::new(|request| sending(request, whole));
    let talkdrum = Talkdrum::at(&daemon);
    let send = ["send", "--to", "1", "-m", "x", "--yes", "--wait", "-q", "--fail-if"];
    let run = talkdrum.run(&[&send[..], &["failed>30%", "--fail-if", "unknown>0"]].concat());
    assert_eq!((run.code, run.stderr.as_str()), (5, "error: campaign 7: failed>30% holds (1 of 3)\n"));
    assert_eq!(talkdrum.run(&[&send[..], &["failed>50%"]].concat()).code, 0);
    let run = talkdrum.run(&["send", "--to", "1", "-m", "x", "--yes", "--fail-if", "failed>1"]);
    assert_eq!(talkdrum.run(&["campaigns", "resend", "7", "--yes", "--receipts", "5"]).code, 2);
    assert_eq!(run.code, 2, "without waiting there is no outcome to judge");
}

#[test]
fn a_broken_connection_is_made_again_and_then_the_daemon_is_asked() {
    let asked = AtomicU32::new(0);
    let daemon = StandIn::new(move |request| match request.line.as_str() {
        "GET /api/campaigns/7/events" => Answer::HangUp,
        _ if asked.fetch_add(1, Ordering::SeqCst) == 0 => {
            Answer::Json(200, json!({"campaign": campaign("sending")}))
        }
        _ => Answer::Json(200, json!({"campaign": completed()})),
    });
    let run = Talkdrum::at(&daemon).run(&["campaigns", "watch", "7"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let lines = daemon.lines();
    assert_eq!(lines.iter().filter(|line| line.ends_with("/events")).count(), 3, "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.ends_with("/7")).count(), 2, "{lines:?}");
    assert!(run.stdout.contains("completed"));
}

#[test]
fn a_rate_is_shown_only_where_there_is_one() {
    let daemon = StandIn::new(|_| {
        let told = |status: &str, rate: f64, left: Option<f64>| {
            let data = json!({ "campaign": campaign(status), "rate": rate, "remaining_s": left });
            format!("event: progress\ndata: {data}\n\n")
        };
        // The first look of a new connection at a campaign of which all is submitted; then another state each, which is told at
        // once.
        let looks =
            [told("sending", 0.0, Some(0.0)), told("paused", 5.0, None), told("sending", 0.04, Some(12.0))];
        events(format!("{}{}", looks.concat(), event("end", &completed())))
    });
    let run = Talkdrum::at(&daemon).run(&["campaigns", "watch", "7"]);
    let lines: Vec<&str> = run.stderr.lines().collect();
    let told = [
        "campaign 7: sending, 0/3 submitted",
        "campaign 7: paused, 0/3 submitted",
        "campaign 7: sending, 0/3 submitted, under 0.1/s, 12 s left",
        "campaign 7: completed, 3/3 submitted",
    ];
    assert_eq!(lines, told);
}

#[test]
fn what_was_cancelled_is_not_told_as_submitted() {
    let mut cancelled = campaign("cancelled");
    cancelled["counts"]["queued"] = json!(0);
    cancelled["counts"]["delivered"] = json!(1);
    cancelled["counts"]["cancelled"] = json!(2);
    let daemon = StandIn::new(move |_| events(event("end", &cancelled)));
    let run = Talkdrum::at(&daemon).run(&["campaigns", "watch", "7"]);
    assert!(run.stderr.contains("campaign 7: cancelled, 1/3 submitted"), "{}", run.stderr);
}

#[test]
fn a_stream_that_ends_early_is_taken_up_again() {
    let connections = AtomicU32::new(0);
    let daemon = StandIn::new(move |_| match connections.fetch_add(1, Ordering::SeqCst) {
        0 => events(event("progress", &campaign("sending"))),
        _ => whole(),
    });
    let run = Talkdrum::at(&daemon).run(&["campaigns", "watch", "7", "-o", "jsonl"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let ended: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&ended["status"], &ended["counts"]["delivered"]), (&json!("completed"), &json!(2)));
    assert_eq!(daemon.lines().len(), 2);
}

#[test]
fn a_cancelled_campaign_is_a_failure_and_a_missing_one_too() {
    let daemon = StandIn::new(|request| match request.line.as_str() {
        "GET /api/campaigns/7/events" => events(event("end", &campaign("cancelled"))),
        _ => problem(404, "not_found", "No such campaign"),
    });
    let talkdrum = Talkdrum::at(&daemon);
    assert_eq!(talkdrum.run(&["campaigns", "watch", "7"]).code, 1);
    insta::assert_snapshot!(talkdrum.run(&["campaigns", "watch", "8"]).golden());
}

#[test]
fn receipts_are_waited_for_when_asked_to() {
    let mut awaited = completed();
    awaited["counts"]["delivered"] = json!(1);
    awaited["counts"]["submitted"] = json!(1);
    let daemon = StandIn::new(move |request| match request.line.as_str() {
        "GET /api/campaigns/7/events" => events(event("end", &awaited)),
        _ => Answer::Json(200, json!({"campaign": completed()})),
    });
    let talkdrum = Talkdrum::at(&daemon);
    let run = talkdrum.run(&["campaigns", "watch", "7", "-q", "-o", "csv"]);
    assert!(run.stdout.contains(",3,1,1,0,5,2.5,naira,"), "{}", run.stdout);
    let run = talkdrum.run(&["campaigns", "watch", "7", "-q", "-o", "csv", "--receipts", "30"]);
    assert!(run.stdout.contains(",3,2,1,0,5,2.5,naira,"), "{}", run.stdout);
}

#[cfg(unix)]
#[test]
fn ctrl_c_says_that_the_campaign_goes_on() {
    let daemon = StandIn::new(|_| {
        std::thread::sleep(std::time::Duration::from_secs(600));
        Answer::HangUp
    });
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_talkdrum"))
        .env_clear()
        .args(["campaigns", "watch", "7", "--token", "t", "--url", &daemon.url])
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    while daemon.lines().is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let stderr = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    insta::assert_snapshot!(stderr);
}
