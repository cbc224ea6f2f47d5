//! Paystack: initialize and verify a transaction, and the signature of its webhook.
//!
//! Success is Paystack's own word in the answer to `verify`, and only with our reference, our amount, our
//! currency and the mode of our key. `amount` alone proves nothing: where the payer bears the fees it is more than what
//! was asked for, so `requested_amount` is compared and `amount` must not be less.

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha512;

use super::Provider;
use super::config::PaymentConfig;
use super::provider::{Verdict, away, note, refused};
use super::wire;
use crate::error::Result;
use crate::model::money::payment::PaymentMode;
use crate::settings::Secret;

/// Whether a key moves real money: every key that does not say `test`. Paystack calls it the domain, by the same words.
pub(super) fn mode(key: &Secret) -> PaymentMode {
    if key.expose().starts_with("sk_test") { PaymentMode::Test } else { PaymentMode::Live }
}

/// A transaction to be begun.
#[derive(Debug)]
pub(super) struct Begin<'a> {
    pub(super) reference: &'a str,
    pub(super) kobo: i64,
    pub(super) email: &'a str,
    pub(super) narration: &'a str,
    pub(super) callback_url: String,
    pub(super) cancel_url: String,
}

/// Begins a transaction and returns the address of its checkout page.
pub(super) async fn initialize(
    http: &reqwest::Client,
    config: &PaymentConfig,
    key: &Secret,
    begin: &Begin<'_>,
) -> Result<String> {
    let body = json!({
        "email": begin.email, "amount": begin.kobo, "currency": "NGN", "reference": begin.reference,
        "callback_url": begin.callback_url,
        "metadata": { "cancel_action": begin.cancel_url, "narration": begin.narration },
    });
    let request = http
        .post(format!("{}/transaction/initialize", config.paystack_url))
        .bearer_auth(key.expose())
        .json(&body);
    let (status, answer) = wire::call(Provider::Paystack, request, config.timeout).await?;
    let url = wire::text(&answer["data"]["authorization_url"]);
    match url.filter(|_| status.is_success() && answer["status"] == true) {
        Some(url) if is_web_address(&url) => Ok(url),
        _ => Err(refused(Provider::Paystack, answer["message"].as_str().unwrap_or("no reason was given"))),
    }
}

/// Only an address of the web may be opened by a payer's browser.
pub(super) fn is_web_address(url: &str) -> bool {
    reqwest::Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

/// Asks what became of a transaction.
pub(super) async fn verify(
    http: &reqwest::Client,
    config: &PaymentConfig,
    key: &Secret,
    reference: &str,
    kobo: i64,
) -> Result<Verdict> {
    let request =
        http.get(format!("{}/transaction/verify/{reference}", config.paystack_url)).bearer_auth(key.expose());
    let (status, answer) = wire::call(Provider::Paystack, request, config.timeout).await?;
    let said = answer["message"].as_str().unwrap_or_default();
    if status == reqwest::StatusCode::NOT_FOUND || is_unknown(&answer) {
        return Ok(Verdict::Absent("Paystack does not know this payment: it was not begun".to_owned()));
    }
    if !status.is_success() || answer["status"] != true {
        return Err(away(Provider::Paystack, format!("{status}: {said}")));
    }
    judge(&answer["data"], reference, kobo, mode(key))
}

fn is_unknown(answer: &Value) -> bool {
    answer["code"].as_str().is_some_and(|code| code == "transaction_not_found")
        || answer["message"]
            .as_str()
            .is_some_and(|text| text.eq_ignore_ascii_case("Transaction reference not found."))
}

/// Compares a transaction as Paystack tells it with ours.
fn judge(data: &Value, reference: &str, kobo: i64, mode: PaymentMode) -> Result<Verdict> {
    let response = data["gateway_response"].as_str().unwrap_or_default();
    Ok(match data["status"].as_str() {
        Some("success") => difference(data, reference, kobo, mode).map_or(Verdict::Paid, Verdict::Mismatch),
        Some("failed") => Verdict::Failed(note(&format!("Paystack: {response}"))),
        Some("reversed") => Verdict::Failed("Paystack reversed the payment".to_owned()),
        Some("abandoned") => Verdict::Waiting("The payment was not completed".to_owned()),
        Some(other) => Verdict::Waiting(note(&format!("Paystack: {other}"))),
        None => return Err(away(Provider::Paystack, "an answer without a status")),
    })
}

/// What is not as we stored it.
fn difference(data: &Value, reference: &str, kobo: i64, mode: PaymentMode) -> Option<String> {
    let told = |name: &str, ours: &str| {
        let theirs = wire::text(&data[name]).unwrap_or_else(|| "nothing".to_owned());
        Some(note(&format!("Paystack says {name} {theirs}, ours is {ours}")))
    };
    if data["reference"].as_str() != Some(reference) {
        return told("reference", reference);
    }
    if data["currency"].as_str() != Some("NGN") {
        return told("currency", "NGN");
    }
    let mode = mode.code();
    if data["domain"].as_str() != Some(mode) {
        return told("domain", mode);
    }
    let requested = &data["requested_amount"];
    if !requested.is_null() && wire::whole(requested) != Some(kobo) {
        return told("requested_amount", &format!("{kobo} kobo"));
    }
    if wire::whole(&data["amount"]).is_none_or(|amount| amount < kobo) {
        return told("amount", &format!("{kobo} kobo"));
    }
    None
}

/// Whether a webhook's body was signed with our key: `signature` is the hexadecimal HMAC-SHA512 of the raw body.
pub fn is_signed(key: &Secret, body: &[u8], signature: &str) -> bool {
    let Ok(signature) = hex::decode(signature.trim()) else { return false };
    let Ok(mut mac) = Hmac::<Sha512>::new_from_slice(key.expose().as_bytes()) else { return false };
    mac.update(body);
    // Compares in constant time.
    mac.verify_slice(&signature).is_ok()
}

/// The signature of a body, as Paystack sends it: for the stand-in and the tests.
pub fn sign(key: &str, body: &[u8]) -> String {
    Hmac::<Sha512>::new_from_slice(key.as_bytes())
        .map(|mut mac| {
            mac.update(body);
            hex::encode(mac.finalize().into_bytes())
        })
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(changes: &[(&str, Value)]) -> Value {
        let mut data = json!({
            "id": 4_099_260_516_i64, "domain": "test", "status": "success", "reference": "r1", "amount": 40_333,
            "requested_amount": 30_050, "fees": 10_283, "currency": "NGN", "metadata": "", "gateway_response": "Successful",
        });
        for (name, value) in changes {
            data[*name] = value.clone();
        }
        data
    }

    fn verdict(changes: &[(&str, Value)]) -> Verdict {
        judge(&data(changes), "r1", 30_050, PaymentMode::Test).unwrap()
    }

    #[test]
    fn fees_that_the_payer_bears_make_the_amount_more_and_are_no_mismatch() {
        assert_eq!(verdict(&[]), Verdict::Paid);
        assert_eq!(verdict(&[("requested_amount", Value::Null)]), Verdict::Paid);
        assert_eq!(verdict(&[("amount", json!("30050"))]), Verdict::Paid);
    }

    #[test]
    fn whatever_differs_from_what_we_stored_is_named_and_not_credited() {
        for (name, value) in [
            ("reference", json!("r2")),
            ("currency", json!("USD")),
            ("domain", json!("live")),
            ("requested_amount", json!(30_051)),
            ("requested_amount", json!("none")),
            ("amount", json!(30_049)),
            ("amount", Value::Null),
            ("amount", json!(30_050.5)),
        ] {
            match verdict(&[(name, value)]) {
                Verdict::Mismatch(note) => assert!(note.contains(name), "{note}"),
                other => panic!("{name}: {other:?}"),
            }
        }
        assert!(matches!(judge(&data(&[]), "r1", 30_050, PaymentMode::Live).unwrap(), Verdict::Mismatch(_)));
    }

    #[test]
    fn only_success_is_success() {
        for status in ["abandoned", "ongoing", "pending", "processing", "queued", "something new"] {
            assert!(matches!(verdict(&[("status", json!(status))]), Verdict::Waiting(_)), "{status}");
        }
        for status in ["failed", "reversed"] {
            assert!(matches!(verdict(&[("status", json!(status))]), Verdict::Failed(_)), "{status}");
        }
        assert!(judge(&json!({}), "r1", 1, PaymentMode::Test).is_err());
    }

    #[test]
    fn a_signature_is_that_of_the_raw_body_under_the_secret_key() {
        let body = br#"{"event":"charge.success","data":{"reference":"r1"}}"#;
        let (key, signature) = (Secret::new("sk_test_x"), sign("sk_test_x", body));
        assert!(
            signature.starts_with("7382b8bb18d737c1") && signature.ends_with("68f62783233"),
            "{signature}"
        );
        assert!(is_signed(&key, body, &signature));
        assert!(!is_signed(&key, b"{}", &signature));
        assert!(!is_signed(&Secret::new("sk_test_y"), body, &signature));
        for forged in ["", "zz", "00", &signature[..64]] {
            assert!(!is_signed(&key, body, forged));
        }
    }
}
