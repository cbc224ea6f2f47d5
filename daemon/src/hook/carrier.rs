//! `/hooks/carriers/{name}/{secret}`: receipts of carriers over HTTP; without a secret where the provider signs.
//!
//! Where this daemon holds the carrier its worker takes the receipts, otherwise they are stored for the one that does.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use talkdrum_core::campaign::status::MessageStatus;
use talkdrum_core::carrier::http::{Callback, Delivery, HookError, Report};
use talkdrum_core::store::Lane;
use talkdrum_core::store::receipt::{self, Unmatched};

use crate::state::AppState;

/// How long the provider waits for the commit: shorter than any of them gives us.
const COMMIT_WITHIN: Duration = Duration::from_secs(10);

pub(super) async fn signed(
    State(app): State<AppState>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    take(&app, (&name, None), query.as_deref(), &headers, &body).await
}

pub(super) async fn secret(
    State(app): State<AppState>,
    Path((name, secret)): Path<(String, String)>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    take(&app, (&name, Some(&secret)), query.as_deref(), &headers, &body).await
}

async fn take(
    app: &AppState,
    (name, secret): (&str, Option<&str>),
    query: Option<&str>,
    headers: &HeaderMap,
    body: &[u8],
) -> StatusCode {
    let fleet = app.fleet.now();
    let Some(hook) = fleet.hooks.iter().find(|hook| hook.name() == name) else {
        return StatusCode::NOT_FOUND;
    };
    let callback = Callback { headers, query: query.unwrap_or_default(), body };
    let reports = match hook.read(secret, &callback) {
        Ok(reports) => reports,
        Err(HookError::Unknown) => return StatusCode::NOT_FOUND,
        Err(HookError::Unreadable) => {
            tracing::warn!(carrier = name, bytes = body.len(), "a callback could not be read");
            return StatusCode::BAD_REQUEST;
        }
    };
    match hook.inbox().deliver(reports.clone(), COMMIT_WITHIN).await {
        Delivery::Committed => StatusCode::OK,
        Delivery::Late => StatusCode::SERVICE_UNAVAILABLE,
        Delivery::Elsewhere => match keep(app, name, &reports).await {
            Ok(()) => StatusCode::OK,
            Err(error) => {
                tracing::error!(carrier = name, code = error.code(), %error, "receipts were not stored");
                StatusCode::SERVICE_UNAVAILABLE
            }
        },
    }
}

/// Stores receipts for the daemon that holds the carrier.
async fn keep(app: &AppState, carrier: &str, reports: &[Report]) -> talkdrum_core::Result<()> {
    let now = app.clock.now();
    let unmatched = |report: &Report| {
        let status = MessageStatus::from_receipt(report.state)?;
        Some(Unmatched {
            id: 0,
            carrier_ref: report.reference.0.to_string(),
            state: status.as_str().to_owned(),
            recipient: report.to.and_then(|number| i64::try_from(number.digits()).ok()),
            sender: None,
            error: report.error.as_deref().map(str::to_owned),
            done_at: report.done_at.map(|at| at.millis()),
            received_at: now.millis(),
        })
    };
    let kept: Vec<Unmatched> = reports.iter().filter_map(unmatched).collect();
    let input = (carrier.to_owned(), kept);
    app.store
        .write(Lane::Background, input, |tx, (carrier, kept)| {
            Box::pin(receipt::keep_unmatched(tx, carrier, kept))
        })
        .await
}
