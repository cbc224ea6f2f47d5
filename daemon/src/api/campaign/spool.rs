//! Recipients on their way from the request to the campaign service: small lists in memory, others in unnamed files.
//!
//! The service can read them only once the form's small fields are known, and fields may come in any order. The
//! invariant: the memory that one form takes is bounded, and what was put on disk is gone when the form is.

use std::fmt;
use std::io::{Seek, Write as _};
use std::path::PathBuf;

use talkdrum_core::campaign::audience::RecipientSource;
use talkdrum_core::store::operations::disk::DiskGuard;
use talkdrum_core::{Error, Result};
use tempfile::{SpooledData, SpooledTempFile, spooled_tempfile_in};

use crate::http::upload::{Part, PartSink};
use crate::limit::{FILES, SPOOL_MEMORY_BYTES, SPOOL_WRITE_BYTES};

/// The disk is looked at whenever so much was put there.
const LOOK_BYTES: usize = 16 << 20;

/// The recipients of one form.
pub(in crate::api) struct Spool {
    dir: PathBuf,
    disk: DiskGuard,
    /// All `contacts` of the form, one after the other.
    text: Option<SpooledTempFile>,
    /// Whether there is anything but blanks in them.
    is_text_filled: bool,
    files: Vec<SpooledTempFile>,
    /// What the last file is called where the client said so.
    name: Option<String>,
    /// Bytes of the files in memory.
    held: usize,
    current: Current,
    /// What is not written yet: a list of numbers comes in pieces of a few bytes.
    waiting: Vec<u8>,
    /// Written since the disk was looked at.
    unseen: usize,
}

#[derive(Clone, Copy, Debug)]
enum Current {
    Text,
    File { is_empty: bool },
}

impl fmt::Debug for Spool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spool").field("files", &self.files.len()).finish_non_exhaustive()
    }
}

impl Spool {
    /// An empty one that puts on disk, in `dir`, what is too large.
    pub(in crate::api) fn new(dir: PathBuf, disk: DiskGuard) -> Self {
        Self {
            dir,
            disk,
            text: None,
            is_text_filled: false,
            files: Vec::new(),
            name: None,
            held: 0,
            current: Current::Text,
            waiting: Vec::new(),
            unseen: 0,
        }
    }

    /// Whether there is a file with something in it.
    pub(in crate::api) fn has_files(&self) -> bool {
        !self.files.is_empty()
    }

    /// What was put in, ready to be read: the files in their order, then the text. Empty ones are left out.
    ///
    /// The order is part of a form's identity, so it is one that quoting never changes: a number that is both typed
    /// and in a file is taken from the file, which may have its merge fields.
    pub(in crate::api) fn into_sources(mut self) -> Result<Vec<RecipientSource>> {
        self.write()?;
        let mut sources = Vec::with_capacity(self.files.len() + 1);
        for file in self.files {
            sources.push(match file.into_inner() {
                SpooledData::InMemory(held) => RecipientSource::held_file(held.into_inner()),
                SpooledData::OnDisk(file) => RecipientSource::file(rewound(file)?),
            });
        }
        if let Some(text) = self.text.filter(|_| self.is_text_filled) {
            sources.push(match text.into_inner() {
                SpooledData::InMemory(held) => RecipientSource::held_text(held.into_inner()),
                SpooledData::OnDisk(file) => RecipientSource::spooled_text(rewound(file)?),
            });
        }
        Ok(sources)
    }

    /// The one file that was put in and its name where it has one; the text where there is none.
    ///
    /// # Errors
    /// When there are several.
    pub(in crate::api) fn into_file(mut self) -> Result<Option<(SpooledTempFile, Option<String>)>> {
        self.write()?;
        if self.files.len() > 1 {
            return Err(Error::field("file", "too_many_files", "One file can be imported at a time"));
        }
        let file = self.files.pop().or_else(|| self.text.filter(|_| self.is_text_filled));
        let name = self.name;
        file.map(|file| Ok((rewound(file)?, name))).transpose()
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= SPOOL_WRITE_BYTES { self.write() } else { Ok(()) }
    }

    /// Writes what waits to the part that is being read.
    fn write(&mut self) -> Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        self.unseen += self.waiting.len();
        if self.unseen >= LOOK_BYTES {
            self.unseen = 0;
            self.disk.check()?;
        }
        let target = match self.current {
            Current::Text => self.text.as_mut(),
            Current::File { .. } => self.files.last_mut(),
        };
        let target = target.ok_or_else(|| Error::Corrupt("a part of a form was not begun".into()))?;
        target.write_all(&self.waiting).map_err(|error| Error::io("keeping the recipients", error))?;
        self.waiting.clear();
        Ok(())
    }
}

/// How much of a file is in memory.
fn in_memory(file: &mut SpooledTempFile) -> Result<usize> {
    if file.is_rolled() {
        return Ok(0);
    }
    let length = file.stream_position().map_err(|error| Error::io("keeping the recipients", error))?;
    Ok(usize::try_from(length).unwrap_or(usize::MAX))
}

fn rewound<T: Seek>(mut file: T) -> Result<T> {
    file.rewind().map_err(|error| Error::io("keeping the recipients", error))?;
    Ok(file)
}

impl PartSink for Spool {
    fn begin(&mut self, part: Part<'_>) -> Result<()> {
        let is_file = part.name == "file" || part.file_name.is_some_and(|name| !name.is_empty());
        if is_file || !matches!(self.current, Current::Text) {
            self.write()?;
        }
        if !is_file {
            self.current = Current::Text;
            return match self.text {
                // A list of numbers, each a part: they stay apart.
                Some(_) => self.put(b"\n"),
                None => {
                    self.text = Some(spooled_tempfile_in(SPOOL_MEMORY_BYTES, &self.dir));
                    Ok(())
                }
            };
        }
        if self.files.len() == FILES {
            return Err(Error::field(
                "file",
                "too_many_files",
                format!("At most {FILES} files can be sent in one form: join some of them"),
            ));
        }
        self.current = Current::File { is_empty: true };
        self.name = part.file_name.filter(|name| !name.is_empty()).map(str::to_owned);
        let memory = SPOOL_MEMORY_BYTES.saturating_sub(self.held);
        self.files.push(spooled_tempfile_in(memory, &self.dir));
        Ok(())
    }

    fn chunk(&mut self, bytes: &[u8]) -> Result<()> {
        match &mut self.current {
            Current::Text => self.is_text_filled |= !bytes.iter().all(u8::is_ascii_whitespace),
            Current::File { is_empty } => *is_empty &= bytes.is_empty(),
        }
        self.put(bytes)
    }

    fn end(&mut self) -> Result<()> {
        match self.current {
            // What a browser sends when no file was chosen.
            Current::File { is_empty: true } => {
                self.files.pop();
            }
            Current::File { is_empty: false } => {
                self.write()?;
                self.held += self.files.last_mut().map_or(Ok(0), in_memory)?;
            }
            Current::Text => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(spool: &mut Spool, name: &str, file_name: Option<&str>, text: &[u8]) {
        spool.begin(Part { name, file_name }).unwrap();
        spool.chunk(text).unwrap();
        spool.end().unwrap();
    }

    fn spool(dir: &tempfile::TempDir) -> Spool {
        Spool::new(dir.path().to_owned(), DiskGuard::new(dir.path(), 0))
    }

    #[test]
    fn empty_parts_are_no_recipients() {
        let dir = tempfile::tempdir().unwrap();
        let mut spool = spool(&dir);
        put(&mut spool, "contacts", None, b" \r\n");
        put(&mut spool, "file", Some(""), b"");
        assert!(spool.into_sources().unwrap().is_empty());
    }

    #[test]
    fn a_list_of_numbers_is_one_text_and_every_file_is_itself() {
        let dir = tempfile::tempdir().unwrap();
        let mut spool = spool(&dir);
        put(&mut spool, "file", Some("a.csv"), b"1");
        put(&mut spool, "contacts", None, b"0803");
        put(&mut spool, "contacts", None, b"0805");
        put(&mut spool, "contacts", Some("b.txt"), b"2");
        spool.write().unwrap();
        let text = spool.text.as_mut().unwrap();
        text.rewind().unwrap();
        assert_eq!(std::io::read_to_string(text).unwrap(), "0803\n0805");
        assert_eq!(spool.into_sources().unwrap().len(), 3);
    }

    #[test]
    fn large_parts_go_to_disk_and_leave_no_file_behind() {
        let dir = tempfile::tempdir().unwrap();
        let mut spool = spool(&dir);
        put(&mut spool, "file", Some("a.csv"), &vec![b'1'; SPOOL_MEMORY_BYTES + 1]);
        assert!(spool.files[0].is_rolled());
        assert_eq!(spool.into_sources().unwrap().len(), 1);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn many_files_hold_no_more_memory_than_one() {
        let dir = tempfile::tempdir().unwrap();
        let mut spool = spool(&dir);
        for _ in 0..FILES {
            put(&mut spool, "file", Some("a.csv"), &vec![b'1'; SPOOL_MEMORY_BYTES / 3]);
        }
        let in_memory = spool.files.iter().filter(|file| !file.is_rolled()).count();
        assert_eq!((in_memory, spool.held), (3, 3 * (SPOOL_MEMORY_BYTES / 3)));
        assert_eq!(spool.into_sources().unwrap().len(), FILES);
    }

    #[test]
    fn a_list_of_short_numbers_is_written_in_few_pieces() {
        let dir = tempfile::tempdir().unwrap();
        let mut spool = spool(&dir);
        for _ in 0..SPOOL_WRITE_BYTES {
            put(&mut spool, "contacts", None, b"0");
            assert!(spool.waiting.len() < SPOOL_WRITE_BYTES);
        }
        spool.write().unwrap();
        let text = spool.text.as_mut().unwrap();
        text.rewind().unwrap();
        assert_eq!(std::io::read_to_string(text).unwrap().len(), 2 * SPOOL_WRITE_BYTES - 1);
    }

    #[test]
    fn forms_with_files_beyond_measure_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let mut spool = spool(&dir);
        for _ in 0..FILES {
            put(&mut spool, "file", Some("a.csv"), b"1");
        }
        let refused = spool.begin(Part { name: "file", file_name: Some("a.csv") }).unwrap_err();
        assert_eq!(refused.code(), "too_many_files");
    }
}
