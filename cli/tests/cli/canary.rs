//! `--canary`: what is posted, and how the quote and the campaign tell of it.

use serde_json::{Value, json};

use crate::stand_in::{Answer, Request, StandIn, problem};
use crate::talkdrum::{Talkdrum, campaign, confirmed, quote};

fn with_canary() -> Value {
    let mut quote = quote();
    quote["canary"] = json!({"size": 1, "delivery": 90, "wait_s": 60});
    quote
}

fn paused() -> Value {
    let mut campaign = campaign("paused");
    campaign["held"] = json!("canary");
    campaign["status_reason"] = json!("The canary failed: 0 of 1 delivered, 1 needed");
    campaign["canary"] = json!({
        "state": "failed", "size": 1, "delivered": 0, "failed": 1, "delivery": 90, "needed": 1, "wait_s": 60,
        "until": null,
    });
    campaign
}

fn answer(request: &Request) -> Answer {
    match request.line.as_str() {
        "POST /api/confirm-send-text-sms" => Answer::Json(200, confirmed(&paused())),
        "GET /api/campaigns/7" => Answer::Json(200, json!({"campaign": paused()})),
        line if line.starts_with("POST /api/") => {
            Answer::Json(200, json!({"details": with_canary(), "message": ""}))
        }
        line => problem(404, "not_found", line),
    }
}

#[test]
fn a_canary_is_posted_as_it_is_said_and_the_quote_tells_it() {
    let daemon = StandIn::new(answer);
    let talkdrum = Talkdrum::at(&daemon);
    let run = talkdrum.run(&[
        "send",
        "--to",
        "08031234567",
        "-m",
        "Hello",
        "--dry-run",
        "--canary",
        "5%",
        "--canary-delivery",
        "90",
        "--canary-wait",
        "60",
    ]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(
        run.stdout.contains("1 recipient first; the rest once 90% of these are delivered, within 60 s"),
        "{}",
        run.stdout
    );
    let posted = &daemon.requests()[0];
    let fields = ["canary", "canary_delivery", "canary_wait_s"].map(|name| posted.fields(name));
    assert_eq!(fields, [["5%"], ["90"], ["60"]]);
    let without = talkdrum.run(&["send", "--to", "1", "-m", "Hello", "--dry-run", "--canary-wait", "60"]);
    assert_eq!(without.code, 2, "only a canary has a wait");
}

#[test]
fn a_campaign_tells_how_its_canary_fared() {
    let daemon = StandIn::new(answer);
    let run = Talkdrum::at(&daemon).run(&["campaigns", "show", "7"]);
    assert!(run.stdout.contains("failed, 0 of 1 delivered, 1 failed, 1 needed"), "{}", run.stdout);
    assert!(run.stdout.contains("paused (The canary failed: 0 of 1 delivered, 1 needed)"), "{}", run.stdout);
}

#[test]
fn a_daemon_that_takes_no_notice_of_a_canary_sends_nothing() {
    let quoted = |contacts: i64| {
        move |request: &Request| match request.line.as_str() {
            "POST /api/confirm-send-text-sms" => Answer::Json(200, confirmed(&paused())),
            line if line.starts_with("POST /api/") => {
                let mut quote = quote();
                quote["total_contacts"] = json!(contacts);
                Answer::Json(200, json!({"details": quote, "message": ""}))
            }
            line => problem(404, "not_found", line),
        }
    };
    let send = |contacts: i64, canary: &str| {
        let daemon = StandIn::new(quoted(contacts));
        let run = Talkdrum::at(&daemon).run(&[
            "send",
            "--to",
            "08031234567",
            "-m",
            "Hello",
            "--yes",
            "--canary",
            canary,
        ]);
        (run.code, daemon.requests().len(), run.stderr)
    };
    for (contacts, canary) in [(51, "50"), (1_000, "5%")] {
        let (code, requests, stderr) = send(contacts, canary);
        assert_eq!((code, requests), (4, 1), "{stderr}");
        assert!(stderr.contains("took no notice of --canary"), "{stderr}");
    }
    // It would be the whole list, which the quote's notice says.
    for (contacts, canary) in [(50, "50"), (20, "99%")] {
        let (code, requests, stderr) = send(contacts, canary);
        assert_eq!((code, requests), (0, 2), "{stderr}");
    }
}
