//! Opening the database as each command may: who locks, who migrates, who refuses.
//!
//! The schema of an SQLite file changes only under its lock and, unless the file was empty, after a
//! backup.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use talkdrum_api::code;
use talkdrum_core::entropy::Entropy;
use talkdrum_core::settings::Vault;
use talkdrum_core::store::operations::backup;
use talkdrum_core::store::operations::lock::FileLock;
use talkdrum_core::store::{SchemaState, Store, StoreOptions};
use talkdrum_core::time::Time;

use super::secret_key;
use crate::config::Settings;

/// The SQLite file of the settings; `None` for PostgreSQL.
pub(super) fn sqlite_file(settings: &Settings) -> Option<PathBuf> {
    settings.database_url().strip_prefix("sqlite://").map(PathBuf::from)
}

/// Makes the data directory and the database's, for this user only.
fn make_directories(settings: &Settings) -> anyhow::Result<()> {
    let parent = sqlite_file(settings).and_then(|file| file.parent().map(Path::to_owned));
    for directory in [Some(settings.server.data_dir.clone()), parent].into_iter().flatten() {
        if directory.as_os_str().is_empty() || directory.is_dir() {
            continue;
        }
        use std::os::unix::fs::DirBuilderExt as _;
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&directory)
            .with_context(|| format!("cannot make the directory {}", directory.display()))?;
    }
    Ok(())
}

fn options(settings: &Settings, create: bool) -> StoreOptions {
    StoreOptions {
        create,
        connections: settings.database.connections.get(),
        ..StoreOptions::new(settings.database_url())
    }
}

/// The database of the settings, which must exist and have this binary's schema.
///
/// # Errors
/// When it does not.
pub async fn existing(settings: &Settings) -> anyhow::Result<Store> {
    existing_with(settings, None).await
}

/// [`existing`] with the key under which opt-outs of erased numbers are kept.
///
/// # Errors
/// Those of [`existing`].
pub async fn existing_with(settings: &Settings, vault: Option<&Vault>) -> anyhow::Result<Store> {
    if let Some(file) = sqlite_file(settings) {
        anyhow::ensure!(
            file.exists(),
            "there is no database at {}: 'talkdrumd create-admin' sets one up",
            file.display()
        );
    }
    let options = StoreOptions { digest_key: vault.map(Vault::digest_key), ..options(settings, false) };
    let store = open(&options).await?;
    store.require_current_schema().await?;
    Ok(store)
}

async fn open(options: &StoreOptions) -> anyhow::Result<Store> {
    Store::open(options).await.context("the database cannot be opened")
}

/// How long a daemon that starts waits for PostgreSQL, which may start at the same time; then its supervisor tries.
const START_PATIENCE: Duration = Duration::from_secs(60);
/// The rest between two tries.
const START_REST: Duration = Duration::from_secs(2);

/// Opens the database, and waits for one that cannot be reached yet. What a person must change is no reason to wait.
async fn open_patiently(options: &StoreOptions) -> anyhow::Result<Store> {
    let begun = Instant::now();
    loop {
        match Store::open(options).await {
            Err(error) if error.code() == code::DATABASE_UNREACHABLE && begun.elapsed() < START_PATIENCE => {
                tracing::warn!(%error, again_in_s = START_REST.as_secs(), "the database cannot be opened yet");
                tokio::time::sleep(START_REST).await;
            }
            opened => return opened.context("the database cannot be opened"),
        }
    }
}

fn lock(settings: &Settings) -> anyhow::Result<Option<FileLock>> {
    Ok(sqlite_file(settings).map(|file| FileLock::of_database(&file)).transpose()?)
}

/// What only the daemon that serves holds.
#[derive(Debug)]
pub struct Locks {
    database: Option<FileLock>,
    /// Two daemons that raise one generation would each take the other for a restore.
    _directory: FileLock,
}

/// The database for `serve`, and the vault whose key it digests numbers under: locked with the data directory and, on SQLite,
/// migrated.
///
/// # Errors
/// When another daemon serves it or has the data directory, its schema is not for this binary, or the key cannot be read.
pub async fn for_serving(
    settings: &Settings,
    entropy: &Arc<dyn Entropy>,
    now: Time,
) -> anyhow::Result<(Store, Vault, Locks)> {
    make_directories(settings)?;
    let locks =
        Locks { database: lock(settings)?, _directory: FileLock::of_directory(&settings.server.data_dir)? };
    let vault = secret_key::vault(&settings.server.data_dir, entropy)?;
    let options = StoreOptions { digest_key: Some(vault.digest_key()), ..options(settings, true) };
    let store = open_patiently(&options).await?;
    if locks.database.is_some() {
        migrate_locked(settings, &store, now, true).await?;
    }
    store.require_current_schema().await?;
    Ok((store, vault, locks))
}

/// The database for `migrate`: locked on SQLite, brought up to date. An SQLite file is copied first where `copies` says so.
///
/// # Errors
/// When a daemon serves it, or it was written by a newer one.
pub async fn migrated(settings: &Settings, now: Time, copies: bool) -> anyhow::Result<Store> {
    make_directories(settings)?;
    let _lock = lock(settings)?;
    let store = open(&options(settings, true)).await?;
    migrate_locked(settings, &store, now, copies).await?;
    Ok(store)
}

/// The database for `create-admin`: set up when it is empty, else as it is.
///
/// # Errors
/// When it has another schema, or is empty and locked.
pub async fn set_up(settings: &Settings, now: Time) -> anyhow::Result<Store> {
    make_directories(settings)?;
    let store = open(&options(settings, true)).await?;
    if store.schema_state().await? == SchemaState::Empty {
        let _lock = lock(settings)?;
        migrate_locked(settings, &store, now, true).await?;
    }
    store.require_current_schema().await?;
    Ok(store)
}

async fn migrate_locked(settings: &Settings, store: &Store, now: Time, copies: bool) -> anyhow::Result<()> {
    match store.schema_state().await? {
        SchemaState::Current => return Ok(()),
        SchemaState::Foreign => return Ok(store.require_current_schema().await?),
        SchemaState::Empty => {}
        SchemaState::Behind => {
            if let Some(file) = store.file().filter(|_| copies) {
                let target = backup_name(file, now);
                let copied = backup::copy_to(store, &target, settings.limits.free_disk_bytes(), now).await;
                copied.map_err(|error| {
                    let is_space = error.code() == "no_space";
                    anyhow::Error::from(error).context(if is_space { NO_ROOM } else { NO_BACKUP })
                })?;
                tracing::info!(backup = %target.display(), "the database was backed up before its migration");
            }
        }
    }
    store.migrate().await?;
    tracing::info!("the database has this version's schema now");
    Ok(())
}

const NO_BACKUP: &str = "the backup before the migration failed";
const NO_ROOM: &str = "the backup before the migration failed: make room, or back it up on another disk with the talkdrumd of before \
                       and run 'talkdrumd migrate --no-backup'";

fn backup_name(file: &Path, now: Time) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(format!(".before-migration-{}", now.millis()));
    PathBuf::from(name)
}
