//! The lock beside an SQLite file: one daemon serves it, or one command changes its schema, and nobody else.
//!
//! The operating system holds the lock for as long as the process lives, so a crash leaves none behind; the pid in
//! the file is only for people.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// The lock, held until it is dropped.
#[derive(Debug)]
pub struct DatabaseLock {
    _file: File,
}

impl DatabaseLock {
    /// Where the lock of `database` lies: `<database>.lock`.
    pub fn path(database: &Path) -> PathBuf {
        let mut name = database.as_os_str().to_owned();
        name.push(".lock");
        PathBuf::from(name)
    }

    /// Takes the lock of `database`, whose directory must exist.
    ///
    /// # Errors
    /// `database_locked` with the pid of whoever holds it.
    pub fn take(database: &Path) -> Result<Self> {
        let path = Self::path(database);
        let failed = |error| Error::io(format!("cannot lock {}", path.display()), error);
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&path)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(locked(&mut file, database)),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        file.set_len(0).and_then(|()| file.rewind()).map_err(failed)?;
        writeln!(file, "{}", std::process::id()).and_then(|()| file.flush()).map_err(failed)?;
        Ok(Self { _file: file })
    }
}

fn locked(file: &mut File, database: &Path) -> Error {
    let mut text = String::new();
    // The pid is for people; a holder that has not written it yet is still a holder.
    let _ = file.read_to_string(&mut text);
    let holder = match text.trim() {
        "" => "another process".to_owned(),
        pid => format!("process {pid}"),
    };
    Error::unavailable(
        "database_locked",
        format!(
            "{} is in use by {holder}: stop it first, or give this one another data directory",
            database.display()
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_holder_is_refused_with_the_first_ones_pid_and_served_after_it() {
        let dir = tempfile::tempdir().unwrap();
        let database = dir.path().join("talkdrum.db");
        let first = DatabaseLock::take(&database).unwrap();
        let refused = DatabaseLock::take(&database).unwrap_err();
        assert_eq!(refused.code(), "database_locked");
        assert!(refused.to_string().contains(&format!("process {}", std::process::id())), "{refused}");
        drop(first);
        DatabaseLock::take(&database).unwrap();
    }
}
