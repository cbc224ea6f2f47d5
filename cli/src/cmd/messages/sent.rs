//! `talkdrum messages sent`.

use talkdrum_api::campaign::{SentMessage, SentMessages};

use crate::args::SentArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

/// A campaign as sent messages show it.
const COLUMNS: &[Column<SentMessage>] = &[
    Column::right("sms_shoot_id", "Campaign", |it| Cell::Number(it.sms_shoot_id)),
    Column::left("type", "Type", |it| Cell::text(&it.kind)),
    Column::left("status", "Status", |it| Cell::text(&it.status)),
    Column::left("senderid", "Sender", |it| Cell::text(&it.senderid)),
    Column::left("msg", "Message", |it| Cell::text(&it.msg)),
    Column::right("no_of_contacts", "Contacts", |it| Cell::Number(it.no_of_contacts)),
    Column::right("no_of_sent_contacts", "Sent", |it| Cell::Number(it.no_of_sent_contacts)),
    Column::right("no_of_failed_contacts", "Failed", |it| Cell::Number(it.no_of_failed_contacts)),
    Column::right("espees_deducted", "ESPEES", |it| Cell::charge(it.espees_deducted)),
    Column::right("naira_deducted", "Naira", |it| Cell::charge(it.naira_deducted)),
    Column::left("created_at", "Created", |it| Cell::Time(it.created_at.clone())),
];

/// Lists sent messages, one row a campaign.
pub(crate) async fn run(context: &Context, args: SentArgs) -> Result<Exit> {
    let mut query = args.page.query();
    query.extend(args.filter.query());
    let answer: Answer<SentMessages> = context.client()?.get("/api/get-sent-messages", &query).await?;
    context.out.list(&answer.json, &answer.value.messages, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
