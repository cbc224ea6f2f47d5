//! `POST /admin/carriers/{name}/breaker`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::carrier::CarrierHeld;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::carrier::breaker::BreakerState;
use talkdrum_core::operate;
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use talkdrum_core::{Error, Result};
use utoipa::ToSchema;

use super::list;
use crate::http::{AdminCaller, Answer, Form, IdempotencyKey, Path};
use crate::state::AppState;

/// What an administrator wants of a breaker.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct OrderBreaker {
    /// The network, as routes name it: `mtn`.
    #[serde(default)]
    network: String,
    /// `closed`: promotional messages go to it at once; `open`: they wait.
    #[serde(default)]
    state: String,
}

struct BreakerOrder {
    claim: Option<Claim>,
    name: String,
    network: String,
    open: bool,
    by: UserId,
    now: Time,
}

/// Let promotional messages to a network go out by a carrier although it delivered too few, or let them wait. What is closed
/// opens again by itself where the carrier still delivers too few; what is opened tries by itself, after a while, whether it
/// delivers. The daemon that holds the carrier obeys within about a second.
#[utoipa::path(
    post, path = "/admin/carriers/{name}/breaker", tag = "carrier",
    params(("name" = String, Path)),
    request_body = OrderBreaker,
    responses((status = 200, body = CarrierHeld)),
)]
pub(super) async fn order_breaker(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Path(name): Path<String>,
    Form { data, digest }: Form<OrderBreaker>,
) -> Answer<CarrierHeld> {
    caller.require_active()?;
    list::one(&app, &name).await?;
    // What an earlier configuration left open is closed all the same.
    let opens = data.state.trim() == BreakerState::Open.code();
    if opens && !app.fleet.now().breakers.contains(&name) {
        let text =
            format!("The carrier {name} has no `breaker` in its settings: its messages wait for no network");
        return Err(Error::conflict("no_breaker", text).into());
    }
    let network = data.network.trim().to_lowercase();
    if app.campaigns.networks.id(&network).is_none() {
        let text =
            format!("There is no network called '{network}': use one of those that routes name, as mtn");
        return Err(Error::field("network", "unknown_network", text).into());
    }
    let open = match BreakerState::from_code(data.state.trim()) {
        Some(BreakerState::Open) => true,
        Some(BreakerState::Closed) => false,
        Some(BreakerState::HalfOpen) | None => {
            return Err(Error::field("state", "bad_state", "The state must be open or closed").into());
        }
    };
    let order = BreakerOrder {
        claim: key.claim_named(&caller, "carrier.breaker", &name, digest),
        name: name.clone(),
        network: network.clone(),
        open,
        by: caller.user_id,
        now: app.clock.now(),
    };
    app.store.write(Lane::Interactive, order, |tx, it| Box::pin(apply(tx, it))).await?;
    tracing::info!(carrier = name, network, open, admin_id = caller.user_id.0, "carrier.breaker");
    let carrier = list::one(&app, &name).await?;
    let message = match open {
        true => format!("Promotional messages to {network} by the carrier {name} wait"),
        false => format!("Promotional messages to {network} go out by the carrier {name} again"),
    };
    Ok(Json(CarrierHeld { carrier, message }))
}

async fn apply(tx: &mut Tx, it: &BreakerOrder) -> Result<()> {
    once(tx, it.claim.as_ref(), it.now, async |tx| {
        operate::order_breaker(tx, &it.name, &it.network, it.open, it.by, it.now).await?;
        Ok(it.name.clone())
    })
    .await
    .map(|_| ())
}
