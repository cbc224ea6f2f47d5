//! What proving an identity takes: the sum of what its operations stand on, and the rules they share.
//!
//! The operations: [`crate::account::user::registration`], [`crate::account::verification::email`], [`crate::account::auth::password_reset`]. Nothing that a stranger
//! is told depends on whether an account exists.

use std::sync::Arc;
use std::time::Duration;

use crate::account::auth::password::Passwords;
use crate::account::auth::session::SessionPolicy;
use crate::account::origin::Origin;
use crate::account::verification::code::{Asked, CodeLimits, Grant};
use crate::entropy::Entropy;
use crate::error::{Error, Result};
use crate::model::account::user::Email;
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
    pub limits: CodeLimits,
}

/// What became of asking for a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeAsked {
    /// It was sent, if there is anybody to send it to.
    Sent,
    /// Not before so long.
    Wait(Duration),
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
    /// The message for the person who asked.
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
