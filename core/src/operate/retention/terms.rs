//! For how long each class is kept. A time that is new, or shorter than before, holds a day after a daemon first saw it: erasing
//! cannot be undone, and the log, the audit trail and `talkdrumd retention` say meanwhile what will go.

use std::time::Duration;

use crate::error::Result;
use crate::model::audit::AuditAction;
use crate::model::data_class::DataClass;
use crate::platform::audit::{self, Entry};
use crate::store::{Lane, Store, Tx, retention as table};
use crate::time::Time;

/// How long after a daemon first saw a new or shorter time it holds.
pub const GRACE: Duration = Duration::from_hours(24);

/// For how many days each class is kept; `None` as if there were no retention.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RetentionDays {
    /// What campaigns said, from when they were over.
    pub texts: Option<u32>,
    /// Whom they went to, from when they were over.
    pub numbers: Option<u32>,
    /// Keys that were pressed in calls, from when their campaigns were over, and events that customers' programs were told.
    pub receipts: Option<u32>,
    /// What handsets sent.
    pub inbound: Option<u32>,
}

/// The times that hold by now.
pub type TermsInForce = RetentionDays;

impl RetentionDays {
    /// That of a class.
    pub const fn of(&self, class: DataClass) -> Option<u32> {
        match class {
            DataClass::Texts => self.texts,
            DataClass::Numbers => self.numbers,
            DataClass::Receipts => self.receipts,
            DataClass::Inbound => self.inbound,
            DataClass::Traces | DataClass::Account => None,
        }
    }

    fn set(&mut self, class: DataClass, days: Option<u32>) {
        match class {
            DataClass::Texts => self.texts = days,
            DataClass::Numbers => self.numbers = days,
            DataClass::Receipts => self.receipts = days,
            DataClass::Inbound => self.inbound = days,
            DataClass::Traces | DataClass::Account => {}
        }
    }
}

/// The classes that have a time.
pub(super) const CLASSES: [DataClass; 4] =
    [DataClass::Texts, DataClass::Numbers, DataClass::Receipts, DataClass::Inbound];

/// Which of the configured times hold by now. Two daemons that are configured differently put each other off, and erase nothing
/// that the longer time keeps.
///
/// # Errors
/// Errors of the database.
pub async fn in_force(store: &Store, configured: RetentionDays, now: Time) -> Result<TermsInForce> {
    let mut held = TermsInForce::default();
    for class in CLASSES {
        let days = configured.of(class);
        let known = table::term(&mut store.read().await?, class).await?;
        let since = match (days, known) {
            (None, None) => continue,
            (Some(days), Some((known, since))) if i64::from(days) == known => since,
            _ => {
                store
                    .write(Lane::Background, (class, days, now), |tx, input| Box::pin(change(tx, *input)))
                    .await?
            }
        };
        if days.is_some() && now.since(since) >= GRACE {
            held.set(class, days);
        }
    }
    Ok(held)
}

/// Stores a time that changed; since when it holds.
async fn change(tx: &mut Tx, (class, days, now): (DataClass, Option<u32>, Time)) -> Result<Time> {
    table::lock(tx).await?;
    let known = table::term(tx, class).await?;
    let is_shorter = |days: u32| known.is_none_or(|(known, _)| i64::from(days) < known);
    let since = match (days, known) {
        (Some(days), Some((_, since))) if !is_shorter(days) => since,
        _ => now,
    };
    table::set_term(tx, class, days.map(|days| (i64::from(days), since))).await?;
    let said = |days: i64| format!("{days} days");
    let entry = Entry {
        by: None,
        action: AuditAction::RetentionTerm,
        subject: class.code().to_owned(),
        before: known.map(|(days, _)| said(days)),
        after: days.map(|days| said(i64::from(days))),
    };
    audit::record(tx, &entry, now).await?;
    if let Some(days) = days.filter(|days| is_shorter(*days)) {
        let class = class.code();
        tracing::warn!(
            class,
            days,
            "what is older is erased from tomorrow on: `talkdrumd retention` says what that is"
        );
    }
    Ok(since)
}
