//! `talkdrum carriers breaker`.

use serde_json::json;
use talkdrum_api::carrier::CarrierHeld;

use super::path;
use crate::args::BreakerArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Opens or closes the breaker of a carrier for a network.
pub(super) async fn run(context: &Context, args: BreakerArgs) -> Result<Exit> {
    let body = match (args.close, args.open) {
        (Some(network), _) => json!({ "network": network, "state": "closed" }),
        (None, network) => json!({ "network": network, "state": "open" }),
    };
    let answer: Answer<CarrierHeld> =
        context.client()?.post(&path(&args.name, "breaker"), &body, None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
