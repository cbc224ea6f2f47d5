//! The MP3 of a form on its way to the decoder: a short one in memory, a longer one in a file without a name.

use std::io::Write as _;
use std::path::PathBuf;

use talkdrum_core::store::operations::disk::DiskGuard;
use talkdrum_core::voice::recording::RecordingLimits;
use talkdrum_core::{Error, Result};
use tempfile::{SpooledTempFile, spooled_tempfile_in};

use crate::http::upload::{Part, PartSink};
use crate::limit::SPOOL_MEMORY_BYTES;

/// How many bytes come between two looks at the disk.
const LOOK_BYTES: usize = 4 << 20;

/// The field `audioFile` of one form.
#[derive(Debug)]
pub(super) struct Mp3File {
    dir: PathBuf,
    disk: DiskGuard,
    limits: RecordingLimits,
    file: Option<SpooledTempFile>,
    name: Option<String>,
    bytes: u64,
    /// Bytes since the disk was looked at.
    unseen: usize,
}

impl Mp3File {
    /// None yet; what is too large for memory is put into `dir`.
    pub(super) fn new(dir: PathBuf, disk: DiskGuard, limits: RecordingLimits) -> Self {
        Self { dir, disk, limits, file: None, name: None, bytes: 0, unseen: 0 }
    }

    /// Whether there is a file with something in it.
    pub(super) const fn is_filled(&self) -> bool {
        self.bytes > 0
    }

    /// The file, and its name where the client gave one.
    ///
    /// # Errors
    /// 'Voice is required' when there is none; browsers send an empty one when none was chosen.
    pub(super) fn into_file(self) -> Result<(SpooledTempFile, Option<String>)> {
        match self.file.filter(|_| self.bytes > 0) {
            Some(file) => Ok((file, self.name)),
            None => Err(Error::field("audioFile", "voice_required", "Voice is required")),
        }
    }
}

impl PartSink for Mp3File {
    fn begin(&mut self, part: Part<'_>) -> Result<()> {
        if self.bytes > 0 {
            let said = "One recording can be uploaded at a time";
            return Err(Error::field("audioFile", "too_many_files", said));
        }
        self.file = Some(spooled_tempfile_in(SPOOL_MEMORY_BYTES, &self.dir));
        self.name = part.file_name.map(str::to_owned);
        Ok(())
    }

    fn chunk(&mut self, bytes: &[u8]) -> Result<()> {
        self.bytes += bytes.len() as u64;
        self.limits.check_bytes(self.bytes)?;
        self.unseen += bytes.len();
        if self.unseen >= LOOK_BYTES {
            self.unseen = 0;
            self.disk.check()?;
        }
        match &mut self.file {
            Some(file) => file.write_all(bytes).map_err(|error| Error::io("keeping the recording", error)),
            None => Err(Error::Corrupt("a part of a form was not begun".into())),
        }
    }

    fn end(&mut self) -> Result<()> {
        Ok(())
    }
}
