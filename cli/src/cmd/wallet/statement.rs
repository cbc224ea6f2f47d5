//! `talkdrum wallet statement`.

use talkdrum_api::wallet::{Statement, StatementEntry};

use crate::args::StatementArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

const COLUMNS: &[Column<StatementEntry>] = &[
    Column::right("id", "Entry", |it| Cell::Number(it.id)),
    Column::left("at", "At", |it| Cell::Time(it.at.clone())),
    Column::left("currency", "Wallet", |it| Cell::text(&it.currency)),
    Column::left("code", "What", |it| Cell::text(&it.code)),
    Column::right("amount", "Amount", |it| Cell::charge(it.amount)),
    Column::right("balance", "Balance", |it| Cell::balance(it.balance)),
    Column::right("campaign_id", "Campaign", |it| it.campaign_id.map_or(Cell::Empty, Cell::Number)),
    Column::left("reference", "Reference", |it| Cell::text(&it.reference)),
    Column::left("narration", "Narration", |it| Cell::text(&it.narration)),
];

/// Lists every movement, newest first.
pub(crate) async fn run(context: &Context, args: StatementArgs) -> Result<Exit> {
    let mut query = args.page.query();
    query.extend(args.currency.map(|pay| ("currency", pay.currency().code().to_owned())));
    let answer: Answer<Statement> = context.client()?.get("/api/wallet/statement", &query).await?;
    context.out.list(&answer.json, &answer.value.entries, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
