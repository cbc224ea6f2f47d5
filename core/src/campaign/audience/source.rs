//! Where recipients come from: a form's text, files of any size, groups of contacts, and lists that are here already: the
//! recipients of an earlier campaign, the numbers of an import.
//!
//! Every byte that was read as recipients is in the digest, and which columns of a file were asked for,
//! so that the same form posted again is known by it.

use std::fmt;
use std::io::{Cursor, Read};

use sha2::{Digest, Sha256};

use super::Collector;
use super::earlier::{self, OutcomeFilter};
use crate::contact::recipients::Reader;
use crate::error::{Error, Result};
use crate::model::campaign::id::CampaignId;
use crate::model::contact::id::{GroupId, ImportId};
use crate::phone::{Intake, IntakeOptions, PhoneColumns, Sink};

/// Bytes read at a time.
const STEP: usize = 64 * 1024;
/// A few hundred numbers: some tens of microseconds.
const SMALL_BYTES: usize = 8 * 1024;

/// A source of recipients. Its reader is used on a thread that may wait; an upload that breaks off must end it with
/// an error, never as if it were complete.
pub struct RecipientSource(Origin);

enum Origin {
    Bytes {
        options: IntakeOptions,
        reader: Box<dyn Read + Send>,
        /// How many bytes it has, where they are in memory.
        held: Option<usize>,
    },
    Group {
        id: GroupId,
        /// Its merge fields; empty until the campaign service has looked the group up.
        columns: Vec<String>,
    },
    Campaign {
        id: CampaignId,
        of: OutcomeFilter,
        /// The merge fields of its recipients; empty until the campaign was looked up.
        columns: Vec<String>,
    },
    Import {
        id: ImportId,
        /// The group that it filled, and that group's merge fields; none until the import was looked up.
        group: GroupId,
        columns: Vec<String>,
    },
}

/// What a source names, and where what is known of it goes.
pub(crate) enum Named<'a> {
    /// A group and its merge fields.
    Group(GroupId, &'a mut Vec<String>),
    /// A campaign and the merge fields of its recipients.
    Campaign(CampaignId, &'a mut Vec<String>),
    /// An import, its group, and the group's merge fields.
    Import(ImportId, &'a mut GroupId, &'a mut Vec<String>),
}

impl RecipientSource {
    /// The text of a form's field `contacts`; `None` when there is nothing in it.
    pub fn text(text: String) -> Option<Self> {
        (!text.trim().is_empty()).then(|| Self::held_text(text.into_bytes()))
    }

    /// The same as it came, with something in it.
    pub fn held_text(text: Vec<u8>) -> Self {
        let options = IntakeOptions { form: true, ..IntakeOptions::default() };
        Self::held(options, text)
    }

    /// The text of a form's field `contacts` that is too long to be held, from where it was put meanwhile.
    pub fn spooled_text(reader: impl Read + Send + 'static) -> Self {
        let options = IntakeOptions { form: true, ..IntakeOptions::default() };
        Self(Origin::Bytes { options, reader: Box::new(reader), held: None })
    }

    /// An uploaded CSV or text file.
    pub fn file(reader: impl Read + Send + 'static) -> Self {
        Self(Origin::Bytes { options: IntakeOptions::default(), reader: Box::new(reader), held: None })
    }

    /// An uploaded file that is in memory.
    pub fn held_file(bytes: Vec<u8>) -> Self {
        Self::held(IntakeOptions::default(), bytes)
    }

    fn held(options: IntakeOptions, bytes: Vec<u8>) -> Self {
        let held = Some(bytes.len());
        Self(Origin::Bytes { options, reader: Box::new(Cursor::new(bytes)), held })
    }

    /// The same, of a file with these columns read as numbers; others are as they were.
    #[must_use]
    pub fn with_columns(mut self, names: &[String]) -> Self {
        if let Origin::Bytes { options, .. } = &mut self.0
            && !options.form
        {
            options.phone_columns = PhoneColumns { names: names.to_vec(), ..PhoneColumns::default() };
        }
        self
    }

    /// A group of contacts. The campaign service checks that it belongs to the form's owner.
    pub const fn group(id: GroupId) -> Self {
        Self(Origin::Group { id, columns: Vec::new() })
    }

    /// A list that is here already: `campaign:7`, the recipients of a campaign; `campaign:7:failed`, those of them whom it
    /// did not reach, or any status of a message in place of `failed`; `import:9`, the numbers of an import that are still
    /// in its group. The campaign service checks that it belongs to the form's owner.
    ///
    /// # Errors
    /// `bad_audience` for anything else.
    pub fn earlier(text: &str) -> Result<Self> {
        let mut parts = text.trim().split(':');
        let (kind, id, of) = (parts.next(), parts.next(), parts.next());
        let id = id.and_then(|id| id.parse().ok()).filter(|id| *id > 0);
        match (kind, id, of, parts.next()) {
            (Some("campaign"), Some(id), of, None) => {
                let of = of.map_or(Ok(OutcomeFilter::All), OutcomeFilter::parse)?;
                Ok(Self(Origin::Campaign { id: CampaignId(id), of, columns: Vec::new() }))
            }
            (Some("import"), Some(id), None, None) => {
                Ok(Self(Origin::Import { id: ImportId(id), group: GroupId::NONE, columns: Vec::new() }))
            }
            _ => Err(earlier::bad_audience(text)),
        }
    }

    /// The group, if it is one.
    pub(crate) const fn group_id(&self) -> Option<GroupId> {
        match &self.0 {
            Origin::Group { id, .. } => Some(*id),
            Origin::Bytes { .. } | Origin::Campaign { .. } | Origin::Import { .. } => None,
        }
    }

    /// What is to be looked up before it is read.
    pub(crate) const fn named(&mut self) -> Option<Named<'_>> {
        match &mut self.0 {
            Origin::Group { id, columns } => Some(Named::Group(*id, columns)),
            Origin::Campaign { id, columns, .. } => Some(Named::Campaign(*id, columns)),
            Origin::Import { id, group, columns } => Some(Named::Import(*id, group, columns)),
            Origin::Bytes { .. } => None,
        }
    }

    /// Whether all of them are in memory and few enough to be read on the spot, without a thread of their own. What is in the
    /// database never is: it is read by a thread that may wait.
    pub(crate) fn are_small(sources: &[Self]) -> bool {
        let held = |source: &Self| match source.0 {
            Origin::Bytes { held, .. } => held,
            Origin::Group { .. } | Origin::Campaign { .. } | Origin::Import { .. } => None,
        };
        let bytes: Option<usize> = sources.iter().map(held).sum();
        bytes.is_some_and(|bytes| bytes <= SMALL_BYTES)
    }

    /// Which source's values a number takes that is in several: a file's, then a group's or an earlier list's
    /// with values, then none.
    pub(crate) const fn rank(&self) -> u8 {
        match &self.0 {
            Origin::Bytes { options, .. } if options.form => 2,
            Origin::Campaign { columns, .. } if columns.is_empty() => 2,
            Origin::Group { .. } | Origin::Campaign { .. } | Origin::Import { .. } => 1,
            Origin::Bytes { .. } => 0,
        }
    }

    /// Reads everything into the collector and returns the SHA-256 of the bytes; of what is in the database, that of its id.
    pub(crate) fn collect(self, collector: &mut Collector, groups: &Reader) -> Result<[u8; 32]> {
        collector.begin_source();
        let wants_fields = collector.wants_fields();
        self.read(collector, groups, wants_fields, Collector::check)
    }

    /// Reads everything into a sink, of what is in the database also the fields if they are wanted. `check` says what went wrong there.
    pub(crate) fn read<S: Sink>(
        self,
        sink: &mut S,
        groups: &Reader,
        wants_fields: bool,
        check: impl Fn(&mut S) -> Result<()>,
    ) -> Result<[u8; 32]> {
        let (options, reader, held) = match self.0 {
            Origin::Bytes { options, reader, held } => (options, reader, held),
            Origin::Group { id, columns } => {
                groups.read(id, wants_fields.then_some(columns.as_slice()), sink, check)?;
                return Ok(group_digest(id));
            }
            Origin::Campaign { id, of, columns } => {
                earlier::read(groups, (id, of), wants_fields.then_some(columns.as_slice()), sink, check)?;
                return Ok(of.digest(id));
            }
            Origin::Import { id, group, columns } => {
                groups.read_import((id, group), wants_fields.then_some(columns.as_slice()), sink, check)?;
                return Ok(import_digest(id));
            }
        };
        let columns = options.phone_columns.names.clone();
        let mut intake = Intake::new(options);
        let digest = read_all(reader, held, |bytes| {
            intake.feed(bytes, sink);
            check(sink)
        })?;
        intake.finish(sink)?;
        check(sink)?;
        Ok(with_columns(digest, &columns))
    }

    /// Reads everything for its SHA-256 alone.
    pub(crate) fn digest(self) -> Result<[u8; 32]> {
        match self.0 {
            Origin::Bytes { options, reader, held } => {
                let digest = read_all(reader, held, |_| Ok(()))?;
                Ok(with_columns(digest, &options.phone_columns.names))
            }
            Origin::Group { id, .. } => Ok(group_digest(id)),
            Origin::Campaign { id, of, .. } => Ok(of.digest(id)),
            Origin::Import { id, .. } => Ok(import_digest(id)),
        }
    }
}

/// A group is known by its id: what it holds is fixed by the quote, as what a form says is by the form.
fn group_digest(id: GroupId) -> [u8; 32] {
    Sha256::new().chain_update(b"talkdrum group 1").chain_update(id.0.to_be_bytes()).finalize().into()
}

/// As a group.
fn import_digest(id: ImportId) -> [u8; 32] {
    Sha256::new().chain_update(b"talkdrum import 1").chain_update(id.0.to_be_bytes()).finalize().into()
}

/// The same file with other columns read is another source.
fn with_columns(file: [u8; 32], columns: &[String]) -> [u8; 32] {
    if columns.is_empty() {
        return file;
    }
    let digest = Sha256::new().chain_update(b"talkdrum columns 1").chain_update(file);
    let each = columns.iter().fold(digest, |digest, column| {
        digest.chain_update((column.len() as u64).to_be_bytes()).chain_update(column)
    });
    each.finalize().into()
}

fn read_all(
    mut reader: impl Read,
    held: Option<usize>,
    mut take: impl FnMut(&[u8]) -> Result<()>,
) -> Result<[u8; 32]> {
    let mut buffer = vec![0; held.unwrap_or(STEP).clamp(1, STEP)];
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

impl fmt::Debug for RecipientSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Origin::Bytes { options, .. } => {
                f.debug_struct("Source").field("options", options).finish_non_exhaustive()
            }
            Origin::Group { id, .. } => {
                f.debug_struct("Source").field("group", &id.0).finish_non_exhaustive()
            }
            Origin::Campaign { id, of, .. } => {
                f.debug_struct("Source").field("campaign", id).field("of", of).finish_non_exhaustive()
            }
            Origin::Import { id, .. } => {
                f.debug_struct("Source").field("import", &id.0).finish_non_exhaustive()
            }
        }
    }
}
