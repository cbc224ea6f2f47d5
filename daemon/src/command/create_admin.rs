//! `talkdrumd create-admin`: the way to the first administrator, as no default password exists anywhere.

use std::io::{IsTerminal as _, Read as _};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use talkdrum_core::account::{self, Passwords, check_new_password};
use talkdrum_core::entropy::SystemEntropy;
use talkdrum_core::model::account::user::{DEFAULT_ZONE, NewUser, Role};
use talkdrum_core::store::Lane;
use talkdrum_core::time::{Clock as _, SystemClock};

use super::say;
use crate::args::CreateAdminArgs;
use crate::config::Settings;
use crate::lifecycle::database;

/// The most that is read of a password.
const LONGEST_BYTES: u64 = 4_096;

pub(super) async fn run(settings: &Settings, args: CreateAdminArgs) -> anyhow::Result<ExitCode> {
    let now = SystemClock.now();
    let password = password_from_stdin()?;
    check_new_password(&password)?;
    let admin = NewUser {
        name: args.name.unwrap_or_else(|| args.username.clone()),
        username: args.username.parse()?,
        email: args.email.parse()?,
        email_verified_at: Some(now),
        phone_number: None,
        role: Role::Admin,
        zone: DEFAULT_ZONE.into(),
        password_hash: Some(Passwords::new(Arc::new(SystemEntropy)).hash(&password).await?),
    };
    let username = admin.username.as_str().to_owned();
    let store = database::set_up(settings, now).await?;
    let made = store
        .write(Lane::Interactive, (admin, now), |tx, (admin, now)| {
            Box::pin(account::create_user(tx, admin, *now))
        })
        .await;
    store.close().await;
    made?;
    say(&format!("{username} can sign in as an administrator"));
    Ok(ExitCode::SUCCESS)
}

/// The first line of standard input.
fn password_from_stdin() -> anyhow::Result<String> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        say("Password, then Enter and Ctrl-D:");
    }
    let mut text = String::new();
    stdin.lock().take(LONGEST_BYTES).read_to_string(&mut text).context("cannot read the password")?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}
