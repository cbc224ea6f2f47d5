//! Funding, payments, transfers and the history of the wallets.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::stand_in::{Answer, StandIn, problem};
use crate::talkdrum::Talkdrum;

fn payment(status: &str) -> Value {
    json!({
        "id": 3, "user_id": 1, "username": "ada", "provider": "espees", "reference": "td-1", "payment_ref": "e1",
        "amount": 12.5, "currency": "espees", "narration": "credit", "product_sku": null, "status": status,
        "status_details": "Waiting for the payment", "payment_url": "https://pay.example/e1", "live": true,
        "created_at": "2027-01-04T08:00:00Z", "expires_at": "2027-01-05T08:00:00Z", "settled_at": null,
        "next_check_at": null,
    })
}

fn transaction() -> Value {
    json!({
        "id": "9-credit", "user_id": 1, "username": "ada", "payment_ref": "e1", "price": 12.5, "currency": "espees",
        "kind": "payment", "direction": "credit", "status": "successful", "status_details": "Successful",
        "transaction_date": "2027-01-04T08:00:02Z", "narration": "credit", "balance": 12.5, "campaign_id": null,
    })
}

/// A daemon whose payments are settled at the second question.
fn daemon() -> StandIn {
    let asked = AtomicUsize::new(0);
    StandIn::new(move |request| {
        let line = request.line.as_str();
        let ok = |value: Value| Answer::Json(200, value);
        match line.split('?').next().unwrap() {
            "POST /api/payment-initiate" => ok(json!({
                "payment-ref": "e1", "payment_url": "https://pay.example/e1", "payment": payment("pending"),
            })),
            "POST /api/paystack-payment-initiate" => {
                let data = json!({"reference": "td-1", "authorization_url": "https://pay.example/td-1"});
                ok(json!({
                    "data": data, "reference": "td-1", "authorization_url": "https://pay.example/td-1",
                    "payment": payment("pending"),
                }))
            }
            "POST /api/payment-confirm" | "POST /api/paystack-payment-confirm" => {
                if asked.fetch_add(1, Ordering::SeqCst) == 0 {
                    return problem(400, "payment_pending", "The payment e1 is not completed yet: abandoned");
                }
                ok(json!({"message": "Payment successful", "payment": payment("settled"), "balance": 12.5}))
            }
            "GET /api/payments" | "GET /admin/payments" => {
                ok(json!({"payments": [payment("pending")], "total": 1}))
            }
            "POST /admin/payments/3/recheck" => {
                ok(json!({"message": "It is pending: abandoned", "payment": payment("pending")}))
            }
            "GET /admin/payment-events" => ok(json!({"total": 1, "events": [{
                "id": 1, "provider": "paystack", "event": "refund.processed", "reference": "td-1", "payment_id": 3,
                "user_id": 1, "username": "ada", "summary": "100 NGN", "received_at": "2027-01-04T08:00:00Z",
            }]})),
            "POST /api/transfer-fund" => ok(json!({
                "message": "Transfer successful", "reference": "transfer-1", "currency": "naira", "balance": 7.25,
            })),
            "GET /api/get-transaction-history" if line.ends_with("&campaign_id=7") => {
                let mut release = transaction();
                (release["kind"], release["campaign_id"]) = (json!("release"), json!(7));
                ok(json!({"transactions": [release], "total": 1, "is_cut": false}))
            }
            "GET /api/get-transaction-history" => {
                ok(json!({"transactions": [transaction()], "total": 1, "is_cut": false}))
            }
            "GET /admin/get-all-transactions" => {
                ok(json!({"Transactions": [transaction()], "total": 1, "is_cut": true, "beyond": 41}))
            }
            _ => problem(404, "not_found", line),
        }
    })
}

#[test]
fn money_in_and_out_reads_well() {
    let talkdrum = Talkdrum::at(&daemon());
    let mut text = String::new();
    for args in [
        &["fund", "espees", "12.5"][..],
        &["payments", "confirm", "espees", "e1"],
        &["payments", "confirm", "espees", "e1"],
        &["fund", "naira", "100", "--wait"],
        &["payments", "list", "--status", "pending"],
        &["payments", "recheck", "3"],
        &["payments", "events"],
        &["transfer", "eve", "2.75", "--currency", "naira", "--yes"],
        &["transfer", "eve", "2.75"],
        &["transactions", "--kind", "payment"],
        &["transactions", "--all"],
        &["transactions", "--campaign", "7"],
    ] {
        text.push_str(&format!("$ talkdrum {}\n{}\n", args.join(" "), talkdrum.run(args).golden()));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn waiting_asks_until_it_is_paid_and_keys_make_commands_repeatable() {
    let daemon = daemon();
    let talkdrum = Talkdrum::at(&daemon);
    let run = talkdrum.run(&["fund", "espees", "0.000001", "--key", "k", "--sku", "S", "--wait"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "Payment successful\n"), "{}", run.stderr);
    talkdrum.run(&["transfer", "eve", "1", "--yes", "--key", "k2"]);
    let requests = daemon.requests();
    assert_eq!(requests[0].header("idempotency-key"), "k");
    let body: Value = serde_json::from_str(&requests[0].body).unwrap();
    assert_eq!(body, json!({"price": 0.000001, "narration": "Account funding", "product_sku": "S"}));
    assert_eq!(daemon.lines().iter().filter(|line| line.ends_with("payment-confirm")).count(), 2);
    assert_eq!(requests.last().unwrap().header("idempotency-key"), "k2");
}
