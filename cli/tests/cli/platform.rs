//! What administrators do with prices, settings, announcements, maintenance, and what they see of the platform.

use serde_json::{Value, json};

use crate::stand_in::{Answer, StandIn, problem};
use crate::talkdrum::Talkdrum;

const FILE: &str = "[espees]\nsms = 1.5\nvoice = 2\n\n[naira]\nsms = 4.5\n";

fn record(value: f64) -> Value {
    json!([{"value": value, "updated_at": "2027-01-01T00:00:00Z"}])
}

fn prices(sms: f64) -> Value {
    json!({
        "SMS-UNIT-PRICE": record(sms), "SMS-UNIT-PRICE-IN-NAIRA": record(4.5), "SMS-ABROAD-UNIT-PRICE": [],
        "SMS-ABROAD-UNIT-PRICE-IN-NAIRA": [], "VOICE-UNIT-PRICE": [],
        "VOICE-UNIT-PRICE-NAIRA": [], "VIRTUAL-UNIT-PRICE": [], "OWN-UNIT-PRICE": [], "version": "00c0ffee",
    })
}

fn traffic(ordered: i64) -> Value {
    json!({
        "campaigns": 1, "ordered": ordered, "awaited": 1, "delivered": ordered - 3, "undelivered": 1, "rejected": 1,
        "expired": 0, "unknown": 0, "delivered_per_mille": 985,
    })
}

fn named(name: &str, value: &str, mut more: Value) -> Value {
    more[name] = json!(value);
    more
}

fn carrier() -> Value {
    json!({
        "name": "main", "kind": "smpp", "configured": true, "health": "connecting", "reason": "refused",
        "binds": [{"role": "transceiver", "state": "connecting", "reason": null, "since": "2027-01-04T08:00:00.000Z"}],
        "window": 100, "window_used": 12, "rate": 0, "rate_now": 480, "throttled": false,
        "receipt_lag": {"measured": 40, "p50_ms": 900, "p95_ms": 4100}, "state": "paused",
        "state_reason": "the invoice is disputed", "state_by": "root", "state_since": "2027-01-04T08:00:00.000Z",
        "queued": 1200, "queued_later": 30, "in_flight": 12, "queued_notices": 0,
        "oldest_queued_at": "2027-01-04T08:00:00.000Z", "oldest_queued_s": 7, "oldest_lease_at": null,
        "unmatched_receipts": 2, "unknown_messages": 3, "held_by": 3,
        "seen_at": "2027-01-04T08:00:00.000Z", "traced_until": null,
        "breakers": [{"network": "mtn", "state": "open", "delivered": 31, "failed": 169, "waiting": 1150,
                      "opened_at": "2027-01-04T08:00:00.000Z", "probe_at": null, "changed_by": null}],
    })
}

fn figures() -> Value {
    json!({
        "from": "2027-01-03T09:00:00.000Z", "traffic": traffic(200),
        "hours": [named("hour", "2027-01-04T08:00:00.000Z", traffic(200))],
        "networks": [
            {"network": "mtn", "ordered": 150, "delivered": 120, "undelivered": 5, "rejected": 3, "expired": 2,
             "unknown": 0, "awaited": 20, "delivered_per_mille": 923},
            {"network": "glo", "ordered": 50, "delivered": 0, "undelivered": 0, "rejected": 0, "expired": 0,
             "unknown": 0, "awaited": 0, "delivered_per_mille": null},
        ],
        "senders": [named("sender", "ACME", traffic(200))],
        "money": [
            {"currency": "espees", "paid_in": 0, "credited": 12.5, "revenue": 3.25, "released": 0},
            {"currency": "naira", "paid_in": 5000, "credited": 0, "revenue": 900, "released": 4.5},
        ],
        "open_campaigns": {"scheduled": 2, "sending": 1, "paused": 0},
        "oldest_unsent_at": "2027-01-04T08:00:00.000Z", "queue_age_s": 7, "unknown_messages": 3,
        "carriers": [carrier()],
        "last_check": {"checked_at": "2027-01-04T03:00:00.000Z", "ok": true, "findings": 0, "first": null},
        "retention_days_behind": 3,
    })
}

fn daemon() -> StandIn {
    StandIn::new(|request| {
        let ok = |value: Value| Answer::Json(200, value);
        match request.line.split('?').next().unwrap() {
            "GET /admin/get-prices" => ok(prices(1.25)),
            "POST /admin/set-prices" => ok(
                json!({"changed": 2, "prices": prices(1.5), "message": "2 prices changed; quotes keep theirs"}),
            ),
            "POST /admin/set-own-number-unit-price"
            | "POST /admin/set-paystack-keys"
            | "POST /admin/contact-phone" => ok(json!({"message": "Done"})),
            "GET /admin/price-history" => ok(json!({"prices": [{
                "id": 9, "at": "2027-01-04T08:00:00.000Z", "price": "SMS-UNIT-PRICE", "before": null, "after": "1.25",
                "user_id": 1, "username": "root",
            }], "total": 1})),
            "GET /admin/get-contact-email" => ok(json!({"Contact-email": [
                {"value": "help@example.com", "updated_at": "2027-01-01T00:00:00Z"},
            ]})),
            "GET /admin/get-paystack-api-key" => ok(json!({"paystack_secret_key": [
                {"value": "****6789", "updated_at": "2027-01-01T00:00:00Z"},
            ], "paystack_public_key": []})),
            line if line.starts_with("GET /admin/get-") && !line.contains("annoucement") => {
                ok(json!({(line.rsplit('/').next().unwrap()): []}))
            }
            "POST /admin/manage-annoucement" => {
                ok(json!({"message": "Announcement created successfully", "Announcement": [{
                    "id": 4, "announcement": "Closed", "is_active": 1, "created_at": "2027-01-01T00:00:00Z",
                    "updated_at": "2027-01-01T00:00:00Z",
                }]}))
            }
            "GET /admin/announcements/4" => ok(json!({"announcement": {
                "id": 4, "announcement": "Closed", "is_active": 1, "created_at": "2027-01-01T00:00:00Z",
                "updated_at": "2027-01-01T00:00:00Z",
            }})),
            "GET /admin/get-annoucement" => ok(json!({"Announcement": [{
                "id": 4, "announcement": "Closed", "is_active": 1, "created_at": "2027-01-01T00:00:00Z",
                "updated_at": "2027-01-01T00:00:00Z",
            }], "total": 1})),
            "POST /admin/enable-maintenance-mode" => {
                ok(json!({"message": "The website is currently in maintenance mode."}))
            }
            "GET /api/get-maintenance-status" => ok(
                json!({"maintenance_mode": "1", "message": "Back at noon", "updated_at": "2027-01-01T00:00:00Z"}),
            ),
            "GET /admin/audit" => ok(json!({"audit": [{
                "id": 3, "at": "2027-01-04T08:00:00.000Z", "user_id": 1, "username": "root",
                "action": "user.deactivate", "subject": "user 17", "before": "active", "after": "inactive",
            }], "total": 1})),
            "GET /admin/figures" => ok(figures()),
            line => problem(404, "not_found", line),
        }
    })
}

#[test]
fn the_platform_reads_well() {
    let talkdrum = Talkdrum::at(&daemon());
    talkdrum.file("prices.toml", FILE);
    let mut text = String::new();
    for args in [
        &["prices", "plan", "prices.toml"][..],
        &["prices", "apply", "prices.toml"],
        &["prices", "apply", "prices.toml", "--yes"],
        &["prices", "history"],
        &["settings", "list"],
        &["settings", "get", "contact-email"],
        &["settings", "get", "wallet-address"],
        &["announcements", "create", "Closed"],
        &["announcements", "list"],
        &["announcements", "show", "4"],
        &["maintenance", "on", "--message", "Back at noon"],
        &["maintenance", "status"],
        &["audit"],
        &["status"],
        &["status", "--by-hour"],
    ] {
        text.push_str(&format!("$ talkdrum {}\n{}\n", args.join(" "), talkdrum.run(args).golden()));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn prices_are_applied_only_from_the_state_that_was_compared() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    talkdrum.file("prices.toml", FILE);
    let late = talkdrum.run(&["prices", "apply", "prices.toml", "--yes", "--expect", "another"]);
    assert_eq!(late.code, 4, "{}", late.stderr);
    assert_eq!(talkdrum.run(&["prices", "apply", "prices.toml", "--yes", "--expect", "00c0ffee"]).code, 0);
    let posted: Vec<_> = daemon.requests().into_iter().filter(|it| it.line.starts_with("POST")).collect();
    let body: Value = serde_json::from_str(&posted[0].body).unwrap();
    assert_eq!(
        (posted.len(), body),
        (1, json!({"SMS-UNIT-PRICE": "1.5", "VOICE-UNIT-PRICE": "2", "expect": "00c0ffee"}))
    );
}

#[test]
fn applying_what_is_set_already_asks_nothing_and_changes_nothing() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    talkdrum.file("same.toml", "[espees]\nsms = 1.25\n");
    let run = talkdrum.run(&["prices", "apply", "same.toml"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "No price changes: they are the file's already\n"));
    assert_eq!(daemon.lines(), ["GET /admin/get-prices"]);
}

#[test]
fn the_example_of_prices_is_a_list_of_prices() {
    let daemon = daemon();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/prices.toml");
    let run = Talkdrum::at(&daemon).run(&["prices", "plan", file, "-o", "json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let plan: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(plan["changes"].as_array().unwrap().len(), 7, "{plan}");
}

#[test]
fn secrets_come_from_stdin_and_never_from_the_command_line() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    let seen = talkdrum.run(&["settings", "set", "sms-api-key", "secret"]);
    assert_eq!(seen.code, 2, "{}", seen.stderr);
    assert_eq!(talkdrum.run_with(&["settings", "set", "paystack-keys"], "sk_1\n").code, 2);
    assert_eq!(talkdrum.run_with(&["settings", "set", "paystack-keys"], "sk_1\npk_1\n").code, 0);
    assert_eq!(talkdrum.run(&["settings", "set", "contact-phone", "08031234567"]).code, 0);
    let bodies: Vec<String> = daemon.requests().into_iter().map(|it| it.body).collect();
    assert_eq!(bodies, [r#"{"public_key":"pk_1","secret_key":"sk_1"}"#, r#"{"phone":"08031234567"}"#]);
}

#[test]
fn filters_are_handed_on() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    talkdrum.run(&[
        "audit",
        "--user",
        "root",
        "--action",
        "price.set",
        "--from",
        "2027-01-01",
        "--search",
        "x",
    ]);
    talkdrum.run(&["prices", "set", "--of", "own-number", "--currency", "espees", "0.5"]);
    assert_eq!(talkdrum.run(&["prices", "set", "--of", "own-number", "--currency", "naira", "1"]).code, 2);
    assert_eq!(
        daemon.lines(),
        [
            "GET /admin/audit?page=1&per_page=20&user_id=root&action=price.set&from=2027-01-01&q=x",
            "POST /admin/set-own-number-unit-price",
        ]
    );
}

#[test]
fn a_plan_is_shown_by_its_name_given_and_taken() {
    let rate = |naira: f64| json!({"prefix": "44", "network": null, "espees": null, "naira": naira, "updated_at": null});
    let daemon = StandIn::new(move |request| {
        let answer = match request.line.as_str() {
            "GET /admin/rates" => json!({
                "rates": [rate(60.0)], "total": 1, "version": "v",
                "plans": [{"name": "gold", "users": 2, "rates": [rate(50.0)]}],
            }),
            "GET /api/rates" => json!({"rates": [rate(60.0)], "total": 1, "version": "v"}),
            _ if request.body.contains("gold") => json!({"user_id": 5, "plan": "gold"}),
            _ => json!({"user_id": 5, "plan": null}),
        };
        Answer::Json(200, answer)
    });
    let talkdrum = Talkdrum::at(&daemon);
    let own = talkdrum.run(&["rates"]);
    assert!(own.code == 0 && own.stdout.contains("60"), "{}{}", own.stdout, own.stderr);
    let plan = talkdrum.run(&["rates", "--plan", "Gold"]);
    assert!(plan.stdout.contains("50") && !plan.stdout.contains("60"), "{}", plan.stdout);
    assert!(plan.stderr.contains("users with this plan: 2"), "{}", plan.stderr);
    let plans = talkdrum.run(&["rates", "--plans"]);
    assert!(plans.stdout.contains("gold") && plans.stdout.contains('2'), "{}", plans.stdout);
    let none = talkdrum.run(&["rates", "--plan", "silver"]);
    assert!(none.code != 0 && none.stderr.contains("no rate plan 'silver'"), "{}", none.stderr);
    assert!(none.stderr.contains("rate plans: gold"), "{}", none.stderr);
    let given = talkdrum.run(&["users", "rate-plan", "5", "gold"]);
    assert!(
        given.code == 0 && format!("{}{}", given.stdout, given.stderr).contains("5 has the rate plan 'gold'"),
        "{}",
        given.stderr
    );
    let taken = talkdrum.run(&["users", "rate-plan", "5", "--none"]);
    assert!(format!("{}{}", taken.stdout, taken.stderr).contains("5 has no rate plan"), "{}", taken.stderr);
    let bodies: Vec<String> =
        daemon.requests().into_iter().map(|it| it.body).filter(|it| !it.is_empty()).collect();
    assert_eq!(bodies, [r#"{"plan":"gold"}"#, r#"{"plan":""}"#]);
    assert_eq!(talkdrum.run(&["users", "rate-plan", "5"]).code, 2, "nothing is taken by an oversight");
}

#[test]
fn a_plan_of_prices_warns_where_a_rate_is_below_what_a_carrier_charges() {
    let daemon = StandIn::new(|request| {
        let answer = match request.line.as_str() {
            "GET /admin/rates" => json!({"rates": [], "total": 0, "version": "v", "plans": []}),
            "POST /admin/rate-costs" => {
                let mut asked: serde_json::Value = serde_json::from_str(&request.body).unwrap();
                asked["rates"][0]["cost_naira"] = json!(2.5);
                asked
            }
            "PUT /admin/rates" => json!({
                "changed": 1, "rates": {"rates": [], "total": 0, "version": "w"}, "message": "1 price changed",
            }),
            _ => json!({
                "SMS-UNIT-PRICE": [], "SMS-UNIT-PRICE-IN-NAIRA": [], "SMS-ABROAD-UNIT-PRICE": [],
                "SMS-ABROAD-UNIT-PRICE-IN-NAIRA": [], "VOICE-UNIT-PRICE": [], "VOICE-UNIT-PRICE-NAIRA": [],
                "VIRTUAL-UNIT-PRICE": [], "OWN-UNIT-PRICE": [], "version": "p",
            }),
        };
        Answer::Json(200, answer)
    });
    let talkdrum = Talkdrum::at(&daemon);
    talkdrum.file("rates.toml", "[[rates]]\nprefix = '234'\npurpose = 'otp'\nnaira = 2.4\n");
    let warning = "+234 for otp: 2.4 Naira a page is below the 2.5 that a carrier charges";
    for command in [&["prices", "plan", "rates.toml"][..], &["prices", "apply", "rates.toml", "--yes"]] {
        let run = talkdrum.run(command);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stderr.contains(warning), "{}", run.stderr);
    }
    let listed: Vec<_> = daemon.requests().into_iter().filter(|it| it.line.starts_with("PUT")).collect();
    assert!(listed[0].body.contains(r#""purpose":"otp""#), "{}", listed[0].body);
}

#[test]
fn a_legal_hold_is_put_with_its_reason_and_lifted() {
    let daemon = StandIn::new(|request| {
        let held = json!({"reason": "Case 17", "held_at": "2026-11-28T02:00:00.000Z", "held_by": "root"});
        let held = if request.line.starts_with("DELETE") { json!(null) } else { held };
        Answer::Json(200, json!({"user_id": 5, "legal_hold": held}))
    });
    let talkdrum = Talkdrum::at(&daemon);
    assert_eq!(talkdrum.run(&["users", "hold", "5"]).code, 2, "a reason is asked for");
    let held = talkdrum.run(&["users", "hold", "5", "--reason", "Case 17"]);
    let said = format!("{}{}", held.stdout, held.stderr);
    assert!(held.code == 0 && said.contains("The data of 5 is under a legal hold"), "{said}");
    let lifted = talkdrum.run(&["users", "unhold", "5"]);
    let said = format!("{}{}", lifted.stdout, lifted.stderr);
    assert!(lifted.code == 0 && said.contains("no legal hold"), "{said}");
    let calls: Vec<_> = daemon.requests().into_iter().map(|it| (it.line, it.body)).collect();
    assert_eq!(
        calls,
        [
            ("PUT /admin/users/5/legal-hold".to_owned(), r#"{"reason":"Case 17"}"#.to_owned()),
            ("DELETE /admin/users/5/legal-hold".to_owned(), String::new()),
        ]
    );
}
