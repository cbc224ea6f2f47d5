//! `talkdrum prices get`.

use serde::{Deserialize, Serialize};
use talkdrum_core::api::wallet::PriceRecord;
use talkdrum_core::money::{Amount, Currency};

use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

/// The API's answer: lists whose first item counts.
#[derive(Debug, Deserialize)]
struct Prices {
    #[serde(rename = "SMS-UNIT-PRICE", default)]
    espees: Vec<PriceRecord>,
    #[serde(rename = "SMS-UNIT-PRICE-IN-NAIRA", default)]
    naira: Vec<PriceRecord>,
}

/// One price; none means that nothing can be sent in that currency.
#[derive(Debug, Serialize)]
struct Price {
    currency: &'static str,
    value: Option<Amount>,
    updated_at: Option<String>,
}

const COLUMNS: &[Column<Price>] = &[
    Column::left("currency", "Currency", |it| Cell::text(it.currency)),
    Column::right("value", "Price of a page", |it| it.value.map_or(Cell::Empty, Cell::charge)),
    Column::left("updated_at", "Set", |it| Cell::time(it.updated_at.as_ref())),
];

/// Shows the price of a page in both currencies.
pub(crate) async fn run(context: &Context) -> Result<Exit> {
    let answer: Answer<Prices> = context.client()?.get("/api/get-sms-unit-price", &[]).await?;
    let prices = [price(Currency::Espees, &answer.value.espees), price(Currency::Naira, &answer.value.naira)];
    context.out.list(&answer.json, &prices, 2, COLUMNS)?;
    for unset in prices.iter().filter(|price| price.value.is_none()) {
        context.out.note(&format!(
            "no {0} price is set, so nothing can be sent for {0}: talkdrum prices set --currency {0} PRICE",
            unset.currency
        ));
    }
    Ok(Exit::Done)
}

fn price(currency: Currency, records: &[PriceRecord]) -> Price {
    let first = records.first();
    Price {
        currency: currency.code(),
        value: first.map(|record| record.value),
        updated_at: first.map(|record| record.updated_at.clone()),
    }
}
