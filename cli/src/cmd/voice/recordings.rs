//! `talkdrum voice recordings`.

use talkdrum_api::voice::{VoiceRecord, VoiceRecords};

use crate::args::VoiceRecordingsArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

const COLUMNS: &[Column<VoiceRecord>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("audioFileUrl", "Address", |it| Cell::text(&it.audio_file_url)),
    Column::left("created_at", "Created", |it| Cell::Time(it.created_at.clone())),
];

/// Lists recordings.
pub(crate) async fn run(context: &Context, args: VoiceRecordingsArgs) -> Result<Exit> {
    let answer: Answer<VoiceRecords> =
        context.client()?.get("/api/get-voice-records", &args.page.query()).await?;
    context.out.list(&answer.json, &answer.value.audio_urls, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
