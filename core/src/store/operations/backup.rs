//! Copies of an SQLite database, and whether a database is sound.
//!
//! A copy holds dispatch. It is older than the sends that followed it, so after a restore a person must
//! release the hold first.

use std::path::Path;

use tempfile::NamedTempFile;

use crate::args;
use crate::error::{Error, Result};
use crate::store::operations::{disk, generation};
use crate::store::{Dialect, Lane, Store, StoreOptions, Tx};
use crate::time::Time;

/// How the names of copies under way begin and end.
const PARTIAL: (&str, &str) = (".talkdrum-backup-", ".partial");

/// Writes a consistent copy of an SQLite database to `target`, which must not exist. Writers go on meanwhile. The copy has
/// its name only when it is whole and on the disk. On the database's own disk it leaves `reserve` bytes free.
///
/// # Errors
/// `file_exists`, `not_sqlite`, `no_space`, or whatever the database or the file system says.
pub async fn copy_to(store: &Store, target: &Path, reserve: u64, now: Time) -> Result<()> {
    if store.dialect() != Dialect::Sqlite {
        return Err(Error::rule("not_sqlite", "PostgreSQL is backed up by its own tools: use pg_dump"));
    }
    if target.exists() {
        return Err(Error::rule(
            "file_exists",
            format!("{} exists already: name a new file, nothing is overwritten", target.display()),
        ));
    }
    let directory = target.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // VACUUM INTO fills a file that is empty. This one is of its owner alone, and no other copy under way has its name.
    let partial = tempfile::Builder::new()
        .prefix(PARTIAL.0)
        .suffix(PARTIAL.1)
        .tempfile_in(directory)
        .map_err(|error| Error::io(format!("cannot make a file in {}", directory.display()), error))?;
    partial.as_file().lock().map_err(|error| Error::io("cannot lock the copy", error))?;
    remove_partial(directory)?;
    let text = partial
        .path()
        .to_str()
        .ok_or_else(|| Error::rule("bad_path", "The file's name must be valid UTF-8"))?;
    let mut reader = store.read().await?;
    let is_beside =
        store.file().is_some_and(|file| device(file).is_some_and(|it| device(directory) == Some(it)));
    let needed = size(&mut reader).await?.saturating_add(if is_beside { reserve } else { 0 });
    require_room(needed, disk::free_bytes(directory)?, directory)?;
    // Readers are kept from writing; VACUUM INTO writes, though not into the database it reads.
    reader.run("PRAGMA query_only = false", args![]).await?;
    let copied = reader.run("VACUUM INTO $1", args![text]).await;
    reader.run("PRAGMA query_only = true", args![]).await?;
    copied?;
    hold(text, now).await?;
    name(partial, target, directory)
        .map_err(|error| Error::io(format!("cannot name {}", target.display()), error))
}

/// The bytes that a copy takes at most: those of pages in use.
async fn size(tx: &mut Tx) -> Result<u64> {
    let sql = "SELECT page_count - freelist_count, page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size";
    let (pages, size): (i64, i64) = tx.one(sql, args![]).await?;
    Ok(pages.unsigned_abs().saturating_mul(size.unsigned_abs()))
}

/// The file system that holds a path.
fn device(path: &Path) -> Option<u64> {
    std::fs::metadata(path).ok().map(|found| std::os::unix::fs::MetadataExt::dev(&found))
}

/// Refuses a copy that could fill the disk: the daemon beside it could store nothing any more.
fn require_room(needed: u64, free: u64, directory: &Path) -> Result<()> {
    if free >= needed {
        return Ok(());
    }
    let directory = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
    Err(Error::rule(
        "no_space",
        format!(
            "There is no room for a copy in {}: {} MiB are free, and up to {} MiB are needed",
            directory.display(),
            free >> 20,
            needed.div_ceil(1 << 20)
        ),
    ))
}

/// Gives a file its name, unless another has it; both durable when this returns.
fn name(partial: NamedTempFile, target: &Path, directory: &Path) -> std::io::Result<()> {
    // What was written by another descriptor is synced by this one, too.
    partial.as_file().sync_all()?;
    partial.persist_noclobber(target)?;
    std::fs::File::open(directory)?.sync_all()
}

/// Removes what copies that were killed left in a directory; those under way are locked.
///
/// # Errors
/// When the directory cannot be read, or a file not be removed.
fn remove_partial(directory: &Path) -> Result<()> {
    let failed = |error| Error::io(format!("cannot tidy {}", directory.display()), error);
    for entry in std::fs::read_dir(directory).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().into_string().unwrap_or_default();
        if !(name.starts_with(PARTIAL.0) && name.ends_with(PARTIAL.1)) {
            continue;
        }
        // One that is gone by now, or of another user, is left to those who may.
        let Ok(file) = std::fs::File::open(entry.path()) else { continue };
        if file.try_lock().is_ok() {
            for own in ["-wal", "-shm", "-journal", ""] {
                remove(&directory.join(format!("{name}{own}")))?;
            }
        }
    }
    Ok(())
}

async fn hold(path: &str, now: Time) -> Result<()> {
    let options =
        StoreOptions { connections: 1, create: false, ..StoreOptions::new(format!("sqlite://{path}")) };
    let copy = Store::open(&options).await?;
    let held = copy
        .write(Lane::Interactive, now, |tx, now| Box::pin(generation::hold(tx, generation::RESTORED, *now)))
        .await;
    copy.close().await;
    held
}

fn remove(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::io(format!("cannot remove {}", path.display()), error))
        }
        _ => Ok(()),
    }
}

/// What the database itself finds wrong with its file; empty is sound. PostgreSQL watches over its own pages.
pub async fn damage(store: &Store) -> Result<Vec<String>> {
    if store.dialect() == Dialect::Postgres {
        return Ok(Vec::new());
    }
    let mut tx = store.read().await?;
    let findings: Vec<(String,)> = tx.all("PRAGMA integrity_check(20)", args![]).await?;
    let strays: Vec<(String,)> =
        tx.all("SELECT DISTINCT \"table\" FROM pragma_foreign_key_check LIMIT 20", args![]).await?;
    let strays =
        strays.into_iter().map(|(table,)| format!("rows of {table} refer to rows that are not there"));
    Ok(findings.into_iter().map(|(text,)| text).filter(|text| text != "ok").chain(strays).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::model::account::user::Role;
    use crate::testing::account::make_user;
    use crate::testing::database;

    const NOW: Time = Time(1_700_000_000_000);

    #[tokio::test]
    async fn a_copy_that_the_disk_has_no_room_for_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let store = database::sqlite(dir.path()).await;
        let target = dir.path().join("copy.db");
        copy_to(&store, &target, 0, NOW).await.unwrap();
        let needed = size(&mut store.read().await.unwrap()).await.unwrap();
        let copied = std::fs::metadata(target).unwrap().len();
        assert!(copied <= needed && needed < copied + copied / 4, "{copied} of {needed} bytes");
        let no_end = copy_to(&store, &dir.path().join("other.db"), u64::MAX, NOW).await.unwrap_err();
        assert_eq!(no_end.code(), "no_space", "beside the database its reserve is kept");
        require_room(5 << 20, 5 << 20, Path::new("/backups")).unwrap();
        let refused = require_room((5 << 20) + 1, 5 << 20, Path::new("/backups")).unwrap_err();
        assert_eq!(refused.code(), "no_space");
        assert_eq!(
            refused.to_string(),
            "There is no room for a copy in /backups: 5 MiB are free, and up to 6 MiB are needed"
        );
    }

    #[tokio::test]
    async fn a_copy_holds_what_was_there_and_holds_dispatch_while_the_original_goes_on() {
        let dir = tempfile::tempdir().unwrap();
        let store = database::sqlite(dir.path()).await;
        let id = make_user(&store, "ada", Role::User).await;
        let target = dir.path().join("copy.db");
        copy_to(&store, &target, 0, NOW).await.unwrap();
        let mode =
            std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&target).unwrap().permissions());
        assert_eq!(mode & 0o777, 0o600);
        assert!(!generation::is_held(&mut store.read().await.unwrap()).await.unwrap());
        make_user(&store, "eve", Role::User).await;
        let copy = Store::open(&StoreOptions::new(format!("sqlite://{}", target.display()))).await.unwrap();
        copy.require_current_schema().await.unwrap();
        let mut tx = copy.read().await.unwrap();
        assert!(generation::is_held(&mut tx).await.unwrap());
        assert!(crate::store::account::user::by_id(&mut tx, id).await.unwrap().is_some());
        assert_eq!(crate::store::account::user::by_username(&mut tx, "eve").await.unwrap(), None);
    }

    #[tokio::test]
    async fn nothing_is_overwritten_and_readers_still_cannot_write() {
        let dir = tempfile::tempdir().unwrap();
        let store = database::sqlite(dir.path()).await;
        let target = dir.path().join("copy.db");
        std::fs::write(&target, "precious").unwrap();
        assert_eq!(copy_to(&store, &target, 0, NOW).await.unwrap_err().code(), "file_exists");
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "precious");
        copy_to(&store, &dir.path().join("other.db"), 0, NOW).await.unwrap();
        for _ in 0..4 {
            let mut reader = store.read().await.unwrap();
            assert!(reader.run("DELETE FROM dispatch_hold", args![]).await.is_err());
        }
    }

    #[tokio::test]
    async fn two_copies_under_one_name_are_one_of_them_and_leave_nothing_else() {
        let (dir, other, target) = (tempfile::tempdir(), tempfile::tempdir(), tempfile::tempdir().unwrap());
        let (dir, other) = (dir.unwrap(), other.unwrap());
        let (ada, eve) = (database::sqlite(dir.path()).await, database::sqlite(other.path()).await);
        make_user(&ada, "ada", Role::User).await;
        make_user(&eve, "eve", Role::User).await;
        let file = target.path().join("copy.db");
        let (of_ada, of_eve) = tokio::join!(copy_to(&ada, &file, 0, NOW), copy_to(&eve, &file, 0, NOW));
        assert_ne!(of_ada.is_ok(), of_eve.is_ok(), "{of_ada:?} {of_eve:?}");
        let copy = Store::open(&StoreOptions::new(format!("sqlite://{}", file.display()))).await.unwrap();
        let there = if of_ada.is_ok() { "ada" } else { "eve" };
        let mut tx = copy.read().await.unwrap();
        assert!(crate::store::account::user::by_username(&mut tx, there).await.unwrap().is_some());
        drop(tx);
        copy.close().await;
        let names = || std::fs::read_dir(target.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(names().collect::<Vec<_>>(), ["copy.db"]);
        for left in [".talkdrum-backup-x1.partial", ".talkdrum-backup-x1.partial-wal"] {
            std::fs::write(target.path().join(left), "").unwrap();
        }
        let under_way = std::fs::File::create(target.path().join(".talkdrum-backup-x2.partial")).unwrap();
        under_way.lock().unwrap();
        copy_to(&ada, &target.path().join("later.db"), 0, NOW).await.unwrap();
        let mut left: Vec<_> = names().map(|name| name.into_string().unwrap()).collect();
        left.sort();
        assert_eq!(left, [".talkdrum-backup-x2.partial", "copy.db", "later.db"]);
    }

    both_databases! {
        async fn a_sound_database_has_no_findings(store: Store) {
            make_user(&store, "ada", Role::User).await;
            assert_eq!(damage(&store).await.unwrap(), Vec::<String>::new());
        }
    }
}
