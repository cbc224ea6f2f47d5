//! Calls to providers: bounded in time and size, and read with tolerance, as their documents and answers differ.
//!
//! An answer that cannot be read is an error, never a guess.

use std::time::Duration;

use reqwest::{RequestBuilder, StatusCode};
use serde_json::Value;
use talkdrum_api::money::Amount;

use super::Provider;
use super::provider::away;
use crate::error::Result;

/// The longest answer that is read, in bytes.
const LONGEST: usize = 256 << 10;

/// Sends a request and reads its JSON answer, whatever its status.
pub(super) async fn call(
    provider: Provider,
    request: RequestBuilder,
    timeout: Duration,
) -> Result<(StatusCode, Value)> {
    let answer = tokio::time::timeout(timeout, read(request)).await;
    let (status, body) = match answer {
        Ok(Ok(answer)) => answer,
        Ok(Err(why)) => return Err(away(provider, why)),
        Err(_) => return Err(away(provider, "no answer in time")),
    };
    if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS {
        return Err(away(provider, status));
    }
    match serde_json::from_slice(&body) {
        Ok(json) => Ok((status, json)),
        Err(error) => Err(away(provider, format!("{status}, and no JSON: {error}"))),
    }
}

async fn read(request: RequestBuilder) -> Result<(StatusCode, Vec<u8>), String> {
    // Without the address, which may hold a reference.
    let plain = |error: reqwest::Error| error.without_url().to_string();
    let mut response = request.send().await.map_err(plain)?;
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(plain)? {
        body.extend_from_slice(&piece);
        if body.len() > LONGEST {
            return Err("the answer is too long".to_owned());
        }
    }
    Ok((response.status(), body))
}

/// A text, however it is written; `None` for nothing, `null` and the empty text.
pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A whole number, as a number or a text.
pub(super) fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64().or_else(|| {
            // `5000.0` is written by some serialisers for 5000.
            number.to_string().strip_suffix(".0").and_then(|whole| whole.parse().ok())
        }),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// A decimal, as a number or a text; `None` when it is none or has more than six places.
pub(super) fn decimal(value: &Value) -> Option<Amount> {
    serde_json::from_value(value.clone()).ok()
}
