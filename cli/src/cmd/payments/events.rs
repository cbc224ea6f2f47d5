//! `talkdrum payments events`.

use talkdrum_api::payment::{PaymentEvent, PaymentEvents};

use crate::args::PageArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

const COLUMNS: &[Column<PaymentEvent>] = &[
    Column::right("id", "Event", |it| Cell::Number(it.id)),
    Column::left("received_at", "At", |it| Cell::Time(it.received_at.clone())),
    Column::left("event", "What", |it| Cell::text(&it.event)),
    Column::left("username", "Payer", |it| Cell::maybe(it.username.as_ref())),
    Column::right("payment_id", "Payment", |it| it.payment_id.map_or(Cell::Empty, Cell::Number)),
    Column::left("reference", "Reference", |it| Cell::maybe(it.reference.as_ref())),
    Column::left("summary", "Details", |it| Cell::text(&it.summary)),
];

/// Lists refunds and disputes, newest first. None of them moved money here.
pub(crate) async fn run(context: &Context, args: PageArgs) -> Result<Exit> {
    let answer: Answer<PaymentEvents> = context.client()?.get("/admin/payment-events", &args.query()).await?;
    context.out.list(&answer.json, &answer.value.events, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
