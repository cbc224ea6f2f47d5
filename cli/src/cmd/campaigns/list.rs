//! `talkdrum campaigns list`.

use talkdrum_core::api::campaign::Campaigns;

use super::COLUMNS;
use crate::args::ListCampaignsArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Lists campaigns, newest first.
pub(crate) async fn run(context: &Context, args: ListCampaignsArgs) -> Result<Exit> {
    let path = if args.all { "/admin/get-all-camapaign-history" } else { "/api/get-campaign-history" };
    let mut query = args.page.query();
    query.extend(args.status.map(|status| ("status", status)));
    let answer: Answer<Campaigns> = context.client()?.get(path, &query).await?;
    context.out.list(&answer.json, &answer.value.campaigns, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
