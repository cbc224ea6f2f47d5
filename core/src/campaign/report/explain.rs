//! Why a message is where it is and what it cost: everything that happened to it and every ledger entry it is part of.
//!
//! Invariant: the explanation comes from the message's own records. Its reserve is named by its campaign, its capture
//! or release by the chunk and the sequence it was settled with, its refund by its own id; nothing is searched for by
//! amount or time.

use talkdrum_api::message::{HistoryEntry, Why, WhyEntry};
use talkdrum_api::money::{Amount, Money};

use super::reason;
use crate::campaign::report::Known;
use crate::content::{Content, FieldNames, TEXT_ERASED};
use crate::error::{Error, Result};
use crate::model::campaign::audience_chunk::{Chunk, Recipient};
use crate::model::message::id::MessageId;
use crate::model::message::reason::PlatformReason;
use crate::model::message::status::{CampaignStatus, MessageStatus, MoneyState};
use crate::model::money::ledger::Code;
use crate::model::page::RecordScope;
use crate::phone::NetworkTable;
use crate::store::Tx;
use crate::store::message::report as table;
use crate::store::message::report::{OriginRow, ReportedChunk};
use crate::store::message::reroute::Reroutes;
use crate::store::money::ledger;
use crate::store::voice::call;
use crate::time::Time;

/// Tells the whole story of a message.
///
/// # Errors
/// [`Error::NotFound`] when there is no such message, or it is not in scope.
pub async fn message(tx: &mut Tx, scope: RecordScope, id: MessageId, networks: &NetworkTable) -> Result<Why> {
    let none = || Error::NotFound("message");
    let chunk = table::whole_chunk(tx, id.chunk()).await?;
    let chunk = chunk.filter(|chunk| scope.sees(chunk.user_id)).ok_or_else(none)?;
    let reroutes = Reroutes::of(tx, id.chunk(), &chunk.carrier).await?;
    let audience = Chunk::decode(&chunk.data)?;
    let recipient = audience.recipient(usize::from(id.place())).ok_or_else(none)?;
    let retry = table::retries_of(tx, &[id]).await?.pop().map(|(_, reason)| reason);
    let record = table::messages(tx, &[id]).await?.pop();
    let origin = table::origin(tx, chunk.campaign_id).await?.ok_or_else(none)?;
    let called = if chunk.kind.is_sms() { None } else { call::of(tx, &[id]).await?.pop() };
    let known = Known {
        id,
        chunk: &chunk,
        record: record.as_ref(),
        retry: retry.as_deref(),
        carrier: reroutes.carrier_of(id.place()),
        to: recipient.number,
        pages: recipient.pages,
        call: called.as_ref(),
    };
    let (entries, last) = entries(tx, &known).await?;
    let history = history(tx, &known, &origin).await?;
    Ok(Why {
        message: known.row(scope, networks)?,
        text: text(&origin, recipient)?,
        history,
        explanation: explanation(&known, last)?,
        entries,
    })
}

/// What this recipient reads; nothing where the number was erased, and with it what it was sent; [`TEXT_ERASED`] where the text
/// was.
fn text(origin: &OriginRow, recipient: Recipient<'_>) -> Result<String> {
    if recipient.number.is_erased() {
        return Ok(String::new());
    }
    let content = Content::from_json(&origin.content)?;
    if content.is_erased() {
        return Ok(TEXT_ERASED.to_owned());
    }
    let columns = FieldNames::from_json(&origin.columns)?.keys();
    let value = |name: &str| {
        let column = columns.iter().position(|column| column == name)?;
        recipient.fields().get(column).map(AsRef::as_ref)
    };
    Ok(content.prepare_quoted(&columns)?.text(value))
}

/// The ledger entries that carry the message's money, in order, and what the last of them is.
async fn entries(tx: &mut Tx, known: &Known<'_>) -> Result<(Vec<WhyEntry>, Option<Code>)> {
    let mut entries = Vec::new();
    let mut last = None;
    for (code, reference) in named(known) {
        if let Some(transfer) = ledger::find_transfer(tx, code, &reference).await? {
            last = Some(transfer.code);
            entries.push(WhyEntry {
                id: transfer.id.0,
                at: transfer.created_at.to_rfc3339(),
                code: transfer.code.code().to_owned(),
                reference: transfer.reference,
                amount: transfer.amount,
                share: if code == Code::Reserve { known.reserved()? } else { known.price()? },
                narration: transfer.narration,
            });
        }
    }
    Ok((entries, last))
}

/// The names of the transfers the message is part of.
fn named(known: &Known<'_>) -> Vec<(Code, String)> {
    let ReportedChunk { id: chunk, campaign_id: campaign, .. } = known.chunk;
    let settled = |sequence: Option<i64>| match sequence {
        Some(sequence) => format!("chunk:{chunk}:{sequence}"),
        None => format!("cancel:{campaign}"),
    };
    let mut names = vec![(Code::Reserve, format!("campaign:{campaign}"))];
    match known.record {
        None if known.status() == MessageStatus::Cancelled => names.push((Code::Release, settled(None))),
        None => (),
        Some(record) => match record.money {
            MoneyState::Reserved => (),
            MoneyState::Captured => names.push((Code::Capture, settled(record.sequence))),
            MoneyState::Released => names.push((Code::Release, settled(record.sequence))),
            MoneyState::Refunded => {
                // Charged from the reserve, or from the wallet after a release: what did not happen is not found.
                names.push((Code::Capture, settled(record.sequence)));
                names.push((Code::Release, settled(record.sequence)));
                names.push((Code::Charge, format!("charge:{}", known.id.0)));
                names.push((Code::Refund, format!("refund:{}", known.id.0)));
            }
            MoneyState::Charged => {
                names.push((Code::Release, settled(record.sequence)));
                names.push((Code::Charge, format!("charge:{}", known.id.0)));
            }
        },
    }
    names
}

/// What happened, in order.
async fn history(tx: &mut Tx, known: &Known<'_>, origin: &OriginRow) -> Result<Vec<HistoryEntry>> {
    let step = |at: Option<String>, status: MessageStatus, note: String| HistoryEntry {
        at,
        status: status.code().to_owned(),
        note,
    };
    let confirmed = match origin.scheduled_at {
        Some(start) => format!("Confirmed and paid from the reserve, to start at {start}"),
        None => "Confirmed and paid from the reserve".to_owned(),
    };
    let mut steps = vec![step(Some(origin.created_at.to_rfc3339()), MessageStatus::Queued, confirmed)];
    let status = known.status();
    let carrier = known.carrier;
    let error = known.record.and_then(|record| record.error.as_deref());
    let why = reason::of(status, error);
    steps.extend(taken_over(known).map(|note| step(None, MessageStatus::Queued, note)));
    match known.record {
        None => steps.extend(pending(known, status, origin).map(|note| step(None, status, note))),
        Some(record) => {
            let accepted = record.carrier_ref.is_some();
            if accepted || status == MessageStatus::Submitted {
                let reference = record.carrier_ref.as_deref().unwrap_or("none");
                let note = format!("Accepted by the carrier {carrier}, reference {reference}");
                steps.push(step(record.submitted_at.map(Time::to_rfc3339), MessageStatus::Submitted, note));
            }
            if status != MessageStatus::Submitted {
                let when = record.done_at.or(if accepted { None } else { record.submitted_at });
                steps.push(step(
                    when.map(Time::to_rfc3339),
                    status,
                    why.unwrap_or_else(|| ending(known, status)),
                ));
            }
        }
    }
    for (part, status) in table::parts(tx, known.id).await? {
        steps.push(step(None, status, format!("Part {} of the message: {status}", part + 1)));
    }
    if let Some(quote) = table::resent_by(tx, known.id).await? {
        steps.push(step(None, status, format!("Sent again as a new message by quote {quote}")));
    }
    Ok(steps)
}

/// That another carrier of the route took a message over; nothing where its own has it, or an operator rerouted it.
fn taken_over(known: &Known<'_>) -> Option<String> {
    let spares = known.chunk.spares.as_deref()?;
    let is_spare = known.carrier != known.chunk.carrier && spares.lines().any(|name| name == known.carrier);
    is_spare.then(|| {
        format!(
            "Goes by the carrier {}, as {} was down or refused it for a reason of its own",
            known.carrier, known.chunk.carrier
        )
    })
}

/// What a message without a row waits for; nothing when its confirmation says it all.
fn pending(known: &Known<'_>, status: MessageStatus, origin: &OriginRow) -> Option<String> {
    match (status, known.retry) {
        (_, Some(retry)) => Some(reason::of_retry(retry)),
        (MessageStatus::Queued, None) if origin.campaign_status == CampaignStatus::Paused => {
            Some("Waits: the campaign is paused".to_owned())
        }
        (MessageStatus::Queued, None) => None,
        (MessageStatus::Submitting, None) => {
            Some(format!("Handed to the carrier {}; its answer is awaited", known.carrier))
        }
        (other, None) => reason::of(other, None),
    }
}

fn ending(known: &Known<'_>, status: MessageStatus) -> String {
    let seconds = |ms: i64| ms.unsigned_abs().div_ceil(1_000);
    match (status, known.call) {
        (MessageStatus::Delivered, Some(call)) => {
            let (up, heard) = (seconds(call.up_ms), seconds(call.heard_ms));
            let opted_out =
                if known.opted_out() { format!(". {}", reason::OPTED_OUT_BY_KEY) } else { String::new() };
            format!("Answered, for {up} s; {heard} s of what was said were heard{opted_out}")
        }
        (status, _) => ending_of_message(status, known.carrier),
    }
}

fn ending_of_message(status: MessageStatus, carrier: &str) -> String {
    match status {
        MessageStatus::Delivered => "Delivered to the handset, by the network's receipt".to_owned(),
        MessageStatus::Undelivered => "The network could not deliver it".to_owned(),
        MessageStatus::Rejected => format!("Refused by the carrier {carrier}"),
        MessageStatus::Queued
        | MessageStatus::Submitting
        | MessageStatus::Submitted
        | MessageStatus::Expired
        | MessageStatus::Unknown
        | MessageStatus::Cancelled
        | MessageStatus::Suppressed => status.code().to_owned(),
    }
}

/// The whole in one sentence.
fn explanation(known: &Known<'_>, last: Option<Code>) -> Result<String> {
    let price = Money { amount: known.price()?, currency: known.chunk.currency };
    let is_call = !known.chunk.kind.is_sms();
    let unit = if is_call { "pulse" } else { "page" };
    let why = known.record.and_then(|record| PlatformReason::of_stored(record.error.as_deref()?));
    let units = known.units();
    let pages = if units == 1 { format!("1 {unit}") } else { format!("{units} {unit}s") };
    let what = match known.status() {
        MessageStatus::Submitting if is_call => "It is being called",
        MessageStatus::Delivered if known.opted_out() => {
            "The call was answered, and the person opted out by pressing 9"
        }
        MessageStatus::Delivered if is_call => "The call was answered",
        MessageStatus::Undelivered if is_call => "The call was not answered",
        MessageStatus::Rejected if is_call => "The call was declined, or there is no such number",
        MessageStatus::Queued => "It waits to be sent",
        MessageStatus::Submitting => "It was handed to the carrier, whose answer is awaited",
        MessageStatus::Submitted => "The carrier accepted it; the receipt is awaited",
        MessageStatus::Delivered => "It was delivered",
        MessageStatus::Undelivered => "The carrier accepted it, but it could not be delivered",
        MessageStatus::Rejected if why == Some(PlatformReason::Unfit) => "It could not be encoded",
        MessageStatus::Rejected => "The carrier refused it",
        MessageStatus::Expired => "Its validity ran out",
        MessageStatus::Unknown => "It is not known whether it was sent",
        MessageStatus::Cancelled => "It was cancelled before it was sent",
        MessageStatus::Suppressed => match why {
            Some(PlatformReason::OptedOut) => "It was left out because the number opted out",
            Some(PlatformReason::DoNotDisturb) => {
                "It was left out because the number is on the Do-Not-Disturb list"
            }
            _ => "It was left out because the number opted out or is on the Do-Not-Disturb list",
        },
    };
    let paid = if price.amount == Amount::ZERO {
        "it cost nothing".to_owned()
    } else {
        match last {
            Some(Code::Capture) => format!("{price} was charged for {pages}"),
            Some(Code::Release) => format!("{price} for {pages} was refunded"),
            Some(Code::Charge) => {
                format!("{price} for {pages} was refunded, and charged when it was settled as sent")
            }
            Some(Code::Refund) => format!("{price} for {pages} was charged and then refunded"),
            _ => format!("{price} for {pages} is reserved"),
        }
    };
    Ok(format!("{what}; {paid}."))
}

#[cfg(test)]
mod tests;
