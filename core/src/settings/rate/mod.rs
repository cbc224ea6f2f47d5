//! Rates: what a page of a short message costs by where it goes.
//!
//! The longest prefix wins, for the same prefix the network, and for the same network the purpose. Where no rate is in force, a number in Nigeria costs the
//! price of a page, and one elsewhere the price abroad; without one it is rejected. A user with a plan pays what the plan says
//! for a number, at whatever prefix; where it says nothing, the list for all is read. A list of rates is changed whole or
//! not at all, only from the state its author saw, and every price that changes is in the audit trail.

mod change;
mod plan;
mod table;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

pub use change::{ALL_RATES_MAX, PLANS_MAX, RATES_MAX, RatesChange, change_rates, rates};
pub use plan::{give_plan, plan_of, plans_of, rates_with_plan, users_by_plan};
pub(crate) use table::RateTable;
use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::purpose::Purpose;

use super::{PriceKey, UnitPrices, unit_prices};
use crate::content::CallScript;
use crate::error::Result;
use crate::model::money::rate::{Destination, PageRate};
use crate::phone::{Msisdn, NetworkId, NetworkTable};
use crate::store::Tx;
use crate::store::platform::{rate as rows, setting};

/// The most tables that are held, each of a plan, a purpose and a currency.
const TABLES_MAX: usize = (PLANS_MAX + 1) * Purpose::ALL.len() * Currency::ALL.len();

/// Whose rates, and of which messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatesOf<'p> {
    /// The plan of the user; empty is none.
    pub plan: &'p str,
    /// What the messages are for.
    pub purpose: Purpose,
}

/// The rates as a daemon holds them. Cheap to clone.
#[derive(Clone, Debug)]
pub struct RateCache {
    networks: Arc<NetworkTable>,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    version: String,
    rates: Arc<[PageRate]>,
    /// Of each plan that was asked for, purpose and currency.
    tables: HashMap<(String, Purpose, Currency), Arc<RateTable>>,
}

impl RateCache {
    /// Nothing yet. Networks are told apart by this table.
    pub fn new(networks: Arc<NetworkTable>) -> Self {
        Self { networks, state: Arc::default() }
    }

    /// The prices of a page of such messages, or of a pulse of such calls, as they are set; none of a page where that at home
    /// is not.
    pub async fn page_rates(
        &self,
        tx: &mut Tx,
        of: RatesOf<'_>,
        call: Option<&CallScript>,
        currency: Currency,
    ) -> Result<Option<PageRates>> {
        if call.is_some() {
            return Ok(PageRates::new(unit_prices(tx, call, currency).await?, Arc::default()));
        }
        // In one statement: prices and rates that were set together are read together.
        let (home, abroad) = (PriceKey::sms(currency), PriceKey::sms_abroad(currency));
        let [home_price, abroad_price, version] =
            setting::values(tx, [home.name(), abroad.name(), rows::VERSION]).await?;
        let prices = UnitPrices {
            home: home_price.map(|price| home.amount(&price)).transpose()?,
            abroad: abroad_price.map(|price| abroad.amount(&price)).transpose()?,
        };
        self.of_messages(tx, prices, currency, &version.unwrap_or_default(), of).await
    }

    /// The prices of a page of a short message, whose defaults and whose version of the rates are known.
    pub async fn of_messages(
        &self,
        tx: &mut Tx,
        prices: UnitPrices,
        currency: Currency,
        version: &str,
        of: RatesOf<'_>,
    ) -> Result<Option<PageRates>> {
        Ok(PageRates::new(prices, self.table(tx, of, currency, version).await?))
    }

    /// The rates of a version; read again only when it is another version.
    async fn table(
        &self,
        tx: &mut Tx,
        of: RatesOf<'_>,
        currency: Currency,
        version: &str,
    ) -> Result<Arc<RateTable>> {
        if version.is_empty() {
            return Ok(Arc::default());
        }
        let key = (of.plan.to_owned(), of.purpose, currency);
        let rates = {
            let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let is_it = state.version == version;
            if let Some(table) = state.tables.get(&key).filter(|_| is_it) {
                return Ok(Arc::clone(table));
            }
            is_it.then(|| Arc::clone(&state.rates))
        };
        let (version, rates): (String, Arc<[PageRate]>) = match rates {
            Some(rates) => (version.to_owned(), rates),
            None => {
                // They may have changed since the version was read: they are held under their own.
                let rates = rows::all(tx).await?;
                (change::version_of(&rates), rates.into())
            }
        };
        let table = Arc::new(RateTable::new(&rates, of, currency, &self.networks));
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.version != version {
            *state = State { version, rates, tables: HashMap::new() };
        }
        if state.tables.len() >= TABLES_MAX {
            state.tables.clear();
        }
        state.tables.insert(key, Arc::clone(&table));
        Ok(table)
    }
}

/// Which price of [`PageRates`] holds for a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RateId(u16);

impl RateId {
    /// The price of a page in Nigeria.
    pub const HOME: Self = Self(0);
    /// The price of a page elsewhere.
    pub const ABROAD: Self = Self(1);
    /// How many there are beside those of the rates.
    const DEFAULTS: u16 = 2;

    /// The price of a number that no rate is in force for.
    pub const fn without_rate(is_abroad: bool) -> Self {
        if is_abroad { Self::ABROAD } else { Self::HOME }
    }

    /// Its place among the prices.
    pub const fn place(self) -> usize {
        self.0 as usize
    }

    /// Whether it is that of a rate.
    pub const fn is_rate(self) -> bool {
        self.0 >= Self::DEFAULTS
    }
}

/// What a page costs in one currency, by where it goes.
#[derive(Clone, Debug)]
pub struct PageRates {
    home: Amount,
    abroad: Option<Amount>,
    table: Arc<RateTable>,
}

impl PageRates {
    fn new(prices: UnitPrices, table: Arc<RateTable>) -> Option<Self> {
        Some(Self { home: prices.home?, abroad: prices.abroad, table })
    }

    /// One price for all in Nigeria, and none elsewhere.
    pub fn only_home(price: Amount) -> Self {
        Self { home: price, abroad: None, table: Arc::default() }
    }

    /// The price of a number; `None` when there is none: it is not sent to.
    #[inline]
    pub fn find(&self, number: Msisdn, network: NetworkId) -> Option<RateId> {
        match self.table.find(number, network) {
            Some(rate) => Some(RateId(rate + RateId::DEFAULTS)),
            None if !number.is_abroad() => Some(RateId::HOME),
            None => self.abroad.map(|_| RateId::ABROAD),
        }
    }

    /// The place of a rate's price among all prices that differ: those at home and abroad, then the rates'.
    #[inline]
    pub fn slot(&self, rate: RateId) -> usize {
        match rate.0.checked_sub(RateId::DEFAULTS) {
            None => rate.place(),
            Some(place) => usize::from(RateId::DEFAULTS) + self.table.slot(place),
        }
    }

    /// How many prices there are.
    pub fn count(&self) -> usize {
        usize::from(RateId::DEFAULTS) + self.table.rates().len()
    }

    /// All of them.
    pub fn ids(&self) -> impl Iterator<Item = RateId> + use<> {
        let last = RateId::DEFAULTS + u16::try_from(self.table.rates().len()).unwrap_or(0);
        (0..last).map(RateId)
    }

    /// What it costs; zero of a default that is not set.
    pub fn price(&self, rate: RateId) -> Amount {
        match rate {
            RateId::HOME => self.home,
            RateId::ABROAD => self.abroad.unwrap_or_default(),
            RateId(place) => self
                .table
                .rates()
                .get(usize::from(place - RateId::DEFAULTS))
                .map_or(self.home, |rate| rate.price),
        }
    }

    /// Where it is in force; `None` of a default.
    pub fn destination(&self, rate: RateId) -> Option<&Destination> {
        self.table.destination(rate.0.checked_sub(RateId::DEFAULTS)?)
    }

    /// The price of a page in Nigeria where no rate is in force.
    pub const fn home(&self) -> Amount {
        self.home
    }

    /// The price of a page elsewhere where no rate is in force, if one is set.
    pub const fn abroad(&self) -> Option<Amount> {
        self.abroad
    }
}
