//! How anything long is downloaded: streamed, see [`OutputFile`].

use std::path::Path;

use futures::{Stream, TryStreamExt};

use crate::args::Format;
use crate::client::{CallError, Client};
use crate::cmd::Context;
use crate::exit::{Failure, Result};
use crate::output::{OutputFile, refuse_existing};
use crate::progress::Upload;
use crate::query::Query;

/// Exports are CSV: another format that was asked for is refused, rather than given another.
pub(crate) fn require_csv(context: &Context) -> Result<()> {
    match context.out.format {
        Format::Table | Format::Csv => Ok(()),
        Format::Json | Format::Jsonl => Err(Failure::usage("an export is CSV: it goes with -o csv only")
            .hint("talkdrum campaigns show and talkdrum messages list have -o json and -o jsonl")),
    }
}

/// Downloads a path of the API to a file, or to stdout.
pub(crate) async fn download(
    context: &Context,
    client: &Client,
    path: &str,
    query: &(impl Query + Sync),
    file: Option<&Path>,
) -> Result<()> {
    refuse_existing(file, &context.out)?;
    save(context, client.download(path, query).await?, file).await
}

/// Writes the pieces of an answer of this size into a file, or to standard output.
pub(crate) async fn save(
    context: &Context,
    (length, mut pieces): (Option<u64>, impl Stream<Item = Result<Vec<u8>, CallError>> + Unpin),
    file: Option<&Path>,
) -> Result<()> {
    // Opened when the daemon has answered: a refusal leaves what is there alone.
    let mut target = OutputFile::create(file.unwrap_or(Path::new("-")), &context.out).await?;
    let progress = Upload::download(length, context.out.quiet || file.is_none());
    let written = async {
        while let Some(piece) = pieces.try_next().await? {
            target.write(&piece).await?;
            progress.add(piece.len());
        }
        target.finish().await
    };
    let result: Result<bool> = written.await;
    progress.end();
    if let (true, Some(file)) = (result?, file) {
        context.out.note(&format!("saved as {}", file.display()));
    }
    Ok(())
}
