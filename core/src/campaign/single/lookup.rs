//! What single messages need, read for a batch of them at once: prices, opt-outs and senders.
//!
//! It is read in the transaction that pays, so the price in the answer is the price that is charged.

use std::collections::{HashMap, HashSet};

use talkdrum_api::money::{Amount, Currency};

use super::SingleOrder;
use crate::error::{Error, Result};
use crate::phone::Msisdn;
use crate::sender;
use crate::settings::{PageRates, RateId};
use crate::store::Tx;
use crate::store::contact::suppression;

/// An order that may go out, with its price.
#[derive(Clone, Copy, Debug)]
pub(super) struct Due<'a> {
    /// Its place among all orders.
    pub(super) place: usize,
    pub(super) order: &'a SingleOrder,
    /// Which of the prices of a page it has.
    pub(super) rate: RateId,
    /// Its whole price.
    pub(super) charge: Amount,
}

/// The prices, opt-outs and senders of a batch.
#[derive(Debug)]
pub(super) struct BatchPricing {
    rates: HashMap<Currency, PageRates>,
    opted_out: HashSet<(i64, Msisdn)>,
    /// Users with the senders that they may use.
    senders: HashSet<(i64, String)>,
}

impl BatchPricing {
    /// Reads it for these orders.
    pub(super) async fn read(tx: &mut Tx, orders: &[SingleOrder]) -> Result<Self> {
        let mut rates = HashMap::new();
        for currency in Currency::ALL {
            let Some(order) = orders.iter().find(|order| order.currency == currency) else { continue };
            if let Some(found) = order.rates.page_rates(tx, None, currency).await? {
                rates.insert(currency, found);
            }
        }
        let asked: Vec<(i64, i64)> =
            orders.iter().map(|order| (order.user, order.number.digits().cast_signed())).collect();
        let found = suppression::of_users(tx, &asked).await?.into_iter();
        let opted_out = found
            .filter_map(|(user, number)| Some((user, Msisdn::from_digits(number.cast_unsigned())?)))
            .collect();
        Ok(Self { rates, opted_out, senders: HashSet::new() })
    }

    /// The order with its price.
    ///
    /// # Errors
    /// `sender_not_allowed`, `price_unset`, `no_price`, `opted_out`, `max_charge`.
    pub(super) async fn price<'a>(
        &mut self,
        tx: &mut Tx,
        place: usize,
        order: &'a SingleOrder,
    ) -> Result<Due<'a>> {
        let sender = (order.user, order.sender.clone());
        if !self.senders.contains(&sender) {
            sender::check(tx, order.user, &order.sender).await?;
            self.senders.insert(sender);
        }
        let rates = self.of(order.currency)?;
        if self.opted_out.contains(&(order.user, order.number)) {
            return Err(Error::field(
                "contacts",
                "opted_out",
                format!("{} has opted out of messages; nothing was charged", order.number),
            ));
        }
        let rate = rates.find(order.number, order.network);
        let rate = rate.ok_or_else(|| crate::campaign::quote::unpriced(order.number))?;
        let charge = rates.price(rate).times(u64::from(order.measure.0))?;
        match order.max_charge.filter(|most| charge > *most) {
            Some(most) => Err(too_dear(charge, most, order.currency)),
            None => Ok(Due { place, order, rate, charge }),
        }
    }

    /// The prices in a currency.
    ///
    /// # Errors
    /// `price_unset`.
    pub(super) fn of(&self, currency: Currency) -> Result<&PageRates> {
        self.rates.get(&currency).ok_or_else(|| crate::campaign::quote::price_unset(None, currency))
    }
}

fn too_dear(charge: Amount, most: Amount, currency: Currency) -> Error {
    let label = currency.label();
    Error::rule(
        "max_charge",
        format!(
            "The message costs {charge} {label} and max_charge is {most}; nothing was sent and nothing charged"
        ),
    )
}
