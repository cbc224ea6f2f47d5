//! The second step: confirm a quote, once, whatever the network does. Every try carries the same idempotency key.

use serde_json::json;
use talkdrum_api::campaign::{Confirmed, Quote};
use talkdrum_api::code;
use talkdrum_api::kind::Kind;
use talkdrum_api::money::Amount;

use crate::client::{Answer, CallError, Client, retrying};
use crate::cmd::Context;
use crate::cmd::idempotency::Keys;
use crate::exit::{Code, Exit, Failure};
use crate::form::{VOICE_CALL, action};

/// Confirms a quote under the send's key, trying again while the daemon is away.
pub(super) async fn confirm(
    context: &Context,
    client: &Client,
    quote: &Quote,
    keys: &Keys,
) -> Result<Answer<Confirmed>, CallError> {
    context.interruption.means(format!("whether it was confirmed is not known: {}", again(keys)));
    let key = keys.for_confirm();
    let answer = confirm_quote(context, client, quote, &key).await;
    context.interruption.means("");
    answer
}

/// Confirms a quote under `key`.
pub(crate) async fn confirm_quote(
    context: &Context,
    client: &Client,
    quote: &Quote,
    key: &str,
) -> Result<Answer<Confirmed>, CallError> {
    let path = match quote.sms_type == Kind::Voice.code() {
        true => VOICE_CALL.to_owned(),
        false => format!("/api/confirm-{}-{}-sms", action(!quote.starts.is_empty()), quote.sms_type),
    };
    let body = json!({ "quote_id": quote.quote_id });
    let told = |error: &CallError, pause: std::time::Duration| {
        let reason = match error {
            CallError::Refused { problem, .. } => problem.detail.clone(),
            CallError::Unreachable { reason, .. } | CallError::Lost { reason, .. } => reason.clone(),
            CallError::Unreadable { what } => what.clone(),
            CallError::NoColumns => String::new(),
        };
        context.out.note(&format!("confirming again in {:.1} s: {reason}", pause.as_secs_f64()));
    };
    retrying(told, || client.post(&path, &body, Some(key))).await
}

/// Whether the quote ran out before it was confirmed, or was purged since.
pub(super) fn ran_out(error: &CallError) -> bool {
    matches!(error.refusal(), Some((_, code::QUOTE_EXPIRED) | (404, code::NOT_FOUND)))
}

/// What a failed confirm means for the person.
pub(super) fn failure(error: CallError, quote: &Quote, keys: &Keys) -> Failure {
    let (is_passing, is_in_doubt) = (error.is_passing(), error.is_in_doubt());
    let is_money = error.refusal().is_some_and(|(_, code)| code == code::INSUFFICIENT_BALANCE);
    if let Some((short, label)) = shortfall(quote).filter(|_| is_money) {
        return too_poor(quote, short, &label);
    }
    let failure = Failure::from(error);
    let known = match (is_in_doubt, is_passing) {
        (true, _) => "whether it was confirmed is not known",
        (false, true) => "it was not confirmed by this run",
        (false, false) => return failure,
    };
    let message = format!("{}; {known}", failure.message);
    Failure { exit: Exit::Failed, message, ..failure }.hint(again(keys))
}

fn again(keys: &Keys) -> String {
    format!("{}: it never sends or charges twice", keys.again())
}

/// What the wallet lacks, with the currency's label.
pub(crate) fn shortfall(quote: &Quote) -> Option<(Amount, String)> {
    if quote.balance_after >= Amount::ZERO {
        return None;
    }
    let short = Amount::ZERO.minus(quote.balance_after).ok()?;
    Some((short, crate::output::currency_label(&quote.currency)))
}

/// The refusal where there is not enough in the wallet.
pub(super) fn too_poor(quote: &Quote, short: Amount, label: &str) -> Failure {
    let message = format!(
        "the wallet is {} {label} short: this costs {} and there are {}",
        short.to_fixed(5),
        quote.total_charges.to_fixed(5),
        quote.balance.to_fixed(2)
    );
    Failure::refused(Code::InsufficientBalance, message)
    .hint(format!(
        "fund it in the console, or an administrator credits it with: talkdrum users credit USER {short} --currency {} --ref REF",
        quote.currency
    ))
}
