//! Rates by address and by account, for what strangers may try: signing in, registering, codes.
//!
//! Addresses are those of the client as our trusted proxies report it; of IPv6 the first 64 bits count, as one
//! subscriber has them all. The invariant: memory is bounded however many addresses come.

use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use super::problem::ApiError;
use crate::state::AppState;

/// Addresses remembered before those that have been quiet are dropped.
const REMEMBERED: usize = 65_536;

/// Allows each address a number of attempts a minute.
pub struct AddressLimiter {
    limiter: DefaultKeyedRateLimiter<IpAddr>,
    clock: DefaultClock,
}

impl fmt::Debug for AddressLimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AddressLimiter").field("addresses", &self.limiter.len()).finish()
    }
}

impl AddressLimiter {
    /// `per_minute` attempts a minute, and up to `burst` at once.
    pub fn new(per_minute: NonZeroU32, burst: NonZeroU32) -> Self {
        let quota = Quota::per_minute(per_minute).allow_burst(burst);
        Self { limiter: RateLimiter::keyed(quota), clock: DefaultClock::default() }
    }

    /// Counts an attempt.
    ///
    /// # Errors
    /// 429 with the seconds to wait.
    pub fn check(&self, address: IpAddr) -> Result<(), ApiError> {
        if self.limiter.len() >= REMEMBERED {
            self.limiter.retain_recent();
        }
        // More addresses at once than we remember share one allowance.
        let key = if self.limiter.len() >= REMEMBERED {
            IpAddr::V6(Ipv6Addr::UNSPECIFIED)
        } else {
            subscriber(address)
        };
        self.limiter
            .check_key(&key)
            .map_err(|not_until| ApiError::too_many(not_until.wait_time_from(self.clock.now()).as_secs() + 1))
    }
}

/// Allows each user a number of attempts a minute, all of which may come at once.
pub struct UserLimiter {
    limiter: DefaultKeyedRateLimiter<i64>,
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
        Self { limiter: RateLimiter::keyed(Quota::per_minute(per_minute)), clock: DefaultClock::default() }
    }

    /// Counts an attempt. Users are known, so there are no more of them than accounts; the quiet are forgotten.
    ///
    /// # Errors
    /// 429 with the seconds to wait.
    pub fn check(&self, user: i64) -> Result<(), ApiError> {
        if self.limiter.len() >= REMEMBERED {
            self.limiter.retain_recent();
        }
        self.limiter
            .check_key(&user)
            .map_err(|not_until| ApiError::too_many(not_until.wait_time_from(self.clock.now()).as_secs() + 1))
    }
}

/// Allows each account a number of attempts a minute, whether it exists or not and whoever tries.
pub struct AccountLimiter {
    limiter: DefaultKeyedRateLimiter<u64>,
    hasher: RandomState,
    clock: DefaultClock,
}

impl fmt::Debug for AccountLimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccountLimiter").field("accounts", &self.limiter.len()).finish()
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
        }
    }

    /// Counts an attempt on the account that somebody named, in whatever case.
    ///
    /// # Errors
    /// 429 with the seconds to wait.
    pub fn check(&self, named: &str) -> Result<(), ApiError> {
        if self.limiter.len() >= REMEMBERED {
            self.limiter.retain_recent();
        }
        let key = if self.limiter.len() >= REMEMBERED {
            0
        } else {
            self.hasher.hash_one(named.trim().to_lowercase())
        };
        self.limiter
            .check_key(&key)
            .map_err(|not_until| ApiError::too_many(not_until.wait_time_from(self.clock.now()).as_secs() + 1))
    }
}

fn subscriber(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

/// The address of the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

impl FromRequestParts<AppState> for ClientAddress {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let peer = parts
            .extensions
            .get::<ConnectInfo<SocketAddr>>()
            .map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |ConnectInfo(peer)| peer.ip().to_canonical());
        Ok(Self(client(peer, &parts.headers, &app.trusted_proxies)))
    }
}

/// The last address in `X-Forwarded-For` that is no trusted proxy, when the peer itself is one.
fn client(peer: IpAddr, headers: &HeaderMap, trusted: &[IpAddr]) -> IpAddr {
    if !trusted.contains(&peer) {
        return peer;
    }
    let values = headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok());
    let hops: Vec<IpAddr> =
        values.flat_map(|value| value.split(',')).map_while(|hop| hop.trim().parse().ok()).collect();
    hops.into_iter().rev().find(|hop| !trusted.contains(hop)).unwrap_or(peer)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIVE: NonZeroU32 = NonZeroU32::new(5).unwrap();

    #[test]
    fn an_address_that_tries_too_often_waits_and_others_do_not() {
        let limiter = AddressLimiter::new(NonZeroU32::MIN, FIVE);
        let greedy = "203.0.113.7".parse().unwrap();
        (0..5).for_each(|_| limiter.check(greedy).unwrap());
        assert_eq!(limiter.check(greedy).unwrap_err().status(), 429);
        limiter.check("203.0.113.8".parse().unwrap()).unwrap();
    }

    #[test]
    fn one_subscriber_has_a_whole_ipv6_network() {
        let address = |text: &str| subscriber(text.parse().unwrap());
        assert_eq!(address("2001:db8:1:2:3::4"), address("2001:db8:1:2:ffff::1"));
        assert_ne!(address("2001:db8:1:2::1"), address("2001:db8:1:3::1"));
        assert_eq!(address("::ffff:203.0.113.7"), address("203.0.113.7"));
    }

    #[test]
    fn only_a_trusted_proxy_may_say_for_whom_it_asks() {
        let proxy: IpAddr = "127.0.0.1".parse().unwrap();
        let stranger: IpAddr = "203.0.113.7".parse().unwrap();
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", "10.9.9.9, 198.51.100.2".parse().unwrap());
        let seen = |peer| client(peer, &headers, &[proxy]).to_string();
        assert_eq!(seen(stranger), "203.0.113.7");
        assert_eq!(seen(proxy), "198.51.100.2");
        assert_eq!(client(proxy, &HeaderMap::new(), &[proxy]), proxy);
    }
}
