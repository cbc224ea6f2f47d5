//! `talkdrum dnd import`.
//!
//! A list of millions is sent in pieces, cut at line ends: putting a number on the list twice changes nothing, so a
//! broken import is simply run again. What is a number is the daemon's to say: it counts a list before that replaces
//! another one, unless the list may shrink anyway, and refuses pieces without a number.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::Path;

use reqwest::multipart::Form;
use serde_json::json;
use talkdrum_api::campaign::RecipientsCheck;
use talkdrum_api::code;
use talkdrum_api::dnd::{DndImported, DndNumbers, shrinks};
use talkdrum_api::query::PageQuery;

use crate::args::ImportDndArgs;
use crate::client::{Answer, CallError, Client};
use crate::cmd::Context;
use crate::exit::{Code, Exit, Failure, Result};
use crate::form::{can_ask, text_part};
use crate::output::{is_stdin, to_json};
use crate::progress::Upload;

/// A piece is about so long, in bytes; a body may have a mebibyte.
const PIECE: usize = 512 * 1024;

/// What a list holds.
#[derive(Debug, Default)]
struct Count {
    /// Numbers, each once.
    numbers: i64,
    /// Entries that are no number.
    invalid: i64,
}

/// How a list takes the place of another.
#[derive(Clone, Copy, Debug)]
struct Replacement<'a> {
    /// The list's file.
    file: &'a Path,
    /// Whether the list on the daemon may shrink by much.
    may_shrink: bool,
}

/// Sends the numbers of a file.
pub(crate) async fn run(context: &Context, args: ImportDndArgs) -> Result<Exit> {
    let client = context.client()?;
    let source = open(&args.file)?;
    if !args.replace && !args.dry_run {
        return send(context, &client, source, None).await;
    }
    let mut source = rereadable(source).map_err(|error| broken(&error))?;
    check(&mut source)?;
    let replacement = |may_shrink| Replacement { file: &args.file, may_shrink };
    if args.allow_shrink && !args.dry_run {
        return send(context, &client, source, Some(replacement(true))).await;
    }
    let count = count(context, &client, &source).await?;
    if count.numbers == 0 {
        return Err(no_number(&args.file, count.invalid));
    }
    let one = PageQuery { per_page: Some("1".to_owned()), ..PageQuery::default() };
    let held = client.get::<DndNumbers>("/admin/dnd", &one).await?.value.total;
    let shrinks = args.replace && shrinks(held, count.numbers);
    if args.dry_run {
        let does = if args.replace { "would take the place of" } else { "would be added to" };
        let text = format!(
            "{} numbers {does} the {held} on the list; {} entries are no numbers",
            count.numbers, count.invalid
        );
        let json = json!({
            "total_valid": count.numbers, "total_invalid": count.invalid, "total": held, "shrinks": shrinks,
        });
        context.out.done(&json.to_string(), &text)?;
        return Ok(Exit::Done);
    }
    if shrinks {
        confirm(context, &args.file, held, &count)?;
    }
    source.rewind().map_err(|error| broken(&error))?;
    send(context, &client, source, Some(replacement(shrinks))).await
}

/// Asks the daemon what a list holds; nothing is kept of it.
async fn count(context: &Context, client: &Client, list: &File) -> Result<Count> {
    let size = list.metadata().map_err(|error| broken(&error))?.len();
    let list = list.try_clone().map_err(|error| broken(&error))?;
    let upload = Upload::new(Some(size), context.out.quiet);
    let form = Form::new().part("contacts", text_part(list, size, &upload));
    let answer: Result<Answer<RecipientsCheck>, _> =
        client.post_form("/api/recipients/check", form, None).await;
    upload.end();
    match answer {
        // Who opted out of messages is a number all the same.
        Ok(Answer { value, .. }) => {
            Ok(Count { numbers: value.total_contacts + value.total_suppressed, invalid: value.total_invalid })
        }
        Err(error) if is_refusal(&error, code::RECIPIENTS_REQUIRED) => Ok(Count::default()),
        Err(error) => Err(error.into()),
    }
}

fn is_refusal(error: &CallError, code: &str) -> bool {
    error.refusal().is_some_and(|(_, given)| given == code)
}

fn no_number(file: &Path, invalid: i64) -> Failure {
    Failure::failed(format!(
        "there is no valid number in {} ({invalid} entries are no numbers): nothing was changed",
        file.display()
    ))
}

/// Asks whether a list may shrink.
fn confirm(context: &Context, file: &Path, held: i64, count: &Count) -> Result<()> {
    let text = format!("The list would shrink from {held} to {} numbers", count.numbers);
    if !can_ask() || is_stdin(&file.to_string_lossy()) {
        return Err(Failure::refused(Code::Shrinks, format!("{text}: nothing was changed"))
            .hint("--allow-shrink replaces it all the same, --dry-run shows what it would come to"));
    }
    match context.confirm(&format!("{text} ({} entries are no numbers). Replace it?", count.invalid))? {
        true => Ok(()),
        false => Err(Failure::not_confirmed("nothing was changed")),
    }
}

fn open(path: &Path) -> Result<File> {
    let opened = if is_stdin(&path.to_string_lossy()) { crate::form::stdin_file() } else { File::open(path) };
    opened.map_err(|error| Failure::unreadable(path, &error))
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

/// Reads a list to its end, so that it does not break off when a part of it was sent.
fn check(source: &mut File) -> Result<()> {
    let mut pieces = Pieces::of(&mut *source);
    while pieces.next()?.is_some() {}
    source.rewind().map_err(|error| broken(&error))
}

fn broken(error: &io::Error) -> Failure {
    Failure::usage(format!("the list breaks off: {error}"))
}

/// A list in pieces of whole lines.
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

/// Sends a list, which is added to the one there is or takes its place.
async fn send(
    context: &Context,
    client: &Client,
    source: File,
    replaces: Option<Replacement<'_>>,
) -> Result<Exit> {
    let mut pieces = Pieces::of(source);
    let (mut next, mut replace) = (pieces.next()?, replaces.is_some());
    let mut sum: Option<DndImported> = None;
    let mut skipped = 0;
    while let Some(piece) = next {
        next = pieces.next()?;
        // The first of several pieces is smaller than the list that they make.
        let allow_shrink = replace && (replaces.is_some_and(|it| it.may_shrink) || next.is_some());
        let body = json!({ "numbers": piece, "replace": replace, "allow_shrink": allow_shrink });
        let answer: Answer<DndImported> = match client.post("/admin/dnd", &body, None).await {
            Err(error) if is_refusal(&error, code::NUMBERS_REQUIRED) => {
                skipped += entries(&piece);
                continue;
            }
            answer => answer?,
        };
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
        return Err(match replaces {
            Some(it) => no_number(it.file, skipped),
            None => Failure::usage("there is no number in the list"),
        });
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

/// How many entries a piece has of which none is a number: its lines.
fn entries(piece: &str) -> i64 {
    piece.lines().map(|line| i64::from(!line.trim().is_empty())).sum()
}
