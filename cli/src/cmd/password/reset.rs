//! `talkdrum password reset`.

use serde_json::json;
use talkdrum_api::account::PasswordReset;

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
        "revoke_api_keys": args.revoke_keys,
    });
    let answer: Answer<PasswordReset> =
        context.anonymous_client()?.post("/api/password/reset", &body, None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    match answer.value.total_api_keys {
        0 => {}
        count => context.out.note(&format!("API keys that still work: {count}; see: talkdrum keys list")),
    }
    if answer.value.kingschat_linked {
        context.out.note("a KingsChat account is linked and still signs in; see: talkdrum kingschat show");
    }
    Ok(Exit::Done)
}
