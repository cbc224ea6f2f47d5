//! What would be erased by some times, and how far behind it is: to look before it happens, and afterwards.

use std::fmt;
use std::time::Duration;

use super::terms::{CLASSES, still_holds};
use super::{GRACE, RetentionDays, WALKED, edge};
use crate::error::Result;
use crate::model::platform::data_class::DataClass;
use crate::store::{Store, Tx, retention as table};
use crate::time::Time;

/// What would be erased of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassForecast {
    /// The class.
    pub class: DataClass,
    /// For how many days it is kept.
    pub days: u32,
    /// Campaigns that are over for so long, their recipients, and how many of these campaigns are under a legal hold and stay.
    /// `None` of a class that is none of campaigns.
    pub campaigns: Option<(i64, i64, i64)>,
    /// From when the time holds; `None` where no daemon was started with it yet.
    pub holds_from: Option<Time>,
}

impl fmt::Display for ClassForecast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { class, days, .. } = self;
        write!(f, "{}: kept for {days} days", class.code())?;
        if let Some((campaigns, recipients, held)) = self.campaigns {
            write!(f, "; {campaigns} campaigns with {recipients} recipients are past it")?;
            if held > 0 {
                write!(f, ", of which {held} campaigns are under a legal hold and stay")?;
            }
        }
        match self.holds_from {
            Some(at) => write!(f, "; it holds from {at} on"),
            None => write!(f, "; it holds a day after a daemon is started with it"),
        }
    }
}

/// What the times would erase now. Reads all campaigns that were not erased yet.
///
/// # Errors
/// Errors of the database.
pub async fn forecast(store: &Store, configured: RetentionDays, now: Time) -> Result<Vec<ClassForecast>> {
    let mut all = Vec::new();
    for class in CLASSES {
        let Some(days) = configured.of(class) else { continue };
        let mut tx = store.read().await?;
        let campaigns = match WALKED.contains(&class) {
            true => Some(table::waiting_of(&mut tx, class, edge(days, now)).await?),
            false => None,
        };
        let known = table::term(&mut tx, class).await?;
        let is_known = |known: &i64| *known <= i64::from(days);
        let holds_from =
            known.filter(|(known, _)| known.as_ref().is_some_and(is_known)).map(|(_, since)| since + GRACE);
        all.push(ClassForecast { class, days, campaigns, holds_from });
    }
    Ok(all)
}

/// How far behind a class of campaigns is that is kept for so many days: since how long the next campaign that is looked at is past
/// its time. Zero where none is, or the time does not hold yet.
///
/// # Errors
/// Errors of the database.
pub async fn lag(tx: &mut Tx, class: DataClass, days: u32, now: Time) -> Result<Duration> {
    if !still_holds(tx, class, Some(days), now).await? {
        return Ok(Duration::ZERO);
    }
    let next = table::behind(tx, class).await?;
    Ok(next.map_or(Duration::ZERO, |next| edge(days, now).since(next)))
}
