//! For how long each class is kept. A time that is new, or shorter than before, holds a day after a daemon first saw it, and so
//! does that there is none any more: erasing cannot be undone, and the log, the audit trail and `talkdrumd retention` say
//! meanwhile what will go.

use std::time::Duration;

use crate::error::Result;
use crate::model::platform::audit::AuditAction;
use crate::model::platform::data_class::DataClass;
use crate::platform::audit::{self, Entry};
use crate::store::platform::audit as audit_rows;
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

/// Whether the time of a class holds by now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Term {
    /// None is configured.
    #[default]
    Unset,
    /// What is configured does not hold yet: nothing of the class is erased meanwhile, by this time or another.
    PutOff,
    /// It is kept for so many days.
    Days(u32),
}

/// The terms of all classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TermsInForce([Term; CLASSES.len()]);

impl TermsInForce {
    /// That of a class.
    pub fn of(&self, class: DataClass) -> Term {
        let at = CLASSES.iter().position(|it| *it == class);
        at.and_then(|at| self.0.get(at)).copied().unwrap_or_default()
    }
}

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
}

/// The classes that have a time.
pub const CLASSES: [DataClass; 4] =
    [DataClass::Texts, DataClass::Numbers, DataClass::Receipts, DataClass::Inbound];

/// Which of the configured times hold by now. Two daemons that are configured differently put each other off, and erase nothing
/// that the longer time keeps.
///
/// # Errors
/// Errors of the database.
pub async fn in_force(store: &Store, configured: RetentionDays, now: Time) -> Result<TermsInForce> {
    let mut terms = TermsInForce::default();
    for (class, term) in CLASSES.into_iter().zip(&mut terms.0) {
        let days = configured.of(class);
        let known = table::term(&mut store.read().await?, class).await?;
        let since = match known {
            None if days.is_none() => continue,
            Some((known, since)) if known == days.map(i64::from) => since,
            _ => {
                store
                    .write(Lane::Background, (class, days, now), |tx, input| Box::pin(change(tx, *input)))
                    .await?
            }
        };
        *term = match days {
            _ if now.since(since) < GRACE => Term::PutOff,
            Some(days) => Term::Days(days),
            None => Term::Unset,
        };
    }
    Ok(terms)
}

/// Whether a class is kept for so many days yet, where a step erases it: another daemon may have seen another time since the pass
/// began.
pub(super) async fn still_holds(tx: &mut Tx, class: DataClass, days: Option<u32>, now: Time) -> Result<bool> {
    Ok(match table::term(tx, class).await? {
        None => days.is_none(),
        Some((known, since)) => known == days.map(i64::from) && now.since(since) >= GRACE,
    })
}

/// Whether the configured time of a class does not hold by now, as it is new, or as another daemon has another one.
///
/// # Errors
/// Errors of the database.
pub async fn is_put_off(tx: &mut Tx, configured: RetentionDays, class: DataClass, now: Time) -> Result<bool> {
    let days = configured.of(class);
    Ok(days.is_some() && !still_holds(tx, class, days, now).await?)
}

/// Stores a time that changed; since when it holds.
async fn change(tx: &mut Tx, (class, days, now): (DataClass, Option<u32>, Time)) -> Result<Time> {
    table::lock(tx).await?;
    let known = table::term(tx, class).await?;
    let before = known.and_then(|(days, _)| days);
    // Another look of this daemon may have come before.
    if let Some((_, since)) = known.filter(|(known, _)| *known == days.map(i64::from)) {
        return Ok(since);
    }
    let is_shorter = |days: u32| before.is_none_or(|before| i64::from(days) < before);
    let since = match (days, known) {
        (Some(days), Some((_, since))) if !is_shorter(days) => since,
        _ => now,
    };
    table::set_term(tx, class, days.map(i64::from), since).await?;
    let said = |days: i64| format!("{days} days");
    let entry = Entry {
        by: None,
        action: AuditAction::RetentionTerm,
        subject: class.code().to_owned(),
        before: before.map(said),
        after: days.map(|days| said(i64::from(days))),
    };
    // Two daemons that are configured differently change it at each look: each way is noted twice a day.
    let change = (entry.before.as_deref(), entry.after.as_deref());
    if audit_rows::times_noted(tx, &entry.subject, entry.action, change, now - GRACE).await? < 2 {
        audit::record(tx, &entry, now).await?;
    }
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
