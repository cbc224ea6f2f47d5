//! `talkdrum logout`.

use serde_json::{Value, json};

use crate::client::CallError;
use crate::cmd::Context;
use crate::exit::{Exit, Failure, Result};
use crate::profile::Profiles;

/// Ends the session at the daemon and forgets it here. A session that is over already is as good as ended.
pub(crate) async fn run(context: &Context) -> Result<Exit> {
    let profiles = Profiles::of_user()?;
    let name = context.profile_name();
    let profile = profiles.find(name)?.ok_or_else(|| {
        Failure::new(Exit::NotAllowed, format!("profile {name} is not signed in"))
            .hint("--profile NAME names another one")
    })?;
    let ended = context.client_of(profile)?.post::<Value>("/api/logout", &json!({}), None).await;
    match ended {
        Err(CallError::Refused { problem, .. }) if problem.status == 401 => {}
        Err(error @ CallError::Unreachable { .. }) => {
            profiles.forget(name)?;
            return Err(Failure::from(error)
                .hint("the session is forgotten here; at the daemon it ends by itself when it is not used"));
        }
        other => drop(other?),
    }
    profiles.forget(name)?;
    context.out.done(&json!({ "profile": name }).to_string(), &format!("Signed out (profile {name})"))?;
    Ok(Exit::Done)
}
