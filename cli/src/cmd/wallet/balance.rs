//! `talkdrum wallet balance`.

use serde::Serialize;
use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::wallet::Balances;

use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

/// One wallet.
#[derive(Debug, Serialize)]
struct Wallet {
    currency: &'static str,
    balance: Amount,
    reserved: Amount,
    #[serde(skip)]
    label: &'static str,
}

const COLUMNS: &[Column<Wallet>] = &[
    Column::left("currency", "Wallet", |it| Cell::text(it.label)),
    Column::right("balance", "Balance", |it| Cell::balance(it.balance)),
    Column::right("reserved", "Reserved", |it| Cell::balance(it.reserved)),
];

/// Shows both wallets, and what campaigns that are not settled yet have reserved.
pub(crate) async fn run(context: &Context) -> Result<Exit> {
    let answer: Answer<Balances> = context.client()?.get("/api/get-espee-balance", &[]).await?;
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
    context.out.list(&answer.json, &wallets, 2, COLUMNS)?;
    Ok(Exit::Done)
}
