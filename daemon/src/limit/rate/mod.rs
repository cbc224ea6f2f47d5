//! Rates by address and by account, for what strangers may try: signing in, registering, codes.
//!
//! An IPv6 /64 counts as one address, as one subscriber
//! has all of it. A customer of a network may have many of them, so the /56 and the /48 around it are limited, too: to what
//! four and sixteen addresses get. An address that signed in lately is counted apart, and keeps its place in memory, which
//! is bounded, when those of strangers fill the rest.

use std::collections::HashSet;
use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::{Mutex, MutexGuard, PoisonError};

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use talkdrum_core::model::account::id::UserId;

use super::REMEMBERED;
use crate::problem::ApiError;

/// How many times what one address may do the networks around it may: a /56 and a /48 of IPv6.
const WIDER: [NonZeroU32; 2] = [NonZeroU32::new(4).unwrap(), NonZeroU32::new(16).unwrap()];

/// Allows each address a number of attempts a minute.
pub struct AddressLimiter {
    /// Of a stranger's address, and of the /56 and the /48 that it is in.
    strangers: [DefaultKeyedRateLimiter<IpAddr>; 3],
    /// Of addresses that signed in lately.
    known: [DefaultKeyedRateLimiter<IpAddr>; 3],
    lately: Mutex<Lately>,
    hasher: RandomState,
    clock: DefaultClock,
}

impl fmt::Debug for AddressLimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AddressLimiter").field("addresses", &self.strangers[0].len()).finish_non_exhaustive()
    }
}

impl AddressLimiter {
    /// `per_minute` attempts a minute, and up to `burst` at once.
    pub fn new(per_minute: NonZeroU32, burst: NonZeroU32) -> Self {
        let times = |times: NonZeroU32| {
            let quota = Quota::per_minute(per_minute.saturating_mul(times));
            RateLimiter::keyed(quota.allow_burst(burst.saturating_mul(times)))
        };
        Self {
            strangers: [times(NonZeroU32::MIN), times(WIDER[0]), times(WIDER[1])],
            known: [times(NonZeroU32::MIN), times(WIDER[0]), times(WIDER[1])],
            lately: Mutex::default(),
            hasher: RandomState::new(),
            clock: DefaultClock::default(),
        }
    }

    /// Counts an attempt.
    ///
    /// # Errors
    /// 429 with the seconds to wait.
    pub fn check(&self, address: IpAddr) -> Result<(), ApiError> {
        // Who signed in lately is counted apart from strangers, by the same networks.
        let limiters = if self.knows(address) { &self.known } else { &self.strangers };
        // The narrowest first: what it refuses uses up nothing of its neighbours'.
        let networks = [Some(subscriber(address)), network(address, 56), network(address, 48)];
        limiters
            .iter()
            .zip(networks)
            .filter_map(|(limiter, network)| network.map(|network| (limiter, network)))
            .try_for_each(|(limiter, network)| self.count(limiter, network))
    }

    fn count(&self, limiter: &DefaultKeyedRateLimiter<IpAddr>, network: IpAddr) -> Result<(), ApiError> {
        if limiter.len() >= REMEMBERED {
            limiter.retain_recent();
        }
        // More addresses at once than we remember share one allowance.
        let is_full = limiter.len() >= REMEMBERED;
        let key = if is_full { IpAddr::V6(Ipv6Addr::UNSPECIFIED) } else { network };
        limiter
            .check_key(&key)
            .map_err(|not_until| ApiError::too_many(not_until.wait_time_from(self.clock.now()).as_secs() + 1))
    }

    /// Notes that a user signed in from an address.
    pub fn signed_in(&self, address: IpAddr) {
        self.lately.lock().unwrap_or_else(PoisonError::into_inner).note(self.hashed(address));
    }

    /// Whether a user signed in from an address recently.
    pub fn knows(&self, address: IpAddr) -> bool {
        self.lately.lock().unwrap_or_else(PoisonError::into_inner).knows(self.hashed(address))
    }

    fn hashed(&self, address: IpAddr) -> u64 {
        self.hasher.hash_one(subscriber(address))
    }
}

/// Allows each user a number of attempts a minute or a day, all of which may come at once.
pub struct UserLimiter {
    limiter: DefaultKeyedRateLimiter<UserId>,
    clock: DefaultClock,
}

impl fmt::Debug for UserLimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UserLimiter").field("users", &self.limiter.len()).finish()
    }
}

impl UserLimiter {
    /// `per_minute` attempts a minute.
    pub fn new(per_minute: NonZeroU32) -> Self {
        Self::by(Quota::per_minute(per_minute))
    }

    /// `per_day` attempts a day.
    pub fn per_day(per_day: NonZeroU32) -> Self {
        let minutely = Quota::per_minute(NonZeroU32::MIN.saturating_add(per_day.get() / (24 * 60)));
        Self::by(minutely.allow_burst(per_day))
    }

    fn by(quota: Quota) -> Self {
        Self { limiter: RateLimiter::keyed(quota), clock: DefaultClock::default() }
    }

    /// Counts an attempt. Memory holds no more users than there are accounts, and forgets those that make no attempts.
    ///
    /// # Errors
    /// 429 with the seconds to wait.
    pub fn check(&self, user: UserId) -> Result<(), ApiError> {
        if self.limiter.len() >= REMEMBERED {
            self.limiter.retain_recent();
        }
        self.limiter
            .check_key(&user)
            .map_err(|not_until| ApiError::too_many(not_until.wait_time_from(self.clock.now()).as_secs() + 1))
    }
}

/// Allows each account a number of attempts a minute, whether it exists or not and from all addresses together.
///
/// An address that signed in to the account lately is counted by itself, so that strangers who use up the account's
/// attempts do not lock its owner out.
pub struct AccountLimiter {
    limiter: DefaultKeyedRateLimiter<u64>,
    hasher: RandomState,
    clock: DefaultClock,
    lately: Mutex<Lately>,
}

/// The last addresses, or pairs of account and address, that signed in: those since the last turn, and those of the turn before.
#[derive(Debug, Default)]
struct Lately {
    new: HashSet<u64>,
    old: HashSet<u64>,
}

impl Lately {
    fn note(&mut self, pair: u64) {
        if self.new.len() >= REMEMBERED / 2 {
            self.old = std::mem::take(&mut self.new);
        }
        self.new.insert(pair);
    }

    fn knows(&self, pair: u64) -> bool {
        self.new.contains(&pair) || self.old.contains(&pair)
    }
}

impl fmt::Debug for AccountLimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccountLimiter").field("accounts", &self.limiter.len()).finish_non_exhaustive()
    }
}

impl AccountLimiter {
    /// `per_minute` attempts a minute, and up to `burst` at once.
    pub fn new(per_minute: NonZeroU32, burst: NonZeroU32) -> Self {
        let quota = Quota::per_minute(per_minute).allow_burst(burst);
        Self {
            limiter: RateLimiter::keyed(quota),
            hasher: RandomState::new(),
            clock: DefaultClock::default(),
            lately: Mutex::default(),
        }
    }

    /// Counts an attempt on the account of a name, in whatever case, from an address.
    ///
    /// # Errors
    /// 429 with the seconds to wait.
    pub fn check(&self, named: &str, address: IpAddr) -> Result<(), ApiError> {
        if self.limiter.len() >= REMEMBERED {
            self.limiter.retain_recent();
        }
        let pair = self.pair(named, address);
        let key = if self.limiter.len() >= REMEMBERED {
            0
        } else if self.lately().knows(pair) {
            pair
        } else {
            self.hasher.hash_one(folded(named))
        };
        self.limiter
            .check_key(&key)
            .map_err(|not_until| ApiError::too_many(not_until.wait_time_from(self.clock.now()).as_secs() + 1))
    }

    /// An address signed in to the account of these names.
    pub fn signed_in(&self, names: &[&str], address: IpAddr) {
        let mut lately = self.lately();
        names.iter().for_each(|named| lately.note(self.pair(named, address)));
    }

    fn pair(&self, named: &str, address: IpAddr) -> u64 {
        self.hasher.hash_one((folded(named), subscriber(address)))
    }

    fn lately(&self) -> MutexGuard<'_, Lately> {
        self.lately.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn folded(named: &str) -> String {
    named.trim().to_lowercase()
}

/// What one subscriber has: an IPv4 address, or the first 64 bits of an IPv6 one.
pub(crate) fn subscriber(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

/// The first `bits` of an IPv6 address; an IPv4 one is in no such network.
fn network(address: IpAddr, bits: u32) -> Option<IpAddr> {
    match address.to_canonical() {
        IpAddr::V4(_) => None,
        IpAddr::V6(address) => {
            let mask = u128::MAX.checked_shl(128 - bits).unwrap_or_default();
            Some(IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & mask)))
        }
    }
}

#[cfg(test)]
mod tests;
