//! Paystack's stand-in: `transaction/initialize`, `transaction/verify`, the checkout page, and the webhook.
//!
//! As in production: a reference is taken once, an unpaid transaction is `abandoned`, a declined one can be paid on the
//! same page, and success is reported by a webhook signed with the key that began it. A page's `POST` takes `webhook`
//! beside `outcome`: `late` (after three seconds), `twice` or `none`, to see what the daemon makes of it.

use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};
use talkdrum_api::money::Amount;
use talkdrum_core::payment::paystack::sign;

use super::page::{self, Outcome};
use crate::http::{ApiError, Form};
use crate::sandbox::newest::Newest;
use crate::sandbox::paystack::Transaction;
use crate::state::AppState;

/// How late a late webhook is.
const LATE: Duration = Duration::from_secs(3);
/// How often a delivery is tried.
const TRIES: u32 = 3;

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/transaction/initialize", post(initialize))
        .route("/transaction/verify/{reference}", get(verify))
        .route("/checkout/{access_code}", get(show).post(decide))
}

fn transactions(app: &AppState) -> Result<&Newest<Transaction>, Box<Response>> {
    match &app.sandbox {
        Some(sandbox) => Ok(&sandbox.paystack.transactions),
        None => Err(Box::new(StatusCode::NOT_FOUND.into_response())),
    }
}

fn refusal(status: StatusCode, message: &str, code: &str) -> Response {
    let body =
        json!({ "status": false, "message": message, "type": "validation_error", "code": code, "meta": {} });
    (status, Json(body)).into_response()
}

fn key_of(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    value.strip_prefix("Bearer ").filter(|key| key.starts_with("sk_")).map(str::to_owned)
}

async fn initialize(State(app): State<AppState>, headers: HeaderMap, Json(body): Json<Value>) -> Response {
    let kept = match transactions(&app) {
        Ok(kept) => kept,
        Err(response) => return *response,
    };
    let Some(key) = key_of(&headers) else {
        return refusal(StatusCode::UNAUTHORIZED, "Invalid key", "invalid_Key");
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let kobo = body["amount"].as_i64().or_else(|| body["amount"].as_str()?.parse().ok());
    let email = text(&body["email"]);
    let Some(kobo) = kobo.filter(|kobo| *kobo > 0) else {
        return refusal(StatusCode::BAD_REQUEST, "Invalid Amount Sent", "invalid_amount");
    };
    if !email.contains('@') {
        return refusal(StatusCode::BAD_REQUEST, "Invalid Email Address Passed", "invalid_email_address");
    }
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-.=".contains(&byte);
    let reference = match body["reference"].as_str() {
        Some(given) if given.bytes().all(allowed) && !given.is_empty() => given.to_owned(),
        Some(_) => return refusal(StatusCode::BAD_REQUEST, "Invalid reference", "invalid_params"),
        None => format!("{:016x}", app.entropy.u64()),
    };
    let access_code = format!("{:016x}", app.entropy.u64());
    let transaction = Transaction {
        reference: reference.clone(),
        access_code: access_code.clone(),
        key,
        kobo,
        email,
        narration: text(&body["metadata"]["narration"]),
        callback_url: text(&body["callback_url"]),
        cancel_url: text(&body["metadata"]["cancel_action"]),
        status: "abandoned",
        paid_at: None,
    };
    if !kept.add(&reference, transaction) {
        return refusal(StatusCode::BAD_REQUEST, "Duplicate Transaction Reference", "duplicate_reference");
    }
    let url = format!("{}/sandbox/paystack/checkout/{access_code}", app.public_url);
    let data = json!({ "authorization_url": url, "access_code": access_code, "reference": reference });
    Json(json!({ "status": true, "message": "Authorization URL created", "data": data })).into_response()
}

async fn verify(State(app): State<AppState>, headers: HeaderMap, Path(reference): Path<String>) -> Response {
    let kept = match transactions(&app) {
        Ok(kept) => kept,
        Err(response) => return *response,
    };
    let Some(key) = key_of(&headers) else {
        return refusal(StatusCode::UNAUTHORIZED, "Invalid key", "invalid_Key");
    };
    match kept.get(&reference).filter(|it| it.key == key) {
        Some(it) => {
            Json(json!({ "status": true, "message": "Verification successful", "data": it.as_json() }))
                .into_response()
        }
        None => refusal(StatusCode::NOT_FOUND, "Transaction reference not found.", "transaction_not_found"),
    }
}

/// What the payer does, and what becomes of the webhook.
#[derive(Debug, Deserialize)]
struct Decision {
    outcome: Outcome,
    webhook: Option<String>,
}

async fn show(State(app): State<AppState>, Path(access_code): Path<String>) -> Response {
    match begun(&app, &access_code) {
        Ok(it) => shown(&it),
        Err(response) => *response,
    }
}

fn begun(app: &AppState, access_code: &str) -> Result<Transaction, Box<Response>> {
    let found = transactions(app)?.find(|it| it.access_code == access_code);
    found.ok_or_else(|| Box::new(ApiError::not_found("There is no such checkout").into_response()))
}

fn shown(it: &Transaction) -> Response {
    let note = match it.status {
        "success" => "Paid.",
        "failed" => "Declined. You can try again.",
        _ => "",
    };
    page::checkout("Paystack", &format!("NGN {}", Amount(it.kobo * 10_000)), &it.narration, note)
}

async fn decide(
    State(app): State<AppState>,
    Path(access_code): Path<String>,
    Form { data, .. }: Form<Decision>,
) -> Response {
    let it = match begun(&app, &access_code) {
        Ok(it) => it,
        Err(response) => return *response,
    };
    let callback =
        page::with_query(&it.callback_url, &[("trxref", &it.reference), ("reference", &it.reference)]);
    if it.status == "success" {
        return page::redirect(&callback);
    }
    let paid_at = app.clock.now().to_rfc3339();
    let changed = transactions(&app).ok().and_then(|kept| {
        kept.change(&it.reference, |it| match data.outcome {
            Outcome::Pay => {
                it.status = "success";
                it.paid_at = Some(paid_at);
            }
            Outcome::Decline => it.status = "failed",
            Outcome::Abandon => it.status = "abandoned",
        })
    });
    let Some(changed) = changed else { return page::redirect(&callback) };
    match data.outcome {
        Outcome::Pay => {
            tokio::spawn(tell(app, changed, data.webhook.unwrap_or_default()));
            page::redirect(&callback)
        }
        Outcome::Decline => shown(&changed),
        Outcome::Abandon if changed.cancel_url.is_empty() => page::redirect(&callback),
        Outcome::Abandon => page::redirect(&changed.cancel_url),
    }
}

/// Delivers the webhook of a success.
async fn tell(app: AppState, it: Transaction, how: String) {
    let body = json!({ "event": "charge.success", "data": it.as_json() }).to_string();
    let signature = sign(&it.key, body.as_bytes());
    let deliveries = match how.as_str() {
        "none" => 0,
        "twice" => 2,
        "late" => {
            tokio::time::sleep(LATE).await;
            1
        }
        _ => 1,
    };
    for _ in 0..deliveries {
        for attempt in 1..=TRIES {
            let request = app
                .http
                .post(format!("{}/hooks/paystack", app.public_url))
                .header("content-type", "application/json")
                .header("x-paystack-signature", &signature)
                .body(body.clone());
            match request.send().await {
                Ok(response) if response.status().is_success() => break,
                _ => tokio::time::sleep(Duration::from_secs(u64::from(attempt))).await,
            }
        }
    }
}
