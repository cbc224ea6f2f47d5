//! `talkdrumd backup`: a copy under a name of one's choice, or with `--keep` under the time, of which so many are kept.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use talkdrum_core::store::operations::backup;
use talkdrum_core::store::operations::lock::FileLock;
use talkdrum_core::time::{Clock as _, SystemClock, Time};

use super::say;
use crate::config::Settings;
use crate::lifecycle::database;

/// How PostgreSQL is backed up and restored. The last step holds dispatch, as a restored SQLite copy does by itself.
const POSTGRES: &str = "\
PostgreSQL is backed up by its own tools:
  pg_dump --format=custom --file=talkdrum.dump \"$TALKDRUM_DATABASE_URL\"
and restored, while no daemon runs, into a new and empty database:
  createdb --maintenance-db=\"$TALKDRUM_DATABASE_URL\" talkdrum_restored   # then point TALKDRUM_DATABASE_URL at it
  pg_restore --no-owner --single-transaction --dbname=\"$TALKDRUM_DATABASE_URL\" talkdrum.dump
  talkdrumd migrate
  talkdrumd hold --reason 'restored from a dump'
The hold is set before a daemon starts. The old database stays as the record of what happened since the dump: look at it, and then run
'talkdrumd release-hold'. The handbook's page 'Backup and restore' has all of it.";

pub(super) async fn run(
    settings: &Settings,
    path: &Path,
    keep: Option<NonZeroU32>,
) -> anyhow::Result<ExitCode> {
    if settings.database_url().starts_with("postgres") {
        say(POSTGRES);
        return Ok(ExitCode::from(2));
    }
    let now = SystemClock.now();
    let mut lock = None;
    let file = match keep {
        Some(_) => {
            anyhow::ensure!(
                path.is_dir(),
                "{} is no directory: --keep writes into one that is there",
                path.display()
            );
            // Two that rotate in one directory would remove each other's copies.
            lock = Some(FileLock::of_backups(path)?);
            path.join(name_at(now)?)
        }
        None => path.to_owned(),
    };
    let store = database::existing(settings).await?;
    let copied = backup::copy_to(&store, &file, settings.limits.free_disk_bytes(), now).await;
    store.close().await;
    copied?;
    say(&format!(
        "wrote {}; a daemon that serves it sends nothing until 'talkdrumd release-hold'",
        file.display()
    ));
    say(
        "the secret key is not in it: keep a copy of secret.key, or of TALKDRUM_SECRET_KEY, apart from the backups",
    );
    if let Some(keep) = keep {
        for old in beyond(path, &file, keep)? {
            std::fs::remove_file(&old).with_context(|| format!("cannot remove {}", old.display()))?;
            say(&format!("removed {}", old.display()));
        }
    }
    drop(lock);
    Ok(ExitCode::SUCCESS)
}

/// How names begin and end that `--keep` gives and removes; between them is the time, which orders them.
const NAME: (&str, &str) = ("talkdrum-", ".db");
/// The time in a name: UTC, to the second.
const TIME: &str = "%Y%m%dT%H%M%SZ";

fn name_at(now: Time) -> anyhow::Result<String> {
    let time = jiff::Timestamp::from_millisecond(now.millis()).context("the clock is wrong")?;
    Ok(format!("{}{}{}", NAME.0, time.strftime(TIME), NAME.1))
}

/// Whether a file's name is one that `--keep` gives.
fn is_own(name: &str) -> bool {
    let time = name.strip_prefix(NAME.0).and_then(|rest| rest.strip_suffix(NAME.1));
    time.is_some_and(|time| {
        time.len() == "20270104T090000Z".len() && jiff::civil::DateTime::strptime(TIME, time).is_ok()
    })
}

/// The oldest copies in a directory, so that `keep` of them are left with `newest`, which stays whatever its name says.
fn beyond(directory: &Path, newest: &Path, keep: NonZeroU32) -> anyhow::Result<Vec<PathBuf>> {
    let cannot = || format!("cannot list {}", directory.display());
    let mut others = Vec::new();
    for entry in std::fs::read_dir(directory).with_context(cannot)? {
        let entry = entry.with_context(cannot)?;
        let is_file = entry.file_type().with_context(cannot)?.is_file();
        if is_file && entry.file_name().to_str().is_some_and(is_own) && entry.path() != newest {
            others.push(entry.path());
        }
    }
    others.sort();
    others.truncate(others.len().saturating_sub(keep.get() as usize - 1));
    Ok(others)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_copies_go_and_nothing_else_does() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let newest = name_at(Time(1_700_000_000_000)).unwrap();
        assert_eq!(newest, "talkdrum-20231114T221320Z.db");
        let copies =
            ["talkdrum-20231111T000000Z.db", "talkdrum-20231112T000000Z.db", "talkdrum-20991231T000000Z.db"];
        let others = [
            "talkdrum.db",
            "talkdrum-2023-11-01.db",
            "talkdrum-20231101T000000Z.db.partial",
            "talkdrum-20231101T000000Z.db-wal",
            "talkdrum-20231301T000000Z.db",
            "talkdrum-20231101T000000.db",
            "before-talkdrum-20231101T000000Z.db",
        ];
        for name in copies.iter().chain(&others).chain([&newest.as_str()]) {
            std::fs::write(at(name), name).unwrap();
        }
        std::fs::create_dir(at("talkdrum-20231101T000001Z.db")).unwrap();
        std::os::unix::fs::symlink(at("talkdrum.db"), at("talkdrum-20231101T000002Z.db")).unwrap();
        let gone = |keep: u32| beyond(dir.path(), &at(&newest), NonZeroU32::new(keep).unwrap()).unwrap();
        assert_eq!(gone(1), copies.map(at), "also one from a time when the clock was wrong");
        assert_eq!(gone(3), [at(copies[0])]);
        assert!(gone(4).is_empty() && gone(u32::MAX).is_empty());
    }
}
