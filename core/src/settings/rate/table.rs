//! Finding the rate of a number: the destinations laid out in ranges of numbers, once for all quotes.

use std::cmp::Reverse;

use talkdrum_api::money::{Amount, Currency};

use super::RatesOf;
use crate::model::money::rate::{Destination, PageRate};
use crate::phone::{Msisdn, NetworkId, NetworkTable};

/// Digits of the longest number.
const DIGITS: u32 = 15;
/// A digit is written as one more than it is, so that a number that ends is told from one that goes on with zeros.
const BASE: u64 = 11;

/// A rate in one currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Priced {
    pub(super) destination: Destination,
    pub(super) price: Amount,
}

/// What holds for a range of numbers: the rates of its networks, and that of all others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Choice {
    networks: Vec<(NetworkId, u16)>,
    others: Option<u16>,
}

/// The rates in one currency, laid out for look-up.
#[derive(Clone, Debug, Default)]
pub(crate) struct RateTable {
    rates: Vec<Priced>,
    /// The place of each one's price among those that differ.
    slots: Vec<u16>,
    /// Where ranges begin, in order, each with what holds up to the next one. Before the first there is no rate.
    ranges: Vec<(u64, Choice)>,
}

/// A prefix with its rates in one list.
struct Node {
    /// Whether the list is the plan's.
    is_own: bool,
    first: u64,
    end: u64,
    length: usize,
    choice: Choice,
}

impl RateTable {
    /// Lays out the rates that have a price in `currency`: those of the plan before those for all, so that a look-up costs
    /// the same with a plan as without. One of a network that the table does not know holds for no number.
    pub(crate) fn new(
        rates: &[PageRate],
        of: RatesOf<'_>,
        currency: Currency,
        networks: &NetworkTable,
    ) -> Self {
        let of_list = |rate: &&PageRate| {
            let is_its = rate.destination.purpose.is_none_or(|purpose| purpose == of.purpose);
            is_its && (rate.plan.is_empty() || rate.plan == of.plan)
        };
        let (are_own, rates): (Vec<bool>, Vec<Priced>) = rates
            .iter()
            .filter(of_list)
            .filter_map(|rate| {
                let priced = Priced { destination: rate.destination.clone(), price: rate.price(currency)? };
                Some((!rate.plan.is_empty(), priced))
            })
            .unzip();
        let mut nodes: Vec<Node> = Vec::new();
        for ((place, rate), is_own) in (0..).zip(&rates).zip(are_own) {
            let Some((first, end)) = range(&rate.destination.prefix) else { continue };
            let length = rate.destination.prefix.len();
            let known = nodes
                .iter_mut()
                .find(|node| (node.is_own, node.first, node.length) == (is_own, first, length));
            let node = match known {
                Some(node) => node,
                None => nodes.push_mut(Node { is_own, first, end, length, choice: Choice::default() }),
            };
            // A rate of the purpose comes before that of any purpose.
            let is_better = |known: u16| {
                let known = rates.get(usize::from(known));
                known.is_none_or(|known| known.destination.purpose < rate.destination.purpose)
            };
            match (&*rate.destination.network, networks.id(&rate.destination.network)) {
                ("", _) if node.choice.others.is_none_or(is_better) => node.choice.others = Some(place),
                ("", _) => {}
                (_, Some(network)) => match node.choice.networks.iter_mut().find(|(it, _)| *it == network) {
                    Some((_, known)) if is_better(*known) => *known = place,
                    Some(_) => {}
                    None => node.choice.networks.push((network, place)),
                },
                (_, None) => tracing::warn!(
                    rate = %rate.destination,
                    "a rate is for a network that the table of prefixes does not know: it holds for no number"
                ),
            }
        }
        // What the plan says is read first; in a list the longest prefix wins.
        nodes.sort_by_key(|node| Reverse((node.is_own, node.length)));
        let mut begins: Vec<u64> = nodes.iter().flat_map(|node| [node.first, node.end]).collect();
        begins.sort_unstable();
        begins.dedup();
        let ranges = begins.into_iter().map(|begin| (begin, choice(&nodes, begin))).collect();
        let mut prices: Vec<Amount> = Vec::new();
        let slots = rates.iter().map(|rate| {
            let known = prices.iter().position(|price| *price == rate.price);
            let place = known.unwrap_or_else(|| {
                prices.push(rate.price);
                prices.len() - 1
            });
            u16::try_from(place).unwrap_or(u16::MAX)
        });
        let slots = slots.collect();
        Self { rates, slots, ranges }
    }

    /// The place of a rate's price among those that differ.
    #[inline]
    pub(super) fn slot(&self, rate: u16) -> usize {
        self.slots.get(usize::from(rate)).copied().map_or(0, usize::from)
    }

    /// The rate of a number; `None` where there is none for it.
    #[inline]
    pub(crate) fn find(&self, number: Msisdn, network: NetworkId) -> Option<u16> {
        if self.ranges.is_empty() {
            return None;
        }
        let place = place_of(number.digits());
        let after = self.ranges.partition_point(|(begin, _)| *begin <= place);
        let (_, choice) = self.ranges.get(after.checked_sub(1)?)?;
        let own = choice.networks.iter().find(|(known, _)| *known == network);
        own.map(|(_, rate)| *rate).or(choice.others)
    }

    /// Where a rate is in force.
    pub(crate) fn destination(&self, rate: u16) -> Option<&Destination> {
        self.rates.get(usize::from(rate)).map(|rate| &rate.destination)
    }

    pub(super) fn rates(&self) -> &[Priced] {
        &self.rates
    }
}

/// What holds for the numbers at `begin`: of each network the rate of the first node that says one for it or for all.
fn choice(nodes: &[Node], begin: u64) -> Choice {
    let mut choice = Choice::default();
    for node in nodes.iter().filter(|node| (node.first..node.end).contains(&begin)) {
        for (network, rate) in &node.choice.networks {
            if choice.networks.iter().all(|(known, _)| known != network) {
                choice.networks.push((*network, *rate));
            }
        }
        if node.choice.others.is_some() {
            choice.others = node.choice.others;
            break;
        }
    }
    choice
}

/// Where a number stands among all: its digits from the first one on, as [`BASE`] has them.
fn place_of(digits: u64) -> u64 {
    let length = digits.ilog10() + 1;
    let (mut rest, mut place, mut scale) = (digits, 0, BASE.pow(DIGITS.saturating_sub(length)));
    while rest > 0 {
        place += (rest % 10 + 1) * scale;
        scale *= BASE;
        rest /= 10;
    }
    place
}

/// The places of the numbers with a prefix: from the first up to where they end.
fn range(prefix: &str) -> Option<(u64, u64)> {
    let width = BASE.pow(DIGITS.checked_sub(u32::try_from(prefix.len()).ok()?)?);
    let first = place_of(prefix.parse().ok().filter(|digits| *digits > 0)?);
    Some((first, first + width))
}

#[cfg(test)]
mod tests;
