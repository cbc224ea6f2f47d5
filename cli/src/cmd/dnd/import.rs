//! `talkdrum dnd import`.
//!
//! A list of millions is sent in pieces, cut at line ends: putting a number on the list twice changes nothing, so a
//! broken import is simply run again. A list that replaces another is read twice: it is counted before anything is
//! removed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::Path;

use serde_json::json;
use talkdrum_api::dnd::{DndImported, DndNumbers, shrinks};
use talkdrum_core::phone::{Fields, Msisdn, RejectReason, Seen, Sink, extract};

use crate::args::ImportDndArgs;
use crate::client::{Answer, Client};
use crate::cmd::Context;
use crate::exit::{Exit, Failure, Result};
use crate::form::can_ask;
use crate::output::{is_stdin, to_json};

/// A piece is about so long, in bytes; a body may have a mebibyte.
const PIECE: usize = 512 * 1024;

/// What a list holds.
#[derive(Default)]
struct Count {
    seen: Seen,
    /// Numbers, each once.
    numbers: i64,
    /// Entries that are no number.
    invalid: i64,
}

impl Sink for Count {
    fn columns(&mut self, _columns: &[String]) {}

    fn recipient(&mut self, _line: u64, number: Msisdn, _fields: Fields<'_>) {
        self.numbers += i64::from(self.seen.insert(number));
    }

    fn reject(&mut self, _line: u64, _text: &str, _reason: RejectReason) {
        self.invalid += 1;
    }
}

/// Sends the numbers of a file.
pub(crate) async fn run(context: &Context, args: ImportDndArgs) -> Result<Exit> {
    let client = context.client()?;
    let mut source = open(&args.file)?;
    if !args.replace && !args.dry_run {
        return send(context, &client, source, None).await;
    }
    let mut again = rereadable(source).map_err(|error| broken(&error))?;
    let mut count = Count::default();
    each_piece(&mut again, |piece| {
        let _ = extract(piece, &mut count);
    })?;
    if count.numbers == 0 {
        return Err(Failure::failed(format!(
            "there is no valid number in {} ({} entries are no numbers): nothing was changed",
            args.file.display(),
            count.invalid
        )));
    }
    let held = client.get::<DndNumbers>("/admin/dnd", &[("per_page", "1".to_owned())]).await?.value.total;
    let shrinks = args.replace && shrinks(held, count.numbers);
    if args.dry_run {
        let does = if args.replace { "would take the place of" } else { "would be added to" };
        let text = format!(
            "{} numbers {does} the {held} on the list; {} entries are no numbers",
            count.numbers, count.invalid
        );
        let json =
            json!({ "numbers": count.numbers, "invalid": count.invalid, "held": held, "shrinks": shrinks });
        context.out.done(&json.to_string(), &text)?;
        return Ok(Exit::Done);
    }
    if shrinks && !args.allow_shrink {
        confirm(context, &args.file, held, &count)?;
    }
    again.rewind().map_err(|error| broken(&error))?;
    source = again;
    send(context, &client, source, Some(shrinks)).await
}

/// Asks whether a list may shrink.
fn confirm(context: &Context, file: &Path, held: i64, count: &Count) -> Result<()> {
    let text = format!("The list would shrink from {held} to {} numbers", count.numbers);
    if !can_ask() || is_stdin(&file.to_string_lossy()) {
        return Err(Failure::refused(format!("{text}: nothing was changed"))
            .hint("--allow-shrink replaces it all the same, --dry-run shows what it would come to"));
    }
    match context.confirm(&format!("{text} ({} entries are no numbers). Replace it?", count.invalid))? {
        true => Ok(()),
        false => Err(Failure::failed("not confirmed: nothing was changed")),
    }
}

fn open(path: &Path) -> Result<File> {
    let opened = if is_stdin(&path.to_string_lossy()) { crate::form::stdin_file() } else { File::open(path) };
    opened.map_err(|error| Failure::usage(format!("{} cannot be read: {error}", path.display())))
}

/// The same bytes in a file that can be read twice.
fn rereadable(mut source: File) -> io::Result<File> {
    // What is left of a file that was opened by others, such as stdin, begins where they stopped.
    let mut copy = tempfile::tempfile()?;
    if source.metadata()?.is_file() && source.stream_position()? == 0 {
        return Ok(source);
    }
    io::copy(&mut source, &mut copy)?;
    copy.rewind()?;
    Ok(copy)
}

fn broken(error: &io::Error) -> Failure {
    Failure::usage(format!("the list breaks off: {error}"))
}

/// Hands out a list in pieces of whole lines.
fn each_piece(source: &mut impl Read, mut take: impl FnMut(&str)) -> Result<()> {
    let mut pieces = Pieces::of(source);
    while let Some(piece) = pieces.next()? {
        take(&piece);
    }
    Ok(())
}

struct Pieces<R> {
    lines: BufReader<R>,
}

impl<R: Read> Pieces<R> {
    fn of(source: R) -> Self {
        Self { lines: BufReader::new(source) }
    }

    /// The next lines, about [`PIECE`] bytes of them.
    fn next(&mut self) -> Result<Option<String>> {
        let mut piece = String::new();
        while piece.len() < PIECE {
            if self.lines.read_line(&mut piece).map_err(|error| broken(&error))? == 0 {
                break;
            }
        }
        Ok((!piece.is_empty()).then_some(piece))
    }
}

/// Sends a list; `replaces` the one there is, and says whether that may shrink it.
async fn send(context: &Context, client: &Client, source: File, replaces: Option<bool>) -> Result<Exit> {
    let mut pieces = Pieces::of(source);
    let (mut next, mut replace) = (pieces.next()?, replaces.is_some());
    let mut sum: Option<DndImported> = None;
    let mut skipped = 0;
    while let Some(piece) = next {
        next = pieces.next()?;
        let mut count = Count::default();
        let _ = extract(&piece, &mut count);
        if count.numbers == 0 {
            skipped += count.invalid;
            continue;
        }
        // The first of several pieces is smaller than the list that they make.
        let allow_shrink = replace && (replaces == Some(true) || next.is_some());
        let body = json!({ "numbers": piece, "replace": replace, "allow_shrink": allow_shrink });
        let answer: Answer<DndImported> = client.post("/admin/dnd", &body, None).await?;
        replace = false;
        sum = Some(match sum {
            None => answer.value,
            Some(before) => DndImported {
                total_read: before.total_read + answer.value.total_read,
                total_invalid: before.total_invalid + answer.value.total_invalid,
                ..answer.value
            },
        });
        context.interruption.means("part of the list was imported: run it again");
    }
    let Some(mut sum) = sum else {
        return Err(Failure::usage("there is no number in the list"));
    };
    context.interruption.means("");
    sum.total_invalid += skipped;
    if sum.total_invalid > 0 {
        context.out.warn(&format!("{} entries are no numbers and were left out", sum.total_invalid));
    }
    let text = format!("{} numbers are on the Do-Not-Disturb list", sum.total);
    context.out.done(&to_json(&sum)?, &text)?;
    Ok(Exit::Done)
}
