//! What single messages need, read for a batch of them at once: prices, opt-outs and senders.
//!
//! It is read in the transaction that pays, so the price in the answer is the price that is charged.

use std::collections::{BTreeSet, HashMap, HashSet};

use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::purpose::{OptOutReach, Purpose};

use super::SingleOrder;
use crate::campaign::audience::unpriced;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::phone::Msisdn;
use crate::sender;
use crate::settings::{self, PageRates, RateId, RatesOf};
use crate::store::Tx;
use crate::store::account::user;
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
    /// By currency, plan and purpose.
    rates: HashMap<(Currency, String, Purpose), PageRates>,
    /// Users with a plan, each with it.
    plans: HashMap<UserId, String>,
    opted_out: HashMap<(UserId, Msisdn), OptOutReach>,
    /// Users with the senders that they may use.
    senders: HashSet<(UserId, String)>,
    /// Users who may not send codes.
    without_codes: Vec<UserId>,
}

impl BatchPricing {
    /// Reads it for these orders.
    pub(super) async fn read(tx: &mut Tx, orders: &[SingleOrder]) -> Result<Self> {
        let users: HashSet<UserId> = orders.iter().map(|order| order.user).collect();
        let plans = settings::plans_of(tx, &Vec::from_iter(users)).await?;
        let (mut rates, mut seen) = (HashMap::new(), HashSet::new());
        for order in orders {
            let plan = plan_in(&plans, order.user);
            let (currency, purpose) = (order.currency, order.purpose);
            if !seen.insert((currency, plan, purpose)) {
                continue;
            }
            if let Some(found) = order.rates.page_rates(tx, RatesOf { plan, purpose }, None, currency).await?
            {
                rates.insert((currency, plan.to_owned(), purpose), found);
            }
        }
        let codes = orders.iter().filter(|order| order.purpose == Purpose::Otp);
        let senders_of_codes: BTreeSet<UserId> = codes.map(|order| order.user).collect();
        let without_codes = match senders_of_codes.is_empty() {
            true => Vec::new(),
            false => user::without_codes(tx, senders_of_codes.into_iter().collect()).await?,
        };
        let asked: Vec<(UserId, i64)> =
            orders.iter().map(|order| (order.user, order.number.digits().cast_signed())).collect();
        let mut opted_out: HashMap<(UserId, Msisdn), OptOutReach> = HashMap::new();
        for (user, number, reach) in suppression::of_users(tx, &asked).await? {
            let Some(number) = Msisdn::from_digits(number.cast_unsigned()) else { continue };
            let known = opted_out.entry((user, number)).or_insert(reach);
            *known = reach.max(*known);
        }
        Ok(Self { rates, plans, opted_out, senders: HashSet::new(), without_codes })
    }

    /// The order with its price.
    ///
    /// # Errors
    /// `codes_not_allowed`, `sender_not_allowed`, `price_unset`, `no_price`, `opted_out`, `max_charge`.
    pub(super) async fn price<'a>(
        &mut self,
        tx: &mut Tx,
        place: usize,
        order: &'a SingleOrder,
    ) -> Result<Due<'a>> {
        if order.purpose == Purpose::Otp && self.without_codes.contains(&order.user) {
            return Err(Error::codes_not_allowed());
        }
        let sender = (order.user, order.sender.clone());
        if !self.senders.contains(&sender) {
            sender::check(tx, order.user, &order.sender).await?;
            self.senders.insert(sender);
        }
        let rates = self.of(order)?;
        let opted_out = self.opted_out.get(&(order.user, order.number));
        if opted_out.is_some_and(|reach| reach.ends(order.purpose)) {
            return Err(Error::field(
                "contacts",
                "opted_out",
                format!(
                    "{} has opted out of {} messages; nothing was charged",
                    order.number,
                    order.purpose.code()
                ),
            ));
        }
        let rate = rates.find(order.number, order.network);
        let rate = rate.ok_or_else(|| unpriced(order.number))?;
        let charge = rates.price(rate).times(u64::from(order.measure.0))?;
        match order.max_charge.filter(|most| charge > *most) {
            Some(most) => Err(too_dear(charge, most, order.currency)),
            None => Ok(Due { place, order, rate, charge }),
        }
    }

    /// The prices of messages like this one.
    ///
    /// # Errors
    /// `price_unset`.
    pub(super) fn of(&self, order: &SingleOrder) -> Result<&PageRates> {
        let currency = order.currency;
        let key = (currency, plan_in(&self.plans, order.user).to_owned(), order.purpose);
        self.rates.get(&key).ok_or_else(|| crate::campaign::quote::price_unset(None, currency))
    }
}

/// The plan of a user; empty without one.
fn plan_in(plans: &HashMap<UserId, String>, user: UserId) -> &str {
    plans.get(&user).map_or("", String::as_str)
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
