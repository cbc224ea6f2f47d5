//! `talkdrum users delete`.

use std::io::IsTerminal as _;

use talkdrum_api::user::UserDeleted;

use super::id_of;
use crate::args::DeleteUserArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Failure, Result};

/// Deletes a user, after asking.
pub(crate) async fn run(context: &Context, args: DeleteUserArgs) -> Result<Exit> {
    let client = context.client()?;
    let id = id_of(&client, &args.user).await?;
    if !args.yes {
        if !std::io::stdin().is_terminal() {
            return Err(Failure::usage("there is no terminal to ask whether to delete the user")
                .hint("say so with --yes"));
        }
        let question = format!("Delete user {id} ({}) and cancel their campaigns for good?", args.user);
        if !context.confirm(&question)? {
            return Err(Failure::failed("not confirmed: no one was deleted"));
        }
    }
    let answer: Answer<UserDeleted> = client.delete(&format!("/admin/delete-user/{id}")).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
