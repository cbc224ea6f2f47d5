//! `talkdrumd backup FILE`.

use std::path::Path;
use std::process::ExitCode;

use talkdrum_core::store::operations::backup;
use talkdrum_core::time::{Clock as _, SystemClock};

use super::say;
use crate::config::Settings;
use crate::lifecycle::database;

/// How PostgreSQL is backed up and restored. The last step holds dispatch, as a restored SQLite copy does by itself.
const POSTGRES: &str = "\
PostgreSQL is backed up by its own tools:
  pg_dump --format=custom --file=talkdrum.dump \"$TALKDRUM_DATABASE_URL\"
and restored, while no daemon runs, by:
  pg_restore --clean --if-exists --single-transaction --dbname=\"$TALKDRUM_DATABASE_URL\" talkdrum.dump
  talkdrumd hold --reason 'restored from a dump'
The hold is set before a daemon starts. Then start the daemons, look at what was sent since the dump, and run 'talkdrumd release-hold'.";

pub(super) async fn run(settings: &Settings, file: &Path) -> anyhow::Result<ExitCode> {
    if settings.database_url().starts_with("postgres") {
        say(POSTGRES);
        return Ok(ExitCode::from(2));
    }
    let store = database::existing(settings).await?;
    let copied = backup::copy_to(&store, file, SystemClock.now()).await;
    store.close().await;
    copied?;
    say(&format!(
        "wrote {}; a daemon that serves it sends nothing until 'talkdrumd release-hold'",
        file.display()
    ));
    Ok(ExitCode::SUCCESS)
}
