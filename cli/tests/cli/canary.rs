//! `--canary`: what is posted, and how the quote and the campaign tell of it.

use serde_json::{Value, json};

use crate::stand_in::{Answer, Request, StandIn, problem};
use crate::talkdrum::{Talkdrum, campaign, confirmed, quote};

fn with_canary() -> Value {
    let mut quote = quote();
    quote["canary"] = json!({"size": 1, "seeds": 0, "delivery": 90, "wait_s": 60});
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
fn seeds_are_posted_alone_or_beside_others() {
    let daemon = StandIn::new(|request| match request.line.as_str() {
        line if line.starts_with("POST /api/") => {
            let mut quote = with_canary();
            quote["canary"]["seeds"] = json!(1);
            Answer::Json(200, json!({"details": quote, "message": ""}))
        }
        line => problem(404, "not_found", line),
    });
    let talkdrum = Talkdrum::at(&daemon);
    let send = |rest: &[&str]| {
        let line = ["send", "--to", "08031234567", "-m", "Hello", "--dry-run"];
        talkdrum.run(&[&line, rest].concat())
    };
    let run = send(&["--canary-seeds", "08051234567, 08051234568", "--canary-wait", "60"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("1 recipient first, 1 of your own; the rest"), "{}", run.stdout);
    assert_eq!(send(&["--canary-seeds", "08051234567", "--canary", "5"]).code, 0);
    let requests = daemon.requests();
    assert_eq!(requests[0].fields("canary_seeds"), ["08051234567, 08051234568"]);
    assert!(requests[0].fields("canary").is_empty());
    assert_eq!(requests[1].fields("canary"), ["5"]);
}

#[test]
fn a_daemon_that_takes_no_notice_of_a_canary_or_of_seeds_sends_nothing() {
    let send = |quoted: fn(&mut Value), asked: [&str; 2]| {
        let daemon = StandIn::new(move |request: &Request| match request.line.as_str() {
            "POST /api/confirm-send-text-sms" => Answer::Json(200, confirmed(&paused())),
            line if line.starts_with("POST /api/") => {
                let mut quote = quote();
                quoted(&mut quote);
                Answer::Json(200, json!({"details": quote, "message": ""}))
            }
            line => problem(404, "not_found", line),
        });
        let line = ["send", "--to", "08031234567", "-m", "Hello", "--yes"];
        let run = Talkdrum::at(&daemon).run(&[&line[..], &asked].concat());
        (run.code, daemon.requests().len(), run.stderr)
    };
    // Of before there were canaries, and of before there were seeds.
    let unaware: fn(&mut Value) = |_| {};
    let seedless: fn(&mut Value) =
        |quote| quote["canary"] = json!({"size": 50, "delivery": 80, "wait_s": 600});
    for (quoted, asked) in [
        (unaware, ["--canary", "50"]),
        (unaware, ["--canary-seeds", "08051234567"]),
        (seedless, ["--canary-seeds", "08051234567"]),
    ] {
        let (code, requests, stderr) = send(quoted, asked);
        assert_eq!((code, requests), (4, 1), "{stderr}");
        assert!(stderr.contains(&format!("took no notice of {}", asked[0])), "{stderr}");
    }
    // It would be the whole list, which the quote's notice says.
    let whole: fn(&mut Value) = |quote| {
        quote["notices"] =
            json!(["A canary of 50 would be all 50 recipients: there is none, and all are sent to at once"]);
    };
    let (code, requests, stderr) = send(whole, ["--canary", "50"]);
    assert_eq!((code, requests), (0, 2), "{stderr}");
}
