//! The administrator's settings: typed keys over text values.
//!
//! The invariant: a setting that was never set is not zero and not empty, it is unset, and whoever needs it says so.

use crate::clock::Time;
use crate::error::{Error, Result};
use crate::money::{Amount, Currency};
use crate::store::{Tx, setting};

/// A price of one unit in one currency, under the specification's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PriceKey(&'static str);

impl PriceKey {
    /// One page of a short message, in this currency.
    pub const fn sms(currency: Currency) -> Self {
        match currency {
            Currency::Espees => Self("SMS-UNIT-PRICE"),
            Currency::Naira => Self("SMS-UNIT-PRICE-IN-NAIRA"),
        }
    }

    /// The specification's name, which is also the key in the database.
    pub const fn name(self) -> &'static str {
        self.0
    }
}

/// A price that was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// The price of one unit; zero was set on purpose.
    pub amount: Amount,
    /// When it was set.
    pub updated_at: Time,
    /// Which admin set it.
    pub updated_by: Option<i64>,
}

/// A price; `None` when it was never set.
pub async fn price(tx: &mut Tx, key: PriceKey) -> Result<Option<Price>> {
    let Some(row) = setting::get(tx, key.name()).await? else { return Ok(None) };
    let amount = row
        .value
        .parse()
        .map_err(|error| Error::Corrupt(format!("the setting {} cannot be read: {error}", key.name())))?;
    Ok(Some(Price { amount, updated_at: Time(row.updated_at), updated_by: row.updated_by }))
}

/// A price, or the sentence that refuses a quote without one.
///
/// # Errors
/// `price_unset`.
pub async fn require_price(tx: &mut Tx, key: PriceKey) -> Result<Price> {
    price(tx, key).await?.ok_or_else(|| {
        Error::rule(
            "price_unset",
            format!("The price {} is not set: an administrator must set it first", key.name()),
        )
    })
}

/// Sets a price.
///
/// # Errors
/// A rule on the field `price` when it is negative.
pub async fn set_price(tx: &mut Tx, key: PriceKey, amount: Amount, by: i64, now: Time) -> Result<Price> {
    if amount < Amount::ZERO {
        return Err(Error::field("price", "price_negative", "Price cannot be below zero"));
    }
    setting::put(tx, key.name(), &amount.to_string(), by, now).await?;
    Ok(Price { amount, updated_at: now, updated_by: Some(by) })
}
