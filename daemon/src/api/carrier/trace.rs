//! `POST` and `GET /admin/carriers/{name}/trace`.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::carrier::{CarrierTrace, CarrierTraceLine};
use talkdrum_api::query::TraceQuery;
use talkdrum_core::Error;
use talkdrum_core::operate::{self, TRACE_MAX};
use talkdrum_core::store::Lane;
use talkdrum_core::store::operations::idempotency::once;
use utoipa::ToSchema;

use super::list;
use crate::http::{AdminCaller, Answer, Form, IdempotencyKey, Path, Query};
use crate::state::AppState;

/// How long a trace goes on when nothing else was asked for.
const USUAL_S: u64 = 300;

/// How long.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct TraceCarrier {
    /// Seconds, at most 3,600; 300 when left out, and 0 ends it.
    seconds: Option<u64>,
}

/// Trace a carrier's traffic for a while: PDUs and exchanges, numbers masked, texts replaced by their length. It ends by
/// itself.
#[utoipa::path(
    post, path = "/admin/carriers/{name}/trace", tag = "carrier",
    params(("name" = String, Path)),
    request_body = TraceCarrier,
    responses((status = 200, body = CarrierTrace)),
)]
pub(super) async fn trace_carrier(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Path(name): Path<String>,
    Form { data, digest }: Form<TraceCarrier>,
) -> Answer<CarrierTrace> {
    caller.require_active()?;
    list::refuse_trunk(&app, &name)?;
    list::one(&app, &name).await?;
    let span = Duration::from_secs(data.seconds.unwrap_or(USUAL_S));
    if span > TRACE_MAX {
        return Err(Error::field("seconds", "trace_long", "A trace goes on for at most 3600 seconds").into());
    }
    let claim = key.claim_named(&caller, "carrier.trace", &name, digest);
    let input = (claim, name.clone(), span, caller.user_id, app.clock.now());
    app.store
        .write(Lane::Interactive, input, |tx, (claim, name, span, by, now)| {
            Box::pin(async move {
                once(tx, claim.as_ref(), *now, async |tx| {
                    operate::switch_trace(tx, name, *span, *by, *now).await?;
                    Ok(name.clone())
                })
                .await
            })
        })
        .await?;
    if let Some(workers) = &app.workers {
        workers.look();
    }
    tracing::info!(carrier = name, seconds = span.as_secs(), admin_id = caller.user_id.0, "carrier.trace");
    Ok(Json(shown(&app, &name, 0).await?))
}

/// The last lines of a carrier's trace, at most 500, about a second behind the wire.
#[utoipa::path(
    get, path = "/admin/carriers/{name}/trace", tag = "carrier",
    params(("name" = String, Path), TraceQuery),
    responses((status = 200, body = CarrierTrace)),
)]
pub(super) async fn show_carrier_trace(
    State(app): State<AppState>,
    _caller: AdminCaller,
    Path(name): Path<String>,
    Query(filters): Query<TraceQuery>,
) -> Answer<CarrierTrace> {
    Ok(Json(shown(&app, &name, filters.after).await?))
}

async fn shown(app: &AppState, name: &str, after: i64) -> talkdrum_core::Result<CarrierTrace> {
    let until = list::one(app, name).await?.traced_until;
    let rows = operate::trace(&mut app.store.read().await?, name, after).await?;
    let lines: Vec<CarrierTraceLine> = rows
        .into_iter()
        .map(|row| CarrierTraceLine { sequence: row.sequence, at: row.at.to_rfc3339(), line: row.line })
        .collect();
    Ok(CarrierTrace { total: i64::try_from(lines.len()).unwrap_or(i64::MAX), lines, until })
}
