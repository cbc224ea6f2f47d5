//! The answer to a quote: what the customer sees before paying.
//!
//! What was agreed is taken from the columns of the quote; [`QuoteDetails`] holds the rest.

use std::collections::BTreeMap;
use std::time::Duration;

use talkdrum_api::call::{Question, QuestionKey};
use talkdrum_api::campaign::{Quote, QuoteRate, Reject, Replacement};
use talkdrum_api::canary::QuoteCanary;
use talkdrum_api::money::Amount;

use super::{QuoteInputs, canary};
use crate::campaign::CampaignService;
use crate::campaign::audience::AudienceTally;
use crate::content::{Encoding, Poll};
use crate::error::{Error, Result};
use crate::ledger;
use crate::model::account::id::UserId;
use crate::model::campaign::id::QuoteId;
use crate::model::campaign::quote_details::{QuoteDetails, RateLine, Replaced};
use crate::model::money::rate::Destination;
use crate::phone::{NetworkId, NetworkTable};
use crate::settings::{PageRates, RateId};
use crate::store::Tx;
use crate::store::campaign::quote as table;
use crate::store::campaign::quote::{Agreed, QuoteRejectRow};
use crate::time::Time;

/// Rejects shown in the answer; the others are in the rejects file.
pub(super) const REJECTS_SHOWN: usize = 20;

/// What the answer says beside what is agreed.
pub(in crate::campaign) fn draw_up(
    service: &CampaignService,
    inputs: &QuoteInputs,
    tally: &AudienceTally,
    now: Time,
) -> QuoteDetails {
    let networks = &service.networks;
    let terms = &inputs.terms;
    let last_start = terms.times.last().copied().unwrap_or(now).max(now);
    // Promotional messages wait for the end of the quiet hours: the answer tells this of the first run; the end of the
    // last one counts.
    let hours = service.hours.as_ref().filter(|_| tally.promotional > 0);
    let opens = |start: Time| hours.map(|hours| hours.opens_at(start));
    let first_start = terms.times.first().copied().unwrap_or(now).max(now);
    let delayed_start = opens(first_start).filter(|opens| *opens > first_start);
    let last_start = opens(last_start).unwrap_or(last_start);
    let script = terms.content.as_call();
    let call_ms = script.map_or(0, |script| u64::try_from(script.duration().as_millis()).unwrap_or(u64::MAX));
    let takes = Duration::from_millis(inputs.plan.duration_ms(&tally.carrier_segments, call_ms));
    // The rest waits for the canary, for as long as it may at the most.
    let waits = canary::agreed(terms.canary.as_ref(), tally).map_or(0, |canary| canary.wait_s.unsigned_abs());
    let rest_starts = last_start + Duration::from_secs(waits);
    let finish = match hours {
        Some(hours) => hours.ends_after(rest_starts, takes),
        None => rest_starts + takes,
    };
    let overnight = hours.and_then(|hours| {
        let starts =
            terms.times.iter().map(|start| (*start).max(now)).chain(terms.times.is_empty().then_some(now));
        let left = starts.map(|start| hours.open_left(hours.opens_at(start))).min()?;
        (takes > left).then(|| overnight_notice(takes, left, script.is_some()))
    });
    QuoteDetails {
        total_duplicates_removed: tally.duplicates.cast_signed(),
        total_invalid: tally.invalid.cast_signed(),
        total_dnd: tally.dnd.cast_signed(),
        total_suppressed: tally.suppressed.cast_signed(),
        route: inputs.plan.label(&tally.carrier_segments),
        message: first_message(inputs, tally),
        message_to: tally.first.map(|number| number.to_string()),
        pages: tally.pages,
        segments: tally.segments,
        total_pages: tally.total_pages.cast_signed(),
        total_segments: tally.total_segments().cast_signed(),
        encoding: if script.is_some() { "audio" } else { encoding(inputs.prepared.encoding()) }.to_owned(),
        replacements: replacements(inputs),
        abroad_contacts: tally.abroad.cast_signed(),
        abroad_pages: tally.abroad_pages.cast_signed(),
        rates: Vec::new(),
        networks: by_name(&tally.networks, networks),
        delayed_start,
        delayed_contacts: if delayed_start.is_some() { tally.promotional.cast_signed() } else { 0 },
        number_columns: tally.read_columns.clone(),
        unread_columns: tally.unread_columns.clone(),
        notices: tally
            .notices()
            .into_iter()
            .chain(overnight)
            .chain(canary::notice(terms.canary.as_ref(), tally))
            .collect(),
        estimated_finish: Some(finish),
        groups: inputs.groups.clone(),
    }
}

fn question(poll: &Poll) -> Question {
    let keys = poll.keys.iter();
    let keys = keys.map(|it| QuestionKey { key: it.key.to_string(), label: it.label.clone() }).collect();
    Question { plays: poll.plays, keys }
}

/// That the quiet hours come before all is sent.
fn overnight_notice(takes: Duration, left: Duration, are_calls: bool) -> String {
    let what = if are_calls { "The calls take" } else { "Sending takes" };
    format!(
        "{what} about {}, and {} are left before the quiet hours: the rest goes on the next day",
        hours_of(takes),
        hours_of(left)
    )
}

/// As in `9 h`, `1 h 20 min` and `45 min`, rounded up.
fn hours_of(span: Duration) -> String {
    let minutes = span.as_secs().div_ceil(60);
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}

/// What the recipients cost, a line for each price that one of them has.
pub(super) fn lines(rates: &PageRates, tally: &AudienceTally) -> Vec<(RateId, RateLine)> {
    let counted = rates.ids().zip(&tally.rates).filter(|(_, (contacts, _))| *contacts > 0);
    counted
        .map(|(rate, (contacts, pages))| {
            let (contacts, pages) = (contacts.cast_signed(), pages.cast_signed());
            (rate, RateLine { contacts, pages, ..line(rates, rate) })
        })
        .collect()
}

/// The line of a price, without recipients.
pub(in crate::campaign) fn line(rates: &PageRates, rate: RateId) -> RateLine {
    let unit_price = rates.price(rate);
    match rates.destination(rate) {
        None => RateLine::without_rate(rate == RateId::ABROAD, unit_price),
        Some(Destination { prefix, network, purpose }) => RateLine {
            prefix: Some(prefix.clone()),
            network: Some(network.clone()).filter(|name| !name.is_empty()),
            purpose: *purpose,
            contacts: 0,
            pages: 0,
            unit_price,
        },
    }
}

/// The lines of a quote that was stored before it had any: there were two prices at the most.
fn former_lines(agreed: &Agreed, details: &QuoteDetails) -> Vec<RateLine> {
    let of = |is_abroad: bool, contacts: i64, pages: i64, price: Amount| RateLine {
        contacts,
        pages,
        ..RateLine::without_rate(is_abroad, price)
    };
    let (contacts, pages) = (details.abroad_contacts, details.abroad_pages);
    let home = of(false, agreed.size - contacts, details.total_pages - pages, agreed.unit_price);
    let abroad = agreed.abroad_price.map(|price| of(true, contacts, pages, price));
    [Some(home), abroad].into_iter().flatten().filter(|line| line.contacts > 0).collect()
}

/// What the first recipient reads.
fn first_message(inputs: &QuoteInputs, tally: &AudienceTally) -> String {
    let fields = inputs.prepared.fields();
    inputs.prepared.text(|name| {
        let place = fields.iter().position(|field| **field == *name)?;
        tally.first_values.get(place).map(|value| &**value)
    })
}

fn replacements(inputs: &QuoteInputs) -> Vec<Replaced> {
    let replaced = inputs.prepared.replacements().iter();
    replaced
        .map(|one| Replaced {
            from: one.from.to_string(),
            to: one.to.to_owned(),
            count: i64::from(one.count),
        })
        .collect()
}

const fn encoding(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Gsm7 => "gsm7",
        Encoding::Ucs2 => "ucs2",
        Encoding::Binary => "binary",
    }
}

pub(super) fn by_name(counts: &[u64], networks: &NetworkTable) -> BTreeMap<String, i64> {
    let ids = (0..=u8::MAX).map(NetworkId);
    let counted = ids.zip(counts).filter(|(_, count)| **count > 0);
    counted.map(|(id, count)| (networks.name(id).to_owned(), count.cast_signed())).collect()
}

/// The answer, with the wallet as it is. What is confirmed has been paid, or is about to be seen in the balance.
pub(super) fn answer(
    quote_id: QuoteId,
    agreed: &Agreed,
    details: QuoteDetails,
    rejects: &[QuoteRejectRow],
    balance: Amount,
) -> Result<Quote> {
    let runs = &agreed.runs.0;
    let script = agreed.content.as_call();
    let total_charges = agreed.charge.times(runs.len() as u64)?;
    let rates = match details.rates.is_empty() {
        true => former_lines(agreed, &details),
        false => details.rates,
    };
    let due = if agreed.confirmed_at.is_some() { Amount::ZERO } else { total_charges };
    Ok(Quote {
        quote_id: quote_id.0,
        total_contacts: agreed.size,
        total_duplicates_removed: details.total_duplicates_removed,
        total_invalid: details.total_invalid,
        total_dnd: details.total_dnd,
        rejects: rejects.iter().take(REJECTS_SHOWN).cloned().map(Reject::from).collect(),
        total_suppressed: details.total_suppressed,
        total_charges,
        charges_per_run: agreed.charge,
        sms_type: agreed.kind.code().to_owned(),
        purpose: agreed.purpose,
        route: details.route,
        sender_id: agreed.sender.clone(),
        message: details.message,
        message_to: details.message_to,
        pages: details.pages,
        segments: details.segments,
        total_pages: details.total_pages,
        total_segments: details.total_segments,
        encoding: details.encoding,
        length_s: script.map(|script| script.said_ms().div_ceil(1_000).cast_signed()),
        poll: script.and_then(|script| script.poll.as_ref()).map(question),
        pulses: script.map(|script| i64::from(script.pulses())),
        pulse: script.map(|script| script.pulse.to_string()),
        replacements: details.replacements.into_iter().map(Replacement::from).collect(),
        unit_price: agreed.unit_price,
        abroad_contacts: details.abroad_contacts,
        abroad_pages: details.abroad_pages,
        abroad_unit_price: agreed.abroad_price,
        rates: rates.into_iter().map(QuoteRate::try_from).collect::<Result<_>>()?,
        currency: agreed.currency.code().to_owned(),
        balance,
        balance_after: balance.minus(due)?,
        networks: details.networks,
        starts: runs.iter().copied().flatten().map(Time::to_rfc3339).collect(),
        delayed_start: details.delayed_start.map(Time::to_rfc3339),
        delayed_contacts: details.delayed_contacts,
        canary: agreed.canary.map(|canary| QuoteCanary {
            size: canary.size,
            seeds: canary.seeds,
            delivery: canary.delivery,
            wait_s: canary.wait_s,
        }),
        number_columns: details.number_columns,
        unread_columns: details.unread_columns,
        notices: details.notices,
        estimated_finish: details.estimated_finish.map(Time::to_rfc3339),
        expires_at: agreed.expires_at.to_rfc3339(),
    })
}

/// The answer of a stored quote of this user.
pub(super) async fn stored(tx: &mut Tx, user_id: UserId, quote_id: QuoteId) -> Result<Quote> {
    let row = table::by_id(tx, quote_id).await?.filter(|row| row.agreed.user_id == user_id);
    let agreed = row.ok_or(Error::NotFound("quote"))?.agreed;
    let details = table::details(tx, quote_id).await?;
    let rejects = table::rejects(tx, quote_id, REJECTS_SHOWN as i64).await?;
    let (_, balance) = ledger::wallet(tx, user_id, agreed.currency).await?;
    answer(quote_id, &agreed, details, &rejects, balance)
}

impl TryFrom<RateLine> for QuoteRate {
    type Error = Error;

    fn try_from(line: RateLine) -> Result<Self> {
        Ok(Self {
            charges: line.unit_price.times(line.pages.cast_unsigned())?,
            prefix: line.prefix,
            network: line.network,
            purpose: line.purpose,
            contacts: line.contacts,
            pages: line.pages,
            unit_price: line.unit_price,
        })
    }
}

impl From<Replaced> for Replacement {
    fn from(one: Replaced) -> Self {
        Self { from: one.from, to: one.to, count: one.count }
    }
}

impl From<QuoteRejectRow> for Reject {
    fn from(row: QuoteRejectRow) -> Self {
        Self { line: row.line, value: row.value, code: row.code, reason: row.reason }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_end_before_the_quiet_hours_is_said_in_hours() {
        let hour = Duration::from_hours(1);
        assert_eq!(
            overnight_notice(hour * 9, hour * 6, true),
            "The calls take about 9 h, and 6 h are left before the quiet hours: the rest goes on the next day"
        );
        assert_eq!(hours_of(hour + Duration::from_secs(61)), "1 h 2 min");
        assert_eq!(hours_of(Duration::from_secs(1)), "1 min");
    }
}
