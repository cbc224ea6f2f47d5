//! Reading a file on a thread that may wait: intake, sorting, and out in batches.
//!
//! Memory is that of one run and a few batches; the consumer of the batches sets the pace.

use std::io::Read;

use talkdrum_api::purpose::OptOutReach;
use tokio::sync::mpsc;

use super::columns::{Details, Layout, Mapping};
use super::sort::{RunSpace, Sorter};
use crate::contact::field;
use crate::error::{Error, Result};
use crate::model::contact::FileColumns;
use crate::phone::{Intake, IntakeOptions, Msisdn, PhoneColumns, RejectReason, RowFields, Sink};
use crate::store::Dialect;
use crate::store::contact::ContactBatch;
use crate::store::contact::import::{ImportRejectRow, Reading};

/// Bytes read at a time.
const STEP: usize = 64 * 1024;
/// Contacts of a batch: some tens of milliseconds of the one writer, and a commit.
pub(super) const BATCH: usize = 10_000;
/// Bytes of the texts of a batch. A few batches are in memory at once, and one in a transaction.
const BATCH_BYTES: usize = 2 << 20;
/// What a row with fields counts at least where a contact may be there: a contact's own fields are read and written with
/// those of the row, and are as long at most.
const CHANGED_BYTES: usize = field::BYTES_MAX;
/// Rejects that are kept; the others are only counted.
const REJECTS_KEPT: u64 = 100_000;
/// Rejects handed over at a time.
const REJECTS_AT_ONCE: usize = 2_000;
/// Characters of a rejected entry that are kept.
const VALUE_CHARACTERS: usize = 64;
/// Rows between two signs of life.
const ROWS_BETWEEN_SIGNS: i64 = 100_000;
/// The code of a contact that was taken without its address.
pub(super) const BROKEN_EMAIL: &str = "broken_email";
/// The code of an opt-out that says of itself what is no reach.
pub(super) const BAD_REACH: &str = "bad_reach";
/// What marks the line of an opt-out that ends less than another may.
const NARROW: u64 = 1 << 63;
/// Numbers of one row of a table that become contacts: each of them is kept with all the fields of the row.
pub(super) const ROW_NUMBERS_MAX: u64 = 16;
/// The code of a number beyond them.
pub(super) const TOO_MANY_NUMBERS: &str = "too_many_numbers";

/// What is handed over.
#[derive(Debug)]
pub(super) enum Step {
    /// Which column was taken for what, and the names of the merge fields.
    Columns(Box<FileColumns>),
    /// How far reading is.
    Reading(Reading),
    /// Entries that could not be taken; the ordinal of the first.
    Rejects(i64, Vec<ImportRejectRow>),
    /// Contacts in order of numbers.
    Contacts(ContactBatch),
}

/// What becomes of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowUse {
    /// Contacts, made ready for the database that takes them.
    Contacts {
        /// That database's.
        dialect: Dialect,
        /// Whether the group has contacts already, so that rows may change some.
        is_filled: bool,
    },
    /// Opt-outs: numbers and which messages each ends, and nothing else of the file, each stored with a note of so many bytes.
    OptOuts {
        /// Which messages those end that do not say it. The others have theirs in the place of a name.
        reach: OptOutReach,
        /// The length of the note.
        note_bytes: usize,
    },
}

impl RowUse {
    /// What a row of so many bytes counts towards [`BATCH_BYTES`]: also what its write may have to change.
    fn bytes_of(self, bytes: usize, has_fields: bool) -> usize {
        match self {
            Self::Contacts { is_filled: true, .. } if has_fields => bytes.max(CHANGED_BYTES),
            Self::Contacts { .. } => bytes,
            Self::OptOuts { note_bytes, .. } => bytes + note_bytes,
        }
    }
}

/// What is to be read, and how.
pub(super) struct Reader {
    pub(super) source: Box<dyn Read + Send>,
    pub(super) mapping: Mapping,
    /// Where long files are sorted.
    pub(super) space: RunSpace,
    /// Numbers up to this one are left out: they are written.
    pub(super) after: u64,
    pub(super) row_use: RowUse,
}

/// Reads everything, and hands it over.
pub(super) fn read(reader: Reader, outlet: mpsc::Sender<Step>) -> Result<()> {
    let Reader { mut source, mapping, space, after, row_use } = reader;
    let phone_columns = PhoneColumns { names: mapping.phone.clone(), field: "phone_column" };
    let options = IntakeOptions { phone_columns, ..IntakeOptions::default() };
    let mut intake = Intake::new(options);
    let mut taker = Taker::new(mapping, row_use, Sorter::new(space), outlet);
    let mut buffer = vec![0; STEP];
    loop {
        let bytes = match source.read(&mut buffer) {
            Ok(0) => break,
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Error::io("reading the file", error)),
        };
        intake.feed(&buffer[..bytes], &mut taker);
        taker.check()?;
    }
    let summary = intake.finish(&mut taker)?;
    taker.phones = summary.phone_columns;
    taker.unread = summary.unread_columns;
    taker.so_far.rows = summary.rows.cast_signed();
    taker.finish(after)
}

/// Takes what the intake finds.
struct Taker {
    mapping: Mapping,
    layout: Layout,
    row_use: RowUse,
    /// Whether numbers come with the fields of their row.
    is_table: bool,
    /// The line of the row at hand, and how many numbers it gave.
    row: (u64, u64),
    /// The columns with the numbers.
    phones: Vec<String>,
    /// Columns that hold numbers, too.
    unread: Vec<String>,
    sorter: Sorter,
    details: Details,
    so_far: Reading,
    rejects: Vec<ImportRejectRow>,
    rejects_kept: u64,
    outlet: mpsc::Sender<Step>,
    failed: Option<Error>,
}

impl Taker {
    fn new(mapping: Mapping, row_use: RowUse, sorter: Sorter, outlet: mpsc::Sender<Step>) -> Self {
        Self {
            mapping,
            layout: Layout::default(),
            row_use,
            is_table: false,
            row: (0, 0),
            phones: Vec::new(),
            unread: Vec::new(),
            sorter,
            details: Details::default(),
            so_far: Reading::default(),
            rejects: Vec::new(),
            rejects_kept: 0,
            outlet,
            failed: None,
        }
    }

    fn check(&mut self) -> Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// Hands something over; fails when the receiver is gone.
    fn send(&self, step: Step) -> Result<()> {
        // The task that writes has failed and reports why; this error only stops the reader.
        self.outlet
            .blocking_send(step)
            .map_err(|_| Error::unavailable("import_stopped", "The import was stopped"))
    }

    fn keep_reject(&mut self, line: u64, value: &str, code: &str) {
        if self.rejects_kept == REJECTS_KEPT {
            return;
        }
        self.rejects_kept += 1;
        let shown = |sign: char| if sign.is_control() { char::REPLACEMENT_CHARACTER } else { sign };
        self.rejects.push(ImportRejectRow {
            line: line.cast_signed(),
            value: value.chars().take(VALUE_CHARACTERS).map(shown).collect(),
            code: code.to_owned(),
        });
        if self.rejects.len() == REJECTS_AT_ONCE
            && let Err(error) = self.send_rejects()
        {
            self.failed.get_or_insert(error);
        }
    }

    fn send_rejects(&mut self) -> Result<()> {
        let rejects = std::mem::take(&mut self.rejects);
        if rejects.is_empty() {
            return Ok(());
        }
        let from = self.rejects_kept.cast_signed() - rejects.len() as i64;
        self.send(Step::Rejects(from, rejects))
    }

    fn send_contacts(&self, batch: ContactBatch) -> Result<()> {
        if let RowUse::Contacts { dialect, .. } = self.row_use {
            batch.ready(dialect);
        }
        self.send(Step::Contacts(batch))
    }

    fn count_row(&mut self) {
        self.so_far.rows += 1;
        if self.so_far.rows % ROWS_BETWEEN_SIGNS == 0
            && let Err(error) = self.send(Step::Reading(self.so_far.clone()))
        {
            self.failed.get_or_insert(error);
        }
    }

    fn take(&mut self, line: u64, number: Msisdn, fields: RowFields<'_>) -> Result<()> {
        self.layout.see_first(&fields);
        if let RowUse::OptOuts { reach: usual, .. } = self.row_use {
            let Ok(reach) = self.layout.reach(&fields) else {
                self.so_far.invalid += 1;
                self.keep_reject(line, &number.to_string(), BAD_REACH);
                return Ok(());
            };
            let reach = reach.unwrap_or(usual);
            // Of a number that comes twice the first row is taken: what ends more comes before what ends less.
            let line = if reach == OptOutReach::Promotional { line | NARROW } else { line };
            let own = if reach == usual { "" } else { reach.code() };
            return self.sorter.push(number.digits(), line, [own, "", ""]);
        }
        self.row = if self.row.0 == line { (line, self.row.1 + 1) } else { (line, 1) };
        if self.is_table && self.row.1 > ROW_NUMBERS_MAX {
            self.so_far.invalid += 1;
            self.keep_reject(line, &number.to_string(), TOO_MANY_NUMBERS);
            return Ok(());
        }
        self.layout.read(&fields, &mut self.details);
        if field::is_too_long(&self.details.fields) {
            self.so_far.invalid += 1;
            self.keep_reject(line, &number.to_string(), field::TOO_LONG);
            return Ok(());
        }
        if self.details.broken_email {
            self.so_far.warnings += 1;
            self.keep_reject(line, &number.to_string(), BROKEN_EMAIL);
        }
        let Details { name, email, fields, .. } = &self.details;
        self.sorter.push(number.digits(), line, [name, email, fields])
    }

    fn finish(mut self, after: u64) -> Result<()> {
        self.check()?;
        self.send_rejects()?;
        let keeps_fields = matches!(self.row_use, RowUse::Contacts { .. });
        let columns = self.layout.shown(&self.phones, &self.unread, keeps_fields);
        self.send(Step::Columns(Box::new(columns)))?;
        let read = self.so_far.rows;
        // Signs of life on the way counted entries; a row may hold several.
        let mut rows = self.sorter.finish()?;
        let (mut batch, mut bytes) = (ContactBatch::default(), 0);
        let mut valid = 0;
        while let Some(row) = rows.next()? {
            valid += 1;
            if row.number <= after {
                continue;
            }
            let fields = row.fields();
            let size = self.row_use.bytes_of(row.bytes(), fields.is_some());
            if batch.len() == BATCH || (!batch.is_empty() && bytes + size > BATCH_BYTES) {
                self.send_contacts(std::mem::take(&mut batch))?;
                bytes = 0;
            }
            bytes += size;
            batch.numbers.push(row.number.cast_signed());
            batch.names.push(row.name());
            batch.emails.push(row.email());
            batch.fields.push(fields);
        }
        if !batch.is_empty() {
            self.send_contacts(batch)?;
        }
        let duplicates = rows.duplicates.cast_signed();
        self.send(Step::Reading(Reading { rows: read, duplicates, valid, ..self.so_far.clone() }))
    }
}

impl Sink for Taker {
    fn columns(&mut self, columns: &[String]) {
        self.is_table = true;
        match Layout::decide(columns, &self.mapping) {
            Ok(layout) => self.layout = layout,
            Err(error) => {
                self.failed.get_or_insert(error);
            }
        }
    }

    fn recipient(&mut self, line: u64, number: Msisdn, fields: RowFields<'_>) {
        if self.failed.is_some() {
            return;
        }
        self.count_row();
        if let Err(error) = self.take(line, number, fields) {
            self.failed.get_or_insert(error);
        }
    }

    fn reject(&mut self, line: u64, text: &str, reason: RejectReason) {
        if self.failed.is_some() {
            return;
        }
        self.count_row();
        self.so_far.invalid += 1;
        self.keep_reject(line, text, reason.code());
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::store::operations::disk::DiskGuard;

    /// What is handed over of a file.
    fn steps_of(file: String, row_use: RowUse) -> Vec<Step> {
        let dir = tempfile::tempdir().unwrap();
        let (outlet, mut steps) = mpsc::channel(1_000);
        let reader = Reader {
            source: Box::new(Cursor::new(file)),
            mapping: Mapping::default(),
            space: RunSpace::new(dir.path().to_owned(), DiskGuard::new(dir.path(), 0), 0),
            after: 0,
            row_use,
        };
        read(reader, outlet).unwrap();
        std::iter::from_fn(|| steps.try_recv().ok()).collect()
    }

    /// The batches that are handed over of a file, and the codes of the rejects.
    fn handed_over(file: String, row_use: RowUse) -> (Vec<ContactBatch>, Vec<String>) {
        let (mut batches, mut codes) = (Vec::new(), Vec::new());
        for step in steps_of(file, row_use) {
            match step {
                Step::Contacts(batch) => batches.push(batch),
                Step::Rejects(_, rejects) => codes.extend(rejects.into_iter().map(|reject| reject.code)),
                Step::Columns(_) | Step::Reading(_) => {}
            }
        }
        (batches, codes)
    }

    /// Rows with a name, an address and so many fields of so many signs.
    fn rows(rows: u64, fields: usize, signs: usize) -> String {
        let titles: Vec<String> = (0..fields).map(|field| format!("field{field}")).collect();
        let values = vec!["x".repeat(signs); fields].join(",");
        let rows = (0..rows).map(|row| format!("{},Ada,ada@example.com,{values}\n", 2_348_030_000_000 + row));
        format!("Phone,Name,Email,{}\n{}", titles.join(","), rows.collect::<String>())
    }

    #[test]
    fn of_opt_outs_the_numbers_alone_are_kept() {
        let (batches, _) =
            handed_over(rows(10, 20, 1_000), RowUse::OptOuts { reach: OptOutReach::All, note_bytes: 0 });
        assert_eq!(batches.iter().map(ContactBatch::len).sum::<usize>(), 10);
        for batch in batches {
            let texts = batch.names.iter().chain(&batch.emails).chain(&batch.fields);
            assert_eq!(texts.flatten().count(), 0);
        }
    }

    #[test]
    fn a_column_says_of_each_opt_out_what_it_ends_and_the_wider_of_two_is_taken() {
        let file = "Phone,Reach\n08031111111,promotional\n08031111112, ALL \n08031111113,\n08031111114,none\n\
                    08031111111,all\n08031111112,promotional\n";
        let taken = |reach: OptOutReach| {
            let (batches, codes) = handed_over(file.to_owned(), RowUse::OptOuts { reach, note_bytes: 0 });
            assert_eq!(codes, [BAD_REACH]);
            let rows = batches.into_iter().flat_map(|batch| batch.numbers.into_iter().zip(batch.names));
            rows.map(|(number, own)| (number % 10, own)).collect::<Vec<_>>()
        };
        let all = || Some("all".to_owned());
        assert_eq!(taken(OptOutReach::All), [(1, None), (2, None), (3, None)]);
        assert_eq!(taken(OptOutReach::Promotional), [(1, all()), (2, all()), (3, None)]);
    }

    #[test]
    fn a_batch_is_full_by_its_bytes_too() {
        let (batches, _) =
            handed_over(rows(3_000, 4, 900), RowUse::Contacts { dialect: Dialect::Sqlite, is_filled: false });
        assert_eq!(batches.iter().map(ContactBatch::len).sum::<usize>(), 3_000);
        for batch in &batches {
            let texts = batch.names.iter().chain(&batch.emails).chain(&batch.fields).flatten();
            let bytes: usize = texts.map(String::len).sum();
            assert!(bytes <= 2 << 20, "{bytes}");
        }
        assert!(batches.len() < 10, "{}", batches.len());
    }

    #[test]
    fn a_batch_for_contacts_that_are_there_leaves_room_for_the_fields_they_have() {
        let lengths = |file: String, is_filled: bool| {
            let (batches, _) = handed_over(file, RowUse::Contacts { dialect: Dialect::Sqlite, is_filled });
            batches.iter().map(ContactBatch::len).collect::<Vec<_>>()
        };
        assert_eq!(lengths(rows(1_200, 1, 1), true), [512, 512, 176]);
        assert_eq!(lengths(rows(1_200, 1, 1), false), [1_200], "of new contacts there are no other fields");
        assert_eq!(lengths(rows(1_200, 0, 0), true), [1_200], "without fields none are changed");
    }

    #[test]
    fn what_is_kept_of_the_columns_is_short() {
        let titles: Vec<String> = (0..50).map(|n| format!("home\u{7} {n} {}", "x".repeat(40))).collect();
        let row = ["08031234567"; 50].join(",");
        let row = format!("08051234567,ada@example.com,{row}\n").repeat(3);
        let file = format!("Phone,Email,{}\n{row}", titles.join(","));
        let columns = |row_use| {
            let found = steps_of(file.clone(), row_use).into_iter().find_map(|step| match step {
                Step::Columns(columns) => Some(*columns),
                _ => None,
            });
            found.unwrap()
        };
        let of_group = columns(RowUse::Contacts { dialect: Dialect::Sqlite, is_filled: false });
        assert_eq!(of_group.unread.len(), 20);
        assert!(of_group.unread.iter().all(|title| !title.contains('\u{7}')), "{:?}", of_group.unread);
        assert_eq!(of_group.fields.len(), 50, "the merge fields of the group");
        let of_opt_outs = columns(RowUse::OptOuts { reach: OptOutReach::All, note_bytes: 0 });
        assert_eq!((of_opt_outs.unread.len(), of_opt_outs.fields.len()), (20, 0));
    }

    #[test]
    fn a_row_of_a_table_is_the_contacts_of_sixteen_numbers_at_most() {
        let numbers: Vec<String> = (0..20).map(|n| (2_348_030_000_000_u64 + n).to_string()).collect();
        let numbers = numbers.join(",");
        let counted = |file: &str, row_use: RowUse| {
            let (batches, codes) = handed_over(file.to_owned(), row_use);
            (batches.iter().map(ContactBatch::len).sum::<usize>(), codes)
        };
        let table = format!("Phone,Name\n\"{numbers}\",Ada\n08051234567,Bisi\n");
        let contacts = RowUse::Contacts { dialect: Dialect::Sqlite, is_filled: false };
        assert_eq!(counted(&table, contacts), (17, vec![TOO_MANY_NUMBERS.to_owned(); 4]));
        // Numbers alone take no more room than their text.
        assert_eq!(
            counted(&table, RowUse::OptOuts { reach: OptOutReach::All, note_bytes: 0 }),
            (21, Vec::new())
        );
        assert_eq!(counted(&numbers, contacts), (20, Vec::new()));
    }
}
