//! `talkdrum campaigns show`.

use talkdrum_api::campaign::Campaign;

use super::{COLUMNS, Shown};
use crate::args::IdArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column, answer_table, outcome_table};

/// What a campaign is, above what became of it.
const DETAILS: &[Column<Campaign>] = &[
    Column::left("sms_type", "SMS type", |it| Cell::text(&it.sms_type)),
    Column::left("senderid", "Sender ID", |it| Cell::text(&it.senderid)),
    Column::left("msg", "Message", |it| Cell::text(&it.msg)),
    Column::left("username", "User", |it| Cell::text(&it.username)),
    Column::right("quote_id", "Quote", |it| Cell::Number(it.quote_id)),
    Column::left("created_at", "Confirmed", |it| Cell::Time(it.created_at.clone())),
    Column::left("scheduled_at", "Scheduled", |it| Cell::time(it.scheduled_at.as_ref())),
    Column::left("started_at", "Started", |it| Cell::time(it.started_at.as_ref())),
    Column::left("completed_at", "Completed", |it| Cell::time(it.completed_at.as_ref())),
    Column::right("total_charges", "Quoted", |it| Cell::charge(it.total_charges)),
];

/// Shows one campaign.
pub(crate) async fn run(context: &Context, args: IdArgs) -> Result<Exit> {
    let answer: Answer<Shown> = context.client()?.get(&format!("/api/campaigns/{}", args.id), &[]).await?;
    let (out, campaign) = (&context.out, &answer.value.campaign);
    if !out.is_table() {
        out.record(&answer.json, campaign, COLUMNS)?;
        return Ok(Exit::Done);
    }
    out.record(&answer.json, campaign, DETAILS)?;
    out.line("")?;
    out.data(&outcome_table(campaign).render())?;
    if let Some(poll) = &campaign.poll {
        out.line("")?;
        out.data(&answer_table(poll).render())?;
    }
    Ok(Exit::Done)
}
