//! `POST /admin/carriers/{name}/pause`, `resume` and `drain`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::carrier::CarrierHeld;
use talkdrum_core::Result;
use talkdrum_core::operate::{self, Hold};
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use utoipa::ToSchema;

use super::list;
use crate::http::{AdminCaller, Answer, Form, IdempotencyKey, Path};
use crate::state::AppState;

/// An administrator's word.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct HoldCarrier {
    /// Why: for the next operator who looks at the carrier. At most 200 characters.
    #[serde(default)]
    reason: String,
}

/// Let new messages wait. What is on the wire is finished, receipts are taken, test messages go out.
#[utoipa::path(
    post, path = "/admin/carriers/{name}/pause", tag = "carrier",
    params(("name" = String, Path)),
    request_body = HoldCarrier,
    responses((status = 200, body = CarrierHeld)),
)]
pub(super) async fn pause_carrier(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Path(name): Path<String>,
    form: Form<HoldCarrier>,
) -> Answer<CarrierHeld> {
    hold(&app, &caller, key, name, form, Hold::Paused).await
}

/// Let messages go out again.
#[utoipa::path(
    post, path = "/admin/carriers/{name}/resume", tag = "carrier",
    params(("name" = String, Path)),
    request_body = HoldCarrier,
    responses((status = 200, body = CarrierHeld)),
)]
pub(super) async fn resume_carrier(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Path(name): Path<String>,
    form: Form<HoldCarrier>,
) -> Answer<CarrierHeld> {
    hold(&app, &caller, key, name, form, Hold::Open).await
}

/// Let what is claimed go out and nothing new be claimed. The carrier's state is `drained` when nothing of it is in
/// flight any more.
#[utoipa::path(
    post, path = "/admin/carriers/{name}/drain", tag = "carrier",
    params(("name" = String, Path)),
    request_body = HoldCarrier,
    responses((status = 200, body = CarrierHeld)),
)]
pub(super) async fn drain_carrier(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Path(name): Path<String>,
    form: Form<HoldCarrier>,
) -> Answer<CarrierHeld> {
    hold(&app, &caller, key, name, form, Hold::Draining).await
}

struct Holding {
    claim: Option<Claim>,
    name: String,
    hold: Hold,
    reason: String,
    by: i64,
    now: Time,
}

async fn hold(
    app: &AppState,
    caller: &AdminCaller,
    key: IdempotencyKey,
    name: String,
    Form { data, digest }: Form<HoldCarrier>,
    hold: Hold,
) -> Answer<CarrierHeld> {
    caller.require_active()?;
    list::one(app, &name).await?;
    let operation = match hold {
        Hold::Open => "carrier.resume",
        Hold::Paused => "carrier.pause",
        Hold::Draining => "carrier.drain",
    };
    let holding = Holding {
        claim: key.claim_named(caller, operation, &name, digest),
        name: name.clone(),
        hold,
        reason: data.reason,
        by: caller.user_id,
        now: app.clock.now(),
    };
    app.store.write(Lane::Interactive, holding, |tx, it| Box::pin(apply(tx, it))).await?;
    if let Some(workers) = &app.workers {
        workers.look();
    }
    tracing::info!(carrier = name, state = %hold, admin_id = caller.user_id, "carrier.hold");
    let carrier = list::one(app, &name).await?;
    let message = match carrier.state.as_str() {
        _ if app.fleet.now().is_trunk(&name) => match carrier.state.as_str() {
            "open" => format!("Calls go out by the carrier {name} again"),
            _ => format!("No new calls go out by the carrier {name}, {} are up", carrier.in_flight),
        },
        "open" => format!("Messages go out by the carrier {name} again"),
        "drained" => format!("The carrier {name} is drained: nothing of it is in flight"),
        "draining" => format!(
            "The carrier {name} drains: nothing new is claimed, {} messages are in flight",
            carrier.in_flight
        ),
        _ => format!("New messages for the carrier {name} wait, {} now", carrier.queued),
    };
    Ok(Json(CarrierHeld { carrier, message }))
}

async fn apply(tx: &mut Tx, it: &Holding) -> Result<()> {
    once(tx, it.claim.as_ref(), it.now, async |tx| {
        operate::set(tx, &it.name, it.hold, &it.reason, it.by, it.now).await?;
        Ok(it.name.clone())
    })
    .await
    .map(|_| ())
}
