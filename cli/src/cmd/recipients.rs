//! Recipients before there is a message for them.

use talkdrum_api::campaign::{RecipientsCheck, Reject};

use crate::args::{RecipientArgs, RecipientsCommand};
use crate::client::Answer;
use crate::cmd::Context;
use crate::cmd::send::{add_groups, say_notices};
use crate::exit::{Exit, Result};
use crate::form::CampaignForm;
use crate::output::{Cell, Column, rows_for_people};
use crate::progress::Upload;

/// Runs a command of this noun.
pub(super) async fn run(context: &Context, command: RecipientsCommand) -> Result<Exit> {
    match command {
        RecipientsCommand::Check(args) => check(context, args).await,
    }
}

const COLUMNS: &[Column<RecipientsCheck>] = &[
    Column::right("total_contacts", "Contacts", |it| Cell::Number(it.total_contacts)),
    Column::right("total_duplicates_removed", "Duplicates", |it| Cell::Number(it.total_duplicates_removed)),
    Column::right("total_invalid", "Invalid", |it| Cell::Number(it.total_invalid)),
    Column::right("total_suppressed", "Opted out", |it| Cell::Number(it.total_suppressed)),
    Column::left("networks", "Networks", |it| {
        let networks: Vec<String> =
            it.networks.iter().map(|(name, count)| format!("{name} {count}")).collect();
        Cell::text(networks.join(", "))
    }),
    Column::left("columns", "Columns", |it| Cell::text(it.columns.join(", "))),
];

const REJECTS: &[Column<Reject>] = &[
    Column::right("line", "Line", |it| Cell::Number(it.line)),
    Column::left("value", "Entry", |it| Cell::text(&it.value)),
    Column::left("reason", "Reason", |it| Cell::text(&it.reason)),
];

/// Counts recipients as a quote would, and keeps nothing.
async fn check(context: &Context, args: RecipientArgs) -> Result<Exit> {
    let mut form = CampaignForm::of_recipients(&args)?;
    let client = context.client_showing(COLUMNS)?;
    add_groups(&client, &mut form, &args.group).await?;
    let upload = Upload::new(form.upload_bytes(), context.out.quiet || !form.has_files());
    let multipart = form.multipart(&upload).await?;
    let answer: Result<Answer<RecipientsCheck>, _> =
        client.post_form("/api/recipients/check", multipart, None).await;
    upload.end();
    let answer = answer?;
    let out = &context.out;
    out.record(&answer.json, &answer.value, COLUMNS)?;
    if out.is_table() && !answer.value.rejects.is_empty() {
        out.line("")?;
        out.data(&rows_for_people(&answer.value.rejects, REJECTS, &out.zone))?;
    }
    say_notices(context, &answer.value.notices, &answer.value.unread_columns, "--column");
    Ok(Exit::Done)
}
