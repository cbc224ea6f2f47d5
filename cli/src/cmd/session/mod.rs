//! Signing in and out.

pub(super) mod login;

use serde_json::{Value, json};
use talkdrum_api::account::Profile;

use crate::client::{Answer, CallError};
use crate::cmd::Context;
use crate::cmd::profiles::current_json;
use crate::exit::{Exit, Failure, Result};
use crate::output::{Cell, Column};
use crate::profile::Profiles;

/// Ends the session at the daemon and forgets it here. A session that is over already is as good as ended.
pub(super) async fn logout(context: &Context) -> Result<Exit> {
    let profiles = Profiles::of_user()?;
    let name = context.profile_name();
    let Some(profile) = profiles.find(name)? else { return Err(context.no_profile()?) };
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
    context.out.done(&current_json(context)?, &format!("Signed out (profile {name})"))?;
    Ok(Exit::Done)
}

const COLUMNS: &[Column<Profile>] = &[
    Column::right("id", "User", |it| Cell::Number(it.user.id)),
    Column::left("username", "Username", |it| Cell::text(&it.user.username)),
    Column::left("name", "Name", |it| Cell::text(&it.user.name)),
    Column::left("email", "E-mail", |it| Cell::text(&it.user.email)),
    Column::left("role", "Role", |it| Cell::text(&it.user.role)),
    Column::left("status", "Status", |it| Cell::text(&it.user.status)),
    Column::left("signed_in_with", "Signed in with", |it| Cell::text(&it.signed_in_with)),
    Column::left("scopes", "Scopes", |it| {
        if it.scopes.is_empty() { Cell::Empty } else { Cell::text(it.scopes.join(", ")) }
    }),
];

/// Shows who is signed in.
pub(super) async fn whoami(context: &Context) -> Result<Exit> {
    let client = context.client()?;
    let answer: Answer<Profile> = client.get("/api/user-profile", &()).await?;
    context.out.record(&answer.json, &answer.value, COLUMNS)?;
    context.out.note(&format!("at {}", client.shown_url()));
    Ok(Exit::Done)
}
