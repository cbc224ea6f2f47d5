//! Campaigns from the form to the handset and back to the books, over HTTP and SMPP, in one process.

mod campaign_rig;
mod kannel_calls;

use campaign_rig::{House, multipart, with_usual};
use futures::StreamExt as _;
use reqwest::Method;
use serde_json::{Value, json};
use talkdrum_core::ledger::verify::Findings;
use talkdrum_core::model::account::user::Role;
use talkdrum_daemon::sandbox::smsc::{Chance, Faults, Smsc, SmscOptions};

fn delivered(campaign: &Value) -> bool {
    campaign["counts"]["delivered"] == campaign["total_contacts"]
}

fn completed(campaign: &Value) -> bool {
    campaign["status"] == "completed"
}

fn contacts(count: usize) -> String {
    (0..count).map(|number| format!("0803{number:07}")).collect::<Vec<_>>().join(",")
}

#[tokio::test]
async fn every_kind_goes_out_at_the_price_that_was_quoted() {
    let house = House::in_sandbox().await;
    house.fund("1000", "start").await;
    let long = "ẹ".repeat(200);
    let card = [
        ("contacts", "08031234567"),
        ("first_name", "Ada"),
        ("last_name", "Obi"),
        ("company", "Acme"),
        ("job_title", "Engineer"),
        ("telephone", "+2348031234567"),
        ("email", "ada@example.com"),
    ];
    let three = contacts(3);
    let push = [("contacts", "08031234567"), ("wap_title", "News"), ("wap_url", "https://example.com/a")];
    let names = "phone,name\n08031234567,Ada\n08031234568,Obi\n08031234567,Twice\n";
    let quotes = [
        ("send-text", house.quote("send-text", &[("contacts", &three), ("message", "Hello")]).await, "4.5"),
        ("send-flash", house.quote("send-flash", &[("contacts", &three), ("message", "Now")]).await, "4.5"),
        ("send-unicode", house.quote("send-unicode", &[("contacts", &three), ("msg", &long)]).await, "13.5"),
        ("send-text", house.quote_file("send-text", names, &[("message", "Hi {name}")]).await, "3"),
        ("send-wap-push", house.quote("send-wap-push", &push).await, "1.5"),
    ];
    let mut spent = 0.0;
    for (call, quote, price) in &quotes {
        assert_eq!(quote["total_charges"].to_string(), *price, "{call}: {quote}");
        let campaign = house.confirm(call, quote).await;
        let campaign = house.until(&campaign, |it| delivered(it) && completed(it)).await;
        assert_eq!(campaign["captured"], quote["total_charges"], "{call}");
        spent += campaign["captured"].as_f64().unwrap();
    }
    let quote = house.quote("send-vcard", &card).await;
    let campaign = house.confirm("send-vcard", &quote).await;
    let campaign = house.until(&campaign, |it| delivered(it) && completed(it)).await;
    spent += campaign["captured"].as_f64().unwrap();
    let balances = house.balances().await;
    assert_eq!(
        (balances["espees-balance"].as_f64(), &balances["espees_reserved"]),
        (Some(1000.0 - spent), &json!(0))
    );
    assert_eq!(quotes[3].1["total_duplicates_removed"], 1);
    let sent = house.get("/api/get-sent-messages", &house.ada).await.ok();
    let kinds: Vec<_> = sent["messages"].as_array().unwrap().iter().map(|it| it["type"].clone()).collect();
    assert_eq!(kinds, ["vcard", "wap", "text", "unicode", "flash", "text"]);
    assert!(
        house.get("/api/get-last-sent-message", &house.ada).await.ok()["last_sent_message_time"].is_string()
    );
    house.close().await;
}

#[tokio::test]
async fn a_report_tells_of_every_message_and_why_it_cost_what_it_did() {
    let house = House::in_sandbox().await;
    house.fund("100", "start").await;
    let names = "phone,name\n08031234567,Ada\n08031234568,Obi\n";
    let quote = house.quote_file("send-text", names, &[("message", "Hi {name}")]).await;
    let campaign = house.confirm("send-text", &quote).await;
    let campaign = house.until(&campaign, delivered).await;
    let path = format!("/api/campaigns/{}", campaign["id"]);
    let rows =
        house.get(&format!("{path}/messages?status=delivered&page=2&per_page=1"), &house.ada).await.ok();
    assert_eq!((&rows["total"], &rows["messages"][0]["to"]), (&json!(2), &json!("2348031234568")));
    let csv = house.get(&format!("{path}/export"), &house.ada).await;
    assert_eq!((csv.status, csv.text.lines().count()), (200, 3), "{}", csv.text);
    let why = house.get(&format!("/api/messages/{}", rows["messages"][0]["id"]), &house.ada).await.ok();
    assert_eq!(why["text"], "Hi Obi");
    let codes: Vec<_> = why["entries"].as_array().unwrap().iter().map(|it| it["code"].clone()).collect();
    assert_eq!(codes, ["reserve", "capture"]);
    let found = house.get("/api/messages?number=0803%20123%204568", &house.ada).await.ok();
    assert_eq!(found["messages"][0]["id"], rows["messages"][0]["id"]);
    house.user("eve", Role::User).await;
    let eve = house.login("eve").await;
    for path in [path.clone(), format!("{path}/messages"), format!("{path}/export"), format!("{path}/events")]
    {
        assert_eq!(house.get(&path, &eve).await.status, 404, "{path}");
    }
    for verb in ["pause", "resume", "cancel", "resend"] {
        assert_eq!(house.post(&format!("{path}/{verb}"), &eve, &[]).await.status, 404, "{verb}");
    }
    assert_eq!(house.get(&format!("/api/messages/{}", why["message"]["id"]), &eve).await.status, 404);
    assert_eq!(house.get("/api/messages?number=08031234568", &eve).await.ok()["total"], 0);
    assert_eq!(house.get(&format!("/api/quotes/{}", quote["quote_id"]), &eve).await.status, 404);
    assert_eq!(house.get(&path, &house.root).await.status, 200);
    assert_eq!(house.get("/admin/get-all-camapaign-history?q=ada", &house.root).await.ok()["total"], 1);
    house.close().await;
}

#[tokio::test]
async fn a_double_click_sends_and_charges_once() {
    let house = House::in_sandbox().await;
    house.fund("10", "start").await;
    let quote = house.quote("send-text", &[("contacts", "08031234567"), ("message", "Hello")]).await;
    let (one, two) =
        tokio::join!(house.try_confirm("send-text", &quote), house.try_confirm("send-text", &quote));
    assert_eq!(one.ok()["details"]["id"], two.ok()["details"]["id"]);
    house.until(&one.ok()["details"], delivered).await;
    assert_eq!(house.balances().await["espees-balance"], 8.5);
    assert_eq!(house.get("/api/get-campaign-history", &house.ada).await.ok()["total"], 1);
    house.close().await;
}

#[tokio::test]
async fn the_whole_form_again_confirms_its_quote_whatever_the_order_of_its_parts() {
    let house = House::in_sandbox().await;
    house.fund("10", "start").await;
    let names = "phone,name\n08031234567,Ada\n";
    let form = [("message", "Hi {name}"), ("contacts", "08031234567")];
    let quote = house.quote_file("send-text", names, &form).await;
    assert_eq!((&quote["total_contacts"], &quote["message"]), (&json!(1), &json!("Hi Ada")));
    let confirm = |form: &[(&str, &str)]| {
        let request = house.request(Method::POST, "/api/confirm-send-text-sms", &house.ada);
        house.send(request.multipart(multipart(names, form)))
    };
    let turned = [form[1], form[0]];
    let (first, second) = (confirm(&form).await.ok(), confirm(&turned).await.ok());
    assert_eq!(first["details"]["quote_id"], quote["quote_id"]);
    assert_eq!(first["details"]["id"], second["details"]["id"]);
    let other = confirm(&[("message", "Bye {name}")]).await;
    assert_eq!(other.refusal(), (400, "quote_missing".to_owned()));
    house.until(&first["details"], delivered).await;
    assert_eq!(house.balances().await["espees-balance"], 8.5);
    house.close().await;
}

#[tokio::test]
async fn every_column_of_numbers_is_read_or_named() {
    let house = House::in_sandbox().await;
    house.fund("10", "start").await;
    let table = "Name,Phone 1,Phone 2\nAda,08031234567,08021234567\nObi,08051234567,08031234567\n";
    let text = ("message", "Hi {name}");
    let one = house.quote_file("send-text", table, &[text]).await;
    assert_eq!((&one["total_contacts"], &one["unread_columns"]), (&json!(2), &json!(["Phone 2"])));
    // Until the sandbox's carrier is connected, another one says so.
    let of_columns = |quote: &serde_json::Value| -> Vec<String> {
        let notices =
            quote["notices"].as_array().unwrap().iter().map(|notice| notice.as_str().unwrap().to_owned());
        notices.filter(|notice| notice.contains("column")).collect()
    };
    assert_eq!(of_columns(&one), ["The column 'Phone 2' also holds numbers: not read"]);
    let both = [text, ("column", "Phone 1"), ("column", "phone 2")];
    let two = house.quote_file("send-text", table, &both).await;
    assert_eq!((&two["total_contacts"], &two["total_duplicates_removed"]), (&json!(3), &json!(1)));
    assert_eq!((of_columns(&two), &two["total_charges"]), (Vec::new(), &json!(4.5)));

    let post = |path: &'static str, form: &[(&str, &str)]| {
        house.send(house.request(Method::POST, path, &house.ada).multipart(multipart(table, form)))
    };
    let confirmed = post("/api/confirm-send-text-sms", &both).await.ok();
    assert_eq!(confirmed["details"]["quote_id"], two["quote_id"], "other columns are another form");
    let turned = [text, ("column", "Phone 2"), ("column", "Phone 1")];
    let other = post("/api/confirm-send-text-sms", &turned).await;
    assert_eq!(other.refusal(), (400, "quote_missing".to_owned()));
    let campaign = house.until(&confirmed["details"], delivered).await;
    assert_eq!(campaign["total_contacts"], 3);

    let unknown = post("/api/send-text-sms", &[text, ("column", "GSM")]).await;
    assert_eq!(unknown.refusal(), (400, "no_such_column".to_owned()));
    assert!(unknown.text.contains("name, phone 1, phone 2"), "{}", unknown.text);
    let check = post("/api/recipients/check", &[("column", "Phone 2")]).await.ok();
    assert_eq!(
        (&check["number_columns"], &check["unread_columns"]),
        (&json!(["Phone 2"]), &json!(["Phone 1"]))
    );
    let no_file = [("contacts", "08031234567"), ("message", "x"), ("column", "Phone 1")];
    let refused = house.post("/api/send-text-sms", &house.ada, &with_usual(&no_file)).await;
    assert_eq!(refused.refusal(), (400, "column_without_file".to_owned()));
    house.close().await;
}

#[tokio::test]
async fn prices_and_maintenance_that_change_leave_what_was_quoted_and_what_runs_alone() {
    let house = House::in_sandbox().await;
    house.fund("1000", "start").await;
    let quote = house.quote("send-text", &[("contacts", &contacts(3)), ("message", "Hello")]).await;
    house.post("/admin/set-sms-unit-price", &house.root, &[("price", "99")]).await.ok();
    let campaign = house.confirm("send-text", &quote).await;
    house.post("/admin/enable-maintenance-mode", &house.root, &[("message", "Back at noon")]).await.ok();
    let refused = house.get("/api/get-espee-balance", &house.ada).await;
    assert_eq!(refused.refusal(), (503, "maintenance".to_owned()));
    let campaign = house.until(&campaign, |it| delivered(it) && completed(it)).await;
    assert_eq!(campaign["captured"].to_string(), "4.5", "three pages at the price of the quote");
    house.close().await;
}

#[tokio::test]
async fn one_micro_unit_short_is_short() {
    let house = House::in_sandbox().await;
    house.fund("2.999999", "start").await;
    let form = [("contacts", "08031234567 08031234568"), ("message", "Hello")];
    let quote = house.quote("send-text", &form).await;
    assert_eq!(quote["balance_after"], json!(-0.000001));
    assert_eq!(
        house.try_confirm("send-text", &quote).await.refusal(),
        (400, "insufficient_balance".to_owned())
    );
    house.fund("0.000001", "rest").await;
    let campaign = house.confirm("send-text", &quote).await;
    house.until(&campaign, delivered).await;
    assert_eq!(house.balances().await["espees-balance"], 0);
    house.close().await;
}

#[tokio::test]
async fn what_fails_is_told_apart_refunded_where_it_was_not_taken_and_sent_again_once() {
    let house = House::in_sandbox().await;
    house.fund("100", "start").await;
    let numbers = "08030009001,08030009002,08030009003,08030009004,08030009005,08031234567";
    let quote = house.quote("send-text", &[("contacts", numbers), ("message", "Hello")]).await;
    let campaign = house.confirm("send-text", &quote).await;
    let settled = json!({
        "queued": 0, "submitting": 0, "submitted": 1, "delivered": 2, "undelivered": 1, "rejected": 1,
        "expired": 1, "unknown": 0, "cancelled": 0, "suppressed": 0
    });
    let campaign = house.until(&campaign, |it| it["counts"] == settled && completed(it)).await;
    assert_eq!((&campaign["captured"], &campaign["released"]), (&json!(7.5), &json!(1.5)));
    let failed = house.get("/api/get-failed-messages", &house.ada).await.ok();
    assert_eq!(failed["total"], 3);
    let path = format!("/api/campaigns/{}/resend", campaign["id"]);
    let again = house.post(&path, &house.ada, &[]).await.ok()["details"].clone();
    assert_eq!((&again["total_contacts"], &again["total_charges"]), (&json!(3), &json!(4.5)));
    let resent = house.confirm("send-text", &again).await;
    house.until(&resent, |it| it["no_of_failed_contacts"] == 3 && completed(it)).await;
    assert_eq!(house.post(&path, &house.ada, &[]).await.refusal(), (400, "nothing_to_resend".to_owned()));
    house.close().await;
}

#[tokio::test]
async fn a_scheduled_campaign_pauses_resumes_and_is_refunded_whole_when_it_is_cancelled() {
    let house = House::in_sandbox().await;
    house.fund("9", "start").await;
    let form = [("contacts", "08031234567"), ("message", "Hello")];
    let missing = house.post("/api/schedule-text-sms", &house.ada, &with_usual(&form)).await;
    assert_eq!(missing.refusal(), (400, "time_required".to_owned()));
    let start = talkdrum_core::time::Clock::now(&talkdrum_core::time::SystemClock)
        + std::time::Duration::from_secs(86_400);
    let time = start.to_rfc3339();
    let quote = house.quote("schedule-text", &[form[0], form[1], ("time", &time)]).await;
    let campaign = house.confirm("schedule-text", &quote).await;
    assert_eq!((&campaign["status"], &campaign["reserved"]), (&json!("scheduled"), &json!(1.5)));
    let path = format!("/api/campaigns/{}", campaign["id"]);
    for (verb, status) in [("pause", "paused"), ("resume", "scheduled"), ("cancel", "cancelled")] {
        let changed = house.post(&format!("{path}/{verb}"), &house.ada, &[]).await.ok();
        assert_eq!(changed["campaign"]["status"], status, "{changed}");
    }
    let over = house.post(&format!("{path}/resume"), &house.ada, &[]).await;
    assert_eq!(over.refusal(), (409, "campaign_over".to_owned()));
    let balances = house.balances().await;
    assert_eq!((&balances["espees-balance"], &balances["espees_reserved"]), (&json!(9), &json!(0)));
    house.close().await;
}

#[tokio::test]
async fn a_cancel_amid_the_send_charges_what_went_out_and_refunds_the_rest() {
    let smsc = Smsc::bind(SmscOptions::default()).await.unwrap();
    let house = House::with_carrier(&smsc, &[("rate", 50), ("window", 10)]).await;
    house.fund("3000", "start").await;
    let numbers = contacts(2_000);
    let quote = house.quote("send-text", &[("contacts", &numbers), ("message", "Hello")]).await;
    let campaign = house.confirm("send-text", &quote).await;
    house.until(&campaign, |it| it["counts"]["delivered"].as_i64() > Some(5)).await;
    let path = format!("/api/campaigns/{}", campaign["id"]);
    let paused = house.post(&format!("{path}/pause"), &house.ada, &[]).await.ok();
    assert_eq!(paused["campaign"]["status_reason"], "Paused by its owner");
    house.until(&campaign, |it| it["counts"]["submitting"] == 0 && it["counts"]["submitted"] == 0).await;
    let resumed = house.post(&format!("{path}/resume"), &house.ada, &[]).await.ok();
    let sent = resumed["campaign"]["counts"]["delivered"].as_i64();
    house.until(&campaign, |it| it["counts"]["delivered"].as_i64() > sent).await;
    house.post(&format!("{path}/cancel"), &house.ada, &[]).await.ok();
    let ended = house.until(&campaign, |it| it["reserved"] == 0 && it["counts"]["submitted"] == 0).await;
    let (delivered, cancelled) = (&ended["counts"]["delivered"], &ended["counts"]["cancelled"]);
    assert_eq!(delivered.as_i64().unwrap() + cancelled.as_i64().unwrap(), 2_000, "{ended}");
    assert!(cancelled.as_i64() > Some(0));
    assert_eq!(ended["captured"].as_f64(), delivered.as_f64().map(|count| count * 1.5));
    let balance = house.balances().await["espees-balance"].as_f64().unwrap();
    assert_eq!(balance + ended["captured"].as_f64().unwrap(), 3_000.0);
    house.close().await;
}

#[tokio::test]
async fn a_key_stands_for_one_quote_and_one_confirm() {
    let house = House::in_sandbox().await;
    house.fund("10", "start").await;
    let quote = |message: &'static str| {
        let form = with_usual(&[("contacts", "08031234567"), ("message", message)]);
        let request = house.request(Method::POST, "/api/send-text-sms", &house.ada);
        house.send(request.header("Idempotency-Key", "q").form(&form))
    };
    let (first, second) = (quote("Hello").await.ok(), quote("Hello").await.ok());
    assert_eq!(first["details"]["quote_id"], second["details"]["quote_id"]);
    assert_eq!(quote("Bye").await.refusal(), (409, "idempotency_key_reused".to_owned()));
    let confirm = |id: Value| {
        let request = house.request(Method::POST, "/api/confirm-send-text-sms", &house.ada);
        house.send(request.header("Idempotency-Key", "c").json(&json!({ "quote_id": id })))
    };
    let id = first["details"]["quote_id"].clone();
    let (one, two) = (confirm(id.clone()).await.ok(), confirm(id).await.ok());
    assert_eq!(one["details"]["id"], two["details"]["id"]);
    let other = house.quote("send-text", &[("contacts", "08031234567"), ("message", "Bye")]).await;
    let reused = confirm(other["quote_id"].clone()).await;
    assert_eq!(reused.refusal(), (409, "idempotency_key_reused".to_owned()));
    house.until(&one["details"], delivered).await;
    assert_eq!(house.balances().await["espees-balance"], 8.5);
    house.close().await;
}

#[tokio::test]
async fn events_follow_a_campaign_to_its_last_receipt_and_end() {
    let house = House::in_sandbox().await;
    house.fund("10", "start").await;
    let quote = house.quote("send-text", &[("contacts", "08031234567"), ("message", "Hello")]).await;
    let campaign = house.confirm("send-text", &quote).await;
    let path = format!("/api/campaigns/{}/events?receipts=1", campaign["id"]);
    let response = house.request(Method::GET, &path, &house.ada).send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut text = String::new();
    let mut pieces = response.bytes_stream();
    while let Some(piece) = pieces.next().await {
        text.push_str(&String::from_utf8_lossy(&piece.unwrap()));
    }
    let last = text.trim_end().rsplit("\n\n").next().unwrap();
    let data = last.lines().find_map(|line| line.strip_prefix("data: ")).unwrap();
    assert!(last.contains("event: end"), "{text}");
    let progress: Value = serde_json::from_str(data).unwrap();
    assert!(delivered(&progress["campaign"]) && completed(&progress["campaign"]), "{data}");
    house.close().await;
}

#[tokio::test]
async fn the_rules_come_in_the_specifications_order_and_words() {
    let house = House::in_sandbox().await;
    let deactivate = |verb: &str| format!("/admin/{verb}-user/{}", house.ada_id);
    let full = [("senderid", "WEBSMS"), ("payment_method", "espees"), ("contacts", "08031234567")];
    house.post(&deactivate("deactivate"), &house.root, &[]).await.ok();
    // The deactivation ended every session; an inactive user may sign in again.
    let ada = house.login("ada").await;
    let said = |path: &'static str, form: Vec<(&'static str, &'static str)>| {
        let (house, token) = (&house, &ada);
        async move { house.post(path, token, &form).await.json()["message"].clone() }
    };
    assert_eq!(said("/api/send-text-sms", vec![]).await, "Please Contact Admin to activate your account");
    house.post(&deactivate("activate"), &house.root, &[]).await.ok();
    assert_eq!(said("/api/send-text-sms", vec![("contacts", "x")]).await, "Sender ID is required");
    assert_eq!(said("/api/send-text-sms", full[..1].to_vec()).await, "Payment method is required");
    assert_eq!(said("/api/send-text-sms", full[..2].to_vec()).await, "Recipients are required");
    assert_eq!(said("/api/send-text-sms", full.to_vec()).await, "Message is required");
    assert_eq!(
        said("/api/send-wap-push-sms", full.to_vec()).await,
        "WAP title and URL are required for WAP push messages"
    );
    assert_eq!(said("/api/send-vcard-sms", full.to_vec()).await, "All vCard fields are required");
    house.close().await;
}

#[tokio::test]
async fn rejected_entries_can_be_downloaded() {
    let house = House::in_sandbox().await;
    let form = [("contacts", "08031234567\n801234567\n=1+1,abc"), ("message", "Hello")];
    let quote = house.quote("send-text", &form).await;
    let csv = house.get(&format!("/api/quotes/{}/rejects", quote["quote_id"]), &house.ada).await;
    assert_eq!(csv.status, 200);
    assert_eq!(csv.text.lines().next(), Some("line,value,code,reason"));
    assert_eq!(csv.text.lines().count() as i64, quote["total_invalid"].as_i64().unwrap() + 1, "{}", csv.text);
    assert!(csv.text.contains("\r\n2,801234567,"), "{}", csv.text);
    house.close().await;
}

#[tokio::test]
async fn what_nobody_knows_is_settled_by_a_person_and_sent_again_at_its_owners_expense() {
    let faults = Faults { lose_answers: Chance::ALWAYS, lose_receipts: Chance::ALWAYS, ..Faults::default() };
    let smsc = Smsc::bind(SmscOptions { faults, ..SmscOptions::default() }).await.unwrap();
    let house = House::with_carrier(&smsc, &[("response_timeout_ms", 300)]).await;
    house.fund("10", "start").await;
    let quote = house.quote("send-text", &[("contacts", &contacts(3)), ("message", "Hello")]).await;
    let campaign = house.confirm("send-text", &quote).await;
    house.until(&campaign, |it| it["counts"]["unknown"] == 3).await;
    let unknown = house.get("/admin/unknown-messages", &house.root).await.ok();
    let ids: Vec<i64> =
        unknown["messages"].as_array().unwrap().iter().map(|it| it["id"].as_i64().unwrap()).collect();
    assert_eq!((unknown["total"].as_i64(), ids.len()), (Some(3), 3));
    let carriers = house.get("/admin/carriers", &house.root).await.ok();
    assert_eq!(
        (&carriers["carriers"][0]["name"], &carriers["carriers"][0]["unknown_messages"]),
        (&json!("main"), &json!(3))
    );
    let resolve = |body: Value| {
        house.send(house.request(Method::POST, "/admin/messages/resolve", &house.root).json(&body))
    };
    assert_eq!(resolve(json!({ "outcome": "sent" })).await.refusal(), (400, "messages_required".to_owned()));
    let sent = resolve(json!({ "messages": [ids[0]], "outcome": "sent" })).await.ok();
    assert_eq!((&sent["resolved"], &sent["quote"]), (&json!(1), &Value::Null));
    let again = resolve(json!({ "campaign_id": campaign["id"], "outcome": "resend" })).await.ok();
    assert_eq!((&again["resolved"], &again["quote"]["total_contacts"]), (&json!(2), &json!(2)), "{again}");
    assert_eq!(house.balances().await["espees-balance"], 8.5);
    let confirm = |token: &str| {
        let request = house.request(Method::POST, "/api/confirm-send-text-sms", token);
        house.send(request.json(&json!({ "quote_id": again["quote"]["quote_id"] })))
    };
    house.user("eve", Role::User).await;
    let eve = house.login("eve").await;
    assert_eq!(confirm(&eve).await.status, 404);
    let confirmed = confirm(&house.root).await.ok();
    assert_eq!(confirmed["details"]["user_id"], house.ada_id);
    assert_eq!(house.balances().await["espees-balance"], 5.5);
    house.until(&confirmed["details"], |it| it["counts"]["unknown"] == 2).await;
    assert_eq!(house.findings().await, Findings::default());
    house.close().await;
}

#[tokio::test]
async fn single_messages_take_one_call_and_each_keeps_its_text_and_its_price() {
    let house = House::in_sandbox().await;
    house.fund("100", "start").await;
    // The last one's number is one that the sandbox rejects.
    let number =
        |place: usize| if place == 29 { "08030009001".to_owned() } else { format!("080312345{place:02}") };
    let text = |place: usize| format!("{{{}}}", "x".repeat(place * 7 + 10));
    let sent = futures::future::join_all((0..30).map(|place| {
        let form = [("contacts", number(place)), ("message", text(place))];
        let house = &house;
        async move {
            let form = form.each_ref().map(|(name, value)| (*name, value.as_str()));
            house.post("/api/messages", &house.ada, &with_usual(&form)).await.ok()
        }
    }))
    .await;
    for (place, sent) in sent.iter().enumerate() {
        assert_eq!(sent["message"], "SMS Sent");
        let path = format!("/api/messages/{}", sent["details"]["id"]);
        let ended = if place == 29 { "rejected" } else { "delivered" };
        let why = house.until_message(&path, ended).await;
        assert_eq!((&why["text"], &sent["text"]), (&json!(text(place)), &json!(text(place))));
        assert_eq!(why["message"]["to"], format!("234{}", &number(place)[1..]));
        let price = Some(if text(place).len() > 156 { 3.0 } else { 1.5 });
        assert_eq!((why["message"]["price"].as_f64(), sent["details"]["price"].as_f64()), (price, price));
    }
    let cost: f64 = sent[..29].iter().map(|sent| sent["details"]["price"].as_f64().unwrap()).sum();
    assert_eq!(house.balances().await["espees-balance"].as_f64(), Some(100.0 - cost));
    let dear = json!({
        "contacts": "08031234567", "message": "Hello", "payment_method": "espees", "senderid": "WEBSMS",
        "max_charge": 1.49,
    });
    let dear = house.send(house.request(Method::POST, "/api/messages", &house.ada).json(&dear)).await;
    assert_eq!(dear.refusal(), (400, "max_charge".to_owned()));
    let mut form = with_usual(&[("contacts", "08031234567"), ("message", "Hello")]);
    form.push(("time", "2030-01-01 09:00"));
    assert_eq!(
        house.post("/api/messages", &house.ada, &form).await.refusal(),
        (400, "one_message_now".to_owned())
    );
    form.pop();
    let keyed = || {
        house.request(Method::POST, "/api/messages", &house.ada).header("idempotency-key", "k").form(&form)
    };
    let (first, again) = (house.send(keyed()).await.ok(), house.send(keyed()).await.ok());
    assert_eq!((&first["details"]["id"], &first["was_sent"]), (&again["details"]["id"], &json!(false)));
    assert_eq!(again["was_sent"], true);
    assert!(again["message"].as_str().unwrap().starts_with("Sent before"), "{again}");
    house.until_message(&format!("/api/messages/{}", first["details"]["id"]), "delivered").await;
    house.close().await;
}
