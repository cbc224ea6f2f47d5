//! The free space of the file system that holds the data.
//!
//! What would begin new work (quotes, confirms, intents) asks the guard first; outcomes and receipts
//! of work that has begun never do.

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// The limit without configuration: 512 MiB.
pub const DEFAULT_LIMIT_BYTES: u64 = 512 * 1024 * 1024;

/// Refuses new work while the file system has less than a limit.
#[derive(Clone, Debug)]
pub struct DiskGuard {
    path: PathBuf,
    limit_bytes: u64,
}

impl DiskGuard {
    /// Watches the file system that holds `path`; a limit of 0 never refuses.
    pub fn new(path: impl Into<PathBuf>, limit_bytes: u64) -> Self {
        Self { path: path.into(), limit_bytes }
    }

    /// The bytes that the daemon may still write there.
    pub fn free_bytes(&self) -> Result<u64> {
        free_bytes(&self.path)
    }

    /// Whether there is too little space left. One system call of about a microsecond.
    ///
    /// # Errors
    /// When the file system does not answer.
    pub fn is_low(&self) -> Result<bool> {
        Ok(self.free_bytes()? < self.limit_bytes)
    }

    /// Refuses when there is too little space left.
    ///
    /// # Errors
    /// `low_disk`, or an I/O error when the file system does not answer.
    pub fn check(&self) -> Result<()> {
        if !self.is_low()? {
            return Ok(());
        }
        let free = self.free_bytes()?;
        Err(Error::unavailable(
            "low_disk",
            format!(
                "The server is short of disk space ({} MiB free, {} MiB needed): nothing new is started until space is made",
                free >> 20,
                self.limit_bytes >> 20
            ),
        ))
    }
}

/// The bytes free for unprivileged processes on the file system that holds `path`; `u64::MAX` where it does not say.
pub fn free_bytes(path: &Path) -> Result<u64> {
    let stat = rustix::fs::statvfs(path).map_err(|error| {
        Error::io(format!("cannot ask for the free space of {}", path.display()), error.into())
    })?;
    Ok(if stat.f_blocks == 0 { u64::MAX } else { stat.f_bavail.saturating_mul(stat.f_frsize) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_work_is_refused_below_the_limit_only() {
        let dir = tempfile::tempdir().unwrap();
        DiskGuard::new(dir.path(), 0).check().unwrap();
        let refused = DiskGuard::new(dir.path(), u64::MAX).check().unwrap_err();
        assert_eq!(refused.code(), "low_disk");
    }

    #[test]
    fn a_path_that_is_not_there_is_an_error_and_no_free_space() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(DiskGuard::new(dir.path().join("gone"), 1).check().unwrap_err().code(), "io");
    }
}
