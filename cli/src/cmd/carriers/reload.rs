//! `talkdrum carriers reload`.

use serde_json::json;
use talkdrum_api::carrier::CarriersReloaded;

use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Has the daemon read its configuration again.
pub(super) async fn run(context: &Context) -> Result<Exit> {
    let answer: Answer<CarriersReloaded> =
        context.client()?.post("/admin/carriers/reload", &json!({}), None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    for removed in answer.value.removed.iter().filter(|removed| removed.waiting > 0) {
        context
            .out
            .warn(&format!("{} messages wait for the removed carrier {}", removed.waiting, removed.name));
    }
    let daemons = &answer.value.daemons;
    for daemon in daemons.iter().filter(|daemon| matches!(daemon.outcome.as_str(), "refused" | "silent")) {
        context.out.warn(&format!("{} ({}): {}", daemon.name, daemon.role, daemon.message));
    }
    for key in &answer.value.needs_restart {
        context.out.warn(&format!("{key} changed in the file, and needs a restart"));
    }
    // Some daemons go on with their old carriers: a script must be able to tell.
    let refused = daemons.iter().any(|daemon| daemon.outcome == "refused");
    Ok(if refused { Exit::Failed } else { Exit::Done })
}
