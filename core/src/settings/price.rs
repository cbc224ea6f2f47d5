//! Prices: what one unit of each thing costs in each currency.
//!
//! Invariant: zero was set on purpose; what needs a price that is not set is refused.

use talkdrum_api::code;
use talkdrum_api::money::{Amount, Currency};

use crate::content::{CallScript, CallerNumber};
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::store::Tx;
use crate::store::platform::setting;
use crate::time::Time;

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

    /// One page of a short message to a number outside Nigeria, in this currency. While it is not set, such numbers are
    /// rejected.
    pub const fn sms_abroad(currency: Currency) -> Self {
        match currency {
            Currency::Espees => Self("SMS-ABROAD-UNIT-PRICE"),
            Currency::Naira => Self("SMS-ABROAD-UNIT-PRICE-IN-NAIRA"),
        }
    }

    /// One pulse of a call, in this currency. Where the ESPEES price is not set, [`PriceKey::sms`] serves.
    pub const fn voice(currency: Currency) -> Self {
        match currency {
            Currency::Espees => Self("VOICE-UNIT-PRICE"),
            Currency::Naira => Self("VOICE-UNIT-PRICE-NAIRA"),
        }
    }

    /// One pulse of a call from a virtual number, in ESPEES.
    pub const fn virtual_number() -> Self {
        Self("VIRTUAL-UNIT-PRICE")
    }

    /// One pulse of a call from an own number, in ESPEES.
    pub const fn own_number() -> Self {
        Self("OWN-UNIT-PRICE")
    }

    /// Every price there is, in the order in which they are shown.
    pub const ALL: [Self; 8] = [
        Self::sms(Currency::Espees),
        Self::sms(Currency::Naira),
        Self::sms_abroad(Currency::Espees),
        Self::sms_abroad(Currency::Naira),
        Self::voice(Currency::Espees),
        Self::voice(Currency::Naira),
        Self::virtual_number(),
        Self::own_number(),
    ];

    /// A page, or a pulse of such calls: in ESPEES it costs what the number that they are from costs.
    pub fn unit(call: Option<&CallScript>, currency: Currency) -> Self {
        let Some(script) = call else { return Self::sms(currency) };
        match (currency, &script.caller) {
            (Currency::Espees, Some(CallerNumber::Virtual(_))) => Self::virtual_number(),
            (currency, Some(CallerNumber::Own(_))) => Self::own_number_in(currency),
            (currency, _) => Self::voice(currency),
        }
    }

    /// One pulse of a call from an own number, or of one that verifies an own number, in this currency: in Naira all calls
    /// have one price.
    pub const fn own_number_in(currency: Currency) -> Self {
        match currency {
            Currency::Espees => Self::own_number(),
            Currency::Naira => Self::voice(Currency::Naira),
        }
    }

    /// The specification's name, which is also the key in the database.
    pub const fn name(self) -> &'static str {
        self.0
    }

    /// The amount that the setting of this price says.
    pub(crate) fn amount(self, value: &str) -> Result<Amount> {
        value
            .parse()
            .map_err(|error| Error::Corrupt(format!("the setting {} cannot be read: {error}", self.name())))
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
    pub updated_by: Option<UserId>,
}

/// The prices of a unit in one currency, as they are set: of a page, or of a pulse of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnitPrices {
    /// To a number in Nigeria.
    pub home: Option<Amount>,
    /// To a number elsewhere.
    pub abroad: Option<Amount>,
}

/// The prices of a page, or of a pulse of such calls. There is none for calls abroad.
pub async fn unit_prices(tx: &mut Tx, call: Option<&CallScript>, currency: Currency) -> Result<UnitPrices> {
    let amount = |price: Option<Price>| price.map(|price| price.amount);
    let key = PriceKey::unit(call, currency);
    let home = if key == PriceKey::voice(Currency::Espees) {
        voice_price(tx).await?
    } else {
        price(tx, key).await?
    };
    let abroad = match call {
        None => price(tx, PriceKey::sms_abroad(currency)).await?,
        Some(_) => None,
    };
    Ok(UnitPrices { home: amount(home), abroad: amount(abroad) })
}

/// A price; `None` when it was never set.
pub async fn price(tx: &mut Tx, key: PriceKey) -> Result<Option<Price>> {
    let Some(row) = setting::get(tx, key.name()).await? else { return Ok(None) };
    let amount = key.amount(&row.value)?;
    Ok(Some(Price { amount, updated_at: row.updated_at, updated_by: row.updated_by }))
}

/// A price, or the sentence that refuses a quote without one.
///
/// # Errors
/// `price_unset`.
pub async fn require_price(tx: &mut Tx, key: PriceKey) -> Result<Price> {
    price(tx, key).await?.ok_or_else(|| {
        Error::rule(
            code::PRICE_UNSET,
            format!("The price {} is not set: an administrator must set it first", key.name()),
        )
    })
}

/// Sets a price.
///
/// # Errors
/// A rule on the field `price` when it is negative.
pub async fn set_price(tx: &mut Tx, key: PriceKey, amount: Amount, by: UserId, now: Time) -> Result<Price> {
    if amount < Amount::ZERO {
        return Err(Error::field("price", "price_negative", "Price cannot be below zero"));
    }
    setting::put(tx, key.name(), &amount.to_string(), by, now).await?;
    Ok(Price { amount, updated_at: now, updated_by: Some(by) })
}

/// What one pulse of a call costs in ESPEES: the price of a page where voice has none of its own.
pub async fn voice_price(tx: &mut Tx) -> Result<Option<Price>> {
    match price(tx, PriceKey::voice(Currency::Espees)).await? {
        Some(price) => Ok(Some(price)),
        None => price(tx, PriceKey::sms(Currency::Espees)).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::model::account::user::Role;
    use crate::store::{Lane, Store};
    use crate::testing::account::make_user;

    const KEY: PriceKey = PriceKey::sms(Currency::Naira);

    async fn set(store: &Store, amount: i64, by: UserId, now: i64) -> Result<Price> {
        store
            .write(Lane::Interactive, (amount, by, now), |tx, (amount, by, now)| {
                Box::pin(set_price(tx, KEY, Amount(*amount), *by, Time(*now)))
            })
            .await
    }

    #[test]
    fn a_call_from_an_own_number_has_its_price_in_espees_and_that_of_all_calls_in_naira() {
        assert_eq!(PriceKey::own_number_in(Currency::Espees).name(), "OWN-UNIT-PRICE");
        assert_eq!(PriceKey::own_number_in(Currency::Naira).name(), "VOICE-UNIT-PRICE-NAIRA");
    }

    both_databases! {
        async fn unset_and_zero_are_two_things(store: Store) {
            let admin = make_user(&store, "root", Role::Admin).await;
            assert_eq!(price(&mut store.read().await.unwrap(), KEY).await.unwrap(), None);
            let refused = require_price(&mut store.read().await.unwrap(), KEY).await.unwrap_err();
            assert_eq!(refused.code(), "price_unset");
            set(&store, 0, admin, 5).await.unwrap();
            let found = require_price(&mut store.read().await.unwrap(), KEY).await.unwrap();
            assert_eq!(found, Price { amount: Amount::ZERO, updated_at: Time(5), updated_by: Some(admin) });
        }

        async fn a_price_is_kept_to_the_micro_unit_and_overwritten(store: Store) {
            let admin = make_user(&store, "root", Role::Admin).await;
            set(&store, 3_495_001, admin, 5).await.unwrap();
            set(&store, 1, admin, 6).await.unwrap();
            let found = price(&mut store.read().await.unwrap(), KEY).await.unwrap().unwrap();
            assert_eq!((found.amount, found.updated_at), (Amount(1), Time(6)));
            let other = PriceKey::sms(Currency::Espees);
            assert_eq!(price(&mut store.read().await.unwrap(), other).await.unwrap(), None);
            assert_eq!(set(&store, -1, admin, 7).await.unwrap_err().code(), "price_negative");
        }
    }
}
