//! Rates: what a page costs by where it goes.

use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::purpose::Purpose;

use crate::time::Time;

/// Where messages go: what their numbers begin with, and of these, where it is said, those of one network; and where it is
/// said, only messages of one purpose.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx_macros::FromRow)]
pub struct Destination {
    /// Digits of E.164, from the calling code on.
    pub prefix: String,
    /// A network's name; empty is every network.
    pub network: String,
    /// What the messages are for; `None` is any purpose.
    pub purpose: Option<Purpose>,
}

impl std::fmt::Display for Destination {
    /// As in `+44`, `+234 mtn` and `+234 mtn for otp`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let space = if self.network.is_empty() { "" } else { " " };
        write!(f, "+{}{space}{}", self.prefix, self.network)?;
        self.purpose.map_or(Ok(()), |purpose| write!(f, " for {}", purpose.code()))
    }
}

/// What a page to a destination costs. In a currency without a price it is not in force.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct PageRate {
    /// Whose it is: of the users with this plan; empty is the list for all.
    pub plan: String,
    /// Where to.
    #[sqlx(flatten)]
    pub destination: Destination,
    /// In ESPEES.
    #[sqlx(rename = "espees_micros")]
    pub espees: Option<Amount>,
    /// In Naira.
    #[sqlx(rename = "naira_micros")]
    pub naira: Option<Amount>,
    /// When it was set.
    pub updated_at: Time,
}

impl PageRate {
    /// The list and the place in it: there is one rate of each.
    pub fn key(&self) -> (&str, &Destination) {
        (&self.plan, &self.destination)
    }

    /// Its price in a currency.
    pub const fn price(&self, currency: Currency) -> Option<Amount> {
        match currency {
            Currency::Espees => self.espees,
            Currency::Naira => self.naira,
        }
    }
}
