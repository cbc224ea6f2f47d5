//! `talkdrum verify`.

use serde_json::json;
use talkdrum_api::account::{CodeSent, Registered};

use crate::args::VerifyArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Proves the phone number of a registration, or asks for another code.
pub(crate) async fn run(context: &Context, args: VerifyArgs) -> Result<Exit> {
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
