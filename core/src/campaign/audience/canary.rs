//! Choosing the recipients of a canary while a list of any size streams by: of each network a bounded sample at random.
//!
//! The sample of a network are the numbers with the smallest hashes. One that a smaller hash displaces goes where it would
//! have gone without a canary. At the end the canary is dealt over the networks in proportion to their recipients. Seeds are of
//! it beside the sample, and do not make its networks' shares larger.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::model::campaign::canary::{CANARY_MAX, CanarySize, CanaryTerms};
use crate::phone::{Msisdn, NetworkId};
use crate::settings::RateId;

/// Bytes that candidates take together. Beyond it the largest sample is made smaller, and so may be the canary.
const CANDIDATES_BYTES: usize = if cfg!(test) { 4 << 20 } else { 32 << 20 };

/// A recipient who may become one of the canary.
#[derive(Debug)]
pub(super) struct Candidate {
    hash: u64,
    /// The place of its chunk among the open ones.
    pub(super) place: usize,
    pub(super) rate: RateId,
    pub(super) number: Msisdn,
    /// Billed pages and short messages.
    pub(super) measure: (u8, u8),
    pub(super) values: Vec<Box<str>>,
}

impl Candidate {
    fn bytes(&self) -> usize {
        let values = self.values.iter().map(|value| size_of_val(value) + value.len());
        size_of::<Self>() + values.sum::<usize>()
    }
}

/// In the order of their hashes, which are different for different numbers.
impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.hash.cmp(&other.hash)
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
    }
}

impl Eq for Candidate {}

/// The samples of all networks.
#[derive(Debug)]
pub(super) struct CanarySample {
    size: CanarySize,
    /// What the numbers are hashed with: another sample for each quote.
    key: u64,
    /// By network.
    networks: Vec<NetworkSample>,
    bytes: usize,
    /// Numbers that are of the canary in any case, in order.
    seeds: Vec<Msisdn>,
    /// Those of them that became recipients, a few.
    seeded: Vec<(NetworkId, Candidate)>,
}

/// The sample of a network.
#[derive(Debug)]
struct NetworkSample {
    candidates: BinaryHeap<Candidate>,
    /// What they take.
    bytes: usize,
    /// The smallest hash that was displaced: what comes later must be smaller, so that no order of the list is preferred.
    limit: u64,
}

impl NetworkSample {
    const EMPTY: Self = Self { candidates: BinaryHeap::new(), bytes: 0, limit: u64::MAX };

    fn push(&mut self, candidate: Candidate) {
        self.bytes += candidate.bytes();
        self.candidates.push(candidate);
    }

    fn pop(&mut self) -> Option<Candidate> {
        let last = self.candidates.pop()?;
        self.bytes -= last.bytes();
        self.limit = last.hash;
        Some(last)
    }
}

impl CanarySample {
    pub(super) fn new(CanaryTerms { size, seeds, .. }: CanaryTerms, key: u64, networks: usize) -> Self {
        let networks = (0..networks).map(|_| NetworkSample::EMPTY).collect();
        Self { size, key, networks, bytes: 0, seeds, seeded: Vec::new() }
    }

    /// Whether a number is of the canary in any case.
    #[inline]
    pub(super) fn is_seed(&self, number: Msisdn) -> bool {
        !self.seeds.is_empty() && self.seeds.binary_search(&number).is_ok()
    }

    /// Takes a recipient who is a seed.
    pub(super) fn put_seed(
        &mut self,
        network: NetworkId,
        (place, rate): (usize, RateId),
        (number, measure): (Msisdn, (u8, u8)),
        values: Vec<Box<str>>,
    ) {
        self.seeded.push((network, Candidate { hash: 0, place, rate, number, measure, values }));
    }

    /// How many seeds became recipients.
    pub(super) fn seeded(&self) -> u64 {
        self.seeded.len() as u64
    }

    /// Seeds that are no recipients.
    pub(super) fn missing_seeds(&self) -> Vec<Msisdn> {
        let is_missing = |seed: &Msisdn| self.seeded.iter().all(|(_, it)| it.number != *seed);
        self.seeds.iter().copied().filter(is_missing).collect()
    }

    /// The hash of a number that belongs into the sample of its network, as far as that is known by now.
    pub(super) fn wants(&self, network: NetworkId, number: Msisdn) -> Option<u64> {
        let sample = self.networks.get(usize::from(network.0))?;
        Some(hash(number.digits() ^ self.key)).filter(|hash| *hash < sample.limit)
    }

    /// Takes a recipient whose hash is wanted; returns those that it displaces.
    pub(super) fn put(
        &mut self,
        (network, hash): (NetworkId, u64),
        (place, rate): (usize, RateId),
        (number, measure): (Msisdn, (u8, u8)),
        values: Vec<Box<str>>,
    ) -> Vec<Candidate> {
        let candidate = Candidate { hash, place, rate, number, measure, values };
        let most = self.size.most();
        let Some(sample) = self.networks.get_mut(usize::from(network.0)) else { return vec![candidate] };
        self.bytes += candidate.bytes();
        sample.push(candidate);
        let mut displaced: Vec<Candidate> =
            if sample.candidates.len() > most { sample.pop().into_iter().collect() } else { Vec::new() };
        self.bytes -= displaced.iter().map(Candidate::bytes).sum::<usize>();
        while self.bytes > CANDIDATES_BYTES {
            let largest = self.networks.iter_mut().max_by_key(|sample| sample.bytes);
            let Some(last) = largest.and_then(NetworkSample::pop) else { break };
            self.bytes -= last.bytes();
            displaced.push(last);
        }
        displaced
    }

    /// The canary of a list with so many recipients by network, and by network the candidates that are not of it. A sample that
    /// would be all others is none: then the seeds alone are the canary, and nothing is where all are seeds.
    pub(super) fn deal(self, counts: &[u64]) -> (Vec<Candidate>, Vec<Vec<Candidate>>) {
        let mut unseeded = counts.to_vec();
        for (network, _) in &self.seeded {
            unseeded[usize::from(network.0)] -= 1;
        }
        let left: u64 = unseeded.iter().sum();
        let total = self.size.of(counts.iter().sum()).min(CANARY_MAX - self.seeded.len() as u64);
        let shares = if total < left { shares(total, &unseeded) } else { Vec::new() };
        let seeded = self.seeded.into_iter().map(|(_, candidate)| candidate);
        let (mut canary, mut others) =
            if left > 0 { (seeded.collect(), Vec::new()) } else { (Vec::new(), vec![seeded.collect()]) };
        for (place, sample) in self.networks.into_iter().enumerate() {
            let share = shares.get(place).copied().unwrap_or(0);
            let mut sample = sample.candidates.into_sorted_vec();
            let share = sample.len().min(usize::try_from(share).unwrap_or(usize::MAX));
            canary.extend(sample.drain(..share));
            others.push(sample);
        }
        // Numbers in order are stored in fewer bytes.
        canary.sort_unstable_by_key(|candidate| candidate.number);
        (canary, others)
    }
}

/// `total` in proportion to `counts`, whose sum is at least that: the largest remainders are rounded up, and each that is not
/// empty gets at least one where there are enough.
fn shares(total: u64, counts: &[u64]) -> Vec<u64> {
    let all = counts.iter().sum::<u64>().max(1);
    let present = counts.iter().filter(|count| **count > 0).count() as u64;
    let least = u64::from(total >= present);
    let exact = |count: u64| u128::from(total) * u128::from(count);
    let floor = |count: u64| u64::try_from(exact(count) / u128::from(all)).unwrap_or(total);
    let mut shares: Vec<u64> = counts.iter().map(|count| floor(*count).max(least.min(*count))).collect();
    // Both go over the networks a few times at the most.
    while shares.iter().sum::<u64>() > total {
        let Some(largest) = shares.iter_mut().max() else { break };
        *largest -= 1;
    }
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by_key(|place| std::cmp::Reverse(exact(counts[*place]) % u128::from(all)));
    let mut left = total.saturating_sub(shares.iter().sum());
    while left > 0 {
        let before = left;
        for place in &order {
            if left > 0 && shares[*place] < counts[*place] {
                shares[*place] += 1;
                left -= 1;
            }
        }
        if left == before {
            break;
        }
    }
    shares
}

/// A mix of all bits that is one-to-one (the finalizer of `SplitMix64`).
const fn hash(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_canary_is_dealt_in_proportion_and_reaches_every_network_where_it_can() {
        assert_eq!(
            shares(50, &[450, 450, 100]),
            [23, 22, 5],
            "the largest remainder gets one more, the first of equals"
        );
        assert_eq!(shares(50, &[10_000, 0, 3]), [49, 0, 1]);
        assert_eq!(shares(2, &[5, 5, 5]).iter().sum::<u64>(), 2);
        assert_eq!(shares(3, &[1_000, 1, 1]), [1, 1, 1]);
        assert_eq!(shares(0, &[]), [0; 0]);
    }

    fn terms(size: CanarySize, seeds: Vec<Msisdn>) -> CanaryTerms {
        CanaryTerms { size, seeds, delivery: 80, wait_s: 600 }
    }

    fn sample(size: CanarySize, key: u64, counts: &[u64], value: &str) -> (Vec<Candidate>, Vec<Candidate>) {
        let mut sample = CanarySample::new(terms(size, Vec::new()), key, counts.len());
        let mut others = Vec::new();
        for (network, count) in (0_u8..).zip(counts) {
            for n in 0..*count {
                let number =
                    Msisdn::from_digits(2_348_030_000_000 + u64::from(network) * 1_000_000 + n).unwrap();
                let network = NetworkId(network);
                let (place, values) = (usize::from(network.0), vec![Box::from(value)]);
                match sample.wants(network, number) {
                    Some(hash) => others.extend(sample.put(
                        (network, hash),
                        (place, RateId::HOME),
                        (number, (1, 1)),
                        values,
                    )),
                    None => others.push(Candidate {
                        hash: 0,
                        place,
                        rate: RateId::HOME,
                        number,
                        measure: (1, 1),
                        values,
                    }),
                }
            }
        }
        let (canary, rest) = sample.deal(counts);
        others.extend(rest.into_iter().flatten());
        (canary, others)
    }

    #[test]
    fn another_quote_has_another_canary_and_the_same_key_the_same() {
        let chosen = |key: u64| -> Vec<Msisdn> {
            sample(CanarySize::Recipients(20), key, &[3_000], "").0.iter().map(|it| it.number).collect()
        };
        assert_eq!(chosen(1), chosen(1));
        assert_ne!(chosen(1), chosen(2));
    }

    #[test]
    fn long_fields_make_the_samples_smaller_and_lose_no_one() {
        let (canary, others) = sample(CanarySize::Percent(90), 7, &[3_000, 3_000], &"x".repeat(4_000));
        assert!(canary.len() < 1_200 && canary.len() > 500, "{}", canary.len());
        assert_eq!(canary.len() + others.len(), 6_000);
        // It is a sample all the same: of each network the smallest hashes of all.
        for network in [0, 1] {
            let hashes = |some: &[Candidate]| -> Vec<u64> {
                let of = some.iter().filter(|it| it.place == network);
                of.map(|it| hash(it.number.digits() ^ 7)).collect()
            };
            assert!(hashes(&canary).into_iter().max() < hashes(&others).into_iter().min());
        }
    }

    #[test]
    fn a_canary_that_would_be_the_whole_list_is_none() {
        let (canary, others) = sample(CanarySize::Recipients(10), 7, &[4, 6], "");
        assert_eq!((canary.len(), others.len()), (0, 10));
    }

    proptest! {
        #[test]
        fn shares_add_up_and_none_is_more_than_there_are(
            counts in prop::collection::vec(0_u64..5_000, 1..12), part in 0_u64..=100,
        ) {
            let all: u64 = counts.iter().sum();
            let total = all * part / 100;
            let shares = shares(total, &counts);
            prop_assert_eq!(shares.iter().sum::<u64>(), total);
            let present = counts.iter().filter(|count| **count > 0).count() as u64;
            for (share, count) in shares.iter().zip(&counts) {
                prop_assert!(share <= count);
                prop_assert!(total < present || *count == 0 || *share > 0);
            }
        }
    }
}
