//! `talkdrum users create`.

use serde::Deserialize;
use serde_json::json;
use talkdrum_api::account::User;

use crate::args::CreateUserArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// `{"user": ..., "message": ...}`.
#[derive(Debug, Deserialize)]
struct Created {
    user: User,
}

/// Makes a user.
pub(crate) async fn run(context: &Context, args: CreateUserArgs) -> Result<Exit> {
    let password = context.password(args.password_stdin, &format!("Password for {}:", args.username))?;
    let body = json!({
        "name": args.name.as_ref().unwrap_or(&args.username),
        "username": args.username,
        "email": args.email,
        "phone_number": args.phone,
        "password": password,
        "role": args.role.code(),
        "email_verified": !args.email_unverified,
    });
    let client = context.client()?;
    // Stdin, if it is read at all, has the new user's password.
    let answer: Answer<Created> =
        context.proven(&client, false, async || client.post("/admin/users", &body, None).await).await?;
    let user = &answer.value.user;
    context.out.done(&answer.json, &format!("User {} made: {} ({})", user.id, user.username, user.role))?;
    Ok(Exit::Done)
}
