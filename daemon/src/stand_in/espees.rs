//! ESPEES' stand-in: `v2/payment/product`, `v2/payment/confirm` and the page to pay at.
//!
//! As in production: refusals come with HTTP 200 and another `statusCode` in the body, a payment that was not tried is
//! `NOT FOUND`, and there are no callbacks.

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use super::page::{self, Outcome};
use crate::http::{ApiError, Form};
use crate::sandbox::espees::Payment;
use crate::state::AppState;

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/v2/payment/product", post(product))
        .route("/v2/payment/confirm", post(confirm))
        .route("/v2/payment/confirm/", post(confirm))
        .route("/pay/{payment_ref}", get(show).post(decide))
}

fn refusal(code: u16, message: &str) -> Response {
    Json(json!({ "statusCode": code, "message": message })).into_response()
}

fn has_key(headers: &HeaderMap) -> bool {
    headers.get("x-api-key").is_some_and(|key| !key.is_empty())
}

async fn product(State(app): State<AppState>, headers: HeaderMap, Json(body): Json<Value>) -> Response {
    if !has_key(&headers) {
        return refusal(403, "Forbidden");
    }
    let has_texts = ["product_sku", "narration", "merchant_wallet", "success_url", "fail_url"]
        .iter()
        .all(|name| body[*name].as_str().is_some_and(|text| !text.is_empty()));
    let has_price = body["price"].as_f64().is_some_and(|price| price > 0.0);
    let is_wallet = body["merchant_wallet"].as_str().is_some_and(|wallet| wallet.starts_with("0x"));
    if !has_texts || !has_price || !is_wallet {
        return refusal(400, "Incomplete request");
    }
    let payment_ref = format!("{:016x}{:016x}", app.entropy.u64(), app.entropy.u64());
    let Some(sandbox) = &app.sandbox else { return refusal(404, "Not Found") };
    let taken = sandbox.espees.payments.find(|it| it.product["product_sku"] == body["product_sku"]);
    if taken.is_some() {
        return refusal(400, "product_sku exists");
    }
    sandbox.espees.payments.add(&payment_ref, Payment { product: body, status: "NOT FOUND" });
    Json(json!({ "statusCode": 200, "payment_ref": payment_ref, "message": "Successfully Done" }))
        .into_response()
}

async fn confirm(State(app): State<AppState>, headers: HeaderMap, Json(body): Json<Value>) -> Response {
    if !has_key(&headers) {
        return refusal(403, "Forbidden");
    }
    let Some(it) = body["payment_ref"].as_str().and_then(|payment_ref| find(&app, payment_ref)) else {
        return refusal(404, "payment_ref does not exist");
    };
    Json(json!({
        "customer_username": "sandbox", "product_sku": it.product["product_sku"],
        "narration": it.product["narration"], "price": it.product["price"], "transaction_status": it.status,
        "status_details": it.status, "transaction_date": "18-01-2023 5:50:23", "user_data": it.product["user_data"],
    }))
    .into_response()
}

fn find(app: &AppState, payment_ref: &str) -> Option<Payment> {
    app.sandbox.as_ref()?.espees.payments.get(payment_ref)
}

fn nothing() -> Response {
    ApiError::not_found("There is no such payment").into_response()
}

async fn show(State(app): State<AppState>, Path(payment_ref): Path<String>) -> Response {
    find(&app, &payment_ref).map_or_else(nothing, |it| {
        let narration = it.product["narration"].as_str().unwrap_or_default();
        let note = if it.status == "APPROVED" { "Paid." } else { "" };
        page::checkout("ESPEES", &format!("{} ESPEES", it.product["price"]), narration, note)
    })
}

/// What the payer does.
#[derive(Debug, Deserialize)]
struct Decision {
    outcome: Outcome,
}

async fn decide(
    State(app): State<AppState>,
    Path(payment_ref): Path<String>,
    Form { data, .. }: Form<Decision>,
) -> Response {
    let Some(sandbox) = &app.sandbox else { return nothing() };
    let changed = sandbox.espees.payments.change(&payment_ref, |it| {
        if it.status != "APPROVED" {
            it.status = match data.outcome {
                Outcome::Pay => "APPROVED",
                Outcome::Decline => "DECLINE",
                Outcome::Abandon => it.status,
            };
        }
    });
    changed.map_or_else(nothing, |it| {
        let name = if it.status == "APPROVED" { "success_url" } else { "fail_url" };
        page::redirect(it.product[name].as_str().unwrap_or_default())
    })
}
