//! `talkdrum numbers approve`.

use serde_json::json;
use talkdrum_api::sender::VirtualNumberAssigned;

use crate::args::ApproveNumberArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::cmd::users::id_of;
use crate::exit::{Exit, Result};

/// Assigns a virtual number to a user.
pub(crate) async fn run(context: &Context, args: ApproveNumberArgs) -> Result<Exit> {
    let client = context.client()?;
    let user = id_of(&client, &args.user).await?;
    let body = json!({ "virtual_num": args.number });
    let answer: Answer<VirtualNumberAssigned> =
        client.post(&format!("/admin/approve-virtual-number/{user}"), &body, None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
