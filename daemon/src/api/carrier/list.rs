//! `GET /admin/carriers`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::carrier::{
    Carrier, CarrierBind, CarrierBreaker, CarrierCalls, CarrierReceiptLag, Carriers,
};
use talkdrum_core::carrier::voice::CallOutcome;
use talkdrum_core::model::carrier::CarrierState;
use talkdrum_core::operate::{self, CarrierView};
use talkdrum_core::store::carrier::breaker::BreakerRow;
use talkdrum_core::time::Time;
use talkdrum_core::{Error, Result};

use crate::http::{AdminCaller, Answer};
use crate::state::AppState;

/// The carriers: how their connections are, what waits at them, whether an administrator holds them. Every daemon shows
/// the same: what the holder of a carrier saw is at most some seconds old.
#[utoipa::path(
    get, path = "/admin/carriers", tag = "carrier",
    responses((status = 200, body = Carriers)),
)]
pub(super) async fn list_carriers(State(app): State<AppState>, _caller: AdminCaller) -> Answer<Carriers> {
    let carriers = all(&app).await?;
    let total = i64::try_from(carriers.len()).unwrap_or(i64::MAX);
    Ok(Json(Carriers { carriers, total }))
}

/// The configured carriers in the order of the configuration, then those where something still waits.
pub(crate) async fn all(app: &AppState) -> Result<Vec<Carrier>> {
    Ok(views(app).await?.into_iter().map(|view| shown(app, view)).collect())
}

async fn views(app: &AppState) -> Result<Vec<CarrierView>> {
    let names = app.fleet.now().names();
    operate::overview(&mut app.store.snapshot().await?, &names, app.clock.now()).await
}

/// Refuses what is about text messages for a carrier of calls.
///
/// # Errors
/// `carries_calls` when it is one.
pub(super) fn refuse_trunk(app: &AppState, name: &str) -> Result<()> {
    if !app.fleet.now().is_trunk(name) {
        return Ok(());
    }
    Err(Error::conflict(
        "carries_calls",
        format!("The carrier {name} carries calls, not text messages: 'talkdrum voice test' tries it"),
    ))
}

/// One carrier.
///
/// # Errors
/// `NotFound` when it is neither configured nor has anything left.
pub(super) async fn one(app: &AppState, name: &str) -> Result<Carrier> {
    one_with_state(app, name).await.map(|(carrier, _)| carrier)
}

/// One carrier, and what became of an operator's word.
///
/// # Errors
/// As [`one`].
pub(super) async fn one_with_state(app: &AppState, name: &str) -> Result<(Carrier, CarrierState)> {
    let view = views(app).await?.into_iter().find(|view| view.name == name);
    let view = view.ok_or(Error::NotFound("carrier"))?;
    let state = view.state();
    Ok((shown(app, view), state))
}

fn breaker((row, waiting): (BreakerRow, i64)) -> CarrierBreaker {
    let BreakerRow { network, breaker, changed_by, .. } = row;
    CarrierBreaker {
        network,
        state: breaker.state.code().to_owned(),
        delivered: breaker.delivered,
        failed: breaker.failed,
        waiting,
        opened_at: breaker.opened_at.map(Time::to_rfc3339),
        probe_at: breaker.probe_at.map(Time::to_rfc3339),
        changed_by,
    }
}

fn shown(app: &AppState, view: CarrierView) -> Carrier {
    let now = app.clock.now();
    let state = view.state().code().to_owned();
    let calls_up = view.calls_up();
    let CarrierView { name, vitals, owner, seen_at, said, waiting, notices, open, breakers, .. } = view;
    let fleet = app.fleet.now();
    let agreed_rate = app.campaigns.router.now().carrier(&name).map(|it| it.rate);
    let rate = agreed_rate.or(vitals.as_ref().map(|vitals| vitals.rate)).unwrap_or_default();
    let kind = fleet.kind(&name);
    let (health, reason) = match &vitals {
        Some(vitals) => (vitals.health.code().to_owned(), vitals.reason.clone()),
        None if kind.is_none() => ("unheld".to_owned(), Some("It is not configured any more".to_owned())),
        None => ("unheld".to_owned(), Some("No daemon holds it".to_owned())),
    };
    let binds = vitals.iter().flat_map(|vitals| &vitals.line.binds).map(|bind| CarrierBind {
        role: bind.role.code().to_owned(),
        state: bind.state.code().to_owned(),
        reason: bind.reason.clone(),
        since: bind.since.map(Time::to_rfc3339),
    });
    let waits_s = |since: Time| i64::try_from(now.since(since).as_secs()).unwrap_or(i64::MAX);
    Carrier {
        kind: kind.unwrap_or_default().to_owned(),
        configured: kind.is_some(),
        binds: binds.collect(),
        health,
        reason,
        window: vitals.as_ref().map(|vitals| vitals.window),
        window_used: vitals.as_ref().map(|vitals| vitals.line.used),
        rate,
        rate_now: vitals.as_ref().filter(|_| calls_up.is_none()).map(|vitals| vitals.rate_now),
        calls: calls_up.map(|up| {
            let lately = vitals.as_ref().and_then(|vitals| vitals.line.calls).unwrap_or_default();
            let ended = CallOutcome::ALL.map(CallOutcome::code).map(str::to_owned).into_iter();
            CarrierCalls {
                up,
                begun_last_minute: lately.begun,
                ended: ended.zip(lately.ended).collect(),
                packets: lately.packets,
                packets_late: lately.packets_late,
            }
        }),
        throttled: vitals.as_ref().is_some_and(|vitals| vitals.line.throttled),
        receipt_lag: vitals.as_ref().and_then(|vitals| vitals.receipt_lag).map(|lag| CarrierReceiptLag {
            measured: lag.measured,
            p50_ms: lag.p50_ms,
            p95_ms: lag.p95_ms,
        }),
        state,
        state_reason: said.as_ref().and_then(|said| said.reason.clone()),
        state_by: said.as_ref().and_then(|said| said.changed_by.clone()),
        state_since: said.as_ref().map(|said| said.changed_at.to_rfc3339()),
        traced_until: said.map(|said| said.trace_until).filter(|until| *until > now).map(Time::to_rfc3339),
        queued: waiting.queued(),
        queued_later: waiting.later,
        // Calls of no campaign are up beside those of campaigns.
        in_flight: waiting.in_flight().max(calls_up.map_or(0, i64::from)),
        queued_notices: notices,
        oldest_queued_at: waiting.oldest_at.map(Time::to_rfc3339),
        oldest_queued_s: waiting.oldest_at.map(waits_s),
        oldest_lease_at: waiting.oldest_lease_at.map(Time::to_rfc3339),
        unmatched_receipts: open.unmatched_receipts,
        unknown_messages: open.unknown_messages,
        held_by: owner.map(|run| run.0),
        seen_at: seen_at.map(Time::to_rfc3339),
        breakers: breakers.into_iter().filter(|(row, _)| row.holds()).map(breaker).collect(),
        name,
    }
}
