//! The canary of a quote: what a form asks for, what becomes of it with these recipients, and what the quote says of it.

use talkdrum_api::kind::Kind;

use super::QuoteInputs;
use crate::campaign::audience::{AudienceTally, CanaryTally};
use crate::error::{Error, Result};
use crate::model::campaign::canary::{AgreedCanary, CANARY_MAX, CanarySize, CanaryTerms, SEEDS_MAX};
use crate::phone::{Intake, IntakeOptions, Msisdn, RejectReason, RowFields, Sink};

/// Of a hundred messages of a canary, so many must be delivered unless the form says it. A call is delivered when it is
/// answered, which most are not.
const fn default_delivery(kind: Kind) -> u8 {
    if kind.is_sms() { 80 } else { 30 }
}
/// How long receipts of a canary are waited for unless the form says it, in seconds.
const DEFAULT_WAIT_S: u32 = 600;
/// The shortest and the longest wait, in seconds.
const WAIT_S: (u32, u32) = (10, 86_400);

/// The fields of a form that ask for a canary, as they came. What is blank is not given.
#[derive(Clone, Copy, Debug, Default)]
pub struct CanaryForm<'a> {
    /// `canary`: how many get their message first, as `50` or `5%`.
    pub size: Option<&'a str>,
    /// `canary_seeds`: numbers that do in any case, in any form that `contacts` takes.
    pub seeds: Option<&'a str>,
    /// `canary_delivery`: how many of a hundred must be delivered.
    pub delivery: Option<&'a str>,
    /// `canary_wait_s`: how many seconds receipts are waited for.
    pub wait_s: Option<&'a str>,
}

impl CanaryForm<'_> {
    /// What is asked for; nothing without a size and without seeds.
    ///
    /// # Errors
    /// `bad_canary`, `bad_canary_seeds`, `bad_canary_delivery`, `bad_canary_wait`; `canary_required` where there is a threshold
    /// or a wait alone.
    pub fn read(self, kind: Kind) -> Result<Option<CanaryTerms>> {
        let given =
            |text: Option<&str>| text.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
        let [size, seeds, delivery, wait_s] = [self.size, self.seeds, self.delivery, self.wait_s].map(given);
        if size.is_none() && seeds.is_none() {
            let message = "Only a canary has a threshold and a wait: say how many get the message first";
            let strange = delivery.is_some() || wait_s.is_some();
            return if strange { Err(Error::field("canary", "canary_required", message)) } else { Ok(None) };
        }
        let size = size.map_or(Ok(CanarySize::Recipients(0)), |text| read_size(&text))?;
        let seeds = seeds.map_or(Ok(Vec::new()), |text| read_seeds(&text))?;
        let delivery = delivery.map_or(Some(default_delivery(kind)), |text| {
            let text = text.strip_suffix('%').unwrap_or(&text);
            text.trim_end().parse().ok().filter(|it| (1..=100).contains(it))
        });
        let delivery = delivery.ok_or_else(|| {
            let message = "Of a hundred messages of a canary 1 to 100 must be delivered";
            Error::field("canary_delivery", "bad_canary_delivery", message)
        })?;
        let (shortest, longest) = WAIT_S;
        let wait_s = wait_s.map_or(Some(DEFAULT_WAIT_S), |text| {
            text.parse().ok().filter(|it| (shortest..=longest).contains(it))
        });
        let wait_s = wait_s.ok_or_else(|| {
            let message = format!("Receipts of a canary are waited for {shortest} to {longest} seconds");
            Error::field("canary_wait_s", "bad_canary_wait", message)
        })?;
        Ok(Some(CanaryTerms { size, seeds, delivery, wait_s }))
    }
}

fn read_size(text: &str) -> Result<CanarySize> {
    let read = match text.strip_suffix('%') {
        Some(share) => {
            share.trim_end().parse().ok().filter(|it| (1..=99).contains(it)).map(CanarySize::Percent)
        }
        None => text
            .parse()
            .ok()
            .filter(|it| (1..=CANARY_MAX).contains(&u64::from(*it)))
            .map(CanarySize::Recipients),
    };
    read.ok_or_else(|| {
        let message =
            format!("A canary is a number of recipients from 1 to {CANARY_MAX}, or a share from 1% to 99%");
        Error::field("canary", "bad_canary", message)
    })
}

/// Each once and in order.
fn read_seeds(text: &str) -> Result<Vec<Msisdn>> {
    let mut taken = Seeds::default();
    let mut intake = Intake::new(IntakeOptions { form: true, ..IntakeOptions::default() });
    intake.feed(text.as_bytes(), &mut taken);
    intake.finish(&mut taken)?;
    let bad = |message: String| Error::field("canary_seeds", "bad_canary_seeds", message);
    let Seeds { mut numbers, refused } = taken;
    if let Some((text, reason)) = refused {
        return Err(bad(format!("'{text}' is no number for the canary: {reason}")));
    }
    numbers.sort_unstable();
    numbers.dedup();
    match numbers.len() {
        0 => Err(bad("Give numbers of your own for the canary, with commas between them".to_owned())),
        1..=SEEDS_MAX => Ok(numbers),
        _ => Err(bad(format!("A canary has at most {SEEDS_MAX} numbers of your own"))),
    }
}

/// The numbers of seeds, and the first that is none.
#[derive(Debug, Default)]
struct Seeds {
    numbers: Vec<Msisdn>,
    refused: Option<(String, RejectReason)>,
}

impl Sink for Seeds {
    fn recipient(&mut self, _: u64, number: Msisdn, _: RowFields<'_>) {
        self.numbers.push(number);
    }

    fn reject(&mut self, _: u64, text: &str, reason: RejectReason) {
        self.refused.get_or_insert_with(|| (text.to_owned(), reason));
    }
}

/// The canary of the recipients that were collected; `None` when none was asked for, or all would be of it.
pub(super) fn agreed(terms: Option<&CanaryTerms>, tally: &AudienceTally) -> Option<AgreedCanary> {
    let CanaryTally { size, seeds, chunks } = tally.canary;
    terms.filter(|_| size > 0).map(|terms| AgreedCanary {
        size: size.cast_signed(),
        seeds: seeds.cast_signed(),
        chunks: chunks.cast_signed(),
        delivery: i64::from(terms.delivery),
        wait_s: i64::from(terms.wait_s),
    })
}

/// That the canary is not as large as was asked for.
pub(super) fn notice(terms: Option<&CanaryTerms>, tally: &AudienceTally) -> Option<String> {
    let asked = terms?.size;
    let CanaryTally { size, seeds, .. } = tally.canary;
    let (recipients, sampled) = (tally.recipients, size - seeds);
    let wanted = match asked {
        CanarySize::Recipients(count) => u64::from(count),
        CanarySize::Percent(share) => (recipients * u64::from(share)).div_ceil(100),
    };
    match (size, sampled) {
        (0, _) => Some(format!(
            "A canary of {} would be all {recipients} recipients: there is none, and all are sent to at once",
            if wanted > 0 { asked.to_string() } else { "numbers of your own".to_owned() }
        )),
        _ if sampled >= wanted => None,
        (_, 0) => Some(format!(
            "A canary of {asked} would be all {} other recipients: it is the {seeds} of your own alone",
            recipients - seeds
        )),
        _ => Some(format!(
            "The canary is {size} recipients and not {asked}: it has {CANARY_MAX} at most, and fewer where their fields \
             are long"
        )),
    }
}

/// Refuses a canary that could never pass: of what goes by a carrier without receipts nothing is known to be delivered.
pub(super) fn require_receipts(inputs: &QuoteInputs, tally: &AudienceTally) -> Result<()> {
    let mut used =
        inputs.plan.carriers().iter().zip(&tally.carrier_segments).filter(|(_, segments)| **segments > 0);
    if inputs.terms.canary.is_some() && used.any(|(carrier, _)| carrier.no_receipts) {
        return Err(Error::field(
            "canary",
            "canary_needs_receipts",
            "A canary needs delivery receipts, and none come by the route to some of these recipients: send without one",
        ));
    }
    Ok(())
}
