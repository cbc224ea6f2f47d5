//! `talkdrum transactions`.

use serde::Deserialize;
use talkdrum_api::payment::Transaction;
use talkdrum_api::query::{CurrencyQuery, PeriodQuery, SearchQuery, TransactionQuery, UserQuery};

use crate::args::{Pay, TransactionsArgs};
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};
use crate::query::Query;

const COLUMNS: &[Column<Transaction>] = &[
    Column::left("transaction_date", "At", |it| Cell::Time(it.transaction_date.clone())),
    Column::left("username", "User", |it| Cell::text(&it.username)),
    Column::left("kind", "What", |it| Cell::text(&it.kind)),
    Column::left("direction", "Way", |it| Cell::text(&it.direction)),
    Column::right("price", "Amount", |it| Cell::charge(it.price)),
    Column::left("currency", "Wallet", |it| Cell::text(&it.currency)),
    Column::right("balance", "Balance", |it| it.balance.map_or(Cell::Empty, Cell::balance)),
    Column::left("status", "Status", |it| Cell::text(&it.status)),
    Column::left("payment_ref", "Reference", |it| Cell::text(&it.payment_ref)),
    Column::left("narration", "Narration", |it| Cell::text(&it.narration)),
];

/// Both lists: each answers under its own name.
#[derive(Debug, Deserialize)]
struct Transactions {
    #[serde(alias = "Transactions")]
    transactions: Vec<Transaction>,
    #[serde(default)]
    total: i64,
    #[serde(default)]
    beyond: Option<i64>,
}

/// Lists every movement of the wallets, and payments that are open or failed, newest first.
pub(crate) async fn run(context: &Context, args: TransactionsArgs) -> Result<Exit> {
    let path = match args.all || args.user.is_some() {
        true => "/admin/get-all-transactions",
        false => "/api/get-transaction-history",
    };
    let of = TransactionQuery {
        kind: args.kind.map(|kind| kind.code().to_owned()),
        status: args.status,
        campaign_id: args.campaign,
        beyond: args.beyond,
    };
    let query = args
        .page
        .query()
        .and(UserQuery { user_id: args.user })
        .and(of)
        .and(args.currency.map_or_else(CurrencyQuery::default, Pay::query))
        .and(PeriodQuery { from: args.from, to: args.to })
        .and(SearchQuery::new(args.search));
    let answer: Answer<Transactions> = context.client()?.get(path, &query).await?;
    let it = &answer.value;
    context.out.list(&answer.json, &it.transactions, it.total, COLUMNS)?;
    if let Some(beyond) = it.beyond
        && context.out.is_table()
    {
        context.out.note(&format!("there are more, which are not counted: --beyond {beyond} lists them"));
    }
    Ok(Exit::Done)
}
