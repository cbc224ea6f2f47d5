//! `talkdrum users show`.

use talkdrum_api::user::UserDetails;

use super::{COLUMNS, id_of};
use crate::args::UserArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::cmd::campaigns::COLUMNS as CAMPAIGNS;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column, rows_for_people};

/// What a user has of everything.
const TOTALS: &[Column<UserDetails>] = &[
    Column::left("phone_number", "Phone", |it| Cell::maybe(it.user.phone_number.as_ref())),
    Column::left("deleted_at", "Deleted", |it| Cell::time(it.deleted_at.as_ref())),
    Column::right("campaigns", "Campaigns", |it| Cell::Number(it.totals.campaigns)),
    Column::right("voice_sms", "Calls to many", |it| Cell::Number(it.totals.voice_sms)),
    Column::right("sender_ids", "Sender IDs", |it| Cell::Number(it.totals.sender_ids)),
    Column::right("virtual_numbers", "Virtual numbers", |it| Cell::Number(it.totals.virtual_numbers)),
    Column::right("own_numbers", "Own numbers", |it| Cell::Number(it.totals.own_numbers)),
    Column::right("transactions", "Movements", |it| Cell::Number(it.totals.transactions)),
];

/// Campaigns that people are shown; programs get all that the API answers.
const NEWEST: usize = 10;

/// Shows a user and what belongs to them.
pub(crate) async fn run(context: &Context, args: UserArgs) -> Result<Exit> {
    let client = context.client()?;
    let id = id_of(&client, &args.user).await?;
    let answer: Answer<UserDetails> = client.get(&format!("/admin/get-user-details/{id}"), &[]).await?;
    let (out, details) = (&context.out, &answer.value);
    out.record(&answer.json, &details.user, COLUMNS)?;
    if out.is_table() {
        out.record(&answer.json, details, TOTALS)?;
        if !details.campaigns.is_empty() {
            out.line("")?;
            let newest = &details.campaigns[..details.campaigns.len().min(NEWEST)];
            out.data(&rows_for_people(newest, CAMPAIGNS, &out.zone))?;
        }
    }
    Ok(Exit::Done)
}
