//! Payments as their users see them, with the sandbox's providers.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use talkdrum_core::model::account::user::Role;
use talkdrum_core::payment::paystack::sign;

use crate::testing::{Reply, TestDaemon};

/// What a payer does at a page.
async fn decide(daemon: &TestDaemon, page: &str, form: &[(&str, &str)]) -> Reply {
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    daemon.send(client.post(page).form(form)).await
}

async fn balance(daemon: &TestDaemon, token: &str, name: &str) -> Value {
    daemon.get("/api/get-espee-balance", token).await.json()[name].clone()
}

/// Waits for what happens by itself.
async fn becomes(daemon: &TestDaemon, token: &str, name: &str, expected: &Value) -> bool {
    for _ in 0..100 {
        if balance(daemon, token, name).await == *expected {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    false
}

#[tokio::test]
async fn a_card_payment_goes_its_whole_way_and_the_webhook_alone_credits_it() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let begun = daemon.post("/api/paystack-payment-initiate", &ada, &[("amount", "1500.50")]).await;
    assert_eq!(begun.status, 200, "{}", begun.text);
    let begun = begun.json();
    assert_eq!(begun["data"]["reference"], begun["reference"]);
    assert_eq!(begun["data"]["authorization_url"], begun["authorization_url"]);
    let reference = begun["reference"].as_str().unwrap();
    let early = daemon.post("/api/paystack-payment-confirm", &ada, &[("reference", reference)]).await;
    assert_eq!((early.status, early.code().as_str()), (400, "payment_pending"));
    // An administrator sees it among the user's transactions, open as it is.
    let root = daemon.signed_in("root", Role::Admin).await;
    let id = daemon.get("/api/user-profile", &ada).await.json()["user"]["id"].clone();
    let details = daemon.get(&format!("/admin/get-user-details/{id}"), &root).await.json();
    let open = &details["transactions"][0];
    assert_eq!((&open["status"], &open["user_id"]), (&json!("pending"), &id));
    assert_eq!((&open["payment_ref"], &open["price"]), (&json!(reference), &json!(1500.5)));
    assert_eq!(details["totals"]["transactions"], 1);
    let page = begun["authorization_url"].as_str().unwrap();
    let shown = daemon.send(daemon.client.get(page)).await;
    assert!(shown.text.contains("NGN 1500.5") && shown.text.contains("value=\"decline\""), "{}", shown.text);
    assert_eq!(decide(&daemon, page, &[("outcome", "decline")]).await.status, 200);
    let failed = daemon.post("/api/paystack-payment-confirm", &ada, &[("reference", reference)]).await;
    assert_eq!(failed.code(), "payment_failed");
    let paid = decide(&daemon, page, &[("outcome", "pay"), ("webhook", "twice")]).await;
    let back = paid.headers["location"].to_str().unwrap();
    assert!(
        back.contains("/dashboard/fund-with-paystack?") && back.contains(&format!("reference={reference}")),
        "{back}"
    );
    assert!(becomes(&daemon, &ada, "paystack_balance", &json!(1500.5)).await);
    for _ in 0..2 {
        let confirmed = daemon.post("/api/paystack-payment-confirm", &ada, &[("reference", reference)]).await;
        assert_eq!(confirmed.json()["message"], "Payment successful: 1500.5 Naira was added to your account");
        assert_eq!(confirmed.json()["balance"], 1500.5);
    }
}

#[tokio::test]
async fn an_espees_payment_is_credited_when_it_is_confirmed() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let form = [("price", "12.345678"), ("narration", "credit"), ("product_sku", "SKU-1")];
    let begun = daemon.post("/api/payment-initiate", &ada, &form).await;
    assert_eq!(begun.status, 200, "{}", begun.text);
    let begun = begun.json();
    let (page, payment_ref) =
        (begun["payment_url"].as_str().unwrap(), begun["payment-ref"].as_str().unwrap());
    assert_eq!(begun["payment"]["product_sku"], "SKU-1");
    assert!(
        decide(&daemon, page, &[("outcome", "abandon")]).await.headers["location"]
            .to_str()
            .unwrap()
            .contains("failed")
    );
    let early = daemon.post("/api/payment-confirm", &ada, &[("payment_ref", payment_ref)]).await;
    assert_eq!(early.code(), "payment_pending");
    let back = decide(&daemon, page, &[("outcome", "pay")]).await;
    assert!(back.headers["location"].to_str().unwrap().ends_with("/dashboard/buy-sms-online?success=true"));
    let eve = daemon.signed_in("eve", Role::User).await;
    let stranger = daemon.post("/api/payment-confirm", &eve, &[("payment_ref", payment_ref)]).await;
    assert_eq!(stranger.status, 404);
    let form = [("payment_ref", payment_ref)];
    let confirmed =
        futures::future::join_all((0..20).map(|_| daemon.post("/api/payment-confirm", &ada, &form))).await;
    assert!(confirmed.iter().all(|reply| reply.status == 200), "{}", confirmed[0].text);
    assert_eq!(balance(&daemon, &ada, "espees-balance").await, json!(12.345678));
    let history = daemon.get("/api/get-transaction-history", &ada).await.json();
    assert_eq!(history["transactions"][0]["payment_ref"], payment_ref);
    assert_eq!((&history["total"], &history["transactions"][0]["status"]), (&json!(1), &json!("successful")));
}

#[tokio::test]
async fn what_is_missing_or_not_allowed_is_said_in_the_specifications_order() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    for (path, form, message) in [
        ("/api/payment-initiate", vec![("narration", "x")], "Amount is required"),
        ("/api/payment-initiate", vec![("price", "1")], "Narration is required"),
        (
            "/api/payment-initiate",
            vec![("price", "0"), ("narration", "x")],
            "The amount must be more than zero",
        ),
        ("/api/paystack-payment-initiate", vec![], "Amount is required"),
        (
            "/api/paystack-payment-initiate",
            vec![("amount", "49")],
            "The amount must be from 50 to 10000000 Naira",
        ),
        (
            "/api/paystack-payment-initiate",
            vec![("amount", "100.001")],
            "An amount in Naira has at most two decimals: a kobo is the smallest part",
        ),
        ("/api/payment-confirm", vec![], "Payment reference is required"),
        ("/api/paystack-payment-confirm", vec![], "Reference is required"),
    ] {
        let reply = daemon.post(path, &ada, &form).await;
        assert_eq!((reply.status, &reply.json()["message"]), (400, &message.into()), "{path}");
    }
    let begin = || {
        daemon
            .request(Method::POST, "/api/paystack-payment-initiate", &ada)
            .header("Idempotency-Key", "k")
            .form(&[("amount", "100")])
    };
    let (first, again) = (daemon.send(begin()).await.json(), daemon.send(begin()).await.json());
    assert_eq!(first["reference"], again["reference"]);
}

#[tokio::test]
async fn without_keys_it_is_said_who_has_to_enter_them() {
    let daemon = TestDaemon::start().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let reply = daemon.post("/api/paystack-payment-initiate", &ada, &[("amount", "100")]).await;
    assert_eq!((reply.status, reply.code().as_str()), (503, "payment_not_set_up"));
    assert!(reply.text.contains("an administrator must enter paystack_secret_key"), "{}", reply.text);
    assert_eq!(daemon.get("/sandbox/paystack/transaction/verify/x", "").await.status, 404);
}

#[tokio::test]
async fn a_webhook_that_is_not_signed_is_refused_and_an_unknown_event_is_not() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let deliver = async |body: &'static str, signature: String| {
        let request = daemon.request(Method::POST, "/hooks/paystack", "");
        daemon.send(request.header("x-paystack-signature", signature).body(body)).await.status
    };
    let body = r#"{"event":"invoice.create","data":{}}"#;
    assert_eq!(deliver(body, sign("sk_test_sandbox", body.as_bytes())).await, 200);
    assert_eq!(deliver(body, sign("sk_test_other", body.as_bytes())).await, 401);
    assert_eq!(deliver(body, String::new()).await, 401);
    let refund = r#"{"event":"refund.processed","data":{"status":"processed","amount":100,"transaction_reference":"r"}}"#;
    assert_eq!(deliver(refund, sign("sk_test_sandbox", refund.as_bytes())).await, 200);
    let admin = daemon.signed_in("root", Role::Admin).await;
    let events = daemon.get("/admin/payment-events", &admin).await.json();
    assert_eq!((&events["total"], &events["events"][0]["event"]), (&json!(1), &json!("refund.processed")));
}

#[tokio::test]
async fn an_administrator_sees_and_rechecks_every_payment() {
    let daemon = TestDaemon::start_in_sandbox().await;
    let ada = daemon.signed_in("ada", Role::User).await;
    let begun = daemon.post("/api/paystack-payment-initiate", &ada, &[("amount", "100")]).await.json();
    decide(&daemon, begun["authorization_url"].as_str().unwrap(), &[("outcome", "pay"), ("webhook", "none")])
        .await;
    let admin = daemon.signed_in("root", Role::Admin).await;
    let open = daemon.get("/admin/payments?status=pending&q=ada", &admin).await.json();
    assert_eq!((&open["total"], &open["payments"][0]["username"]), (&json!(1), &json!("ada")));
    let all = daemon.get("/admin/get-all-transactions?user_id=ada", &admin).await.json();
    assert_eq!((&all["Transactions"][0]["status"], &all["total"]), (&json!("pending"), &json!(1)));
    let path = format!("/admin/payments/{}/recheck", open["payments"][0]["id"]);
    let rechecked = daemon.post(&path, &admin, &[]).await.json();
    assert_eq!(rechecked["message"], "It was paid: 100 Naira credited");
    assert_eq!(rechecked["payment"]["status"], "settled");
    let again = daemon.post(&path, &admin, &[]).await.json();
    assert_eq!(again["message"], "It was credited before; nothing was credited again");
    let trail = daemon.get("/admin/audit?action=payment.recheck", &admin).await.json();
    let before = |place: usize| trail["audit"][place]["before"].as_str().unwrap();
    assert_eq!((&trail["total"], before(0), before(1)), (&json!(2), "settled", "pending"), "{trail}");
    assert_eq!(daemon.get("/api/payments?provider=paystack", &ada).await.json()["total"], 1);
    assert_eq!(daemon.get("/api/payments?status=paid", &ada).await.status, 400);
    assert_eq!(daemon.get("/admin/get-all-transactions?kind=gift", &admin).await.status, 400);
    let priced =
        daemon.get("/admin/get-all-transactions?sort=price&order=asc&from=2020-01-01&page=1", &admin).await;
    assert_eq!((priced.status, &priced.json()["total"]), (200, &json!(1)), "{}", priced.text);
}
