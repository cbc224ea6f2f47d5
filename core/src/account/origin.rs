//! Where a request came from, and what that is counted under.

use std::net::IpAddr;

use crate::account::verification::code::Networks;

/// Where a request came from.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The client's address.
    pub address: IpAddr,
    /// What the client calls itself.
    pub client: String,
    /// Whether this address has a recent sign-in.
    pub is_known: bool,
}

impl Origin {
    /// What the address is counted under: an IPv4 address, or 64, 56 and 48 bits of IPv6, of which one subscriber has
    /// any number. Loopback (a proxy that does not forward the address) identifies no client: it is counted in the
    /// totals only.
    pub(super) fn counted_as(&self) -> Networks {
        match self.address.to_canonical() {
            address if address.is_loopback() || address.is_unspecified() => Networks::default(),
            IpAddr::V4(address) => Networks { address: address.to_string(), ..Networks::default() },
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                Networks {
                    address: format!("{a:x}:{b:x}:{c:x}:{d:x}::/64"),
                    subnet_56: format!("{a:x}:{b:x}:{c:x}:{:x}::/56", d & 0xff00),
                    subnet_48: format!("{a:x}:{b:x}:{c:x}::/48"),
                }
            }
        }
    }

    /// The client's name, short enough to be kept.
    pub(super) fn client(&self) -> String {
        self.client.chars().filter(|sign| !sign.is_control()).take(200).collect()
    }
}
