//! Sorts the rows of a file by number, whatever its size, with bounded memory. The database then writes its index in
//! order, five times as fast as in the order of the file, and duplicate numbers are next to each other.
//!
//! Rows collect in memory; when there are too many, a thread sorts them and puts them on disk as a run, in a file without
//! a name, while others are taken; the runs are merged at the end, and on the way whenever there are [`RUNS_MERGED`], so
//! that few files are open. Rows come out in order of numbers, each number once, with the row of its first line, and no more
//! than two runs are in memory. On disk are at most twice the bytes that [`RunSpace`] allows, while runs are merged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek as _, Write};
use std::path::PathBuf;
use std::thread::JoinHandle;

use crate::error::{Error, Result};
use crate::store::operations::disk::DiskGuard;

/// Bytes of text in a run.
const TEXT_MAX: usize = 12 << 20;
/// Rows in a run.
const ROWS_MAX: usize = 150_000;
/// Runs of one level that are merged into one of the next. Three levels hold 390 GB in 93 files.
const RUNS_MERGED: usize = 32;
/// Buffers of the files.
const FILE_BUFFER: usize = 64 * 1024;
/// The disk is looked at before a run, and whenever so much of it was written.
const LOOK_BYTES: usize = 16 << 20;
/// Bytes of runs for each byte of the file: the fields of a row are kept with their names, and for each of its numbers.
/// Numbers alone take three, and usual tables four.
const RUN_BYTES_A_BYTE: u64 = 8;
/// Bytes of runs of a file however short it is.
const RUN_BYTES_FLOOR: u64 = 256 << 20;
/// Bytes of a row in a run beside its texts.
const ROW_HEAD_BYTES: usize = 28;

/// A row beside its number and line: three texts, one behind the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) number: u64,
    line: u64,
    lengths: [u32; 3],
    text: Vec<u8>,
}

impl Row {
    /// The text at `place`; `None` when it is empty.
    fn text(&self, place: usize) -> Option<String> {
        let start: usize = self.lengths.iter().take(place).map(|length| *length as usize).sum();
        let bytes = self.text.get(start..start + self.lengths[place] as usize)?;
        // They were text when they were put in.
        (!bytes.is_empty()).then(|| String::from_utf8_lossy(bytes).into_owned())
    }

    /// Bytes of its texts.
    pub(super) const fn bytes(&self) -> usize {
        self.text.len()
    }

    pub(super) fn name(&self) -> Option<String> {
        self.text(0)
    }

    pub(super) fn email(&self) -> Option<String> {
        self.text(1)
    }

    pub(super) fn fields(&self) -> Option<String> {
        self.text(2)
    }

    fn write(&self, out: &mut impl Write) -> std::io::Result<()> {
        out.write_all(&self.number.to_le_bytes())?;
        out.write_all(&self.line.to_le_bytes())?;
        for length in self.lengths {
            out.write_all(&length.to_le_bytes())?;
        }
        out.write_all(&self.text)
    }

    /// Reads the next row in place; false at the end.
    fn read(&mut self, from: &mut impl Read) -> std::io::Result<bool> {
        let mut head = [0; ROW_HEAD_BYTES];
        match from.read_exact(&mut head) {
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(false),
            read => read?,
        }
        let word =
            |at: usize| head[at..at + 4].iter().rev().fold(0_u32, |sum, byte| sum << 8 | u32::from(*byte));
        let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
        (self.number, self.line) = (long(0), long(8));
        self.lengths = [word(16), word(20), word(24)];
        let size = self.lengths.iter().map(|length| *length as usize).sum();
        self.text.resize(size, 0);
        from.read_exact(&mut self.text)?;
        Ok(true)
    }
}

/// Where a row's text begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    number: u64,
    line: u64,
    start: u32,
    lengths: [u32; 3],
}

/// Rows in memory.
#[derive(Debug, Default)]
struct Rows {
    text: Vec<u8>,
    entries: Vec<Entry>,
}

impl Rows {
    fn has_room_for(&self, size: usize) -> bool {
        self.entries.len() < ROWS_MAX && self.text.len() + size <= TEXT_MAX
    }

    fn push(&mut self, number: u64, line: u64, texts: [&str; 3]) {
        // A row is at most 64 KiB and the text of a run 12 MiB.
        let length = |size: usize| u32::try_from(size).unwrap_or(u32::MAX);
        let entry =
            Entry { number, line, start: length(self.text.len()), lengths: texts.map(|it| length(it.len())) };
        texts.iter().for_each(|text| self.text.extend_from_slice(text.as_bytes()));
        self.entries.push(entry);
    }

    fn sorted(mut self) -> InMemory {
        self.entries.sort_unstable();
        InMemory { rows: self, next: 0 }
    }

    /// Their bytes in a run.
    const fn run_bytes(&self) -> usize {
        self.text.len() + self.entries.len() * ROW_HEAD_BYTES
    }

    /// Writes them as a run, in order; what was allocated serves another.
    fn write(self, space: &RunSpace) -> Result<(File, Self)> {
        let mut sorted = self.sorted();
        let file = space.write(|| Ok(sorted.next()))?;
        let mut rows = sorted.rows;
        rows.text.clear();
        rows.entries.clear();
        Ok((file, rows))
    }
}

/// Where runs are written, and how many bytes the rows in them may have.
#[derive(Clone, Debug)]
pub(super) struct RunSpace {
    dir: PathBuf,
    disk: DiskGuard,
    bytes_max: u64,
}

impl RunSpace {
    /// The space in `dir` for the rows of a file of so many bytes.
    pub(super) fn new(dir: PathBuf, disk: DiskGuard, file_bytes: u64) -> Self {
        let bytes_max = file_bytes.saturating_mul(RUN_BYTES_A_BYTE).max(RUN_BYTES_FLOOR);
        Self { dir, disk, bytes_max }
    }

    /// Writes rows as a run, in a file without a name.
    fn write(&self, mut next: impl FnMut() -> Result<Option<Row>>) -> Result<File> {
        self.disk.check()?;
        let file = tempfile::tempfile_in(&self.dir).map_err(failed)?;
        let mut out = BufWriter::with_capacity(FILE_BUFFER, file);
        let mut unseen = 0;
        while let Some(row) = next()? {
            unseen += ROW_HEAD_BYTES + row.bytes();
            if unseen >= LOOK_BYTES {
                unseen = 0;
                self.disk.check()?;
            }
            row.write(&mut out).map_err(failed)?;
        }
        let mut file = out.into_inner().map_err(|error| failed(error.into_error()))?;
        file.rewind().map_err(failed)?;
        Ok(file)
    }

    fn check(&self, bytes: u64) -> Result<()> {
        if bytes <= self.bytes_max {
            return Ok(());
        }
        Err(Error::rule(
            "rows_too_large",
            format!(
                "The rows of the file have more than {} MiB with all their fields for each number: import it in parts, with \
                 fewer columns, or with one number a row",
                self.bytes_max >> 20
            ),
        ))
    }
}

/// Takes rows in any order.
#[derive(Debug)]
pub(super) struct Sorter {
    space: RunSpace,
    rows: Rows,
    /// The run that is being written.
    writing: Option<JoinHandle<Result<(File, Rows)>>>,
    /// Runs by level: those of the first hold rows as they came, each of the next one what [`RUNS_MERGED`] held.
    runs: Vec<Vec<File>>,
    /// Bytes of the rows that went into runs.
    spilled: u64,
    /// Rows that were left out while runs were merged.
    duplicates: u64,
}

impl Sorter {
    /// An empty one; runs go to `space`.
    pub(super) fn new(space: RunSpace) -> Self {
        Self { space, rows: Rows::default(), writing: None, runs: Vec::new(), spilled: 0, duplicates: 0 }
    }

    /// Takes a row.
    ///
    /// # Errors
    /// `rows_too_large`; `low_disk`; those of the files.
    pub(super) fn push(&mut self, number: u64, line: u64, texts: [&str; 3]) -> Result<()> {
        if !self.rows.has_room_for(texts.iter().map(|text| text.len()).sum()) {
            self.spill()?;
        }
        self.rows.push(number, line, texts);
        Ok(())
    }

    /// Has the rows written as a run, once the one before is.
    fn spill(&mut self) -> Result<()> {
        self.spilled = self.spilled.saturating_add(self.rows.run_bytes() as u64);
        self.space.check(self.spilled)?;
        let emptied = self.written()?;
        let (full, space) = (std::mem::replace(&mut self.rows, emptied), self.space.clone());
        self.writing = Some(std::thread::spawn(move || full.write(&space)));
        Ok(())
    }

    /// Waits for the run that is being written, and returns its memory.
    fn written(&mut self) -> Result<Rows> {
        let Some(writing) = self.writing.take() else { return Ok(Rows::default()) };
        let written = writing.join().map_err(|_| Error::Corrupt("sorting the contacts panicked".into()))?;
        let (file, emptied) = written?;
        self.keep(file)?;
        Ok(emptied)
    }

    /// Keeps a run, merged with the others of its level when they are many.
    fn keep(&mut self, mut run: File) -> Result<()> {
        let mut level = 0;
        loop {
            if level == self.runs.len() {
                self.runs.push(Vec::with_capacity(RUNS_MERGED));
            }
            self.runs[level].push(run);
            if self.runs[level].len() < RUNS_MERGED {
                return Ok(());
            }
            let mut merged = Sorted::of_runs(std::mem::take(&mut self.runs[level]))?;
            run = self.space.write(|| merged.next())?;
            self.duplicates += merged.duplicates;
            level += 1;
        }
    }

    /// The rows in order; this is empty after it.
    ///
    /// # Errors
    /// As of [`Self::push`].
    pub(super) fn finish(&mut self) -> Result<Sorted> {
        self.written()?;
        let rows = std::mem::take(&mut self.rows);
        let mut runs: Vec<File> = std::mem::take(&mut self.runs).into_iter().flatten().collect();
        let duplicates = std::mem::take(&mut self.duplicates);
        if runs.is_empty() {
            return Ok(Sorted { source: Source::Memory(rows.sorted()), last: 0, duplicates });
        }
        runs.push(rows.write(&self.space)?.0);
        Ok(Sorted { duplicates, ..Sorted::of_runs(runs)? })
    }
}

fn failed(error: std::io::Error) -> Error {
    Error::io("sorting the contacts", error)
}

#[derive(Debug)]
struct InMemory {
    rows: Rows,
    next: usize,
}

impl InMemory {
    fn next(&mut self) -> Option<Row> {
        let entry = self.rows.entries.get(self.next)?;
        self.next += 1;
        let start = entry.start as usize;
        let size: usize = entry.lengths.iter().map(|length| *length as usize).sum();
        let text = self.rows.text.get(start..start + size).unwrap_or_default().to_vec();
        Some(Row { number: entry.number, line: entry.line, lengths: entry.lengths, text })
    }
}

#[derive(Debug)]
struct Merge {
    runs: Vec<BufReader<File>>,
    heads: Vec<Row>,
    heap: BinaryHeap<Reverse<(u64, u64, usize)>>,
}

impl Merge {
    fn next(&mut self) -> std::io::Result<Option<Row>> {
        let Some(Reverse((.., run))) = self.heap.pop() else { return Ok(None) };
        let row = std::mem::take(&mut self.heads[run]);
        if self.heads[run].read(&mut self.runs[run])? {
            let head = &self.heads[run];
            self.heap.push(Reverse((head.number, head.line, run)));
        }
        Ok(Some(row))
    }
}

#[derive(Debug)]
enum Source {
    Memory(InMemory),
    Runs(Merge),
}

/// Rows in order of numbers, each number once.
#[derive(Debug)]
pub(super) struct Sorted {
    source: Source,
    last: u64,
    /// Rows whose number had been there.
    pub(super) duplicates: u64,
}

impl Sorted {
    /// What these runs hold.
    fn of_runs(runs: Vec<File>) -> Result<Self> {
        let mut merge = Merge { runs: Vec::new(), heads: Vec::new(), heap: BinaryHeap::new() };
        for file in runs {
            let mut reader = BufReader::with_capacity(FILE_BUFFER, file);
            let mut head = Row::default();
            if head.read(&mut reader).map_err(failed)? {
                merge.heap.push(Reverse((head.number, head.line, merge.runs.len())));
            }
            merge.runs.push(reader);
            merge.heads.push(head);
        }
        Ok(Self { source: Source::Runs(merge), last: 0, duplicates: 0 })
    }

    /// The next row.
    pub(super) fn next(&mut self) -> Result<Option<Row>> {
        loop {
            let row = match &mut self.source {
                Source::Memory(rows) => rows.next(),
                Source::Runs(merge) => merge.next().map_err(failed)?,
            };
            match row {
                // No number is zero.
                Some(row) if row.number == self.last => self.duplicates += 1,
                Some(row) => {
                    self.last = row.number;
                    return Ok(Some(row));
                }
                None => return Ok(None),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut sorted: Sorted) -> (Vec<(u64, Option<String>)>, u64) {
        let mut rows = Vec::new();
        while let Some(row) = sorted.next().unwrap() {
            rows.push((row.number, row.name()));
        }
        (rows, sorted.duplicates)
    }

    fn space(dir: &std::path::Path) -> RunSpace {
        RunSpace::new(dir.into(), DiskGuard::new(dir, 0), 0)
    }

    #[test]
    fn rows_come_out_by_number_each_once_as_its_first_line_has_it() {
        let mut sorter = Sorter::new(space(&std::env::temp_dir()));
        for (line, (number, name)) in [(7, "a"), (3, "b"), (7, "c"), (5, "")].into_iter().enumerate() {
            sorter.push(number, line as u64, [name, "e", "f"]).unwrap();
        }
        let named = |text: &str| Some(text.to_owned());
        assert_eq!(all(sorter.finish().unwrap()), (vec![(3, named("b")), (5, None), (7, named("a"))], 1));
    }

    #[test]
    fn runs_on_disk_come_out_as_if_they_had_stayed_in_memory_and_few_are_open() {
        let dir = tempfile::tempdir().unwrap();
        let (mut spilled, mut held) = (Sorter::new(space(dir.path())), Sorter::new(space(dir.path())));
        for line in 0..3_000_u64 {
            let number = line * 7_919 % 400 + 1;
            let name = format!("name {line}");
            for sorter in [&mut spilled, &mut held] {
                sorter.push(number, line, [&name, "", "{}"]).unwrap();
            }
            if line % 30 == 29 {
                spilled.spill().unwrap();
            }
        }
        drop(spilled.written().unwrap());
        assert_eq!(
            spilled.runs.iter().map(Vec::len).collect::<Vec<_>>(),
            [100 % RUNS_MERGED, 100 / RUNS_MERGED]
        );
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "runs have no name");
        let expected = all(held.finish().unwrap());
        assert_eq!((expected.0.len(), expected.1), (400, 2_600));
        assert_eq!(all(spilled.finish().unwrap()), expected);
    }

    #[test]
    fn runs_of_more_bytes_than_the_file_may_become_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::new(RunSpace { bytes_max: 10_000, ..space(dir.path()) });
        let fields = "x".repeat(972);
        let mut spill = |line: u64| {
            for number in 0..4 {
                sorter.push(number + 1, line, ["", "", &fields])?;
            }
            sorter.spill()
        };
        spill(1).unwrap();
        spill(2).unwrap();
        let refused = spill(3).unwrap_err();
        assert_eq!(refused.code(), "rows_too_large");
        assert!(refused.to_string().contains("with one number a row"), "{refused}");
        let usual = RunSpace::new(dir.path().into(), DiskGuard::new(dir.path(), 0), 100 << 20);
        assert_eq!(usual.bytes_max, 800 << 20);
    }
}
