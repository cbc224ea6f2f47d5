//! What proving an identity takes: the sum of what its operations stand on, and the rules they share.
//!
//! The operations: [`crate::account::user::registration`], [`crate::account::verification::email`], [`crate::account::auth::password_reset`]. Nothing that a stranger
//! is told depends on whether an account exists.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use crate::account::auth::password::Passwords;
use crate::account::auth::session::SessionPolicy;
use crate::account::verification::code::{Asked, Caps, Grant, Networks};
use crate::entropy::Entropy;
use crate::error::{Error, Result};
use crate::model::user::Email;
use crate::notice::Notices;
use crate::phone::Msisdn;
use crate::settings::Vault;
use crate::store::account::registration;
use crate::store::{Store, Tx};
use crate::time::{Clock, Time};

/// Leading digits of a number that are counted together: country and network.
const PREFIX_DIGITS: usize = 6;

/// Registers people, proves addresses and numbers, changes passwords. Cloning it is cheap.
#[derive(Clone, Debug)]
pub struct Identity {
    /// The database.
    pub store: Store,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
    /// Seals codes, so that they are of no use to a reader of the database.
    pub vault: Vault,
    /// Password hashes.
    pub passwords: Passwords,
    /// How long sessions live.
    pub sessions: SessionPolicy,
    /// Takes codes and alerts to people.
    pub notices: Notices,
    /// How much of that there may be.
    pub caps: Caps,
}

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

/// What became of asking for a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeAsked {
    /// It was sent, if there is anybody to send it to.
    Sent,
    /// Not before so long.
    Wait(Duration),
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

impl Asked {
    pub(super) fn sms(to: Msisdn, origin: &Origin) -> Self {
        let digits = to.to_string();
        let prefix = digits.get(..PREFIX_DIGITS).unwrap_or(&digits).to_owned();
        let destination = format!("sms:{digits}");
        Self { destination, networks: origin.counted_as(), prefix, is_proven: false }
    }

    pub(super) fn email(to: &Email, origin: &Origin) -> Self {
        let destination = format!("email:{}", to.as_str());
        Self { destination, networks: origin.counted_as(), prefix: String::new(), is_proven: false }
    }
}

impl Grant {
    /// As the asker is told.
    ///
    /// # Errors
    /// `codes_paused` when too much is sent in all.
    pub(super) fn told(self) -> Result<CodeAsked> {
        match self {
            Self::Given => Ok(CodeAsked::Sent),
            Self::Wait(span) => Ok(CodeAsked::Wait(span)),
            Self::Paused => Err(Error::unavailable(
                "codes_paused",
                "Too many codes are being asked for at the moment: try again later",
            )),
        }
    }
}

impl Identity {
    pub(super) fn now(&self) -> Time {
        self.clock.now()
    }
}

/// Forgets registrations, codes and counts that are over; returns how many rows.
pub async fn purge_identity(tx: &mut Tx, now: Time) -> Result<u64> {
    Ok(registration::purge(tx, now).await? + crate::account::verification::code::purge_codes(tx, now).await?)
}
