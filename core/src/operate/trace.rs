//! Looking at a carrier's wire for a while, from any daemon.
//!
//! The daemon that holds the carrier notes masked lines in memory while an operator watches, and stores them every
//! second. A trace ends by itself, and leaves nothing behind for long.

use std::time::Duration;

use crate::carrier::SmsCarrier;
use crate::carrier::trace::LINES_MAX;
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::platform::audit::AuditAction;
use crate::platform::audit::{self, Entry};
use crate::store::carrier::trace as rows;
pub use crate::store::carrier::trace::TraceRow as TracedLine;
use crate::store::{Lane, Store, Tx};
use crate::time::Time;

/// The longest a trace goes on before it is asked for again.
pub const TRACE_MAX: Duration = Duration::from_hours(1);
/// How long its lines are kept.
const KEPT_FOR: Duration = Duration::from_hours(1);
/// Lines kept of a carrier.
const KEPT: i64 = LINES_MAX as i64;

/// Traces a carrier for `span`; nothing ends it.
///
/// # Errors
/// Those of the store.
pub async fn switch_trace(tx: &mut Tx, carrier: &str, span: Duration, by: UserId, now: Time) -> Result<Time> {
    let until = now + span.min(TRACE_MAX);
    rows::set_until(tx, carrier, until, now).await?;
    let how_long = if span.is_zero() { "off".to_owned() } else { format!("until {}", until.to_rfc3339()) };
    let entry = Entry::new(by, AuditAction::CarrierTrace, format!("carrier {carrier}")).after(Some(how_long));
    audit::record(tx, &entry, now).await?;
    Ok(until)
}

/// The last lines of a carrier after the line `after`, oldest first.
///
/// # Errors
/// Those of the store.
pub async fn trace(tx: &mut Tx, carrier: &str, after: i64) -> Result<Vec<TracedLine>> {
    rows::after(tx, carrier, after, KEPT).await
}

/// Switches the trace of a carrier that this run holds, and stores what it noted.
///
/// # Errors
/// Those of the store.
pub async fn keep_trace(store: &Store, carrier: &dyn SmsCarrier, on: bool) -> Result<()> {
    let Some(trace) = carrier.trace() else { return Ok(()) };
    let lines = if trace.is_on() { trace.take() } else { Vec::new() };
    trace.switch(on);
    if lines.is_empty() {
        return Ok(());
    }
    store
        .write(Lane::Background, (carrier.name().to_owned(), lines), |tx, (carrier, lines)| {
            Box::pin(rows::add(tx, carrier, lines, KEPT))
        })
        .await
}

/// Drops the lines of traces long over; returns how many.
///
/// # Errors
/// Those of the store.
pub async fn purge_trace(tx: &mut Tx, now: Time) -> Result<u64> {
    rows::purge(tx, now - KEPT_FOR).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::both_databases;
    use crate::carrier::trace::TraceLine;
    use crate::model::account::user::Role;
    use crate::testing::account::make_user;

    both_databases! {
        async fn the_last_lines_of_a_carrier_are_kept_in_order_and_for_an_hour(store: Store) {
            let admin = make_user(&store, "root", Role::Admin).await;
            let until = store
                .write(Lane::Interactive, admin, |tx, admin| {
                    Box::pin(switch_trace(tx, "main", Duration::from_hours(9), *admin, Time(5)))
                })
                .await
                .unwrap();
            assert_eq!(until, Time(5) + TRACE_MAX, "it ends by itself");
            for batch in 0..3_i64 {
                let line = |n: i64| TraceLine { at: Time(batch), text: format!("{batch}:{n}") };
                let lines: Vec<_> = (0..300).map(line).collect();
                store
                    .write(Lane::Background, lines, |tx, lines| Box::pin(rows::add(tx, "main", lines, KEPT)))
                    .await
                    .unwrap();
            }
            let mut tx = store.read().await.unwrap();
            let kept = trace(&mut tx, "main", 0).await.unwrap();
            assert_eq!((kept.len(), kept[0].line.as_str(), kept[499].line.as_str()), (500, "1:100", "2:299"));
            let newer = trace(&mut tx, "main", kept[498].sequence).await.unwrap();
            assert_eq!(newer, kept[499..]);
            drop(tx);
            let late = Time(3) + KEPT_FOR;
            let purged =
                store.write(Lane::Background, late, |tx, late| Box::pin(purge_trace(tx, *late))).await.unwrap();
            assert_eq!(purged, 500);
        }
    }
}
