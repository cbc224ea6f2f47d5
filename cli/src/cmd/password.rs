//! New passwords.

use serde_json::json;
use talkdrum_api::account::{CodeSent, Message, PasswordReset};

use crate::args::{ChangePasswordArgs, ForgotPasswordArgs, PasswordCommand, ResetPasswordArgs};
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Failure, Result};

/// Runs a command of this noun.
pub(super) async fn run(context: &Context, command: PasswordCommand) -> Result<Exit> {
    match command {
        PasswordCommand::Change(args) => change(context, args).await,
        PasswordCommand::Forgot(args) => forgot(context, args).await,
        PasswordCommand::Reset(args) => reset(context, args).await,
    }
}

/// Changes the password of the signed-in user; the current session goes on.
async fn change(context: &Context, args: ChangePasswordArgs) -> Result<Exit> {
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

/// Has a code for a new password sent.
async fn forgot(context: &Context, args: ForgotPasswordArgs) -> Result<Exit> {
    let body = json!({ "email": args.email });
    let answer: Answer<CodeSent> =
        context.anonymous_client()?.post("/api/password/forgot", &body, None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    context.out.note(&format!("go on with: talkdrum password reset --email {} --code CODE", args.email));
    Ok(Exit::Done)
}

/// Sets a new password by the code that came.
async fn reset(context: &Context, args: ResetPasswordArgs) -> Result<Exit> {
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
