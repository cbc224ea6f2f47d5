//! `talkdrum messages last`.

use talkdrum_api::campaign::LastSentMessage;

use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

const COLUMNS: &[Column<LastSentMessage>] =
    &[Column::left("last_sent_message_time", "Last message sent", |it| {
        Cell::time(it.last_sent_message_time.as_ref())
    })];

/// Shows when the newest campaign started to send.
pub(crate) async fn run(context: &Context) -> Result<Exit> {
    let answer: Answer<LastSentMessage> = context.client()?.get("/api/get-last-sent-message", &[]).await?;
    context.out.record(&answer.json, &answer.value, COLUMNS)?;
    Ok(Exit::Done)
}
