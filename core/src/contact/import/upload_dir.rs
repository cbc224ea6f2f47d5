//! The files of imports, kept beside the database until the import is over: `<dir>/imports/<id>`.
//!
//! A file stands under its import's id only when it is whole and on disk.

use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write as _};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::store::operations::disk::DiskGuard;

/// Bytes copied at a time.
const STEP: usize = 64 * 1024;
/// The disk is looked at whenever so much was written.
const LOOK_BYTES: usize = 16 << 20;

/// Where they are kept. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    dir: PathBuf,
    disk: DiskGuard,
}

impl Kept {
    pub(super) fn new(dir: &Path, disk: DiskGuard) -> Self {
        Self { dir: dir.join("imports"), disk }
    }

    fn path(&self, id: i64) -> PathBuf {
        self.dir.join(id.to_string())
    }

    /// Keeps a file and opens it. Blocks.
    pub(super) fn keep(&self, id: i64, mut source: Box<dyn Read + Send>) -> Result<File> {
        let io = |error| Error::io("keeping the file of an import", error);
        fs::create_dir_all(&self.dir).map_err(io)?;
        let unfinished = self.dir.join(format!("{id}.part"));
        let copied = self.copy(&mut source, &unfinished);
        if copied.is_err() {
            // What is left of it is removed at the next start, at the latest.
            let _ = fs::remove_file(&unfinished);
        }
        copied?;
        fs::rename(&unfinished, self.path(id)).map_err(io)?;
        File::open(&self.dir).and_then(|dir| dir.sync_all()).map_err(io)?;
        File::open(self.path(id)).map_err(io)
    }

    fn copy(&self, source: &mut Box<dyn Read + Send>, to: &Path) -> Result<()> {
        let io = |error| Error::io("keeping the file of an import", error);
        let mut options = File::options();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(to).map_err(io)?;
        let mut buffer = vec![0; STEP];
        let mut unseen = 0;
        loop {
            let bytes = match source.read(&mut buffer) {
                Ok(0) => break,
                Ok(bytes) => bytes,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(Error::io("reading the file", error)),
            };
            unseen += bytes;
            if unseen >= LOOK_BYTES {
                unseen = 0;
                self.disk.check()?;
            }
            file.write_all(&buffer[..bytes]).map_err(io)?;
        }
        file.sync_all().map_err(io)
    }

    /// Opens a kept file.
    pub(super) fn open(&self, id: i64) -> Result<File> {
        File::open(self.path(id)).map_err(|error| Error::io("opening the file of an import", error))
    }

    /// Forgets a file; one that is not there is none.
    pub(super) fn forget(&self, id: i64) {
        if let Err(error) = fs::remove_file(self.path(id))
            && error.kind() != ErrorKind::NotFound
        {
            tracing::warn!(import = id, %error, "the file of an import was not removed");
        }
    }

    /// The imports whose files are here, oldest first; what was never whole is removed.
    pub(super) fn ids(&self) -> Result<Vec<i64>> {
        let io = |error| Error::io("looking for the files of imports", error);
        let entries = match fs::read_dir(&self.dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(io(error)),
        };
        let mut ids = Vec::new();
        for entry in entries {
            let entry = entry.map_err(io)?;
            match entry.file_name().to_str().map(str::parse) {
                Some(Ok(id)) => ids.push(id),
                _ => fs::remove_file(entry.path()).map_err(io)?,
            }
        }
        ids.sort_unstable();
        Ok(ids)
    }
}
