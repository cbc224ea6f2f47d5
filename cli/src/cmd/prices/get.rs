//! `talkdrum prices get`.

use serde::Serialize;
use serde_json::{Map, Value};
use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::wallet::PriceRecord;

use super::ALL;
use crate::args::Priced;
use crate::client::{Answer, CallError};
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column, json_object, to_json};

/// The calls that every user may ask.
const CALLS: [&str; 4] =
    ["/api/get-sms-unit-price", "/api/get-voice-unit-price", "/api/get-virtual-price", "/api/get-own-price"];

/// One price; none means that nothing can be had in that currency.
#[derive(Debug, Serialize)]
struct Price {
    of: &'static str,
    currency: &'static str,
    value: Option<Amount>,
    updated_at: Option<String>,
}

const COLUMNS: &[Column<Price>] = &[
    Column::left("of", "Price of", |it| Cell::text(it.of)),
    Column::left("currency", "Currency", |it| Cell::text(it.currency)),
    Column::right("value", "Price", |it| it.value.map_or(Cell::Empty, Cell::charge)),
    Column::left("updated_at", "Set", |it| Cell::time(it.updated_at.as_ref())),
];

/// Shows every price, as it is charged.
pub(crate) async fn run(context: &Context) -> Result<Exit> {
    let client = context.client()?;
    let mut all = Map::new();
    for call in CALLS {
        let answer: Answer<Map<String, Value>> = client.get(call, &()).await?;
        all.extend(answer.value);
    }
    let prices = ALL
        .into_iter()
        .map(|(of, currency, key)| price(of, currency, all.get(key)))
        .collect::<Result<Vec<_>>>()?;
    let total = i64::try_from(prices.len()).unwrap_or(i64::MAX);
    let json = json_object(&[("prices", to_json(&prices)?), ("total", total.to_string())]);
    context.out.list(&json, &prices, total, COLUMNS)?;
    for unset in prices.iter().filter(|price| price.of == "sms" && price.value.is_none()) {
        context.out.note(&format!(
            "no {0} price is set, so nothing can be sent for {0}: talkdrum prices set --currency {0} PRICE",
            unset.currency
        ));
    }
    Ok(Exit::Done)
}

fn price(of: Priced, currency: Currency, records: Option<&Value>) -> Result<Price> {
    let records: Vec<PriceRecord> = records
        .map(|records| serde_json::from_value(records.clone()))
        .transpose()
        .map_err(|error| CallError::Unreadable {
            what: format!("a price this version cannot read ({error})"),
        })?
        .unwrap_or_default();
    let first = records.first();
    Ok(Price {
        of: of.name(),
        currency: currency.code(),
        value: first.map(|record| record.value),
        updated_at: first.map(|record| record.updated_at.clone()),
    })
}
