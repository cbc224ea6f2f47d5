//! Calls to many over a real trunk of loopback, to the phones of the sandbox.

use std::time::Duration;

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use talkdrum_core::args;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::account::user::Role;
use talkdrum_core::model::campaign::id::CampaignId;
use talkdrum_core::store::Lane;
use talkdrum_core::testing::mp3::Tone;

use crate::testing::{Reply, START, TestDaemon};

const PATH: &str = "/api/voice-call";

/// A daemon of the sandbox where a pulse costs 9 Naira, and a user with 1,000 Naira.
async fn ready() -> (TestDaemon, String, UserId, String) {
    let daemon = TestDaemon::start_in_sandbox().await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    let prices = [("VOICE-UNIT-PRICE-NAIRA", "9"), ("VOICE-UNIT-PRICE", "0.5")];
    assert_eq!(daemon.post("/admin/set-prices", &admin, &prices).await.status, 200);
    let ada = daemon.user("ada", Role::User).await;
    let money = [("amount", "1000"), ("payment_ref", "p-1")];
    let funded = daemon.post(&format!("/admin/assign-naira/{ada}"), &admin, &money).await;
    assert_eq!(funded.status, 200, "{}", funded.text);
    let token = daemon.login("ada").await;
    (daemon, token, ada, admin)
}

fn form(fields: &[(&'static str, &str)]) -> Form {
    fields.iter().fold(Form::new(), |form, (name, value)| form.text(*name, (*value).to_owned()))
}

async fn post(daemon: &TestDaemon, token: &str, form: Form) -> Reply {
    daemon.send(daemon.request(Method::POST, PATH, token).multipart(form)).await
}

fn mp3(seconds: f32) -> Part {
    Part::bytes(Tone::of(seconds).mp3()).file_name("Tone.mp3")
}

/// A campaign, once it is over.
async fn over(daemon: &TestDaemon, token: &str, id: &Value) -> Value {
    for _ in 0..1_200 {
        let reply = daemon.get(&format!("/api/campaigns/{id}"), token).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        let campaign = reply.json()["campaign"].clone();
        if campaign["status"] == "completed" {
            return campaign;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the calls never ended: {}", daemon.get(&format!("/api/campaigns/{id}"), token).await.text);
}

async fn balance(daemon: &TestDaemon, token: &str) -> Value {
    daemon.get("/api/get-espee-balance", token).await.json()["paystack_balance"].clone()
}

#[tokio::test]
async fn calls_are_quoted_confirmed_once_and_charged_by_what_was_answered() {
    let (daemon, ada, ..) = ready().await;
    // Busy, no such number, declined, and two that listen; the last of them a duplicate.
    let contacts = "08031239101, 08031239104 08031239107 08031230001 08031230002 08031230002 +447911123456";
    let fields = [("payment_method", "paystack"), ("contacts", contacts), ("quote", "1")];
    let quoted = post(&daemon, &ada, form(&fields).part("audioFile", mp3(1.0))).await;
    assert_eq!(quoted.status, 200, "{}", quoted.text);
    let quote = quoted.json()["details"].clone();
    assert_eq!(
        (&quote["total_contacts"], &quote["total_duplicates_removed"]),
        (&json!(5), &json!(1)),
        "{quote}"
    );
    assert_eq!((&quote["total_invalid"], &quote["rejects"][0]["code"]), (&json!(1), &json!("no_price")));
    assert_eq!(
        (&quote["length_s"], &quote["pulses"], &quote["pulse"]),
        (&json!(2), &json!(1), &json!("60/60"))
    );
    assert_eq!((&quote["unit_price"], &quote["total_charges"]), (&json!(9), &json!(45)));
    assert_eq!((&quote["sms_type"], &quote["encoding"]), (&json!("voice"), &json!("audio")));
    assert_eq!(balance(&daemon, &ada).await, 1_000, "a quote costs nothing");

    let id = quote["quote_id"].to_string();
    let confirmed = post(&daemon, &ada, form(&[("quote_id", &id)])).await;
    assert_eq!(confirmed.status, 200, "{}", confirmed.text);
    assert_eq!(confirmed.json()["message"], "Voice SMS Sent");
    let campaign = confirmed.json()["details"].clone();
    assert_eq!(campaign["id"], campaign["broadcastId"]);
    let again = post(&daemon, &ada, form(&[("quote_id", &id)])).await;
    assert_eq!(again.json()["details"]["id"], campaign["id"], "{}", again.text);

    // The busy one is called once more, five minutes later.
    let path = format!("/api/campaigns/{}/messages", campaign["id"]);
    let messages = async || daemon.get(&path, &ada).await.json();
    for _ in 0..600 {
        let text = messages().await.to_string();
        if text.contains("The line was busy") && text.matches("\"delivered\"").count() == 2 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    daemon.clock.advance(Duration::from_secs(301));
    let campaign = over(&daemon, &ada, &campaign["id"]).await;
    let counts = |name: &str| campaign["counts"][name].as_i64().unwrap();
    assert_eq!((counts("delivered"), counts("rejected"), counts("undelivered")), (2, 2, 1), "{campaign}");
    assert_eq!((&campaign["captured"], &campaign["released"]), (&json!(18), &json!(27)), "{campaign}");
    assert_eq!(balance(&daemon, &ada).await, 982);
    let rows = messages().await["messages"].clone();
    let row = |to: &str| rows.as_array().unwrap().iter().find(|row| row["to"] == to).unwrap().clone();
    let (heard, busy) = (row("2348031230001"), row("2348031239101"));
    assert_eq!(
        (&heard["call"]["outcome"], &heard["pages"], &heard["price"]),
        (&json!("answered"), &json!(1), &json!(9))
    );
    assert!(heard["call"]["heard_ms"].as_i64().unwrap() >= 1_000, "{heard}");
    assert_eq!(
        (&busy["call"]["attempts"], &busy["reason"]),
        (&json!(2), &json!("The line was busy")),
        "{busy}"
    );
    let why = daemon.get(&format!("/api/messages/{}", heard["id"]), &ada).await;
    assert!(why.text.contains("The call was answered; 9 Naira was charged for 1 pulse."), "{}", why.text);
    let calls = daemon.get("/sandbox/calls", "").await.json();
    let busy = calls.as_array().unwrap().iter().filter(|call| call["to"] == "2348031239101").count();
    assert_eq!((calls.as_array().unwrap().len(), busy), (6, 2), "{calls}");
    let reports = daemon.get("/api/get-sent-voice-sms", &ada).await.json();
    let report = &reports["Voice-Sms"][0];
    assert_eq!((&report["units"], &report["naira_deducted"]), (&json!(2), &json!(18)), "{reports}");
    assert_eq!((&report["refunded_amount"], &report["msgLength"]), (&json!(27), &json!(2)));
    assert_eq!((&report["no_of_sent_contacts"], &report["no_of_failed_contacts"]), (&json!(2), &json!(3)));
    assert!(report["audioFileUrl"].as_str().unwrap().contains("/api/recordings/"), "{report}");
    assert!(report["failed_contacts"].as_str().unwrap().contains("2348031239107"), "{report}");
    daemon.stop().await;
}

#[tokio::test]
async fn one_step_is_bounded_by_max_charge_and_repeated_under_its_key() {
    let (daemon, ada, ..) = ready().await;
    let recording = {
        let form = Form::new().part("audioFile", mp3(1.0));
        let reply = daemon.send(daemon.request(Method::POST, "/api/recordings", &ada).multipart(form)).await;
        reply.json()["recording"].clone()
    };
    let url = recording["audioFileUrl"].as_str().unwrap().to_owned();
    let fields = [("payment_method", "naira"), ("contacts", "08031230001"), ("audioUrl", url.as_str())];
    let capped = post(&daemon, &ada, form(&fields).text("max_charge", "8.99")).await;
    assert_eq!((capped.status, capped.code().as_str()), (400, "max_charge"), "{}", capped.text);
    assert_eq!(balance(&daemon, &ada).await, 1_000);
    let keyed = async || {
        let request = daemon.request(Method::POST, PATH, &ada).header("Idempotency-Key", "call-1");
        daemon.send(request.multipart(form(&fields))).await
    };
    let (first, second) = (keyed().await, keyed().await);
    assert_eq!(first.status, 200, "{}", first.text);
    assert_eq!(first.json()["details"]["id"], second.json()["details"]["id"], "{}", second.text);
    let delete = daemon.request(Method::DELETE, &format!("/api/recordings/{}", recording["id"]), &ada);
    let in_use = daemon.send(delete).await;
    if in_use.status != 200 {
        assert_eq!((in_use.status, in_use.code().as_str()), (409, "recording_in_use"), "{}", in_use.text);
    }
    over(&daemon, &ada, &first.json()["details"]["id"]).await;
    assert_eq!(balance(&daemon, &ada).await, 991);
    daemon.stop().await;
}

#[tokio::test]
async fn a_key_of_one_step_answers_as_before_whatever_changed_and_a_refusal_uses_none_up() {
    let (daemon, _, _, admin) = ready().await;
    let id = daemon.user("obi", Role::User).await;
    let obi = daemon.login("obi").await;
    let start = (START.millis() / 1_000 + 7_200).to_string();
    let fields = [
        ("payment_method", "naira"),
        ("contacts", "08031230001"),
        ("ttsMsg", "Hello"),
        ("startTime", start.as_str()),
    ];
    let keyed = async |fields: &[(&'static str, &str)]| {
        let request = daemon.request(Method::POST, PATH, &obi).header("Idempotency-Key", "call-1");
        daemon.send(request.multipart(form(fields))).await
    };
    let poor = keyed(&fields).await;
    assert_eq!(poor.code(), "insufficient_balance", "{}", poor.text);
    // Its quote is over when there is money at last.
    daemon.clock.advance(Duration::from_secs(3_600));
    let money = [("amount", "1000"), ("payment_ref", "p-2")];
    daemon.post(&format!("/admin/assign-naira/{id}"), &admin, &money).await;
    let sent = keyed(&fields).await;
    assert_eq!(sent.status, 200, "{}", sent.text);
    // Neither the time nor the price would let it pass now.
    daemon.clock.advance(Duration::from_secs(3_601));
    over(&daemon, &obi, &sent.json()["details"]["id"]).await;
    daemon.post("/admin/set-prices", &admin, &[("VOICE-UNIT-PRICE-NAIRA", "700")]).await;
    let again = keyed(&fields).await;
    assert_eq!(again.json()["details"]["id"], sent.json()["details"]["id"], "{}", again.text);
    assert_eq!(balance(&daemon, &obi).await, 991);
    let other = keyed(&[&fields[..3], &[("ttsVoice", "uk-male")]].concat()).await;
    assert_eq!((other.status, other.code().as_str()), (409, "idempotency_key_reused"), "{}", other.text);
    daemon.stop().await;
}

#[tokio::test]
async fn what_is_missing_is_said_in_the_order_of_the_form() {
    let (daemon, ada, id, admin) = ready().await;
    let all = [("ttsMsg", "Hello"), ("contacts", "08031230001"), ("payment_method", "paystack")];
    for (fields, code) in [
        (vec![("defaultId", "WEBSMS")], "voice_message_required"),
        (vec![("type", "voice")], "voice_required"),
        (vec![("type", "past")], "past_audio_required"),
        (vec![("type", "song")], "unknown_voice_type"),
        (vec![("ttsMsg", "Hi"), ("audioUrl", "1")], "several_voices"),
        (all[..1].to_vec(), "recipients_required"),
        (all[..2].to_vec(), "payment_required"),
        ([&all[..], &[("ttsVoice", "ng-female")]].concat(), "unknown_voice"),
        ([&all[1..], &[("audioUrl", "99")]].concat(), "not_found"),
        ([&all[..], &[("own_number", "08031230009")]].concat(), "sender_not_allowed"),
        ([&all[..], &[("own_number", "1"), ("virtual_number", "2")]].concat(), "two_caller_numbers"),
        ([&all[..], &[("startTime", "1")]].concat(), "time_past"),
    ] {
        let refused = post(&daemon, &ada, form(&fields)).await;
        assert_eq!(refused.code(), code, "{fields:?}: {}", refused.text);
    }
    daemon.post(&format!("/admin/deactivate-user/{id}"), &admin, &[]).await;
    let inactive = post(&daemon, &ada, form(&all)).await;
    assert!(matches!(inactive.status, 401 | 403), "{}", inactive.text);
    assert_eq!(daemon.get("/sandbox/calls", "").await.json(), json!([]));
    daemon.stop().await;
}

#[tokio::test]
async fn a_campaign_whose_recording_cannot_be_read_is_paused_and_others_go_on() {
    let (daemon, ada, ..) = ready().await;
    let mut urls = Vec::new();
    for seconds in [1.0, 2.0] {
        let form = Form::new().part("audioFile", mp3(seconds));
        let reply = daemon.send(daemon.request(Method::POST, "/api/recordings", &ada).multipart(form)).await;
        urls.push(reply.json()["recording"]["id"].to_string());
    }
    let call = async |url: &str, start: &str| {
        let fields = [
            ("payment_method", "naira"),
            ("contacts", "08031230001"),
            ("audioUrl", url),
            ("startTime", start),
        ];
        let reply = post(&daemon, &ada, form(&fields)).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        assert!(
            reply.json()["message"].as_str().unwrap().starts_with("Voice SMS scheduled for"),
            "{}",
            reply.text
        );
        reply.json()["details"]["id"].clone()
    };
    let start = (START.millis() / 1_000 + 3_600).to_string();
    let (broken, whole) = (call(&urls[0], &start).await, call(&urls[1], &start).await);
    let id: i64 = urls[0].parse().unwrap();
    let cut = daemon.store().write(Lane::Interactive, id, |tx, id| {
        Box::pin(async move {
            tx.run("DELETE FROM voice_recording_pieces WHERE recording_id = $1", args![*id]).await.map(|_| ())
        })
    });
    cut.await.unwrap();
    daemon.clock.advance(Duration::from_secs(3_601));
    over(&daemon, &ada, &whole).await;
    let path = format!("/api/campaigns/{broken}");
    for _ in 0..200 {
        if daemon.get(&path, &ada).await.json()["campaign"]["status"] == "paused" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let paused = daemon.get(&path, &ada).await.json()["campaign"].clone();
    assert_eq!((&paused["status"], &paused["reserved"]), (&json!("paused"), &json!(9)), "{paused}");
    assert!(paused["status_reason"].as_str().unwrap().starts_with("It cannot be sent"), "{paused}");
    daemon.stop().await;
}

#[tokio::test]
async fn a_question_is_answered_by_key_and_nine_opts_out() {
    let (daemon, ada, ..) = ready().await;
    let post_json =
        async |body: &Value| daemon.send(daemon.request(Method::POST, PATH, &ada).json(body)).await;
    let asked = |digits: Value| {
        json!({
            "ttsMsg": "Press 1 or 2.", "contacts": "08031230001", "payment_method": "paystack", "digits": digits, "quote": "1",
        })
    };
    for (digits, code) in [
        (json!({"9": "never"}), "opt_out_key"),
        (json!({"A": "yes"}), "bad_digits"),
        (json!(["1=yes", "1=no"]), "digits_twice"),
        (json!({"1": ""}), "bad_label"),
    ] {
        let refused = post_json(&asked(digits)).await;
        assert_eq!((refused.status, refused.code().as_str()), (400, code), "{}", refused.text);
    }
    let nested = post_json(&asked(json!({"1": {"2": "x"}}))).await;
    assert_eq!(nested.status, 400, "{}", nested.text);

    let contacts = "08031239106, 08031239108, 08031230001";
    let fields = [
        ("payment_method", "paystack"),
        ("contacts", contacts),
        ("digits[1]", "Yes"),
        ("digits", "2=No"),
        ("plays", "2"),
        ("quote", "1"),
    ];
    let quoted = post(&daemon, &ada, form(&fields).part("audioFile", mp3(1.0))).await;
    assert_eq!(quoted.status, 200, "{}", quoted.text);
    let quote = quoted.json()["details"].clone();
    let question = json!({"plays": 2, "keys": [{"key": "1", "label": "Yes"}, {"key": "2", "label": "No"}]});
    // Twice the clip, and what keys are waited for between.
    assert_eq!((&quote["poll"], &quote["length_s"]), (&question, &json!(5)), "{quote}");
    let confirmed = post(&daemon, &ada, form(&[("quote_id", &quote["quote_id"].to_string())])).await;
    let campaign = over(&daemon, &ada, &confirmed.json()["details"]["id"]).await;
    let count = |place: usize| {
        (&campaign["poll"][place]["label"], campaign["poll"][place]["count"].as_i64().unwrap())
    };
    assert_eq!(count(0), (&json!("Yes"), 1), "{campaign}");
    assert_eq!(count(2), (&json!("Opted out"), 1));
    assert_eq!(count(4), (&json!("No key"), 1));
    let calls = daemon.get("/sandbox/calls", "").await.json();
    let seconds = |to: &str| {
        let call = calls.as_array().unwrap().iter().find(|call| call["to"] == to).unwrap().clone();
        call["seconds"].as_f64().unwrap()
    };
    assert!(seconds("2348031230001") > 5.5, "played twice: {calls}");
    assert!(seconds("2348031239106") < 4.0, "a key ends it: {calls}");
    let report = daemon.get(&format!("/api/campaigns/{}/export", campaign["id"]), &ada).await;
    assert!(
        report.text.contains(",9,Opted out,transactional\r\n")
            && report.text.contains(",1,Yes,transactional\r\n"),
        "{}",
        report.text
    );
    let optouts = daemon.get("/api/optouts", &ada).await.json();
    assert_eq!(
        (&optouts["total"], &optouts["optouts"][0]["phone"]),
        (&json!(1), &json!("2348031239108")),
        "{optouts}"
    );
    let again = post(
        &daemon,
        &ada,
        form(&[("ttsMsg", "Hello"), ("payment_method", "paystack"), ("contacts", "08031239108")]),
    )
    .await;
    assert_eq!(again.code(), "all_opted_out", "{}", again.text);
    daemon.stop().await;
}

#[tokio::test]
async fn an_administrator_confirms_a_quote_to_call_again_at_its_owners_expense_and_no_other() {
    let (daemon, ada, id, admin) = ready().await;
    // No such number: it may be called again.
    let fields = [("payment_method", "naira"), ("contacts", "08031239104"), ("ttsMsg", "Hello")];
    let sent = post(&daemon, &ada, form(&fields)).await;
    assert_eq!(sent.status, 200, "{}", sent.text);
    let campaign = over(&daemon, &ada, &sent.json()["details"]["id"]).await["id"].as_i64().unwrap();
    let plain =
        post(&daemon, &ada, form(&fields).text("quote", "1")).await.json()["details"]["quote_id"].to_string();
    let refused = post(&daemon, &admin, form(&[("quote_id", &plain)])).await;
    assert_eq!(
        refused.status, 404,
        "what its owner only looked at is not confirmed by others: {}",
        refused.text
    );
    let again = daemon
        .app()
        .campaigns
        .resend(id, CampaignId(campaign), None, None)
        .await
        .unwrap()
        .quote_id
        .to_string();
    let eve = daemon.signed_in("eve", Role::User).await;
    assert_eq!(post(&daemon, &eve, form(&[("quote_id", &again)])).await.status, 404);
    let keyed = async || {
        let request = daemon.request(Method::POST, PATH, &admin).header("Idempotency-Key", "k1");
        daemon.send(request.multipart(form(&[("quote_id", &again)]))).await
    };
    let (confirmed, repeated) = (keyed().await, keyed().await);
    assert_eq!(confirmed.status, 200, "{}", confirmed.text);
    assert_eq!(repeated.json()["details"]["id"], confirmed.json()["details"]["id"], "{}", repeated.text);
    let campaign = over(&daemon, &ada, &confirmed.json()["details"]["id"]).await;
    assert_eq!(campaign["released"], 9, "her campaign, and her money that comes back: {campaign}");
    assert_eq!(balance(&daemon, &ada).await, 1_000);
    daemon.stop().await;
}
