//! `[codes]`: how many six-digit codes may be sent.

use std::num::NonZeroU32;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use talkdrum_core::account::CodeLimits;

/// How many codes may be sent to whom, and for whom. Five tries and ten minutes a code are fixed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Codes {
    /// Between two to one number or address, in seconds.
    pub cooldown_s: u32,
    /// To one number or address, an hour.
    pub destination_per_hour: NonZeroU32,
    /// To one number or address, a day.
    pub destination_per_day: NonZeroU32,
    /// For one client address, an hour; of IPv6 for one /64, four times as many for a /56, sixteen times for a /48.
    pub address_per_hour: NonZeroU32,
    /// For one client address, a day, likewise.
    pub address_per_day: NonZeroU32,
    /// To numbers with the same first six digits, an hour: for strangers, and as many for those who showed a password or
    /// a session.
    pub prefix_per_hour: u32,
    /// In all, an hour: text messages and e-mails apart, those of strangers and those of others apart.
    pub total_per_hour: u32,
}

impl Default for Codes {
    fn default() -> Self {
        let number = |value: u32| NonZeroU32::MIN.saturating_add(value - 1);
        Self {
            cooldown_s: 60,
            destination_per_hour: number(5),
            destination_per_day: number(10),
            address_per_hour: number(5),
            address_per_day: number(10),
            prefix_per_hour: 500,
            total_per_hour: 2_000,
        }
    }
}

impl Codes {
    /// As the domain has them.
    pub fn limits(&self) -> CodeLimits {
        CodeLimits {
            cooldown: Duration::from_secs(u64::from(self.cooldown_s)),
            destination_hour: self.destination_per_hour.get() as usize,
            destination_day: self.destination_per_day.get() as usize,
            address_hour: self.address_per_hour.get() as usize,
            address_day: self.address_per_day.get() as usize,
            prefix_hour: i64::from(self.prefix_per_hour),
            global_hour: i64::from(self.total_per_hour),
        }
    }
}
