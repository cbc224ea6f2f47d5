//! `talkdrum carriers reroute`.

use serde_json::json;
use talkdrum_api::carrier::CarrierRerouted;

use super::path;
use crate::args::RerouteCarrierArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Leads what waits at a carrier elsewhere, and says what stays and why.
pub(super) async fn run(context: &Context, args: RerouteCarrierArgs) -> Result<Exit> {
    let body = json!({ "to": args.to.unwrap_or_default() });
    let answer: Answer<CarrierRerouted> =
        context.client()?.post(&path(&args.name, "reroute"), &body, None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    for moved in &answer.value.moved {
        context.out.note(&format!("{} go by {} now", moved.messages, moved.carrier));
    }
    for kept in &answer.value.kept {
        context.out.warn(&format!("{} stay: {}", kept.messages, kept.reason));
    }
    Ok(Exit::Done)
}
