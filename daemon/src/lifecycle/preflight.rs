//! What serving needs of this machine besides the database: told before anything is started or changed, and by
//! `talkdrumd config --check`.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use talkdrum_core::entropy::Entropy;

use super::{database, secret_key};
use crate::config::{Faults, Settings};
use crate::telemetry;

/// What keeps a daemon from serving with these settings. Nothing is made or changed.
pub(crate) fn faults(settings: &Settings, entropy: &Arc<dyn Entropy>) -> Faults {
    let mut found = Faults::default();
    found.check("log.filter", telemetry::filter(&settings.log));
    found.check("notices.sender", settings.notices.check());
    let directory = &settings.server.data_dir;
    found.check("server.data_dir", writable(directory).context("server.data_dir cannot be used"));
    found.check("database.url", database_url(settings));
    if directory.is_dir() {
        found.check("server.data_dir", secret_key::existing(directory, entropy));
    }
    settings.check_to_use_carriers(&mut found);
    found
}

/// Logs which files of carriers are missing. One carrier's are no reason to take no receipts from the others.
pub(super) fn report_missing_files(settings: &Settings) {
    let mut missing = Faults::default();
    settings.check_carrier_files(&mut missing);
    let Err(missing) = settings.refuse(missing) else { return };
    for sentence in missing.sentences() {
        tracing::error!(
            "{sentence}: the carrier stays down until the file is there and the configuration is read again"
        );
    }
}

/// Logs what an operator should know of the routes.
pub(super) fn report_routes(settings: &Settings) {
    if let Some(warning) = settings.router().ok().and_then(|router| router.warning()) {
        tracing::warn!("{warning}");
    }
}

/// What a daemon does without, or otherwise than is likely meant.
pub(crate) fn warnings(settings: &Settings) -> Vec<String> {
    let of_engine = settings.voice.engine().ok().and_then(|engine| engine.missing());
    let of_routes = settings.router().ok().and_then(|router| router.warning());
    [of_engine, of_routes, settings.retention.warning()].into_iter().flatten().collect()
}

/// Checks that the address is one of a database and, on SQLite, that its directory can be written.
fn database_url(settings: &Settings) -> anyhow::Result<()> {
    let url = settings.database_url();
    let Some(file) = database::sqlite_file(settings) else {
        anyhow::ensure!(
            url.starts_with("postgres://") || url.starts_with("postgresql://"),
            "database.url must start with sqlite:// or postgres://"
        );
        return Ok(());
    };
    let Some(directory) = file.parent().filter(|it| *it != settings.server.data_dir) else { return Ok(()) };
    writable(directory).context("database.url cannot be used")
}

/// Checks that files can be made in a directory, or that it can be made.
fn writable(directory: &Path) -> anyhow::Result<()> {
    let shown = directory.display();
    let mut existing = directory;
    while !existing.exists() {
        let Some(parent) = existing.parent() else { break };
        existing = parent;
    }
    let existing = if existing.as_os_str().is_empty() { Path::new(".") } else { existing };
    anyhow::ensure!(existing.is_dir(), "{} is no directory", existing.display());
    // The file has no name and is gone when it is closed.
    tempfile::tempfile_in(existing).map(drop).with_context(|| {
        if existing == directory {
            format!("nothing can be written in {shown}")
        } else {
            format!("{shown} is not there and cannot be made in {}", existing.display())
        }
    })
}
