//! `talkdrum campaigns pause`, `resume` and `cancel`.

use serde_json::json;

use super::Shown;
use crate::args::IdArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Asks for one of the three; `verb` is the last part of the call's path.
pub(crate) async fn run(context: &Context, args: IdArgs, verb: &str) -> Result<Exit> {
    let path = format!("/api/campaigns/{}/{verb}", args.id);
    let answer: Answer<Shown> = context.client()?.post(&path, &json!({}), None).await?;
    let Shown { campaign, message } = &answer.value;
    let sentence = match message.as_str() {
        "" => format!("Campaign {}: {}", campaign.id, campaign.status),
        message => format!("Campaign {}: {} ({message})", campaign.id, campaign.status),
    };
    context.out.done(&answer.json, &sentence)?;
    Ok(Exit::Done)
}
