//! Registration.

use serde_json::json;
use talkdrum_api::account::{CodeSent, Registered};

use crate::args::{RegisterArgs, VerifyArgs};
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Registers; the code that comes goes to `talkdrum verify`.
pub(super) async fn start(context: &Context, args: RegisterArgs) -> Result<Exit> {
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

/// Proves the phone number of a registration, or asks for another code.
pub(super) async fn verify(context: &Context, args: VerifyArgs) -> Result<Exit> {
    let client = context.anonymous_client()?;
    if args.resend {
        let body = json!({ "phone_number": args.phone });
        let answer: Answer<CodeSent> = client.post("/api/register/resend", &body, None).await?;
        context.out.done(&answer.json, &answer.value.message)?;
        return Ok(Exit::Done);
    }
    let code = context.code(args.code)?;
    let mut body = json!({ "phone_number": args.phone, "code": code });
    if let Some(username) = args.username {
        body["username"] = username.into();
    }
    let answer: Answer<Registered> = client.post("/api/register/verify", &body, None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
