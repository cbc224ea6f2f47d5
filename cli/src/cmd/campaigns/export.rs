//! `talkdrum campaigns export`, and how anything long is downloaded: streamed, and put in place only when it is whole.

use std::io::Write;
use std::path::{Path, PathBuf};

use futures::TryStreamExt;

use crate::args::ExportArgs;
use crate::client::Client;
use crate::cmd::Context;
use crate::exit::{Exit, Failure, Result};
use crate::progress::Upload;

/// Writes the delivery report of a campaign, or of those of a period.
pub(crate) async fn run(context: &Context, args: ExportArgs) -> Result<Exit> {
    let path = match args.id {
        Some(id) => format!("/api/campaigns/{id}/export"),
        None => "/api/delivery-reports/export".to_owned(),
    };
    let asked = [("from", args.from), ("to", args.to), ("type", args.kind), ("status", args.status)];
    let query: Vec<_> = asked.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
    download(context, &context.client()?, &path, &query, args.file.as_deref()).await?;
    Ok(Exit::Done)
}

/// Downloads a path of the API to a file, or to stdout.
pub(crate) async fn download(
    context: &Context,
    client: &Client,
    path: &str,
    query: &[(&str, String)],
    file: Option<&Path>,
) -> Result<()> {
    let (length, mut pieces) = client.download(path, query).await?;
    let Some(file) = file else {
        while let Some(piece) = pieces.try_next().await? {
            context.out.bytes(&piece)?;
        }
        return Ok(());
    };
    let draft = draft_of(file);
    let mut target = std::fs::File::create(&draft).map_err(|error| Failure::file("write", &draft, &error))?;
    let progress = Upload::download(length, context.out.quiet);
    let written = async {
        while let Some(piece) = pieces.try_next().await? {
            target.write_all(&piece).map_err(|error| Failure::file("write", &draft, &error))?;
            progress.add(piece.len());
        }
        target.sync_all().map_err(|error| Failure::file("write", &draft, &error))?;
        std::fs::rename(&draft, file).map_err(|error| Failure::file("write", file, &error))
    };
    let result: Result<()> = written.await;
    progress.end();
    if result.is_err() {
        // The error that is returned matters more than a draft that stays.
        let _ = std::fs::remove_file(&draft);
    } else {
        context.out.note(&format!("saved as {}", file.display()));
    }
    result
}

/// Where a download lies until it is whole.
fn draft_of(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}
