//! All prices as one list: what is set, and changing several at once.
//!
//! A list is changed whole or not at all, only from the state its author saw (its version), and every
//! price that changes is in the audit trail. Quotes carry their own price, so none of them moves.

use sha2::{Digest as _, Sha256};
use talkdrum_api::money::Amount;

use super::price::{Price, PriceKey, price, set_price};
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::platform::audit::AuditAction;
use crate::platform::audit::{self, Entry};
use crate::store::Tx;
use crate::store::platform::rate;
use crate::time::Time;

/// Hexadecimal digits of a version.
pub(super) const VERSION_DIGITS: usize = 16;

/// All prices in the order of [`PriceKey::ALL`]; `None` where none is set.
pub type PriceList = Vec<(PriceKey, Option<Price>)>;

/// All prices.
pub async fn price_list(tx: &mut Tx) -> Result<PriceList> {
    let mut list = Vec::with_capacity(PriceKey::ALL.len());
    for key in PriceKey::ALL {
        list.push((key, price(tx, key).await?));
    }
    Ok(list)
}

/// A name for exactly these prices: it changes when one of them does, and comes back when they do.
pub fn price_version(list: &PriceList) -> String {
    let mut hash = Sha256::new();
    for (key, price) in list {
        let value = price.map_or_else(String::new, |price| price.amount.to_string());
        hash.update(format!("{}={value}\n", key.name()));
    }
    hex::encode(hash.finalize()).chars().take(VERSION_DIGITS).collect()
}

/// Sets prices, each once; returns how many of them changed. With `expect`, only if that is still the version.
///
/// # Errors
/// `price_negative`; `prices_changed` (409) when the prices are not the expected ones any more.
pub async fn change_prices(
    tx: &mut Tx,
    prices: &[(PriceKey, Amount)],
    expect: Option<&str>,
    by: UserId,
    now: Time,
) -> Result<usize> {
    // One change of prices or rates waits for another.
    rate::lock_version(tx).await?;
    let list = price_list(tx).await?;
    if let Some(expected) = expect {
        let version = price_version(&list);
        if expected.trim() != version {
            return Err(Error::conflict(
                "prices_changed",
                format!("The prices were changed meanwhile (they are at version {version} now): look again"),
            ));
        }
    }
    let mut changed = 0;
    for (key, amount) in prices {
        let before = list.iter().find(|(known, _)| known == key).and_then(|(_, price)| *price);
        if before.is_some_and(|before| before.amount == *amount) {
            continue;
        }
        set_price(tx, *key, *amount, by, now).await?;
        let entry = Entry::new(by, AuditAction::PriceSet, key.name())
            .before(before.map(|before| before.amount.to_string()))
            .after(Some(amount.to_string()));
        audit::record(tx, &entry, now).await?;
        changed += 1;
    }
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use talkdrum_api::money::Currency;

    use super::*;
    use crate::both_databases;
    use crate::model::account::user::Role;
    use crate::store::platform::audit as trail;
    use crate::store::{Lane, Store};
    use crate::testing::account::make_user;

    const SMS: PriceKey = PriceKey::sms(Currency::Naira);
    const VOICE: PriceKey = PriceKey::voice(Currency::Naira);

    async fn change(
        store: &Store,
        by: UserId,
        prices: Vec<(PriceKey, Amount)>,
        expect: Option<String>,
    ) -> Result<usize> {
        store
            .write(Lane::Interactive, (prices, expect, by), |tx, (prices, expect, by)| {
                Box::pin(change_prices(tx, prices, expect.as_deref(), *by, Time(5)))
            })
            .await
    }

    both_databases! {
        async fn a_list_is_changed_whole_from_what_was_seen_and_each_change_is_told(store: Store) {
            let admin = make_user(&store, "root", Role::Admin).await;
            let version = async || price_version(&price_list(&mut store.read().await.unwrap()).await.unwrap());
            let empty = version().await;
            let prices = vec![(SMS, Amount(4_500_000)), (VOICE, Amount(9_000_000))];
            assert_eq!(change(&store, admin, prices.clone(), Some(empty.clone())).await.unwrap(), 2);
            assert_eq!(change(&store, admin, prices, None).await.unwrap(), 0, "the same again changes nothing");
            let late = change(&store, admin, vec![(SMS, Amount(1))], Some(empty)).await.unwrap_err();
            assert_eq!(late.code(), "prices_changed");
            let half = change(&store, admin, vec![(SMS, Amount(1)), (VOICE, Amount(-1))], None).await;
            assert_eq!(half.unwrap_err().code(), "price_negative");
            let mut tx = store.read().await.unwrap();
            assert_eq!(price(&mut tx, SMS).await.unwrap().unwrap().amount, Amount(4_500_000));
            let told = trail::newest(&mut tx, 10).await.unwrap();
            let told: Vec<_> = told.iter().map(|row| (row.subject.as_str(), row.after.as_deref())).collect();
            assert_eq!(told, [("VOICE-UNIT-PRICE-NAIRA", Some("9")), ("SMS-UNIT-PRICE-IN-NAIRA", Some("4.5"))]);
        }
    }
}
