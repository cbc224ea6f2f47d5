//! `talkdrum why`.

use talkdrum_api::campaign::MessageRow;
use talkdrum_api::message::{HistoryEntry, Why, WhyEntry};

use crate::args::{Format, WhyArgs};
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Align, Cell, Column, Table};

/// The message itself.
const MESSAGE: &[Column<MessageRow>] = &[
    Column::right("id", "Message", |it| Cell::Number(it.id)),
    Column::right("campaign_id", "Campaign", |it| Cell::Number(it.campaign_id)),
    Column::left("to", "To", |it| Cell::text(&it.to)),
    Column::left("purpose", "Purpose", |it| Cell::text(it.purpose.code())),
    Column::left("senderid", "Sender ID", |it| Cell::text(&it.senderid)),
    Column::left("network", "Network", |it| Cell::text(&it.network)),
    Column::left("status", "Status", |it| Cell::text(&it.status)),
    Column::left("reason", "Reason", |it| Cell::maybe(it.reason.as_ref())),
    Column::right("pages", "Pages", |it| Cell::Number(it.pages)),
    Column::right("price", "Price", |it| Cell::charge(it.price)),
    Column::left("carrier_ref", "Carrier reference", |it| Cell::maybe(it.carrier_ref.as_ref())),
];

/// A ledger entry, as CSV.
const ENTRIES: &[Column<WhyEntry>] = &[
    Column::right("id", "Entry", |it| Cell::Number(it.id)),
    Column::left("at", "At", |it| Cell::Time(it.at.clone())),
    Column::left("code", "What", |it| Cell::text(&it.code)),
    Column::left("reference", "Reference", |it| Cell::text(&it.reference)),
    Column::right("amount", "Amount", |it| Cell::charge(it.amount)),
    Column::right("share", "This message", |it| Cell::charge(it.share)),
    Column::left("narration", "Narration", |it| Cell::text(&it.narration)),
];

/// Explains one message: its statuses with times, its money entry by entry, and the whole in a sentence.
pub(crate) async fn run(context: &Context, args: WhyArgs) -> Result<Exit> {
    let answer: Answer<Why> = context.client()?.get(&format!("/api/messages/{}", args.id), &()).await?;
    let (out, why) = (&context.out, &answer.value);
    match out.format {
        Format::Json => out.line(&answer.json)?,
        Format::Jsonl => out.json_lines(std::slice::from_ref(why))?,
        Format::Csv => out.csv(&why.entries, ENTRIES)?,
        Format::Table => {
            out.record(&answer.json, &why.message, MESSAGE)?;
            out.line(&format!("\n{}\n", why.text))?;
            out.data(&history(context, &why.history).render())?;
            out.line("")?;
            if !why.entries.is_empty() {
                let total = i64::try_from(why.entries.len()).unwrap_or(i64::MAX);
                out.list("", &why.entries, total, ENTRIES)?;
                out.line("")?;
            }
            out.line(&why.explanation)?;
        }
    }
    Ok(Exit::Done)
}

/// What happened, to the second: receipts come soon after answers.
fn history(context: &Context, entries: &[HistoryEntry]) -> Table {
    let mut table = Table::with_heads([("At", Align::Left), ("Status", Align::Left), ("Note", Align::Left)]);
    for entry in entries {
        let at = entry.at.as_ref().map_or_else(|| "-".to_owned(), |at| context.out.zone.show_seconds(at));
        table.row(vec![at, entry.status.clone(), entry.note.clone()]);
    }
    table
}
