//! Lists and records in the four formats, and the control of campaigns and messages.

use serde_json::{Value, json};

use crate::stand_in::{Answer, StandIn, problem};
use crate::talkdrum::{Talkdrum, campaign, completed, confirmed, quote};

fn message(id: i64, status: &str) -> Value {
    json!({
        "id": id, "campaign_id": 7, "to": "2348031234567", "senderid": "WEBSMS", "network": "mtn",
        "status": status, "reason": null, "pages": 1, "price": 2.5, "carrier_ref": "0af1",
        "submitted_at": "2027-01-04T08:00:02Z", "done_at": null,
    })
}

fn why() -> Value {
    let entry = |id: i64, code: &str, amount: f64| {
        json!({
            "id": id, "at": "2027-01-04T08:00:01Z", "code": code, "reference": "campaign 7", "amount": amount,
            "share": 2.5, "narration": "3 messages",
        })
    };
    json!({
        "message": message(4096, "delivered"), "text": "Hello 'you'",
        "history": [
            {"at": "2027-01-04T08:00:02Z", "status": "submitted", "note": "accepted by main"},
            {"at": null, "status": "delivered", "note": "receipt"},
        ],
        "entries": [entry(1, "reserve", 7.5), entry(2, "capture", 5.0)],
        "explanation": "Delivered, and charged 2.5 Naira for 1 page.",
    })
}

fn daemon() -> StandIn {
    StandIn::new(|request| {
        let line = request.line.as_str();
        let ok = |value: Value| Answer::Json(200, value);
        match line.split('?').next().unwrap() {
            "GET /api/get-campaign-history" => {
                ok(json!({"campaigns": [completed(), campaign("sending")], "total": 9}))
            }
            "GET /api/campaigns/7" => ok(json!({"campaign": completed()})),
            "POST /api/campaigns/7/pause" => ok(json!({"campaign": campaign("paused"), "message": "Paused"})),
            "POST /api/campaigns/7/resend" => ok(json!({"details": quote(), "message": ""})),
            "POST /api/confirm-send-text-sms" => ok(confirmed(&campaign("sending"))),
            "GET /api/campaigns/7/export" => {
                Answer::Text("text/csv", "to,status\n2348031234567,delivered\n".into())
            }
            "GET /api/messages" | "GET /api/campaigns/7/messages" | "GET /admin/unknown-messages" => {
                ok(json!({"messages": [message(4096, "unknown")], "total": 1}))
            }
            "GET /api/messages/4096" => ok(why()),
            "POST /admin/messages/resolve" => ok(json!({"resolved": 2, "message": "2 messages refunded"})),
            "GET /api/get-espee-balance" => ok(json!({
                "espees-balance": 12.345678, "paystack_balance": 92.5, "espees_reserved": 0, "paystack_reserved": 7.5,
            })),
            "GET /api/get-sms-unit-price" => ok(json!({
                "SMS-UNIT-PRICE": [], "SMS-UNIT-PRICE-IN-NAIRA": [{"value": 2.5, "updated_at": "2027-01-01T00:00:00Z"}],
            })),
            "GET /api/get-voice-unit-price" => {
                ok(json!({"VOICE-UNIT-PRICE": [], "VOICE-UNIT-PRICE-NAIRA": []}))
            }
            "GET /api/get-virtual-price" => ok(json!({"VIRTUAL-UNIT-PRICE": []})),
            "GET /api/get-own-price" => {
                ok(json!({"OWN-UNIT-PRICE": [{"value": 0.02, "updated_at": "2027-01-01T00:00:00Z"}]}))
            }
            "GET /admin/carriers" => ok(json!({"carriers": [
                {"name": "main", "kind": "smpp", "configured": true, "health": "up", "reason": null,
                 "binds": [{"role": "transceiver", "state": "bound", "reason": null, "since": "2027-01-04T08:00:00.000Z"}],
                 "window": 100, "window_used": 12, "rate": 0, "rate_now": 480, "throttled": false,
                 "receipt_lag": {"measured": 40, "p50_ms": 900, "p95_ms": 4100}, "state": "paused",
                 "state_reason": "the invoice is disputed", "state_by": "root", "state_since": "2027-01-04T08:00:00.000Z",
                 "queued": 1200, "queued_later": 30, "in_flight": 12, "queued_notices": 0,
                 "oldest_queued_at": "2027-01-04T08:00:00.000Z", "oldest_queued_s": 7, "oldest_lease_at": null,
                 "unmatched_receipts": 2, "unknown_messages": 0, "held_by": 3,
                 "seen_at": "2027-01-04T08:00:00.000Z", "traced_until": null,
                 "breakers": [{"network": "mtn", "state": "half_open", "delivered": 31, "failed": 169, "waiting": 1150,
                   "opened_at": "2027-01-04T07:40:00.000Z", "probe_at": "2027-01-04T08:02:00.000Z", "changed_by": null}]},
            ], "total": 1})),
            _ => problem(404, "not_found", line),
        }
    })
}

#[test]
fn lists_and_records_read_well() {
    let talkdrum = Talkdrum::at(&daemon());
    let mut text = String::new();
    for args in [
        &["campaigns", "list"][..],
        &["campaigns", "show", "7"],
        &["campaigns", "pause", "7"],
        &["messages", "find", "08031234567"],
        &["messages", "unknown"],
        &["messages", "resolve", "1", "2", "--as", "refunded", "--yes"],
        &["why", "4096"],
        &["wallet", "balance"],
        &["prices", "get"],
        &["carriers"],
        &["carriers", "show", "main"],
    ] {
        text.push_str(&format!("$ talkdrum {}\n{}\n", args.join(" "), talkdrum.run(args).golden()));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn programs_get_csv_json_lines_and_the_api_s_own_answer() {
    let talkdrum = Talkdrum::at(&daemon());
    let csv = talkdrum.run(&["campaigns", "list", "-o", "csv"]).stdout;
    insta::assert_snapshot!(csv);
    let lines = talkdrum.run(&["campaigns", "list", "-o", "jsonl"]).stdout;
    let statuses: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["status"].clone()).collect();
    assert_eq!(statuses, ["completed", "sending"]);
    let whole: Value =
        serde_json::from_str(&talkdrum.run(&["campaigns", "list", "-o", "json"]).stdout).unwrap();
    assert_eq!(whole["total"], 9);
    assert_eq!(talkdrum.run(&["why", "4096", "-o", "csv"]).stdout.lines().count(), 3);
    let quiet = talkdrum.run(&["carriers", "-q"]).stdout;
    assert!(quiet.contains("main") && !quiet.contains("As of"), "{quiet}");
}

#[test]
fn pages_and_filters_are_handed_on() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    talkdrum.run(&["messages", "list", "7", "--status", "unknown", "--page", "2", "--per-page", "60"]);
    talkdrum.run(&["messages", "find", "+234 803 123 4567"]);
    assert_eq!(
        daemon.lines(),
        [
            "GET /api/campaigns/7/messages?page=2&per_page=60&status=unknown",
            "GET /api/messages?page=1&per_page=20&number=%2B234+803+123+4567",
        ]
    );
}

#[test]
fn an_export_goes_to_stdout_or_whole_to_its_file() {
    let talkdrum = Talkdrum::at(&daemon());
    let report = "to,status\n2348031234567,delivered\n";
    assert_eq!(talkdrum.run(&["campaigns", "export", "7"]).stdout, report);
    talkdrum.run(&["campaigns", "export", "7", "--file", "report.csv"]);
    assert_eq!(std::fs::read_to_string(talkdrum.home.path().join("report.csv")).unwrap(), report);
}

#[test]
fn a_resend_is_a_fresh_quote_that_is_confirmed_under_its_own_key() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    assert_eq!(talkdrum.run(&["campaigns", "resend", "7"]).code, 2);
    assert_eq!(talkdrum.run(&["campaigns", "resend", "7", "--dry-run"]).code, 0);
    assert_eq!(talkdrum.run(&["campaigns", "resend", "7", "--yes"]).code, 0);
    let requests = daemon.requests();
    let lines: Vec<&str> = requests.iter().map(|request| request.line.as_str()).collect();
    let resend = "POST /api/campaigns/7/resend";
    assert_eq!(lines, [resend, resend, "POST /api/confirm-send-text-sms"]);
    assert_eq!(requests[2].header("idempotency-key"), "quote-12/confirm");
}

#[test]
fn the_kingschat_link_is_shown_and_ended() {
    let daemon = StandIn::new(|request| match request.line.as_str() {
        "GET /api/kingschat/link" => Answer::Json(
            200,
            json!({
                "linked": true, "username": "ada", "avatar_url": null, "linked_at": "2027-01-04T08:00:02Z",
                "last_login_at": null,
            }),
        ),
        "DELETE /api/kingschat/link" => {
            Answer::Json(200, json!({"message": "Your KingsChat account is not linked any more"}))
        }
        _ => problem(404, "not_found", "There is nothing at this address"),
    });
    let shown = Talkdrum::at(&daemon).run(&["kingschat", "show"]);
    assert!(shown.stdout.contains("ada") && shown.stdout.contains("yes"), "{shown:?}");
    let ended = Talkdrum::at(&daemon).run(&["kingschat", "unlink"]);
    assert!(ended.stderr.contains("not linked any more") || ended.stdout.contains("not linked any more"));
}
