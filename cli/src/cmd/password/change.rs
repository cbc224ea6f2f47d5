//! `talkdrum password change`.

use serde_json::json;
use talkdrum_api::account::Message;

use crate::args::ChangePasswordArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Failure, Result};

/// Changes the password of the signed-in user; the current session goes on.
pub(crate) async fn run(context: &Context, args: ChangePasswordArgs) -> Result<Exit> {
    let (current, new) = if args.passwords_stdin {
        let text = context.password(true, "")?;
        let (current, new) = text.split_once('\n').ok_or_else(|| {
            Failure::usage("two lines are needed on stdin: the current password, then the new one")
        })?;
        (current.trim_end_matches('\r').to_owned(), new.to_owned())
    } else {
        (context.password(false, "Current password:")?, context.password(false, "New password:")?)
    };
    let body = json!({ "current_password": current, "password": new, "password_confirmation": new });
    let answer: Answer<Message> = context.client()?.post("/api/change-password", &body, None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
