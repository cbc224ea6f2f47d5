//! `talkdrum voice list`.

use talkdrum_api::voice::{VoiceReport, VoiceReports};

use crate::args::ListVoiceArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column, answers_in_short};

const COLUMNS: &[Column<VoiceReport>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("status", "Status", |it| Cell::text(&it.status)),
    Column::left("username", "User", |it| Cell::text(&it.username)),
    Column::left("msg", "Message", |it| Cell::text(&it.msg)),
    Column::right("no_of_sent_contacts", "Answered", |it| Cell::Number(it.no_of_sent_contacts)),
    Column::right("no_of_failed_contacts", "Failed", |it| Cell::Number(it.no_of_failed_contacts)),
    Column::right("units", "Units", |it| Cell::Number(it.units)),
    Column::right("espees_deducted", "ESPEES", |it| Cell::charge(it.espees_deducted)),
    Column::right("naira_deducted", "Naira", |it| Cell::charge(it.naira_deducted)),
    Column::right("refunded_amount", "Refunded", |it| Cell::charge(it.refunded_amount)),
    Column::left("created_at", "Created", |it| Cell::Time(it.created_at.clone())),
    Column::left("poll", "Answers", |it| Cell::text(answers_in_short(it.poll.as_deref()))),
];

/// Lists calls to many.
pub(crate) async fn run(context: &Context, args: ListVoiceArgs) -> Result<Exit> {
    let path = if args.all { "/admin/get-all-sent-voice-sms" } else { "/api/get-sent-voice-sms" };
    let answer: Answer<VoiceReports> = context.client()?.get(path, &args.page.query()).await?;
    context.out.list(&answer.json, &answer.value.voice_sms, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
