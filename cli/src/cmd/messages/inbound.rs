//! `talkdrum messages inbound`.

use talkdrum_api::inbound::{InboundMessage, InboundMessages};

use crate::args::InboundArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

/// A message from a handset in a list.
const INBOUND: &[Column<InboundMessage>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("received_at", "Received", |it| Cell::Time(it.received_at.clone())),
    Column::left("from", "From", |it| Cell::text(&it.from)),
    Column::left("to", "To", |it| Cell::text(&it.to)),
    Column::left("text", "Text", |it| Cell::text(&it.text)),
    Column::right("parts_missing", "Parts missing", |it| Cell::Number(it.parts_missing)),
    Column::left("username", "User", |it| Cell::maybe(it.username.as_ref())),
    Column::left("action", "Done", |it| Cell::maybe(it.action.as_ref())),
];

/// Lists what handsets answered, newest first.
pub(crate) async fn run(context: &Context, args: InboundArgs) -> Result<Exit> {
    let mut query = args.page.query();
    query.extend(args.search.map(|text| ("q", text)));
    let answer: Answer<InboundMessages> = context.client()?.get("/api/inbound-messages", &query).await?;
    context.out.list(&answer.json, &answer.value.messages, answer.value.total, INBOUND)?;
    Ok(Exit::Done)
}
