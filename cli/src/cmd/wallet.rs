//! Money.

use serde::Serialize;
use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::query::CurrencyQuery;
use talkdrum_api::wallet::{Balances, Statement, StatementEntry};

use crate::args::{Pay, StatementArgs, WalletCommand};
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};
use crate::query::Query;

/// Runs a command of this noun.
pub(super) async fn run(context: &Context, command: WalletCommand) -> Result<Exit> {
    match command {
        WalletCommand::Balance => balance(context).await,
        WalletCommand::Statement(args) => statement(context, args).await,
    }
}

/// One wallet.
#[derive(Debug, Serialize)]
struct Wallet {
    currency: &'static str,
    balance: Amount,
    reserved: Amount,
    #[serde(skip)]
    label: &'static str,
}

const BALANCE_COLUMNS: &[Column<Wallet>] = &[
    Column::left("currency", "Wallet", |it| Cell::text(it.label)),
    Column::right("balance", "Balance", |it| Cell::balance(it.balance)),
    Column::right("reserved", "Reserved", |it| Cell::balance(it.reserved)),
];

/// Shows both wallets, and what campaigns that are not settled yet have reserved.
async fn balance(context: &Context) -> Result<Exit> {
    let answer: Answer<Balances> = context.client()?.get("/api/get-espee-balance", &()).await?;
    let it = &answer.value;
    let wallet = |currency: Currency, balance, reserved| Wallet {
        currency: currency.code(),
        label: currency.label(),
        balance,
        reserved,
    };
    let wallets = [
        wallet(Currency::Espees, it.espees, it.espees_reserved),
        wallet(Currency::Naira, it.paystack_balance, it.paystack_reserved),
    ];
    context.out.list(&answer.json, &wallets, 2, BALANCE_COLUMNS)?;
    context.out.as_of(&answer.at, "")?;
    Ok(Exit::Done)
}

const STATEMENT_COLUMNS: &[Column<StatementEntry>] = &[
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
async fn statement(context: &Context, args: StatementArgs) -> Result<Exit> {
    let query = args.page.query().and(args.currency.map_or_else(CurrencyQuery::default, Pay::query));
    let answer: Answer<Statement> = context.client()?.get("/api/wallet/statement", &query).await?;
    context.out.list(&answer.json, &answer.value.entries, answer.value.total, STATEMENT_COLUMNS)?;
    Ok(Exit::Done)
}
