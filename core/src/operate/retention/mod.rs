//! Erasing what was kept for long enough, behind the send.
//!
//! Campaigns are looked through in the order of their ids behind a mark, so that nothing is written for it while messages are
//! sent. One that was confirmed early enough and is not over stops the mark for some days, and is passed over and remembered
//! then; one under a legal hold is passed over, and its customer's campaigns are looked through again when the hold is lifted.
//!
//! A step is a transaction that erases and moves the mark: a daemon that dies between two leaves nothing that the next one
//! does not find, and of two daemons that do the same one finds the mark moved. A step has at most 4,096 recipients, or 100
//! campaigns' texts. Ten million single messages a day are 20,000 steps for the numbers and 100,000 for the texts: at a tenth of
//! a second each, with the pause between two, four hours.

mod aged;
mod forecast;
mod step;
mod terms;
mod verdict;

use std::time::Duration;

pub use aged::{Aged, AgedPass, WALKED_BY_AGE};
pub use forecast::{ClassForecast, forecast, lag};
pub use step::tick;
pub use terms::{CLASSES, GRACE, RetentionDays, Term, TermsInForce, in_force, is_put_off};

use crate::error::Result;
use crate::model::platform::audit::AuditAction;
use crate::model::platform::data_class::DataClass;
use crate::platform::audit::{self, Entry};
use crate::store::{Lane, Store, retention as table};
use crate::time::Time;

/// The classes whose campaigns are looked through.
pub const WALKED: [DataClass; 3] = [DataClass::Texts, DataClass::Numbers, DataClass::Receipts];
/// How long a campaign whose receipts do not come is taken for one that is not over; figures wait as long.
pub const RECEIPTS_UNTIL: Duration = Duration::from_hours(7 * 24);

const DAY_MS: i64 = 24 * 3_600 * 1_000;

/// Before when what is kept for so many days is past it.
pub(crate) fn edge(days: u32, now: Time) -> Time {
    now - Duration::from_hours(24 * u64::from(days))
}

const fn day_of(now: Time) -> i64 {
    now.millis().div_euclid(DAY_MS)
}

/// Notes in the audit trail what was erased on the days that are over, an entry a day.
///
/// # Errors
/// Errors of the database.
pub async fn note_days(store: &Store, now: Time) -> Result<()> {
    store
        .write(Lane::Background, now, |tx, now| {
            Box::pin(async move {
                let days = table::to_note(tx, day_of(*now)).await?;
                for of_day in days.chunk_by(|one, next| one.day == next.day) {
                    let said: Vec<String> = of_day.iter().map(in_words).collect();
                    let day = Time(of_day[0].day * DAY_MS).to_rfc3339();
                    let entry = Entry {
                        by: None,
                        action: AuditAction::RetentionErase,
                        subject: day.split('T').next().unwrap_or_default().to_owned(),
                        before: None,
                        after: Some(said.join("; ")),
                    };
                    audit::record(tx, &entry, *now).await?;
                    for it in of_day {
                        table::noted(tx, (it.day, it.class), *now).await?;
                    }
                }
                Ok(())
            })
        })
        .await
}

fn in_words(day: &table::RetentionDay) -> String {
    let table::RetentionDay { class, campaigns, items, .. } = day;
    format!("{}: {campaigns} campaigns, {items} recipients or rows", class.code())
}

#[cfg(test)]
mod tests;
