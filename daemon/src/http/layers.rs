//! What surrounds every request: its id, its log line and metrics, its time limit, headers for browsers.
//!
//! Neither bodies nor tokens nor query strings are logged.

use std::any::Any;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use tracing::Instrument as _;

use super::{address, answer};
use crate::limit::admission::HeldRoom;
use crate::problem::{ApiError, within};
use crate::state::AppState;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Gives the request an id, which problem documents, the log and the header `X-Request-Id` name.
pub(crate) async fn observe(State(app): State<AppState>, mut request: Request, next: Next) -> Response {
    let id = format!("{:016x}", app.entropy.u64());
    let method = request.method().clone();
    let path = request.extensions().get::<MatchedPath>().cloned();
    let path = path.as_ref().map_or("unmatched", MatchedPath::as_str);
    let span = tracing::info_span!("request", %method, path, request_id = id);
    let started = Instant::now();
    // Room that is reserved for the body is free again when this function ends.
    let held = HeldRoom::from(address::of(request.extensions(), request.headers(), &app));
    request.extensions_mut().insert(held.clone());
    let mut response = if request.version() == Version::HTTP_2 {
        // In HTTP/2 one stream can stall alone, which the connection's deadline for unread answers does not notice.
        StatusCode::HTTP_VERSION_NOT_SUPPORTED.into_response()
    } else {
        let serving = async { answer::counted(next.run(request).await, &method, &held, &app.bodies).await };
        within(id.clone(), serving).instrument(span.clone()).await
    };
    let (status, took) = (response.status().as_u16(), started.elapsed());
    span.in_scope(|| {
        tracing::debug!(status, took_us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX), "served");
    });
    app.served.note(path, &method, status, took);
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    protect(&mut response);
    drop(held);
    response
}

/// Headers for browsers: nothing is guessed, framed, leaked or kept by caches unless an operation says otherwise.
fn protect(response: &mut Response) {
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}

/// Ends an operation that takes longer than `limits.request_s`. What it wrote by then stands or not, as its
/// transaction ended: the client may ask again with the same `Idempotency-Key`.
pub(crate) async fn limit_time(State(app): State<AppState>, request: Request, next: Next) -> Response {
    match tokio::time::timeout(app.limits.request_time(), next.run(request)).await {
        Ok(response) => response,
        Err(_) => ApiError::unavailable(
            "timeout",
            "This took too long. It may have been done all the same: look, or repeat it with the same Idempotency-Key",
        )
        .into_response(),
    }
}

/// The answer of a handler that panicked.
#[expect(clippy::needless_pass_by_value, reason = "the shape that tower-http's CatchPanicLayer asks for")]
pub(crate) fn panicked(cause: Box<dyn Any + Send>) -> Response {
    let text = cause
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| cause.downcast_ref::<&str>().copied())
        .unwrap_or("unknown");
    tracing::error!(code = "panic", panic = text, "a handler panicked");
    ApiError::internal("panic").into_response()
}

/// No such address.
pub(crate) fn nothing_at_this_address() -> ApiError {
    ApiError::not_found("There is nothing at this address: see /api/docs")
}

/// The address exists, the method does not.
pub(crate) async fn no_such_method() -> ApiError {
    ApiError::new(
        axum::http::StatusCode::METHOD_NOT_ALLOWED,
        "method_not_allowed",
        "This address takes another method: see /api/docs",
    )
}
