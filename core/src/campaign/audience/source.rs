//! Where recipients come from: a form's text, and files of any size.
//!
//! The invariant: every byte that was read as recipients is in the digest, so that the same form posted again is
//! known by it.

use std::fmt;
use std::io::{Cursor, Read};

use sha2::{Digest, Sha256};

use super::Collector;
use crate::error::{Error, Result};
use crate::phone::{Intake, IntakeOptions};

/// Bytes read at a time.
const STEP: usize = 64 * 1024;

/// A source of recipients. Its reader is used on a thread that may wait; an upload that breaks off must end it with
/// an error, never as if it were complete.
pub struct Source {
    options: IntakeOptions,
    reader: Box<dyn Read + Send>,
}

impl Source {
    /// The text of a form's field `contacts`; `None` when there is nothing in it.
    pub fn text(text: String) -> Option<Self> {
        let options = IntakeOptions { form: true, ..IntakeOptions::default() };
        (!text.trim().is_empty()).then(|| Self { options, reader: Box::new(Cursor::new(text)) })
    }

    /// The text of a form's field `contacts` that is too long to be held, from where it was put meanwhile.
    pub fn spooled_text(reader: impl Read + Send + 'static) -> Self {
        let options = IntakeOptions { form: true, ..IntakeOptions::default() };
        Self { options, reader: Box::new(reader) }
    }

    /// An uploaded CSV or text file.
    pub fn file(reader: impl Read + Send + 'static) -> Self {
        Self { options: IntakeOptions::default(), reader: Box::new(reader) }
    }

    /// Whether it is a form's text, which has no columns.
    pub(crate) const fn is_text(&self) -> bool {
        self.options.form
    }

    /// Reads everything into the collector and returns the SHA-256 of the bytes.
    pub(crate) fn collect(self, collector: &mut Collector) -> Result<[u8; 32]> {
        let mut intake = Intake::new(self.options);
        collector.begin_source();
        let digest = read_all(self.reader, |bytes| {
            intake.feed(bytes, collector);
            collector.check()
        })?;
        intake.finish(collector)?;
        collector.check()?;
        Ok(digest)
    }

    /// Reads everything for its SHA-256 alone.
    pub(crate) fn digest(self) -> Result<[u8; 32]> {
        read_all(self.reader, |_| Ok(()))
    }
}

fn read_all(mut reader: impl Read, mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<[u8; 32]> {
    let mut buffer = vec![0; STEP];
    let mut digest = Sha256::new();
    loop {
        let read = match reader.read(&mut buffer) {
            Ok(0) => return Ok(digest.finalize().into()),
            Ok(read) => read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Error::io("reading the recipients", error)),
        };
        digest.update(&buffer[..read]);
        take(&buffer[..read])?;
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("options", &self.options).finish_non_exhaustive()
    }
}
