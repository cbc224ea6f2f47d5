//! ESPEES: a product for each payment, and its confirmation.
//!
//! There is no webhook and no signature, and what the browser brings back proves nothing. Success is
//! ESPEES' own word on the reference that we stored, with our product, our price and our nonce.

use serde_json::{Value, json};
use talkdrum_api::money::Amount;

use super::Provider;
use super::config::PaymentConfig;
use super::provider::{Verdict, away, note, refused};
use super::wire;
use crate::error::Result;
use crate::settings::Secret;

/// A payment to be begun.
#[derive(Debug)]
pub(super) struct Begin<'a> {
    /// Ours, and unique.
    pub(super) sku: &'a str,
    pub(super) narration: &'a str,
    pub(super) price: Amount,
    pub(super) wallet: &'a str,
    pub(super) success_url: String,
    pub(super) fail_url: String,
    pub(super) nonce: &'a str,
}

/// What ESPEES gives back: its reference, and the page to pay at.
#[derive(Debug)]
pub(super) struct Begun {
    pub(super) payment_ref: String,
    pub(super) url: String,
}

/// Begins a payment.
pub(super) async fn product(
    http: &reqwest::Client,
    config: &PaymentConfig,
    key: &Secret,
    begin: &Begin<'_>,
) -> Result<Begun> {
    let body = json!({
        "product_sku": begin.sku, "narration": begin.narration, "price": begin.price,
        "merchant_wallet": begin.wallet, "success_url": begin.success_url, "fail_url": begin.fail_url,
        "user_data": { "nonce": begin.nonce },
    });
    let request = http
        .post(format!("{}/v2/payment/product", config.espees_url))
        .header("x-api-key", key.expose())
        .json(&body);
    let (status, answer) = wire::call(Provider::Espees, request, config.timeout).await?;
    // A refusal can come with status 200: the body's own code counts too.
    let payment_ref = wire::text(&answer["payment_ref"]).filter(|text| is_reference(text));
    match payment_ref.filter(|_| status.is_success() && is_good(&answer)) {
        Some(payment_ref) => {
            let url = format!("{}/{payment_ref}", config.espees_pay_url);
            Ok(Begun { payment_ref, url })
        }
        None => Err(refused(Provider::Espees, message(&answer))),
    }
}

/// A reference goes into an address, so it is made of signs that need no escape there.
fn is_reference(text: &str) -> bool {
    (1..=128).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

fn is_good(answer: &Value) -> bool {
    answer["statusCode"].is_null() || wire::whole(&answer["statusCode"]) == Some(200)
}

fn message(answer: &Value) -> &str {
    answer["message"].as_str().unwrap_or("no reason was given")
}

/// What a payment was made of, to compare with.
#[derive(Debug)]
pub(super) struct Ours<'a> {
    pub(super) sku: &'a str,
    pub(super) price: Amount,
    pub(super) nonce: &'a str,
}

/// Asks what became of a payment.
pub(super) async fn confirm(
    http: &reqwest::Client,
    config: &PaymentConfig,
    key: &Secret,
    payment_ref: &str,
    ours: &Ours<'_>,
) -> Result<Verdict> {
    let request = http
        .post(format!("{}{}", config.espees_url, config.espees_confirm_path))
        .header("x-api-key", key.expose())
        .json(&json!({ "payment_ref": payment_ref }));
    let (status, answer) = wire::call(Provider::Espees, request, config.timeout).await?;
    if answer["transaction_status"].is_null() && (!status.is_success() || !is_good(&answer)) {
        return Err(away(Provider::Espees, format!("{status}: {}", message(&answer))));
    }
    judge(&answer, ours)
}

/// Compares a payment as ESPEES tells it with ours.
fn judge(answer: &Value, ours: &Ours<'_>) -> Result<Verdict> {
    let Some(status) = wire::text(&answer["transaction_status"]) else {
        return Err(away(Provider::Espees, "an answer without a transaction_status"));
    };
    let details = wire::text(&answer["status_details"]).unwrap_or_default();
    let said = || match details.eq_ignore_ascii_case(&status) {
        true => note(&format!("ESPEES: {status}")),
        false => note(&format!("ESPEES: {status} {details}")),
    };
    Ok(match status.to_uppercase().as_str() {
        "APPROVED" => difference(answer, ours).map_or(Verdict::Paid, Verdict::Mismatch),
        "DECLINE" | "DECLINED" => Verdict::Failed(said()),
        "NOT FOUND" => Verdict::Waiting("The payment was not completed".to_owned()),
        _ => Verdict::Waiting(said()),
    })
}

/// What is not as we stored it.
fn difference(answer: &Value, ours: &Ours<'_>) -> Option<String> {
    let told = |name: &str, ours: &str| {
        let theirs = wire::text(&answer[name]).unwrap_or_else(|| "nothing".to_owned());
        Some(note(&format!("ESPEES says {name} {theirs}, ours is {ours}")))
    };
    if answer["product_sku"].as_str() != Some(ours.sku) {
        return told("product_sku", ours.sku);
    }
    if wire::decimal(&answer["price"]) != Some(ours.price) {
        return told("price", &ours.price.to_string());
    }
    match nonce(&answer["user_data"]) {
        Some(nonce) if nonce == ours.nonce => None,
        // Answers may come without `user_data`. The product belongs to us alone, so the payment is ours then, too.
        None if answer["user_data"].is_null() => None,
        _ => Some("ESPEES says other user_data than ours".to_owned()),
    }
}

/// The nonce in what comes back as an object, or as the text of one.
fn nonce(user_data: &Value) -> Option<String> {
    match user_data {
        Value::Object(_) => user_data["nonce"].as_str().map(str::to_owned),
        Value::String(text) => serde_json::from_str::<Value>(text)
            .ok()
            .and_then(|inner| inner["nonce"].as_str().map(str::to_owned)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(change: impl FnOnce(&mut Value)) -> Result<Verdict> {
        let mut answer = json!({
            "customer_username": "ada", "product_sku": "td-1", "narration": "credit", "price": 12.5,
            "transaction_status": "APPROVED", "status_details": "Successful", "transaction_date": "18-01-2023 5:50:23",
            "user_data": { "nonce": "n1" },
        });
        change(&mut answer);
        judge(&answer, &Ours { sku: "td-1", price: Amount(12_500_000), nonce: "n1" })
    }

    #[test]
    fn approved_with_our_product_price_and_nonce_is_paid_however_it_is_written() {
        assert_eq!(verdict(|_| {}).unwrap(), Verdict::Paid);
        assert_eq!(verdict(|it| it["price"] = json!("12.50")).unwrap(), Verdict::Paid);
        assert_eq!(verdict(|it| it["transaction_status"] = json!("approved")).unwrap(), Verdict::Paid);
        assert_eq!(verdict(|it| it["user_data"] = json!("{\"nonce\":\"n1\"}")).unwrap(), Verdict::Paid);
        assert_eq!(verdict(|it| it["user_data"] = Value::Null).unwrap(), Verdict::Paid);
    }

    #[test]
    fn approved_with_anything_else_is_a_mismatch() {
        for (name, value) in [
            ("product_sku", json!("td-2")),
            ("product_sku", Value::Null),
            ("price", json!(12.4)),
            ("price", json!("12.5000001")),
            ("price", Value::Null),
            ("user_data", json!({ "nonce": "n2" })),
            ("user_data", json!("n1")),
            ("user_data", json!({})),
        ] {
            let verdict = verdict(|it| it[name] = value.clone()).unwrap();
            assert!(matches!(verdict, Verdict::Mismatch(_)), "{name} {value}: {verdict:?}");
        }
    }

    #[test]
    fn nothing_but_approved_is_paid() {
        for status in ["PENDING", "NOT FOUND", "not found", "SOMETHING"] {
            let verdict = verdict(|it| it["transaction_status"] = json!(status)).unwrap();
            assert!(matches!(verdict, Verdict::Waiting(_)), "{status}");
        }
        for status in ["DECLINE", "Declined"] {
            let verdict = verdict(|it| it["transaction_status"] = json!(status)).unwrap();
            assert!(matches!(verdict, Verdict::Failed(_)), "{status}");
        }
        assert!(verdict(|it| it["transaction_status"] = Value::Null).is_err());
    }

    #[test]
    fn what_espees_says_is_said_once() {
        let said = |details: &str| {
            let verdict = verdict(|it| {
                it["transaction_status"] = json!("DECLINE");
                it["status_details"] = json!(details);
            });
            match verdict.unwrap() {
                Verdict::Failed(note) => note,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(said("Decline"), "ESPEES: DECLINE");
        assert_eq!(said("No funds"), "ESPEES: DECLINE No funds");
    }

    #[test]
    fn prices_are_sent_as_exact_decimals() {
        assert_eq!(json!({ "price": Amount(12_345_678) }).to_string(), r#"{"price":12.345678}"#);
    }
}
