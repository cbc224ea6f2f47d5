//! `talkdrum password reset`.

use serde_json::json;
use talkdrum_core::api::account::Message;

use crate::args::ResetPasswordArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Sets a new password by the code that came.
pub(crate) async fn run(context: &Context, args: ResetPasswordArgs) -> Result<Exit> {
    let code = context.code(args.code)?;
    let password = context.password(args.password_stdin, "New password:")?;
    let body = json!({
        "email": args.email, "code": code, "password": password, "password_confirmation": password,
    });
    let answer: Answer<Message> =
        context.anonymous_client()?.post("/api/password/reset", &body, None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
