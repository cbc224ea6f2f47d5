//! Counting recipients without keeping them: what a list is, before there is a message for it.
//!
//! What is a recipient, a duplicate, opted out or no number is decided as by a quote
//! ([`super::Collector`]); only what depends on the message and its route is not.

use std::sync::Arc;

use talkdrum_api::money::Currency;
use talkdrum_api::purpose::Purpose;

use super::distinct::DistinctNumbers;
use super::tally::AudienceTally;
use crate::contact::suppression::OptOutSnapshot;
use crate::error::{Error, Result};
use crate::phone::{Msisdn, NetworkTable, RejectReason, RowFields, Sink};
use crate::platform::quota::Room;
use crate::settings::PageRates;

/// The prices of a page in one currency.
#[derive(Debug)]
pub(crate) struct CountedRates {
    /// The currency.
    pub(crate) currency: Currency,
    /// Its prices.
    pub(crate) rates: PageRates,
    /// Recipients by rate, at its place.
    pub(crate) contacts: Vec<u64>,
}

impl CountedRates {
    /// Nothing yet.
    pub(crate) fn new(currency: Currency, rates: PageRates) -> Self {
        let contacts = vec![0; rates.count()];
        Self { currency, rates, contacts }
    }
}

/// Counts the recipients of any number of sources.
#[derive(Debug)]
pub(crate) struct Counter {
    networks: Arc<NetworkTable>,
    opt_outs: OptOutSnapshot,
    purpose: Purpose,
    numbers: DistinctNumbers,
    tally: AudienceTally,
    /// The prices of a page in each currency, with how many have each.
    rates: Vec<CountedRates>,
    /// The merge fields that every source with columns has.
    columns: Option<Vec<String>>,
    failed: Option<Error>,
}

impl Counter {
    /// Counts as many numbers as there is room for; `None` has no limit.
    pub(crate) fn new(
        networks: Arc<NetworkTable>,
        rates: Vec<CountedRates>,
        (opt_outs, purpose): (OptOutSnapshot, Purpose),
        room: Option<Room>,
    ) -> Self {
        let tally = AudienceTally { networks: vec![0; networks.len()], ..AudienceTally::default() };
        let numbers = DistinctNumbers::new(room);
        Self { networks, opt_outs, purpose, numbers, tally, rates, columns: None, failed: None }
    }

    /// What went wrong since, if anything.
    pub(crate) fn check(&mut self) -> Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// The counts, also by price, and the merge fields that a message to all of them can have.
    pub(crate) fn finish(self) -> (AudienceTally, Vec<CountedRates>, Vec<String>) {
        (self.tally, self.rates, self.columns.unwrap_or_default())
    }
}

impl Sink for Counter {
    fn columns(&mut self, columns: &[String]) {
        match &mut self.columns {
            None => self.columns = Some(columns.to_vec()),
            Some(known) => known.retain(|name| columns.contains(name)),
        }
    }

    #[inline]
    fn recipient(&mut self, _: u64, number: Msisdn, _: RowFields<'_>) {
        if self.failed.is_some() {
            return;
        }
        match self.numbers.insert(number) {
            Ok(true) => {}
            Ok(false) => return self.tally.duplicates += 1,
            Err(error) => return self.failed = Some(error),
        }
        if self.opt_outs.contains(number, self.purpose) {
            self.tally.suppressed += 1;
        } else {
            self.tally.recipients += 1;
            let network = self.networks.lookup(number);
            self.tally.networks[usize::from(network.0)] += 1;
            for CountedRates { rates, contacts, .. } in &mut self.rates {
                if let Some(rate) = rates.find(number, network) {
                    contacts[rate.place()] += 1;
                }
            }
        }
    }

    fn reject(&mut self, line: u64, text: &str, reason: RejectReason) {
        self.tally.reject(line, text, reason.code(), &reason);
    }

    fn number_columns(&mut self, read: &[String], unread: &[String]) {
        self.tally.note_columns(read, unread);
    }
}
