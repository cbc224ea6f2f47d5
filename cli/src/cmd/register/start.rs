//! `talkdrum register`.

use serde_json::json;
use talkdrum_api::account::CodeSent;

use crate::args::RegisterArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Registers; the code that comes goes to `talkdrum verify`.
pub(crate) async fn run(context: &Context, args: RegisterArgs) -> Result<Exit> {
    let password = context.password(args.password_stdin, &format!("Password for {}:", args.username))?;
    let body = json!({
        "name": args.name,
        "username": args.username,
        "email": args.email,
        "phone_number": args.phone,
        "password": password,
        "password_confirmation": password,
    });
    let answer: Answer<CodeSent> =
        context.anonymous_client()?.post("/api/register/start", &body, None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    context.out.note(&format!("go on with: talkdrum verify --phone '{}' --code CODE", args.phone));
    Ok(Exit::Done)
}
