//! What ends a send before it costs anything: the quote is not what the caller expects.

use talkdrum_api::campaign::Quote;

use crate::args::{CanaryArgs, QuoteLimitArgs};
use crate::exit::{Code, Failure, Result};
use crate::output::currency_label;

/// Compares a quote with what its caller allows.
///
/// # Errors
/// What it goes beyond (exit code 4).
pub(super) fn check(quote: &Quote, limits: &QuoteLimitArgs, key_is_given: bool) -> Result<()> {
    let refused = |code: Code, why: String| {
        let failure = Failure::refused(code, format!("{why}: nothing was sent"));
        Err(match key_is_given {
            true => failure
                .hint("an earlier run with this key may have sent it: talkdrum campaigns list shows that"),
            false => failure,
        })
    };
    if let Some(most) = limits.max_charge.filter(|most| quote.total_charges > *most) {
        let (charge, currency) = (quote.total_charges, currency_label(&quote.currency));
        let why = format!("it costs {charge} {currency}, more than --max-charge {most}");
        return refused(Code::MaxCharge, why);
    }
    let contacts = quote.total_contacts;
    if let Some(fewest) = limits.min_recipients.filter(|fewest| contacts < i64::from(*fewest)) {
        let why = format!("it has {contacts} recipients, fewer than --min-recipients {fewest}");
        return refused(Code::MinRecipients, why);
    }
    let entries = contacts + quote.total_invalid + quote.total_duplicates_removed + quote.total_suppressed;
    match limits.abort_if.iter().find(|condition| condition.holds(quote, entries)) {
        Some(condition) => {
            let observed = condition.observed(quote);
            refused(Code::AbortIf, format!("--abort-if {condition} holds: {observed} of {entries} entries"))
        }
        None => Ok(()),
    }
}

/// Looks whether a quote has the canary that was asked for. A daemon of an older version takes no notice of the fields, and
/// would send to all at once, or first to others.
///
/// # Errors
/// When it has none, or no seeds that were given, and does not say why.
pub(super) fn check_canary(quote: &Quote, asked: &CanaryArgs) -> Result<()> {
    let ignored = match &quote.canary {
        Some(canary) if asked.canary_seeds.is_some() && canary.seeds == 0 => "--canary-seeds",
        Some(_) => return Ok(()),
        None if asked.canary.is_none() && asked.canary_seeds.is_none() => return Ok(()),
        // It would be the whole list.
        None if quote.notices.iter().any(|notice| notice.starts_with("A canary of ")) => return Ok(()),
        None if asked.canary.is_some() => "--canary",
        None => "--canary-seeds",
    };
    let why =
        format!("the daemon took no notice of {ignored}, and would send to all at once: nothing was sent");
    Err(Failure::refused(Code::NoCanary, why).hint("it is of an older version: talkdrum status shows it"))
}
