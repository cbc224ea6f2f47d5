//! `talkdrum groups delete`.

use talkdrum_api::account::Message;

use super::find_group;
use crate::args::DeleteGroupArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Failure, Result};
use crate::form::can_ask;

/// Deletes a group with its contacts.
pub(crate) async fn run(context: &Context, args: DeleteGroupArgs) -> Result<Exit> {
    if !args.yes && !can_ask() {
        return Err(
            Failure::usage("no one is there to answer whether to delete it").hint("--yes does not ask")
        );
    }
    let client = context.client()?;
    let group = find_group(&client, &args.group).await?;
    let question = format!("Delete '{}' with {} contacts?", group.group_name, group.contacts_count);
    if !args.yes && !context.confirm(&question)? {
        return Err(Failure::failed("not confirmed: nothing was deleted"));
    }
    let answer: Answer<Message> = client.delete(&format!("/api/delete/group/{}", group.id)).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
