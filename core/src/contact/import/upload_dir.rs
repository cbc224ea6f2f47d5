//! The files of imports, kept beside the database until the import is over: `<dir>/imports/<id>`.
//!
//! A file stands under its import's id only when it is whole and on disk.

use std::fs::{self, DirEntry, File};
use std::io::{ErrorKind, Read, Write as _};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::model::contact::id::ImportId;
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

    fn path(&self, id: ImportId) -> PathBuf {
        self.dir.join(id.to_string())
    }

    /// Keeps a file and opens it. Blocks.
    pub(super) fn keep(&self, id: ImportId, mut source: Box<dyn Read + Send>) -> Result<File> {
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
    pub(super) fn open(&self, id: ImportId) -> Result<File> {
        File::open(self.path(id)).map_err(|error| Error::io("opening the file of an import", error))
    }

    /// Forgets a file; one that is not there is none.
    pub(super) fn forget(&self, id: ImportId) {
        if let Err(error) = fs::remove_file(self.path(id))
            && error.kind() != ErrorKind::NotFound
        {
            tracing::warn!(import = id.0, %error, "the file of an import was not removed");
        }
    }

    /// The imports whose files are here, oldest first.
    pub(super) fn ids(&self) -> Result<Vec<ImportId>> {
        let mut ids: Vec<ImportId> = self.entries()?.iter().filter_map(import_of).collect();
        ids.sort_unstable();
        Ok(ids)
    }

    /// Removes what was never whole. Called before any file is kept: one that is being copied is not whole either.
    pub(super) fn remove_unfinished(&self) -> Result<()> {
        for entry in self.entries()?.iter().filter(|entry| import_of(entry).is_none()) {
            fs::remove_file(entry.path()).map_err(looking)?;
        }
        Ok(())
    }

    fn entries(&self) -> Result<Vec<DirEntry>> {
        match fs::read_dir(&self.dir) {
            Ok(entries) => entries.collect::<Result<_, _>>().map_err(looking),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(looking(error)),
        }
    }
}

/// The import whose whole file this is.
fn import_of(entry: &DirEntry) -> Option<ImportId> {
    entry.file_name().to_str()?.parse().ok()
}

fn looking(error: std::io::Error) -> Error {
    Error::io("looking for the files of imports", error)
}
