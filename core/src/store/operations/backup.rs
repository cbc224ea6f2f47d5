//! Copies of an SQLite database, and whether a database is sound.
//!
//! A copy holds dispatch. It is older than the sends that followed it, so after a restore a person must
//! release the hold first.

use std::path::{Path, PathBuf};

use crate::args;
use crate::error::{Error, Result};
use crate::store::db::private_file;
use crate::store::operations::generation;
use crate::store::{Dialect, Lane, Store, StoreOptions};
use crate::time::Time;

/// Why a restored copy sends nothing at first.
const HELD: &str = "this database was restored from a backup";

/// Writes a consistent copy of an SQLite database to `target`, which must not exist. Writers go on meanwhile. The copy has
/// its name only when it is whole and on the disk.
///
/// # Errors
/// `file_exists`, `not_sqlite`, or whatever the database or the file system says.
pub async fn copy_to(store: &Store, target: &Path, now: Time) -> Result<()> {
    if store.dialect() != Dialect::Sqlite {
        return Err(Error::rule("not_sqlite", "PostgreSQL is backed up by its own tools: use pg_dump"));
    }
    if target.exists() {
        return Err(Error::rule(
            "file_exists",
            format!("{} exists already: name a new file, nothing is overwritten", target.display()),
        ));
    }
    let partial = partial_of(target);
    remove(&partial)?;
    let text =
        partial.to_str().ok_or_else(|| Error::rule("bad_path", "The file's name must be valid UTF-8"))?;
    // VACUUM INTO fills a file that is empty.
    private_file::prepare(&partial)
        .map_err(|error| Error::io(format!("cannot make {}", partial.display()), error))?;
    let mut reader = store.read().await?;
    // Readers are kept from writing; VACUUM INTO writes, though not into the database it reads.
    reader.run("PRAGMA query_only = false", args![]).await?;
    let copied = reader.run("VACUUM INTO $1", args![text]).await;
    reader.run("PRAGMA query_only = true", args![]).await?;
    copied?;
    hold(text, now).await?;
    name(&partial, target).map_err(|error| Error::io(format!("cannot name {}", target.display()), error))
}

/// Gives a file its name, both durable when this returns.
fn name(partial: &Path, target: &Path) -> std::io::Result<()> {
    std::fs::File::open(partial)?.sync_all()?;
    std::fs::rename(partial, target)?;
    let directory = target.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::File::open(directory)?.sync_all()
}

async fn hold(path: &str, now: Time) -> Result<()> {
    let options =
        StoreOptions { connections: 1, create: false, ..StoreOptions::new(format!("sqlite://{path}")) };
    let copy = Store::open(&options).await?;
    let held = copy.write(Lane::Interactive, now, |tx, now| Box::pin(generation::hold(tx, HELD, *now))).await;
    copy.close().await;
    held
}

fn partial_of(target: &Path) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(".partial");
    PathBuf::from(name)
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
    use crate::model::user::Role;
    use crate::testing::account::make_user;
    use crate::testing::database;

    const NOW: Time = Time(1_700_000_000_000);

    #[tokio::test]
    async fn a_copy_holds_what_was_there_and_holds_dispatch_while_the_original_goes_on() {
        let dir = tempfile::tempdir().unwrap();
        let store = database::sqlite(dir.path()).await;
        let id = make_user(&store, "ada", Role::User).await;
        let target = dir.path().join("copy.db");
        copy_to(&store, &target, NOW).await.unwrap();
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
        assert_eq!(copy_to(&store, &target, NOW).await.unwrap_err().code(), "file_exists");
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "precious");
        copy_to(&store, &dir.path().join("other.db"), NOW).await.unwrap();
        for _ in 0..4 {
            let mut reader = store.read().await.unwrap();
            assert!(reader.run("DELETE FROM dispatch_hold", args![]).await.is_err());
        }
    }

    both_databases! {
        async fn a_sound_database_has_no_findings(store: Store) {
            make_user(&store, "ada", Role::User).await;
            assert_eq!(damage(&store).await.unwrap(), Vec::<String>::new());
        }
    }
}
