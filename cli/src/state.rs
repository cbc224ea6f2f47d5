//! What imports remember from one run to the next: below `$XDG_STATE_HOME/talkdrum`, one file and one lock for each
//! daemon, profile and group.
//!
//! What is remembered only ever saves work. Whatever is lost, damaged or out of date here, the file is
//! imported again, which does no harm.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::args::ColumnArgs;
use crate::exit::{Code, Failure, Result};

/// The last complete import into a group.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Remembered {
    /// The fingerprint of file and columns.
    pub(crate) print: String,
    /// The group's id.
    pub(crate) group: i64,
    /// The import's id.
    pub(crate) import: i64,
}

/// The memory of one group's imports.
#[derive(Debug)]
pub(crate) struct ImportState {
    path: PathBuf,
}

impl ImportState {
    /// That of a group at a daemon.
    pub(crate) fn of(url: &str, group: &str, profile: &str) -> Result<Self> {
        let absolute = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let base =
            absolute("XDG_STATE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".local/state")));
        let base = base.ok_or_else(|| {
            Failure::failed(
                "there is no place for the lock of imports: neither XDG_STATE_HOME nor HOME is set",
            )
            .hint("set XDG_STATE_HOME to a directory that this user may write")
        })?;
        let folder = base.join("talkdrum").join("imports");
        fs::create_dir_all(&folder).map_err(|error| Failure::file("make", &folder, &error))?;
        let name = hex(&Sha256::digest(format!("{url}\n{profile}\n{}", group.trim().to_lowercase())));
        Ok(Self { path: folder.join(name.get(..32).unwrap_or(&name)) })
    }

    /// Holds the group against other imports until it is dropped; the system lets go of it when the process dies.
    pub(crate) fn lock(&self) -> Result<File> {
        let path = self.path.with_extension("lock");
        let failed = |error: &io::Error| Failure::file("lock", &path, error);
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(|error| failed(&error))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(Failure::refused(
                Code::ImportRunning,
                "another import into this group is running on this machine",
            )
            .hint("wait for it to end, or run it less often")),
            Err(TryLockError::Error(error)) => Err(failed(&error)),
        }
    }

    /// The fingerprint of a file and of what was said about its columns.
    pub(crate) fn print_of(&self, file: &str, columns: &ColumnArgs) -> Result<String> {
        let path = std::path::Path::new(file);
        let failed = |error: io::Error| Failure::file("read", path, &error);
        let mut digest = Sha256::new_with_prefix(format!("{columns:?}\n"));
        let mut source = File::open(path).map_err(failed)?;
        let mut buffer = vec![0; 128 * 1024];
        loop {
            let read = source.read(&mut buffer).map_err(failed)?;
            if read == 0 {
                return Ok(hex(&digest.finalize()));
            }
            digest.update(&buffer[..read]);
        }
    }

    /// What is remembered, if it can be read.
    pub(crate) fn recall(&self) -> Option<Remembered> {
        serde_json::from_slice(&fs::read(&self.path).ok()?).ok()
    }

    /// Remembers a complete import in place of the one before.
    pub(crate) fn remember(&self, import: &Remembered) -> Result<()> {
        let draft = self.path.with_extension("part");
        let text = crate::output::to_json(import)?;
        fs::write(&draft, text)
            .and_then(|()| fs::rename(&draft, &self.path))
            .map_err(|error| Failure::file("write", &self.path, &error))
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
