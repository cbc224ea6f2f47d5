//! `POST /admin/carriers/{name}/reroute`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::carrier::{CarrierRerouted, KeptMessages, MovedMessages};
use talkdrum_core::Error;
use talkdrum_core::model::carrier::OrderKind;
use talkdrum_core::model::carrier::order::{KeptFor, MovedTo, RerouteReport};
use talkdrum_core::operate::{self, RerouteTarget, Rerouted};
use talkdrum_core::store::Lane;
use talkdrum_core::store::carrier::reload;
use talkdrum_core::store::operations::idempotency::{look_if_any, once};
use utoipa::ToSchema;

use super::list;
use crate::carriers;
use crate::http::{AdminCaller, Answer, Form, IdempotencyKey, Path};
use crate::state::AppState;

/// Where to.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct RerouteCarrier {
    /// The carrier that takes the messages; when it is left out they go where the present routes lead.
    #[serde(default)]
    to: String,
}

/// Move what is queued at a carrier that is paused, drained or not configured any more to another one. Nothing that may have
/// been sent moves, prices and refunds stay as promised, and what the other carrier does not take stays. Asking twice
/// moves what was left; under the same `Idempotency-Key` nothing more moves, unless the first try was cut off.
#[utoipa::path(
    post, path = "/admin/carriers/{name}/reroute", tag = "carrier",
    params(("name" = String, Path)),
    request_body = RerouteCarrier,
    responses((status = 200, body = CarrierRerouted)),
)]
pub(super) async fn reroute_carrier(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Path(name): Path<String>,
    Form { data, digest }: Form<RerouteCarrier>,
) -> Answer<CarrierRerouted> {
    caller.require_active()?;
    let claim = key.claim_named(&caller, "carrier.reroute", &name, digest);
    let before = look_if_any(&mut app.store.read().await?, claim.as_ref()).await?;
    if let Some(reference) = before {
        return Ok(Json(shown(carriers::answer(&app.store, &reference).await?.1)));
    }
    list::one(&app, &name).await?;
    let router = app.campaigns.router.now();
    let target = match data.to.trim() {
        "" => {
            let mut tx = app.store.read().await?;
            let dnd = if router.minds_dnd() { Some(app.campaigns.dnd.current(&mut tx).await?) } else { None };
            RerouteTarget::Routes { router, networks: app.campaigns.networks.clone(), dnd }
        }
        to if app.fleet.now().is_trunk(to) && carries_texts(&app, &name) => {
            let says = format!("The carrier '{to}' carries calls, not text messages: name another one");
            return Err(Error::field("to", "carries_calls", says).into());
        }
        to => RerouteTarget::Carrier(router.carrier(to).cloned().ok_or_else(|| {
            Error::field("to", "no_such_carrier", format!("There is no carrier called '{to}'"))
        })?),
    };
    let configured = app.fleet.now().kind(&name).is_some();
    let (by, now) = (caller.user_id, app.clock.now());
    let done = operate::reroute(&app.store, &name, configured, &target, by, now).await?;
    if let Some(workers) = &app.workers {
        workers.wake();
    }
    let report = report(&name, done);
    if claim.is_some() {
        let input = (claim, carriers::as_stored(&report)?, by, now);
        let before = app
            .store
            .write(Lane::Interactive, input, |tx, (claim, report, by, now)| {
                Box::pin(async move {
                    let mut is_new = false;
                    let id: String = once(tx, claim.as_ref(), *now, async |tx| {
                        is_new = true;
                        Ok(reload::insert(tx, OrderKind::Reroute, *by, report, *now).await?.to_string())
                    })
                    .await?;
                    Ok((!is_new).then_some(id))
                })
            })
            .await?;
        // The same request came at the same time, and was done first.
        if let Some(reference) = before {
            return Ok(Json(shown(carriers::answer(&app.store, &reference).await?.1)));
        }
    }
    tracing::info!(carrier = name, message = report.message, admin_id = caller.user_id.0, "carrier.reroute");
    Ok(Json(shown(report)))
}

/// Whether text messages wait at a carrier. At one that is not configured any more either may: what the other does not take
/// stays.
fn carries_texts(app: &AppState, name: &str) -> bool {
    let fleet = app.fleet.now();
    fleet.kind(name).is_some() && !fleet.is_trunk(name)
}

fn report(name: &str, done: Rerouted) -> RerouteReport {
    let moved: i64 = done.moved.values().sum();
    let kept: i64 = done.kept.values().sum();
    let message = match (moved + done.notices, kept) {
        (0, 0) => format!("Nothing waits at the carrier {name}"),
        (all, 0) => format!("{all} messages were led elsewhere"),
        (all, kept) => format!("{all} messages were led elsewhere, {kept} stay"),
    };
    RerouteReport {
        moved: done.moved.into_iter().map(|(carrier, messages)| MovedTo { carrier, messages }).collect(),
        kept: done.kept.into_iter().map(|(reason, messages)| KeptFor { reason, messages }).collect(),
        notices: done.notices,
        message,
    }
}

fn shown(RerouteReport { moved, kept, notices, message }: RerouteReport) -> CarrierRerouted {
    let moved = moved.into_iter().map(|MovedTo { carrier, messages }| MovedMessages { carrier, messages });
    let kept = kept.into_iter().map(|KeptFor { reason, messages }| KeptMessages { reason, messages });
    CarrierRerouted { moved: moved.collect(), kept: kept.collect(), notices, message }
}
