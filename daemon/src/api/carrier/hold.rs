//! `POST /admin/carriers/{name}/pause`, `resume`, `drain` and `hang-up`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::carrier::CarrierHeld;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::carrier::CarrierState;
use talkdrum_core::operate::{self, Hold};
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use talkdrum_core::{Error, Result};
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

/// One call that holds a carrier, or lets it go.
#[rustfmt::skip] // It would indent the attribute again every time.
macro_rules! call {
    ($name:ident, $path:literal, $hold:ident, $summary:literal) => {
        #[doc = $summary]
        #[utoipa::path(
            post, path = $path, tag = "carrier",
            params(("name" = String, Path)),
            request_body = HoldCarrier,
            responses((status = 200, body = CarrierHeld)),
        )]
        pub(super) async fn $name(
            State(app): State<AppState>,
            caller: AdminCaller,
            key: IdempotencyKey,
            Path(name): Path<String>,
            form: Form<HoldCarrier>,
        ) -> Answer<CarrierHeld> {
            hold(&app, &caller, key, name, form, Word::Hold(Hold::$hold)).await
        }
    };
}

call!(
    pause_carrier,
    "/admin/carriers/{name}/pause",
    Paused,
    "Let new messages wait. What is on the wire is finished, receipts are taken, test messages go out."
);
call!(resume_carrier, "/admin/carriers/{name}/resume", Open, "Let messages go out again.");
call!(
    drain_carrier,
    "/admin/carriers/{name}/drain",
    Draining,
    "Let what is claimed go out and nothing new be claimed. The carrier's state is `drained` when nothing of it is in\n\
     flight any more."
);

/// Pause a carrier of calls and hang up those that are up, by the daemon that has it, within about a second. A call that was
/// answered is delivered, and charged for as long as it was up; one that was not waits until the carrier is resumed, or goes
/// back to the carrier whose place this one took. A provider over HTTP ends calls only where `[carriers.cancel]` says how to ask.
#[utoipa::path(
    post, path = "/admin/carriers/{name}/hang-up", tag = "carrier",
    params(("name" = String, Path)),
    request_body = HoldCarrier,
    responses((status = 200, body = CarrierHeld)),
)]
pub(super) async fn hang_up_carrier(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Path(name): Path<String>,
    form: Form<HoldCarrier>,
) -> Answer<CarrierHeld> {
    caller.require_active()?;
    list::one(&app, &name).await?;
    if !app.fleet.now().is_trunk(&name) {
        let text = format!("The carrier {name} carries no calls: pause it instead");
        return Err(Error::conflict("carries_no_calls", text).into());
    }
    hold(&app, &caller, key, name, form, Word::HangUp).await
}

/// What an administrator wants of a carrier.
#[derive(Clone, Copy, Debug)]
enum Word {
    Hold(Hold),
    HangUp,
}

impl Word {
    const fn operation(self) -> &'static str {
        match self {
            Self::Hold(Hold::Open) => "carrier.resume",
            Self::Hold(Hold::Paused) => "carrier.pause",
            Self::Hold(Hold::Draining) => "carrier.drain",
            Self::HangUp => "carrier.hang_up",
        }
    }
}

struct Holding {
    claim: Option<Claim>,
    name: String,
    word: Word,
    reason: String,
    by: UserId,
    now: Time,
}

async fn hold(
    app: &AppState,
    caller: &AdminCaller,
    key: IdempotencyKey,
    name: String,
    Form { data, digest }: Form<HoldCarrier>,
    word: Word,
) -> Answer<CarrierHeld> {
    caller.require_active()?;
    list::one(app, &name).await?;
    let holding = Holding {
        claim: key.claim_named(caller, word.operation(), &name, digest),
        name: name.clone(),
        word,
        reason: data.reason,
        by: caller.user_id,
        now: app.clock.now(),
    };
    app.store.write(Lane::Interactive, holding, |tx, it| Box::pin(apply(tx, it))).await?;
    if let Some(workers) = &app.workers {
        workers.look();
    }
    tracing::info!(carrier = name, operation = word.operation(), admin_id = caller.user_id.0, "carrier.hold");
    let (carrier, state) = list::one_with_state(app, &name).await?;
    let message = match state {
        _ if app.fleet.now().is_trunk(&name) => match state {
            _ if matches!(word, Word::HangUp) && !app.fleet.now().ends_calls(&name) => format!(
                "No new calls go out by the carrier {name}. Those that are up go on to their end: without \
                 [carriers.cancel] in its settings the provider cannot be asked to end them"
            ),
            _ if matches!(word, Word::HangUp) => {
                format!("No new calls go out by the carrier {name}, and those that are up are hung up")
            }
            CarrierState::Open => format!("Calls go out by the carrier {name} again"),
            _ => format!("No new calls go out by the carrier {name}, {} are up", carrier.in_flight),
        },
        CarrierState::Open => format!("Messages go out by the carrier {name} again"),
        CarrierState::Drained => format!("The carrier {name} is drained: nothing of it is in flight"),
        CarrierState::Draining => format!(
            "The carrier {name} drains: nothing new is claimed, {} messages are in flight",
            carrier.in_flight
        ),
        CarrierState::Paused => format!("New messages for the carrier {name} wait, {} now", carrier.queued),
    };
    Ok(Json(CarrierHeld { carrier, message }))
}

async fn apply(tx: &mut Tx, it: &Holding) -> Result<()> {
    once(tx, it.claim.as_ref(), it.now, async |tx| {
        match it.word {
            Word::Hold(hold) => operate::set(tx, &it.name, hold, &it.reason, it.by, it.now).await?,
            Word::HangUp => operate::hang_up(tx, &it.name, &it.reason, it.by, it.now).await?,
        }
        Ok(it.name.clone())
    })
    .await
    .map(|_| ())
}
