//! Ends of calls that come when no daemon follows the call any more: it was given up, or its daemon died, and its message is
//! `unknown`.
//!
//! The reference of the webhook names the message. Its end settles the message once, in one transaction, by the same rules as
//! one that came in time, but that it is not called again: nothing was known of it for too long.

use talkdrum_api::purpose::OptOutReach;

use super::calls::{self, CallCourse};
use crate::campaign::settlement;
use crate::carrier::CallPolicy;
use crate::carrier::http::voice::CallReport;
use crate::contact::suppression;
use crate::content::Content;
use crate::error::Result;
use crate::model::campaign::audience_chunk::Chunk;
use crate::model::message::id::MessageId;
use crate::model::message::outcome::MessageOutcome;
use crate::model::message::status::MessageStatus;
use crate::store::message::reroute::Reroutes;
use crate::store::voice::call;
use crate::store::{Lane, Store, Tx, chunk, message};
use crate::time::Time;
use crate::worker::dispatch::requeue::Earlier;
use crate::worker::failover::Spares;

/// The effect of a late report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Late {
    /// It settled its message.
    Settled,
    /// It says nothing new: the message is settled or not there, or the call is not over.
    Known,
    /// It is of a call that another daemon follows, or of none that is known: it is to be told again.
    Elsewhere,
}

/// Settles the unknown message of a call of `carrier` whose end was reported.
///
/// # Errors
/// Those of the store.
pub async fn settle(store: &Store, carrier: &str, report: &CallReport, now: Time) -> Result<Late> {
    let Some(of) = report.of() else { return Ok(Late::Elsewhere) };
    let mut tx = store.read().await?;
    let Some(state) = status(&mut tx, of.message).await? else {
        // Telling it again is of no use where there is no such message.
        let is_there = chunk::find(&mut tx, of.message.chunk()).await?.is_some();
        return Ok(if is_there { Late::Elsewhere } else { Late::Known });
    };
    drop(tx);
    if suppression::opts_out(report.keys()) {
        let input = (carrier.to_owned(), of.message, now);
        store
            .write(Lane::Background, input, |tx, (carrier, message, now)| {
                Box::pin(opt_out(tx, carrier, *message, *now))
            })
            .await?;
    }
    if state != MessageStatus::Unknown {
        return Ok(Late::Known);
    }
    store
        .write(Lane::Background, (carrier.to_owned(), report.clone(), now), |tx, (carrier, report, now)| {
            Box::pin(settle_unknown(tx, carrier, report, *now))
        })
        .await
}

async fn status(tx: &mut Tx, message: MessageId) -> Result<Option<MessageStatus>> {
    Ok(message::states(tx, &[message]).await?.get(&message).map(|state| state.status))
}

/// Opts out the number of a message that went by this carrier, in whose call 9 was pressed: whatever else is known of it.
async fn opt_out(tx: &mut Tx, carrier: &str, message: MessageId, now: Time) -> Result<()> {
    let Some(row) = chunk::find(tx, message.chunk()).await? else { return Ok(()) };
    if Reroutes::of(tx, row.id, &row.carrier).await?.carrier_of(message.place()) != carrier {
        return Ok(());
    }
    let data = chunk::audience_data(tx, row.audience_chunk_id).await?;
    let number = Chunk::decode_without_fields(&data)?.numbers().get(usize::from(message.place())).copied();
    // Of one that was erased since it is not known any more.
    let number = number.filter(|number| !number.is_erased());
    let reach = OptOutReach::in_answer_to(row.purpose);
    suppression::add_by_key(tx, row.user_id, number.into_iter().collect(), reach, now).await
}

async fn settle_unknown(tx: &mut Tx, carrier: &str, report: &CallReport, now: Time) -> Result<Late> {
    let (Some(of), Some(end)) = (report.of(), report.end(now)) else { return Ok(Late::Known) };
    let message = of.message;
    chunk::lock_all(tx, [message.chunk()].into()).await?;
    // Read again: another daemon may hear the same end.
    let Some(row) = chunk::find(tx, message.chunk()).await? else { return Ok(Late::Known) };
    if status(tx, message).await? != Some(MessageStatus::Unknown) {
        return Ok(Late::Known);
    }
    let reroutes = Reroutes::of(tx, row.id, &row.carrier).await?;
    if reroutes.carrier_of(message.place()) != carrier {
        return Ok(Late::Known);
    }
    // Of a call whose end is known nothing new can be told.
    let last = call::of(tx, &[message]).await?.pop();
    let (attempts, tries) = last.map_or((0, 0), |last| (last.attempts, last.tries));
    if tries >= i64::from(of.call) {
        return Ok(Late::Known);
    }
    let Content::Voice(script) = Content::from_json(&row.content)? else { return Ok(Late::Known) };
    let earlier = Earlier { attempts, tries: i64::from(of.call) - 1, ..Earlier::default() };
    let terms = (&script, &CallPolicy::new(1, std::time::Duration::ZERO));
    let (course, ended) = calls::ended(message, &end, terms, &earlier, &mut Spares::default(), now);
    let (status, error, units) = match course {
        CallCourse::Settled { status, error, pulses } => (status, error, pulses),
        CallCourse::Again { reason, .. } | CallCourse::Elsewhere { reason, .. } => {
            (MessageStatus::Undelivered, Some(reason), None)
        }
    };
    let outcome = MessageOutcome {
        message,
        status,
        reference: None,
        submitted_at: None,
        done_at: Some(now),
        error: error.map(Into::into),
        units,
    };
    call::put(tx, &[ended]).await?;
    settlement::settle(tx, &[outcome], now).await?;
    tracing::info!(
        carrier,
        message = message.0,
        status = status.code(),
        "the end of an unknown call came late"
    );
    Ok(Late::Settled)
}
