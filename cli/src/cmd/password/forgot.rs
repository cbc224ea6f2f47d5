//! `talkdrum password forgot`.

use serde_json::json;
use talkdrum_api::account::CodeSent;

use crate::args::ForgotPasswordArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Has a code for a new password sent.
pub(crate) async fn run(context: &Context, args: ForgotPasswordArgs) -> Result<Exit> {
    let body = json!({ "email": args.email });
    let answer: Answer<CodeSent> =
        context.anonymous_client()?.post("/api/password/forgot", &body, None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    context.out.note(&format!("go on with: talkdrum password reset --email {} --code CODE", args.email));
    Ok(Exit::Done)
}
