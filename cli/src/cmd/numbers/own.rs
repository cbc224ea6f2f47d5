//! `talkdrum numbers own`.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use talkdrum_api::money::Currency;
use talkdrum_api::sender::{OwnNumberCall, OwnNumberCalled, OwnNumberVerified, OwnNumberWithdrawn};

use crate::args::{ConfirmNumberArgs, DeleteOwnNumberArgs, VerifyNumberArgs, WithdrawNumberArgs};
use crate::client::{Answer, CallError};
use crate::cmd::Context;
use crate::cmd::payments::{key, surely};
use crate::exit::{Code, Exit, Failure, Result};

/// How often a call is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(1);
const PATH: &str = "/api/voice-call";

/// The call in the answer, word for word.
#[derive(Deserialize)]
struct Details<'a> {
    #[serde(borrow)]
    details: &'a RawValue,
}

/// Has a number called. With `--wait`: until the call is over, and exit code 1 when it was not answered.
pub(crate) async fn verify(context: &Context, args: VerifyNumberArgs) -> Result<Exit> {
    let client = context.client()?;
    let key = key(args.key.as_deref());
    let mut body = json!({
        "own_number": args.number, "payment_method": context.defaults.payment_method(args.pay), "ttsVoice": args.voice,
    });
    if let Some(most) = args.max_charge {
        body["max_charge"] = json!(most);
    }
    let answer: Answer<OwnNumberCalled> =
        surely(context, &key, || client.post(PATH, &body, Some(&key))).await?;
    let details: Details<'_> = serde_json::from_str(&answer.json)
        .map_err(|error| CallError::Unreadable { what: format!("an answer without a call ({error})") })?;
    let mut call =
        Answer { value: answer.value.details, json: details.details.get().to_owned(), at: answer.at };
    let goes_on = format!(
        "call {} to {} goes on, and must not be asked for again: then talkdrum numbers own confirm {} CODE",
        call.value.id, call.value.phone_number, call.value.phone_number
    );
    if args.wait {
        context.interruption.means(&goes_on);
    }
    while args.wait && !call.value.over {
        tokio::time::sleep(LOOK_EVERY).await;
        let look = client.get(&format!("/api/own-number-calls/{}", call.value.id), &()).await;
        call = look.map_err(|error| error.of_a_look(&goes_on))?;
    }
    context.interruption.means("");
    context.out.done(&call.json, &sentence(&call.value))?;
    let call = call.value;
    if !call.over || call.outcome.as_deref() == Some("answered") {
        context.out.note(&format!("Then: talkdrum numbers own confirm {} CODE", call.phone_number));
        return Ok(Exit::Done);
    }
    Err(Failure::new(Exit::Failed, Code::CallFailed, call.message))
}

fn sentence(call: &OwnNumberCall) -> String {
    let OwnNumberCall { id, phone_number, message, charged, refunded, currency, .. } = call;
    let back = if refunded.micros() == 0 { String::new() } else { format!(", {refunded} refunded") };
    let label = currency.parse::<Currency>().map_or(currency.as_str(), |currency| currency.label());
    format!("Call {id} to {phone_number}: {message}; {charged} {label} charged{back}")
}

/// Gives the code that the call spoke.
pub(crate) async fn confirm(context: &Context, args: ConfirmNumberArgs) -> Result<Exit> {
    let code = match args.code {
        Some(code) => code,
        None => context.ask("six-digit code", "give it behind the number")?.trim().to_owned(),
    };
    let body = json!({ "own_number": args.number, "validation_code": code });
    let answer: Answer<OwnNumberVerified> = context.client()?.post(PATH, &body, None).await?;
    let OwnNumberVerified { message, details } = &answer.value;
    context.out.done(&answer.json, &format!("{message}: {}", details.phone_number))?;
    Ok(Exit::Done)
}

/// A number as it goes into a path: its digits, with the plus before them.
pub(crate) fn number_in_path(text: &str) -> Result<String> {
    let number: String = text.chars().filter(|sign| sign.is_ascii_digit() || *sign == '+').collect();
    if number.is_empty() {
        return Err(Failure::usage(format!("'{text}' is no number")));
    }
    Ok(number)
}

/// Takes a number of the caller's back.
pub(crate) async fn withdraw(context: &Context, args: WithdrawNumberArgs) -> Result<Exit> {
    let number = number_in_path(&args.number)?;
    take_back(context, args.yes, &args.number, &format!("/api/own-numbers/{number}")).await
}

/// Takes any user's number back.
pub(crate) async fn delete(context: &Context, args: DeleteOwnNumberArgs) -> Result<Exit> {
    let path = format!("/admin/delete-own-number/{}", args.id);
    take_back(context, args.yes, &format!("own number {}", args.id), &path).await
}

async fn take_back(context: &Context, yes: bool, which: &str, path: &str) -> Result<Exit> {
    let question = format!("Withdraw {which}? No more calls show it, and campaigns that call from it pause.");
    context.agree(yes, &question, "nothing was withdrawn")?;
    let answer: Answer<OwnNumberWithdrawn> = context.client()?.delete(path).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
