//! The shapes of `-o json` that are the client's own: one object, under the names that other commands have, too.

use serde_json::{Value, json};

use crate::contacts::{group, import};
use crate::stand_in::{Answer, StandIn, problem};
use crate::talkdrum::{Talkdrum, campaign, confirmed, quote};

fn unknown(id: i64, price: f64) -> Value {
    json!({
        "id": id, "campaign_id": 7, "to": "2348031234567", "senderid": "WEBSMS", "network": "mtn",
        "status": "unknown", "reason": null, "pages": 1, "price": price, "currency": "naira",
        "carrier_ref": null, "submitted_at": "2027-01-04T08:00:02Z", "done_at": null,
    })
}

fn daemon() -> StandIn {
    StandIn::new(|request| {
        let ok = |value: Value| Answer::Json(200, value);
        let change = |id: i64, price: &str| {
            json!({
                "id": id, "at": "2027-01-04T08:00:00.000Z", "price": price, "before": null, "after": "95",
                "user_id": 1, "username": "root",
            })
        };
        match request.line.as_str() {
            "POST /api/login" => ok(json!({"token": "session-1", "user": null})),
            "POST /api/logout" => ok(json!({"message": "Bye"})),
            "GET /api/get/group?group_name=Members" => {
                ok(json!({"groups": [group(4, "Members")], "total": 1}))
            }
            "POST /api/import/contact/group/4?background=1" => {
                Answer::Json(202, json!({"import": import("completed"), "message": ""}))
            }
            "GET /admin/carriers" => ok(json!({"carriers": [], "total": 0})),
            "GET /admin/dnd?per_page=1" => ok(json!({"numbers": ["2348031234567"], "total": 30})),
            "POST /api/recipients/check" => ok(json!({
                "total_contacts": 2, "total_duplicates_removed": 0, "total_invalid": 1, "total_suppressed": 0,
                "rejects": [], "columns": [], "networks": {},
            })),
            line if line.starts_with("GET /admin/price-history?page=1&per_page=20") => ok(json!({
                "prices": [
                    change(9, "SMS-ABROAD-UNIT-PRICE-IN-NAIRA"), change(8, "FAX-UNIT-PRICE"),
                    change(7, "RATE +234 mtn naira"), change(6, "RATE gold +234 mtn naira"),
                ], "total": 4,
            })),
            line if line.starts_with("GET /api/get-") => ok(json!({
                "SMS-UNIT-PRICE-IN-NAIRA": [{"value": 2.5, "updated_at": "2027-01-01T00:00:00Z"}],
            })),
            "GET /admin/get-contact-email" => {
                ok(json!({"Contact-email": [{"value": "a@b.example", "updated_at": "2027-01-01T00:00:00Z"}]}))
            }
            "GET /api/messages/4096" => ok(json!({
                "message": unknown(4096, 2.5), "text": "", "history": [], "entries": [], "explanation": "",
            })),
            "GET /api/messages/4097" => {
                let mut message = unknown(4097, 2.5);
                message["status"] = json!("delivered");
                ok(json!({"message": message, "text": "", "history": [], "entries": [], "explanation": ""}))
            }
            "GET /admin/unknown-messages?campaign_id=7&page=1&per_page=1000" => {
                ok(json!({"messages": vec![unknown(1, 2.5); 1000], "total": 1001}))
            }
            "GET /admin/unknown-messages?campaign_id=7&page=2&per_page=1000" => {
                ok(json!({"messages": [unknown(9, 5.000_001)], "total": 1001}))
            }
            "POST /admin/messages/resolve" => {
                ok(json!({"resolved": 2, "message": "2 messages refunded", "quote": quote()}))
            }
            "POST /api/confirm-send-text-sms" => ok(confirmed(&campaign("sending"))),
            line => problem(404, "not_found", line),
        }
    })
}

#[test]
fn a_record_is_below_its_name_and_a_list_beside_its_total() {
    let daemon = daemon();
    let mut talkdrum = Talkdrum::at(&daemon);
    talkdrum.token = None;
    talkdrum.file("list.csv", "08031234567\n08031234568\nx\n");
    let object = |args: &[&str]| -> Value {
        let run = talkdrum.run_with(&[args, &["-o", "json"]].concat(), "pass\n");
        assert_eq!(run.code, 0, "{args:?} {}", run.stderr);
        serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("one object: {}", run.stdout))
    };
    let profile = json!({
        "name": "default", "current": true, "url": "http://daemon",
        "username": "ada", "account": "ada at http://daemon", "zone": "Africa/Lagos",
    });
    object(&["profiles", "set", "--zone", "Africa/Lagos"]);
    let login = ["login", "--username", "ada", "--password-stdin"];
    assert_eq!(object(&login), json!({ "profile": profile }));
    assert_eq!(object(&["profiles", "list"]), json!({"profiles": [profile], "total": 1}));
    let imported = object(&["contacts", "import", "list.csv", "--group", "Members"]);
    assert_eq!(imported["import"]["status"], "completed", "as contacts imports ID has it");
    assert_eq!(object(&["carriers", "reroute", "gone", "--dry-run"]).get("carrier"), Some(&Value::Null));
    let would = object(&["dnd", "import", "list.csv", "--replace", "--dry-run"]);
    assert_eq!(would, json!({"total_valid": 2, "total_invalid": 1, "total": 30, "shrinks": true}));
    let email = object(&["settings", "get", "contact-email"]);
    assert_eq!((&email["settings"][0]["name"], &email["total"]), (&json!("Contact-email"), &json!(1)));
    assert_eq!(object(&["logout"])["profile"]["username"], Value::Null);
}

#[test]
fn a_price_has_one_name_in_every_command() {
    let talkdrum = Talkdrum::at(&daemon());
    let prices = |args: &[&str]| -> Value {
        let run = talkdrum.run(&[args, &["-o", "json"]].concat());
        serde_json::from_str::<Value>(&run.stdout).unwrap()["prices"].clone()
    };
    let now = prices(&["prices", "get"]);
    let told = |row: &Value| format!("{}/{}", row["of"].as_str().unwrap(), row["currency"]);
    assert!(now.as_array().unwrap().iter().any(|row| told(row) == "sms_abroad/\"naira\""), "{now}");
    assert_eq!(
        now[1],
        json!({"of": "sms", "currency": "naira", "value": 2.5, "updated_at": "2027-01-01T00:00:00Z"})
    );
    let then = prices(&["prices", "history", "--of", "sms_abroad", "--currency", "naira"]);
    assert_eq!(
        (told(&then[0]), told(&then[1])),
        ("sms_abroad/\"naira\"".into(), "FAX-UNIT-PRICE/null".into())
    );
    assert_eq!((&then[0]["before"], &then[0]["after"]), (&Value::Null, &json!(95)));
    assert_eq!((told(&then[2]), told(&then[3])), ("+234 mtn/\"naira\"".into(), "+234 mtn/\"naira\"".into()),);
    let plans = (&then[2]["plan"], &then[3]["plan"]);
    assert_eq!(plans, (&Value::Null, &json!("gold")), "a plan's name is not taken for a network");
    let asked_of = daemon();
    Talkdrum::at(&asked_of).run(&["prices", "history", "--of", "sms-abroad", "--currency", "naira"]);
    let asked = "GET /admin/price-history?page=1&per_page=20&price=SMS-ABROAD-UNIT-PRICE-IN-NAIRA";
    assert_eq!(asked_of.lines(), [asked]);
    let none = talkdrum.run(&["prices", "history", "--of", "own_number", "--currency", "naira"]);
    assert_eq!(none.code, 2, "{}", none.stderr);
}

#[test]
fn a_resolve_says_how_many_for_how_much_before_and_one_object_after() {
    let talkdrum = Talkdrum::at(&daemon());
    let named = ["messages", "resolve", "4096", "4097", "--as", "refunded", "--dry-run"];
    let run = talkdrum.run(&named);
    let said = "It would settle 1 unknown message of 2.50000 Naira as not sent, and refund them; nothing was settled\n";
    assert_eq!((run.code, run.stdout.as_str()), (0, said), "{}", run.stderr);
    let twice = talkdrum.run(&["messages", "resolve", "4096", "4096", "--as", "refunded", "--dry-run"]);
    assert_eq!(twice.stdout, said, "what is named twice is one message");
    let all = ["messages", "resolve", "--campaign", "7", "--as", "sent", "--dry-run", "-o", "json"];
    let would: Value = serde_json::from_str(&talkdrum.run(&all).stdout).unwrap();
    let costs = json!([{"currency": "naira", "amount": 2_505.000_001}]);
    assert_eq!(would, json!({"total": 1001, "outcome": "sent", "costs": costs}));
    let resend = ["messages", "resolve", "4096", "--as", "resend", "--yes", "-o", "json"];
    let run = talkdrum.run(&resend);
    let done: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.stdout));
    assert_eq!(
        (&done["resolved"], &done["quote"]["quote_id"], &done["campaigns"][0]["id"]),
        (&json!(2), &json!(12), &json!(7))
    );
}
