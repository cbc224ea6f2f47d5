//! `talkdrum login`.

use serde::Deserialize;
use serde_json::json;
use talkdrum_api::account::{CodeSent, User};

use crate::args::LoginArgs;
use crate::client::{Answer, CallError, Client};
use crate::cmd::Context;
use crate::cmd::profiles::current_json;
use crate::exit::{Exit, Failure, Result};
use crate::profile::{Profile, Profiles};

/// A sign-in that is done, or one that waits for the code sent by e-mail.
#[derive(Debug, Deserialize)]
struct Reply {
    token: Option<String>,
    user: Option<User>,
    #[serde(default)]
    requires_email_verification: bool,
    #[serde(default)]
    message: String,
}

/// Signs in and stores the session.
pub(crate) async fn run(context: &Context, args: LoginArgs) -> Result<Exit> {
    let profiles = Profiles::of_user()?;
    let client = context.anonymous_client()?;
    let username = match args.username {
        Some(username) => username,
        None => context.ask("Username or e-mail", "give it with --username")?,
    };
    if args.resend {
        let answer: Answer<CodeSent> =
            client.post("/api/verify/email/resend", &json!({ "username": username }), None).await?;
        context.out.done(&answer.json, &answer.value.message)?;
        return Ok(Exit::Done);
    }
    let mut reply = match args.code {
        Some(code) => verify(&client, &username, &code).await?,
        None => by_password(&client, &username, context, args.password_stdin).await?,
    };
    if reply.value.requires_email_verification {
        context.out.note(&reply.value.message);
        let hint = format!("run: talkdrum login --username {username} --code CODE");
        let code = context.ask("six-digit code", &hint)?;
        reply = verify(&client, &username, &code).await?;
    }
    let token = reply.value.token.ok_or_else(|| {
        Failure::from(CallError::Unreadable { what: "no token for a password that is right".to_owned() })
    })?;
    let username = reply.value.user.map_or(username, |user| user.username);
    let url = client.url().to_owned();
    let sentence =
        format!("Signed in to {} as {username} (profile {})", client.shown_url(), context.profile_name());
    let drops = profiles.store(context.profile_name(), Profile { url, username, token })?;
    context.out.done(&current_json(context)?, &sentence)?;
    if drops {
        context.out.note(
            "What another account paid with and sent as by default is forgotten: talkdrum profiles set",
        );
    }
    if context.has_given_token() {
        context.out.warn("TALKDRUM_TOKEN is set and comes before the profile: unset it to use this sign-in");
    }
    Ok(Exit::Done)
}

/// A refused sign-in is no rule to comply with: it is not being allowed in.
fn not_let_in(error: CallError) -> Failure {
    match error.refusal() {
        Some((400 | 401 | 403, _)) => {
            let failure = Failure { exit: Exit::NotAllowed, ..Failure::from(error) };
            failure.hint("check the username and the password")
        }
        _ => error.into(),
    }
}

async fn by_password(
    client: &Client,
    username: &str,
    context: &Context,
    from_stdin: bool,
) -> Result<Answer<Reply>> {
    let password = context.password(from_stdin, &format!("Password of {username}:"))?;
    let body = json!({ "username": username, "password": password });
    client.post("/api/login", &body, None).await.map_err(not_let_in)
}

/// The first sign-in from an unverified address wants the six digits sent to it.
async fn verify(client: &Client, username: &str, code: &str) -> Result<Answer<Reply>> {
    let body = json!({ "username": username, "code": code.trim() });
    Ok(client.post("/api/verify/email", &body, None).await?)
}
