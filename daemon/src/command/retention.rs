//! `talkdrumd retention`: what would be erased, and when. It changes nothing.

use std::process::ExitCode;

use anyhow::Context as _;
use talkdrum_core::operate::retention;
use talkdrum_core::time::{Clock as _, SystemClock};

use super::print;
use crate::config::Settings;
use crate::lifecycle::database;

pub(super) async fn run(settings: &Settings) -> anyhow::Result<ExitCode> {
    let days = settings.retention.days()?;
    let store = database::existing(settings).await?;
    let forecast = retention::forecast(&store, days, SystemClock.now()).await;
    store.close().await;
    let forecast = forecast.context("the database cannot be read")?;
    let mut text = forecast.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    if forecast.is_empty() {
        text = "nothing is erased by age: the settings have no key of [retention]".to_owned();
    }
    print(&text)
}
