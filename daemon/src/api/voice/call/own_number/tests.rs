//! Own numbers, verified over a real trunk of loopback by the phones of the sandbox. Needs espeak-ng, which
//! `.ci/prepare test` installs.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::account::user::Role;
use talkdrum_core::store::voice::own_number_call;
use talkdrum_core::store::{Store, StoreOptions};

use crate::testing::{Reply, TestDaemon};

const PATH: &str = "/api/voice-call";
const PHONE: &str = "2348031230001";

/// A daemon of the sandbox where a pulse costs 9.000001 Naira, and a user with 1,000 Naira.
async fn ready() -> (TestDaemon, String, UserId, String) {
    let daemon = TestDaemon::start_in_sandbox().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    let prices = [("VOICE-UNIT-PRICE-NAIRA", "9.000001")];
    assert_eq!(daemon.post("/admin/set-prices", &admin, &prices).await.status, 200);
    let ada = daemon.user("ada", Role::User).await;
    let money = [("amount", "1000"), ("payment_ref", "p-1")];
    assert_eq!(daemon.post(&format!("/admin/assign-naira/{ada}"), &admin, &money).await.status, 200);
    let token = daemon.login("ada").await;
    (daemon, token, ada, admin)
}

/// Asks until the trunk is up, which it is some moments after the start.
async fn ask(daemon: &TestDaemon, token: &str, fields: &[(&str, &str)], key: &str) -> Reply {
    for _ in 0..400 {
        let request = daemon.request(Method::POST, PATH, token).form(fields);
        let request = if key.is_empty() { request } else { request.header("Idempotency-Key", key) };
        let reply = daemon.send(request).await;
        if !matches!(reply.code().as_str(), "trunk_down" | "trunk_elsewhere" | "calls_held") {
            return reply;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the trunk never came up");
}

async fn over(daemon: &TestDaemon, token: &str, asked: &Reply) -> Value {
    assert_eq!((asked.status, &asked.json()["message"]), (200, &json!("Code sent")), "{}", asked.text);
    let path = format!("/api/own-number-calls/{}", asked.json()["details"]["id"]);
    for _ in 0..1_200 {
        let call = daemon.get(&path, token).await.json();
        if call["over"] == true {
            return call;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the call never ended: {}", daemon.get(&path, token).await.text);
}

async fn balance(daemon: &TestDaemon, token: &str) -> Value {
    daemon.get("/api/get-espee-balance", token).await.json()["paystack_balance"].clone()
}

#[tokio::test]
async fn a_call_speaks_a_code_that_verifies_the_number_and_campaigns_are_from_it() {
    let (daemon, ada, _, admin) = ready().await;
    let fields = [("own_number", "0803 123 0001"), ("payment_method", "paystack")];
    let asked = ask(&daemon, &ada, &fields, "k1").await;
    let details = asked.json()["details"].clone();
    assert_eq!(
        (&details["phone_number"], &details["over"]),
        (&json!(PHONE), &json!(false)),
        "{}",
        asked.text
    );
    assert_eq!((&details["charged"], &details["currency"]), (&json!(9.000_001), &json!("naira")));
    let call = over(&daemon, &ada, &asked).await;
    assert_eq!((&call["outcome"], &call["pulses"]), (&json!("answered"), &json!(1)), "{call}");
    assert_eq!(call["from"], "2342010000000", "the trunk's own number");
    assert_eq!(balance(&daemon, &ada).await, json!(990.999_999));
    let again = ask(&daemon, &ada, &fields, "k1").await;
    assert_eq!(again.json()["details"]["id"], details["id"], "{}", again.text);
    assert_eq!(again.json()["details"]["over"], true);
    let calls = daemon.get("/sandbox/calls", "").await.json();
    let heard = &calls[0];
    assert_eq!((calls.as_array().unwrap().len(), &heard["to"]), (1, &json!(PHONE)), "{calls}");
    assert!(heard["rms"].as_i64().unwrap() > 500 && heard["seconds"].as_f64().unwrap() > 8.0, "{heard}");
    assert!(heard["wav"].is_string(), "{heard}");

    let code = daemon.code_for(PHONE).await;
    assert!(!asked.text.contains(&code) && !call.to_string().contains(&code));
    let from = [
        ("own_number", PHONE),
        ("contacts", "08031230002"),
        ("ttsMsg", "Hello"),
        ("payment_method", "paystack"),
    ];
    let early = daemon.post(PATH, &ada, &from).await;
    assert_eq!(early.code(), "sender_not_allowed", "{}", early.text);
    let wrong = format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000);
    let confirm =
        async |code: &str| daemon.post(PATH, &ada, &[("own_number", PHONE), ("validation_code", code)]).await;
    let refused = confirm(&wrong).await;
    assert_eq!((refused.status, refused.code().as_str()), (400, "code_wrong"), "{}", refused.text);
    assert_eq!(refused.json()["errors"][0]["field"], "validation_code");
    assert!(refused.text.contains("4 tries are left"), "{}", refused.text);
    let verified = confirm(&code).await;
    assert_eq!(
        (verified.status, &verified.json()["message"]),
        (200, &json!("Number verified")),
        "{}",
        verified.text
    );
    assert_eq!(verified.json()["details"]["status"], "verified");
    let own = daemon.get("/api/get-own-number", &ada).await.json();
    assert_eq!((&own["Own-Number"][0]["phone_number"], &own["total"]), (&json!(PHONE), &json!(1)), "{own}");
    let audit = daemon.get("/admin/audit", &admin).await.text;
    assert!(audit.contains("own_number.verify") && !audit.contains(PHONE), "{audit}");

    let sent = daemon.post(PATH, &ada, &from).await;
    assert_eq!(sent.status, 200, "{}", sent.text);
    for _ in 0..1_200 {
        let calls = daemon.get("/sandbox/calls", "").await.json();
        if calls[1]["ended_at"].is_string() {
            assert_eq!(
                (&calls[1]["from"], &calls[1]["to"]),
                (&json!(PHONE), &json!("2348031230002")),
                "{calls}"
            );
            daemon.stop().await;
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no call from the number");
}

#[tokio::test]
async fn a_line_that_is_busy_costs_nothing_and_the_next_code_waits_a_minute() {
    let (daemon, ada, ..) = ready().await;
    let fields = [("own_number", "08031239101"), ("payment_method", "naira")];
    let call = over(&daemon, &ada, &ask(&daemon, &ada, &fields, "").await).await;
    assert_eq!((&call["outcome"], &call["charged"]), (&json!("busy"), &json!(0)), "{call}");
    assert_eq!((&call["refunded"], &call["attempts"]), (&json!(9.000_001), &json!(1)), "{call}");
    assert_eq!(balance(&daemon, &ada).await, 1_000);
    let history = daemon.get("/api/get-transaction-history", &ada).await.json();
    let told = |at: usize| history["transactions"][at]["narration"].clone();
    assert_eq!(told(0), "The call to verify the number ending in 9101 was not answered", "{history}");
    assert_eq!(told(1), "Call to verify the number ending in 9101", "{history}");
    let early = daemon.post(PATH, &ada, &fields).await;
    assert_eq!((early.status, early.code().as_str()), (429, "too_many_codes"), "{}", early.text);
    assert_eq!(early.headers["retry-after"], "61");
    daemon.stop().await;
}

#[tokio::test]
async fn what_is_wrong_is_said_in_the_order_of_the_form_and_charges_nothing() {
    let (daemon, ada, id, admin) = ready().await;
    let own = ("own_number", PHONE);
    let paid = ("payment_method", "paystack");
    for (fields, status, code) in [
        (vec![own], 400, "payment_required"),
        (vec![own, ("payment_method", " ")], 400, "payment_required"),
        (vec![own, ("payment_method", "cash")], 400, "unknown_currency"),
        (vec![("own_number", "12"), paid], 400, "too_short"),
        (vec![("own_number", "+447911123456"), paid], 400, "not_callable"),
        (vec![own, paid, ("virtual_number", "2342012345678")], 400, "two_caller_numbers"),
        (vec![own, paid, ("quote", "1")], 400, "not_quoted"),
        (vec![own, paid, ("max_charge", "-1")], 400, "amount_negative"),
        (vec![own, ("payment_method", "espees")], 400, "price_unset"),
        (vec![own, paid, ("ttsVoice", "robot")], 400, "unknown_voice"),
        (vec![own, paid, ("max_charge", "9")], 400, "max_charge"),
        // Something to play is a campaign, whose recipients are missing.
        (vec![own, paid, ("ttsMsg", "Hello")], 400, "recipients_required"),
        (vec![own, ("validation_code", "123456")], 400, "no_code"),
        (vec![own, ("validation_code", "12")], 400, "code_digits"),
    ] {
        let refused = ask(&daemon, &ada, &fields, "").await;
        assert_eq!((refused.status, refused.code().as_str()), (status, code), "{fields:?}: {}", refused.text);
    }
    assert_eq!(balance(&daemon, &ada).await, 1_000);
    let paused = daemon.post("/admin/carriers/sandbox-voice/pause", &admin, &[]).await;
    assert_eq!(paused.status, 200, "{}", paused.text);
    let refused = daemon.post(PATH, &ada, &[own, paid]).await;
    assert_eq!((refused.status, refused.code().as_str()), (503, "trunk_paused"), "{}", refused.text);
    daemon.post(&format!("/admin/deactivate-user/{id}"), &admin, &[]).await;
    let token = daemon.login("ada").await;
    for fields in [vec![own, paid], vec![own, ("validation_code", "123456")]] {
        let inactive = daemon.post(PATH, &token, &fields).await;
        assert_eq!(inactive.code(), "account_inactive", "{}", inactive.text);
    }
    assert_eq!(daemon.get("/sandbox/calls", "").await.json(), json!([]));
    assert_eq!(daemon.get("/sandbox/outbox", "").await.json(), json!([]));
    daemon.stop().await;
}

#[tokio::test]
async fn without_an_engine_or_a_trunk_nothing_is_charged() {
    for (engine, code) in [(true, "no_trunk"), (false, "speech_unavailable")] {
        let daemon = TestDaemon::start_with(|settings| {
            // It is night.
            settings.quiet_hours.from = settings.quiet_hours.until.clone();
            if !engine {
                settings.voice.engine = ["/nowhere/engine", "{voice}"].map(str::to_owned).to_vec();
                let text =
                    "host = '127.0.0.1'\nlisten = '127.0.0.1'\ncaller_id = '2342010000000'\noptions_s = 0";
                settings.carriers.push(crate::config::CarrierSection {
                    name: "main".into(),
                    kind: "sip".into(),
                    options: toml::from_str(text).unwrap(),
                });
            }
        })
        .await;
        let admin = daemon.signed_in("root", Role::Admin).await;
        assert_eq!(
            daemon.post("/admin/set-prices", &admin, &[("VOICE-UNIT-PRICE-NAIRA", "9")]).await.status,
            200
        );
        let ada = daemon.user("ada", Role::User).await;
        let money = [("amount", "1000"), ("payment_ref", "p-1")];
        daemon.post(&format!("/admin/assign-naira/{ada}"), &admin, &money).await;
        let ada = daemon.login("ada").await;
        let refused = ask(&daemon, &ada, &[("own_number", PHONE), ("payment_method", "naira")], "").await;
        assert_eq!((refused.status, refused.code().as_str()), (503, code), "{}", refused.text);
        daemon.stop().await;
    }
}

#[tokio::test]
async fn no_phone_is_called_at_night_nor_for_an_account_without_money() {
    let daemon = TestDaemon::start().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    daemon.post("/admin/set-prices", &admin, &[("VOICE-UNIT-PRICE-NAIRA", "0")]).await;
    let id = daemon.user("ada", Role::User).await;
    let ada = daemon.login("ada").await;
    let fields = [("own_number", PHONE), ("payment_method", "naira")];
    let poor = daemon.post(PATH, &ada, &fields).await;
    assert_eq!((poor.status, poor.code().as_str()), (403, "verifications_unfunded"), "{}", poor.text);
    let money = [("amount", "1"), ("payment_ref", "p-1")];
    assert_eq!(daemon.post(&format!("/admin/assign-naira/{id}"), &admin, &money).await.status, 200);
    // It is 23:13:20 in Lagos.
    let night = daemon.post(PATH, &ada, &fields).await;
    assert_eq!((night.status, night.code().as_str()), (409, "quiet_hours"), "{}", night.text);
    assert!(night.text.contains("try again after 08:00 (Africa/Lagos)"), "{}", night.text);
    assert_eq!(night.headers["retry-after"], "31601");
    daemon.pass(Duration::from_secs(31_600));
    let day = daemon.post(PATH, &daemon.login("ada").await, &fields).await;
    assert!(!["quiet_hours", "verifications_unfunded"].contains(&day.code().as_str()), "{}", day.text);
    daemon.stop().await;
}

#[tokio::test]
async fn the_end_of_a_call_is_stored_before_a_daemon_that_stops_is_gone() {
    let (daemon, ada, ..) = ready().await;
    let fields = [("own_number", PHONE), ("payment_method", "paystack")];
    let asked = ask(&daemon, &ada, &fields, "").await;
    assert_eq!(asked.status, 200, "{}", asked.text);
    let dir = daemon.stop().await;
    let url = format!("sqlite://{}", dir.path().join("talkdrum.db").display());
    let store = Store::open(&StoreOptions::new(url)).await.unwrap();
    let mut tx = store.read().await.unwrap();
    let open = own_number_call::open(&mut tx, 9).await.unwrap();
    assert_eq!(open, [], "none is left to be settled as unknown");
}
