//! Locks of one process: on an SQLite file, which one daemon serves or one command migrates, and on a data directory,
//! whose generation one daemon raises.
//!
//! The operating system holds the lock for as long as the process lives, so a crash leaves none behind; the pid in
//! the file is only for people.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// A lock, held until it is dropped.
#[derive(Debug)]
pub struct FileLock {
    _file: File,
}

impl FileLock {
    /// Takes the lock of the SQLite file `database`, `<database>.lock`. The directory must exist.
    ///
    /// # Errors
    /// `database_locked` with the pid of the process that holds it.
    pub fn of_database(database: &Path) -> Result<Self> {
        let mut name = database.as_os_str().to_owned();
        name.push(".lock");
        Self::take(&PathBuf::from(name), "database_locked", database)
    }

    /// Takes the lock of the data directory `directory`, which must exist: `<directory>/serving.lock`.
    ///
    /// # Errors
    /// `data_dir_locked` with the pid of the process that holds it.
    pub fn of_directory(directory: &Path) -> Result<Self> {
        Self::take(&directory.join("serving.lock"), "data_dir_locked", directory)
    }

    /// Takes the lock of a directory of backups, which must exist: `<directory>/.talkdrum-backup.lock`.
    ///
    /// # Errors
    /// `backup_running` with the pid of the process that holds it.
    pub fn of_backups(directory: &Path) -> Result<Self> {
        Self::take(&directory.join(".talkdrum-backup.lock"), "backup_running", directory)
    }

    fn take(path: &Path, code: &'static str, what: &Path) -> Result<Self> {
        let failed = |error| Error::io(format!("cannot lock {}", path.display()), error);
        let opened = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path);
        let mut file = match opened {
            // Of another user, who has run the same command: the lock needs no right to write.
            Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
                let file = File::open(path).map_err(failed)?;
                return match file.try_lock() {
                    Ok(()) => Ok(Self { _file: file }),
                    Err(TryLockError::WouldBlock) => Err(locked(&mut { file }, code, what)),
                    Err(TryLockError::Error(error)) => Err(failed(error)),
                };
            }
            opened => opened.map_err(failed)?,
        };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(locked(&mut file, code, what)),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        file.set_len(0).and_then(|()| file.rewind()).map_err(failed)?;
        writeln!(file, "{}", std::process::id()).and_then(|()| file.flush()).map_err(failed)?;
        Ok(Self { _file: file })
    }
}

fn locked(file: &mut File, code: &'static str, what: &Path) -> Error {
    let mut text = String::new();
    // The pid is for people; a holder that has not written it yet is still a holder.
    let _ = file.read_to_string(&mut text);
    let holder = match text.trim() {
        "" => "another process".to_owned(),
        pid => format!("process {pid}"),
    };
    let advice = match code {
        "backup_running" => "wait for it, or give this copy another directory",
        _ => "stop it first, or give this one another data directory",
    };
    Error::unavailable(code, format!("{} is in use by {holder}: {advice}", what.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn second_is_refused(take: impl Fn() -> Result<FileLock>, code: &str) {
        let first = take().unwrap();
        let refused = take().unwrap_err();
        assert_eq!(refused.code(), code);
        assert!(refused.to_string().contains(&format!("process {}", std::process::id())), "{refused}");
        drop(first);
        take().unwrap();
    }

    #[test]
    fn a_second_holder_is_refused_with_the_first_ones_pid_and_served_after_it() {
        let dir = tempfile::tempdir().unwrap();
        let database = dir.path().join("talkdrum.db");
        second_is_refused(|| FileLock::of_database(&database), "database_locked");
        second_is_refused(|| FileLock::of_directory(dir.path()), "data_dir_locked");
    }
}
