//! Finding the rate of a number: the destinations laid out in ranges of numbers, once for all quotes.

use std::cmp::Reverse;

use talkdrum_api::money::{Amount, Currency};

use crate::model::rate::{Destination, PageRate};
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
pub(super) struct RateTable {
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
    pub(super) fn new(rates: &[PageRate], plan: &str, currency: Currency, networks: &NetworkTable) -> Self {
        let of_list = |rate: &&PageRate| rate.plan.is_empty() || rate.plan == plan;
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
            match (&*rate.destination.network, networks.id(&rate.destination.network)) {
                ("", _) => node.choice.others = Some(place),
                (_, Some(network)) => node.choice.networks.push((network, place)),
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
    pub(super) fn find(&self, number: Msisdn, network: NetworkId) -> Option<u16> {
        if self.ranges.is_empty() {
            return None;
        }
        let place = place_of(number.digits());
        let after = self.ranges.partition_point(|(begin, _)| *begin <= place);
        let (_, choice) = self.ranges.get(after.checked_sub(1)?)?;
        let own = choice.networks.iter().find(|(known, _)| *known == network);
        own.map(|(_, rate)| *rate).or(choice.others)
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
mod tests {
    use super::*;
    use crate::time::Time;

    fn rate(prefix: &str, network: &str, naira: i64) -> PageRate {
        PageRate {
            plan: String::new(),
            destination: Destination { prefix: prefix.into(), network: network.into() },
            espees: None,
            naira: Some(Amount(naira)),
            updated_at: Time(1),
        }
    }

    fn found(table: &RateTable, networks: &NetworkTable, digits: u64) -> Option<i64> {
        let number = Msisdn::from_digits(digits).unwrap();
        let place = table.find(number, networks.lookup(number))?;
        Some(table.rates()[usize::from(place)].price.0)
    }

    #[test]
    fn the_longest_prefix_wins_and_then_the_network() {
        let networks = NetworkTable::builtin();
        let rates = [
            rate("44", "", 44),
            rate("447", "", 447),
            rate("4479111", "", 4_479_111),
            rate("1", "", 1),
            rate("234", "mtn", 2),
            rate("234803", "airtel", 3),
            rate("23480312", "", 4),
            rate("99", "unheard of", 9),
            rate("3361230", "", 7),
            rate("336123000", "", 8),
        ];
        let table = RateTable::new(&rates, "", Currency::Naira, networks);
        for (digits, price) in [
            (441_234_567_890, Some(44)),
            (447_000_000_000, Some(447)),
            (447_911_123_456, Some(4_479_111)),
            (447_911_200_000, Some(447)),
            (447_912_000_000, Some(447)),
            (14_155_552_671, Some(1)),
            (12_345_678, Some(1)),
            (33_612_345_678, None),
            (45_123_456, None),
            // An MTN number, by its network; by the longer prefix; one of Airtel, for which no prefix says anything.
            (2_348_031_034_567, Some(2)),
            (2_348_031_234_567, Some(4)),
            (2_348_021_234_567, None),
            (2_347_031_234_567, Some(2)),
            (991_234_567, None),
            // Numbers that end where a prefix goes on with zeros do not begin with it.
            (33_612_300, Some(7)),
            (3_361_230, Some(7)),
            (336_123_000, Some(8)),
            (336_123_001, Some(7)),
        ] {
            assert_eq!(found(&table, networks, digits), price, "{digits}");
        }
        let other = RateTable::new(&rates, "", Currency::Espees, networks);
        assert_eq!(found(&other, networks, 441_234_567_890), None, "in the other currency nothing is set");
    }

    /// What the rule says, number by number.
    fn by_the_rule(
        rates: &[PageRate],
        networks: &NetworkTable,
        digits: u64,
        currency: Currency,
    ) -> Option<i64> {
        let text = digits.to_string();
        let network = networks.name(networks.lookup(Msisdn::from_digits(digits).unwrap()));
        rates
            .iter()
            .filter(|rate| text.starts_with(&rate.destination.prefix))
            .filter(|rate| ["", network].contains(&&*rate.destination.network))
            .filter(|rate| rate.price(currency).is_some())
            .max_by_key(|rate| (rate.destination.prefix.len(), rate.destination.network.len()))
            .and_then(|rate| rate.price(currency))
            .map(|price| price.0)
    }

    proptest::proptest! {
        #[test]
        fn ranges_say_what_the_rule_says(
            prefixes in proptest::collection::btree_set((1_u64..99_999, 0_u32..3, 0_usize..3), 0..60),
            numbers in proptest::collection::vec(1_000_000_u64..999_999_999_999_999, 1..60),
        ) {
            let networks = NetworkTable::builtin();
            let rates: Vec<PageRate> = prefixes
                .into_iter()
                .zip(1..)
                .map(|((prefix, zeros, network), price)| {
                    let prefix = prefix * 10_u64.pow(zeros);
                    // Half of them within Nigeria, where there are networks.
                    let prefix = if price % 2 == 0 { format!("234{prefix}") } else { prefix.to_string() };
                    rate(&prefix, ["", "mtn", "glo"][network], price)
                })
                .collect();
            let table = RateTable::new(&rates, "", Currency::Naira, networks);
            for number in numbers.iter().flat_map(|it| [*it, 2_340_000_000_000 + it % 10_000_000_000]) {
                let Some(known) = Msisdn::from_digits(number) else { continue };
                proptest::prop_assert_eq!(
                    found(&table, networks, known.digits()),
                    by_the_rule(&rates, networks, number, Currency::Naira),
                    "{}", number
                );
            }
        }

        #[test]
        fn a_plan_is_read_before_the_list_for_all_and_one_list_says_the_same(
            entries in proptest::collection::btree_set(
                (1_u64..999, 0_u32..3, 0_usize..3, 0_usize..3, 0_usize..3), 0..60),
            numbers in proptest::collection::vec(0_u64..10_000_000_000, 1..60),
        ) {
            let networks = NetworkTable::builtin();
            let rates = entries.into_iter().zip(1..).map(|((prefix, zeros, network, plan, priced), price)| PageRate {
                plan: ["", "gold", "silver"][plan].into(),
                espees: [Some(Amount(1_000 + price)), None, Some(Amount(1_000 + price))][priced],
                naira: [Some(Amount(price)), Some(Amount(price)), None][priced],
                ..rate(&format!("234{}", prefix * 10_u64.pow(zeros)), ["", "mtn", "glo"][network], price)
            });
            let unique: std::collections::BTreeMap<_, _> =
                rates.map(|it| ((it.plan.clone(), it.destination.clone()), it)).collect();
            let rates: Vec<PageRate> = unique.into_values().collect();
            let list = |plan: &str| rates.iter().filter(|it| it.plan == plan).cloned().collect::<Vec<_>>();
            let told = super::super::rates_with_plan(rates.clone(), "gold");
            for currency in Currency::ALL {
                let table = RateTable::new(&rates, "gold", currency, networks);
                for number in &numbers {
                    let Some(known) = Msisdn::from_digits(2_340_000_000_000 + number) else { continue };
                    let by = |list: &[PageRate]| by_the_rule(list, networks, known.digits(), currency);
                    let expected = by(&list("gold")).or(by(&list("")));
                    proptest::prop_assert_eq!(found(&table, networks, known.digits()), expected, "{}", number);
                    proptest::prop_assert_eq!(by(&told), expected, "told: {}", number);
                }
            }
        }
    }
}
