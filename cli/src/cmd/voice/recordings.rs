//! `talkdrum voice recordings`.

use reqwest::multipart::Form;
use talkdrum_api::account::Message;
use talkdrum_api::query::PageQuery;
use talkdrum_api::voice::{RecordingAdded, VoiceRecord, VoiceRecords};

use crate::args::{
    AddRecordingArgs, DownloadRecordingArgs, RecordingArgs, RecordingsCommand, VoiceRecordingsArgs,
};
use crate::client::{Answer, CallError, Client};
use crate::cmd::Context;
use crate::cmd::download::download;
use crate::exit::{Exit, Failure, Result};
use crate::form::mp3_part;
use crate::output::{Cell, Column};
use crate::progress::Upload;

/// Where recordings are listed.
const LIST: &str = "/api/get-voice-records";
/// Recordings that are looked through at once for one of them.
const LOOKED_THROUGH: i64 = 1_000;

const COLUMNS: &[Column<VoiceRecord>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("name", "Name", |it| Cell::text(&it.name)),
    Column::right("length_ms", "Length", |it| Cell::text(length(it.length_ms))),
    Column::left("loudness", "Loudness", |it| Cell::text(&it.loudness)),
    Column::left("used_at", "Used", |it| Cell::time(it.used_at.as_ref())),
    Column::left("created_at", "Created", |it| Cell::Time(it.created_at.clone())),
];

/// A length as players show it: minutes and seconds, rounded up.
fn length(ms: i64) -> String {
    let seconds = ms.saturating_add(999) / 1_000;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// Lists recordings, or does what the command says.
pub(crate) async fn run(context: &Context, args: VoiceRecordingsArgs) -> Result<Exit> {
    match args.command {
        Some(RecordingsCommand::Add(args)) => add(context, args).await,
        Some(RecordingsCommand::Delete(args)) => delete(context, args).await,
        Some(RecordingsCommand::Download(args)) => download_one(context, args).await,
        None => {
            let answer: Answer<VoiceRecords> = context.client()?.get(LIST, &args.page.query()).await?;
            context.out.list(&answer.json, &answer.value.audio_urls, answer.value.total, COLUMNS)?;
            Ok(Exit::Done)
        }
    }
}

async fn add(context: &Context, args: AddRecordingArgs) -> Result<Exit> {
    let client = context.client()?;
    let quiet = context.out.quiet || args.file == "-";
    let (part, upload) = mp3_part(&args.file, &|size| Upload::new(size, quiet)).await?;
    let form = match args.name {
        Some(name) => Form::new().text("name", name),
        None => Form::new(),
    };
    let added =
        client.post_form::<RecordingAdded>("/api/recordings", form.part("audioFile", part), None).await;
    upload.end();
    let added = added?;
    let (message, recording) = (added.value.message, added.value.recording);
    let said = format!("{message}: {} '{}', {}", recording.id, recording.name, length(recording.length_ms));
    context.out.done(&added.json, &said)?;
    if recording.loudness == "quiet" {
        context
            .out
            .warn(&format!("it is quiet ({} dBFS): raise its volume if you can", recording.loudness_dbfs));
    }
    Ok(Exit::Done)
}

async fn delete(context: &Context, args: RecordingArgs) -> Result<Exit> {
    let answer: Answer<Message> = context.client()?.delete(&format!("/api/recordings/{}", args.id)).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}

async fn download_one(context: &Context, args: DownloadRecordingArgs) -> Result<Exit> {
    let client = context.client()?;
    let path = path_of(&client, args.id).await?;
    download(context, &client, &path, &(), Some(&args.file)).await?;
    Ok(Exit::Done)
}

/// The path of a recording's address. Its host is the one that this client talks to.
async fn path_of(client: &Client, id: i64) -> Result<String> {
    let mut page = 1;
    loop {
        let query = PageQuery::new(page, LOOKED_THROUGH);
        let found: Answer<VoiceRecords> = client.get(LIST, &query).await?;
        let records = found.value.audio_urls;
        if let Some(record) = records.iter().find(|record| record.id == id) {
            let url = &record.audio_file_url;
            let path = url.find("/api/").and_then(|at| url.get(at..));
            return path.map(str::to_owned).ok_or_else(|| {
                CallError::Unreadable { what: format!("an address that is none: {url}") }.into()
            });
        }
        if page * LOOKED_THROUGH >= found.value.total || records.is_empty() {
            return Err(Failure::not_found(format!("there is no recording {id}"))
                .hint("talkdrum voice recordings lists them"));
        }
        page += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_rounded_up_to_seconds() {
        assert_eq!(
            [1, 2_000, 59_001, 61_000, 600_000].map(length),
            ["0:01", "0:02", "1:00", "1:01", "10:00"]
        );
    }
}
