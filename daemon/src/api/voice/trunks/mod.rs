//! The trunks over which this daemon can place a single call now, and whether it still can when the call's turn comes.

mod permit;

use std::sync::Arc;

use talkdrum_core::carrier::Health;
use talkdrum_core::carrier::voice::VoiceCarrier;
use talkdrum_core::operate::{self, Hold};
use talkdrum_core::store::Tx;
use talkdrum_core::{Error, Result};

pub(super) use self::permit::AsOfNow;
use crate::state::AppState;

/// The trunks that take calls now, in the order of the configuration.
///
/// # Errors
/// Why there is none: `no_trunk`, `trunk_paused`, `trunk_down`, `trunk_elsewhere`, `calls_held`.
pub(super) async fn trunks(app: &AppState) -> Result<Vec<Arc<dyn VoiceCarrier>>> {
    let fleet = app.fleet.now();
    let names: Vec<&str> = fleet.trunks().collect();
    if names.is_empty() {
        let says = "Calls are not set up here: the operator has to configure a carrier of the kind sip or http-voice";
        return Err(Error::unavailable("no_trunk", says));
    }
    let mut tx = app.store.read().await?;
    let Some(workers) = app.workers.as_ref() else { return Err(not_here(app, &mut tx, names).await?) };
    workers.may_call().map_err(|error| {
        tracing::info!(code = error.code(), %error, "no call is placed");
        Error::unavailable(
            "calls_held",
            "Calls are held at the moment: try again later, or tell the operator",
        )
    })?;
    let held = workers.trunks();
    let mut usable = Vec::new();
    let mut why = None;
    for name in names {
        if operate::hold_of(&mut tx, name).await? != Hold::Open {
            let says = "The operator has paused calls: try again later";
            why.get_or_insert_with(|| Error::unavailable("trunk_paused", says));
            continue;
        }
        let Some(trunk) = held.iter().find(|trunk| trunk.name() == name) else {
            let says = not_here(app, &mut tx, vec![name]).await?;
            why.get_or_insert(says);
            continue;
        };
        match trunk.health().0 {
            Health::Up => usable.push(Arc::clone(trunk)),
            Health::Connecting { reason } | Health::Stopped { reason } => {
                tracing::info!(trunk = name, reason, "the trunk takes no call");
                let says = "The trunk for calls is down: try again later, or tell the operator";
                why.get_or_insert_with(|| Error::unavailable("trunk_down", says));
            }
        }
    }
    match why {
        Some(why) if usable.is_empty() => Err(why),
        _ => Ok(usable),
    }
}

/// Why this daemon places no calls over these trunks, which it does not hold.
async fn not_here(app: &AppState, tx: &mut Tx, names: Vec<&str>) -> Result<Error> {
    let own = app.workers.as_ref().map(|workers| workers.owner());
    for name in names {
        let holder = operate::owner_of(tx, name, app.clock.now()).await?;
        if holder.is_some() && holder != own {
            let says = "Another daemon holds the trunk, and calls are placed there: ask it, or try again in a minute";
            return Ok(Error::unavailable("trunk_elsewhere", says));
        }
    }
    let says = "The trunk for calls is not up yet: try again in a minute, or tell the operator";
    Ok(Error::unavailable("trunk_down", says))
}
