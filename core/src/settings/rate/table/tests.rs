//! Which rate holds for a number, and that one list can say the same as two.

use talkdrum_api::purpose::Purpose;

use super::*;
use crate::time::Time;

const ANY: RatesOf<'_> = RatesOf { plan: "", purpose: Purpose::Transactional };

fn rate(prefix: &str, network: &str, naira: i64) -> PageRate {
    PageRate {
        plan: String::new(),
        destination: Destination { prefix: prefix.into(), network: network.into(), purpose: None },
        espees: None,
        naira: Some(Amount(naira)),
        updated_at: Time(1),
    }
}

/// Of any purpose at 0, else of one of the three.
fn with_purpose(rate: PageRate, purpose: usize) -> PageRate {
    let purpose = purpose.checked_sub(1).map(|place| Purpose::ALL[place]);
    PageRate { destination: Destination { purpose, ..rate.destination }, ..rate }
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
    let table = RateTable::new(&rates, ANY, Currency::Naira, networks);
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
    let other = RateTable::new(&rates, ANY, Currency::Espees, networks);
    assert_eq!(found(&other, networks, 441_234_567_890), None, "in the other currency nothing is set");
}

/// What the rule says, number by number.
fn by_the_rule(
    rates: &[PageRate],
    networks: &NetworkTable,
    digits: u64,
    purpose: Purpose,
    currency: Currency,
) -> Option<i64> {
    let text = digits.to_string();
    let network = networks.name(networks.lookup(Msisdn::from_digits(digits).unwrap()));
    rates
        .iter()
        .filter(|rate| text.starts_with(&rate.destination.prefix))
        .filter(|rate| ["", network].contains(&&*rate.destination.network))
        .filter(|rate| rate.destination.purpose.is_none_or(|it| it == purpose))
        .filter(|rate| rate.price(currency).is_some())
        .max_by_key(|rate| {
            let Destination { prefix, network, purpose } = &rate.destination;
            (prefix.len(), network.len(), *purpose)
        })
        .and_then(|rate| rate.price(currency))
        .map(|price| price.0)
}

proptest::proptest! {
    #[test]
    fn ranges_say_what_the_rule_says(
        prefixes in proptest::collection::btree_set((1_u64..999, 0_u32..3, 0_usize..3, 0_usize..4), 0..60),
        numbers in proptest::collection::vec(1_000_000_u64..999_999_999_999_999, 1..60),
    ) {
        let networks = NetworkTable::builtin();
        let rates: Vec<PageRate> = prefixes
            .into_iter()
            .zip(1..)
            .map(|((prefix, zeros, network, purpose), price)| {
                let prefix = prefix * 10_u64.pow(zeros);
                // Half of them within Nigeria, where there are networks.
                let prefix = if price % 2 == 0 { format!("234{prefix}") } else { prefix.to_string() };
                with_purpose(rate(&prefix, ["", "mtn", "glo"][network], price), purpose)
            })
            .collect();
        let purpose = Purpose::Promotional;
        let table = RateTable::new(&rates, RatesOf { plan: "", purpose }, Currency::Naira, networks);
        for number in numbers.iter().flat_map(|it| [*it, 2_340_000_000_000 + it % 10_000_000_000]) {
            let Some(known) = Msisdn::from_digits(number) else { continue };
            proptest::prop_assert_eq!(
                found(&table, networks, known.digits()),
                by_the_rule(&rates, networks, number, purpose, Currency::Naira),
                "{}", number
            );
        }
    }

    #[test]
    fn a_plan_is_read_before_the_list_for_all_and_one_list_says_the_same(
        entries in proptest::collection::btree_set(
            (1_u64..99, 0_u32..3, 0_usize..3, 0_usize..3, 0_usize..3, 0_usize..4), 0..60),
        numbers in proptest::collection::vec(0_u64..10_000_000_000, 1..60),
    ) {
        let networks = NetworkTable::builtin();
        let rates = entries.into_iter().zip(1..).map(|((prefix, zeros, network, plan, priced, purpose), price)| PageRate {
            plan: ["", "gold", "silver"][plan].into(),
            espees: [Some(Amount(1_000 + price)), None, Some(Amount(1_000 + price))][priced],
            // Some are the same, which then are told once.
            naira: [Some(Amount(price % 3)), Some(Amount(price)), None][priced],
            ..with_purpose(
                rate(&format!("234{}", prefix * 10_u64.pow(zeros)), ["", "mtn", "glo"][network], price),
                purpose,
            )
        });
        let unique: std::collections::BTreeMap<_, _> =
            rates.map(|it| ((it.plan.clone(), it.destination.clone()), it)).collect();
        let rates: Vec<PageRate> = unique.into_values().collect();
        let list = |plan: &str| rates.iter().filter(|it| it.plan == plan).cloned().collect::<Vec<_>>();
        let told = super::super::rates_with_plan(rates.clone(), "gold");
        let said = Currency::ALL.into_iter().flat_map(|it| Purpose::ALL.map(|purpose| (purpose, it)));
        for (purpose, currency) in said {
            let table = RateTable::new(&rates, RatesOf { plan: "gold", purpose }, currency, networks);
            for number in &numbers {
                let Some(known) = Msisdn::from_digits(2_340_000_000_000 + number) else { continue };
                let by = |list: &[PageRate]| by_the_rule(list, networks, known.digits(), purpose, currency);
                let expected = by(&list("gold")).or(by(&list("")));
                proptest::prop_assert_eq!(found(&table, networks, known.digits()), expected, "{}", number);
                proptest::prop_assert_eq!(by(&told), expected, "told: {}", number);
            }
        }
    }
}
