//! `talkdrumd hold`: the hold on dispatch that follows a restore, by hand.

use std::process::ExitCode;

use anyhow::ensure;
use talkdrum_core::store::Lane;
use talkdrum_core::store::operations::generation::{REASON_CHARS, hold_by_hand};
use talkdrum_core::time::{Clock as _, SystemClock};

use super::say;
use crate::config::Settings;
use crate::lifecycle::database;

pub(super) async fn run(settings: &Settings, reason: String) -> anyhow::Result<ExitCode> {
    let reason = reason.trim().to_owned();
    let fits = !reason.is_empty() && reason.chars().count() <= REASON_CHARS;
    ensure!(
        fits && !reason.contains(char::is_control),
        "the reason is a line of 1 to {REASON_CHARS} characters"
    );
    let store = database::existing(settings).await?;
    let input = (reason.clone(), SystemClock.now());
    let held = store
        .write(Lane::Interactive, input, |tx, (reason, now)| Box::pin(hold_by_hand(tx, reason, *now)))
        .await;
    store.close().await;
    say(&match held? {
        Some(before) => {
            let is_new = !before.reason.split("; ").any(|one| one == reason);
            let added = if is_new { "your reason is added" } else { "nothing has changed" };
            format!("dispatch was held before, since {}: {}; {added}", before.held_at, before.reason)
        }
        None => format!("dispatch is held: {reason}; 'talkdrumd release-hold' lets it go on"),
    });
    Ok(ExitCode::SUCCESS)
}
