//! `[retention]`: after how many days what is held about people is erased. Without a key it is kept as ever.

use serde::{Deserialize, Serialize};
use talkdrum_core::operate::retention::RetentionDays;

/// The longest time: a hundred years.
const DAYS_MAX: u32 = 36_500;

/// How long each class of data is kept, in days.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RetentionSection {
    /// What campaigns and single messages said, from when they were over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texts_days: Option<u32>,
    /// Whom they went to, with merge fields and rejected rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numbers_days: Option<u32>,
    /// Keys that were pressed in calls, and the events of webhooks, which else are kept for 30 days.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipts_days: Option<u32>,
    /// What handsets sent, which else is kept for 400 days.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inbound_days: Option<u32>,
}

/// For how many days back it is looked up who wrote to a number.
const WRITERS_DAYS: u32 = 90;

impl RetentionSection {
    /// What a short time changes beside what is kept.
    pub(crate) fn warning(&self) -> Option<String> {
        let days = self.numbers_days.filter(|days| *days < WRITERS_DAYS)?;
        Some(format!(
            "retention.numbers_days is {days}: a STOP that comes later is noted for all customers, as it is not known any more who \
             wrote; {WRITERS_DAYS} or more keeps it to them"
        ))
    }

    /// The times.
    ///
    /// # Errors
    /// One that is less than a day, or more than a hundred years.
    pub fn days(&self) -> anyhow::Result<RetentionDays> {
        let Self { texts_days, numbers_days, receipts_days, inbound_days } = *self;
        for (key, days) in [
            ("texts_days", texts_days),
            ("numbers_days", numbers_days),
            ("receipts_days", receipts_days),
            ("inbound_days", inbound_days),
        ] {
            anyhow::ensure!(
                days.is_none_or(|days| (1..=DAYS_MAX).contains(&days)),
                "retention.{key} is not between 1 and {DAYS_MAX}: leave it out to keep what it is about"
            );
        }
        Ok(RetentionDays {
            texts: texts_days,
            numbers: numbers_days,
            receipts: receipts_days,
            inbound: inbound_days,
        })
    }
}
