//! What ends a send before it costs anything: the quote is not what the caller expects.

use talkdrum_api::campaign::Quote;

use crate::args::QuoteLimitArgs;
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

/// Looks whether a quote has the canary that was asked for. A daemon of a version without canaries takes no notice of the
/// field, and would send to all at once.
///
/// # Errors
/// When it has none, though it would not be the whole list.
pub(super) fn check_canary(quote: &Quote, asked: Option<&str>) -> Result<()> {
    let Some(asked) = asked.filter(|_| quote.canary.is_none()) else { return Ok(()) };
    let contacts = quote.total_contacts;
    let size = match asked.trim().strip_suffix('%') {
        Some(share) => share.trim().parse().map(|share: i64| (contacts * share + 99) / 100),
        None => asked.trim().parse(),
    };
    if size.is_ok_and(|size| size >= contacts) {
        return Ok(());
    }
    let why = "the daemon took no notice of --canary, and would send to all at once: nothing was sent";
    Err(Failure::refused(Code::NoCanary, why.to_owned())
        .hint("it is of an older version: talkdrum status shows it"))
}
