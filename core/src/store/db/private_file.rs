//! Files that only their owner may read: databases and their copies hold numbers, messages and password hashes.

use std::fs::{OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// What SQLite keeps beside a database, with the mode of the database.
const BESIDE: [&str; 2] = ["-wal", "-shm"];

/// Makes an empty file of mode 0600, whatever the umask; one that is there, with what SQLite keeps beside it, is closed to
/// others.
///
/// # Errors
/// When the file cannot be made, or is another user's and open to all.
pub(crate) fn prepare(path: &Path) -> io::Result<()> {
    let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    match made {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            close(path)?;
            BESIDE
                .iter()
                .map(|suffix| beside(path, suffix))
                .filter(|path| path.exists())
                .try_for_each(|path| close(&path))
        }
        made => made.map(drop),
    }
}

fn close(path: &Path) -> io::Result<()> {
    let mode = std::fs::metadata(path)?.permissions().mode();
    if mode & 0o077 == 0 {
        Ok(())
    } else {
        std::fs::set_permissions(path, Permissions::from_mode(mode & 0o700))
    }
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
