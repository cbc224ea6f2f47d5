//! `talkdrum campaigns list`.

use talkdrum_api::campaign::Campaigns;

use super::COLUMNS;
use crate::args::ListCampaignsArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::cmd::users::id_of;
use crate::exit::{Exit, Result};

/// Lists campaigns, newest first.
pub(crate) async fn run(context: &Context, args: ListCampaignsArgs) -> Result<Exit> {
    let path = if args.all { "/admin/get-all-camapaign-history" } else { "/api/get-campaign-history" };
    let mut query = args.page.query();
    query.extend(args.filter.query());
    let client = context.client()?;
    if let Some(user) = &args.user {
        query.push(("user_id", id_of(&client, user).await?.to_string()));
    }
    let answer: Answer<Campaigns> = client.get(path, &query).await?;
    context.out.list(&answer.json, &answer.value.campaigns, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
