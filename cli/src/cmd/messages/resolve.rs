//! `talkdrum messages resolve`.

use serde::Deserialize;
use serde_json::Value;
use talkdrum_api::campaign::Quote;
use talkdrum_api::message::Resolve;

use crate::args::{FollowArgs, Outcome, ResolveArgs};
use crate::client::Answer;
use crate::cmd::Context;
use crate::cmd::campaigns::Shown;
use crate::cmd::campaigns::resend::settle;
use crate::cmd::send::{client_to_send, require_consent};
use crate::exit::{Exit, Failure, Result};

/// The answer: how many were settled, and the quote of those that are to be sent again.
#[derive(Debug, Deserialize)]
struct Resolved {
    resolved: i64,
    #[serde(default)]
    message: String,
    #[serde(default)]
    quote: Option<Value>,
}

/// Settles unknown messages, and sends them again where that is wanted.
pub(crate) async fn run(context: &Context, args: ResolveArgs) -> Result<Exit> {
    require_consent(args.consent, false)?;
    let client = client_to_send(context, args.consent)?;
    let which = match args.campaign {
        Some(id) if args.consent.dry_run || !args.consent.yes => {
            let shown: Answer<Shown> = client.get(&format!("/api/campaigns/{id}"), &[]).await?;
            format!("{} unknown messages of campaign {id}", shown.value.campaign.counts.unknown)
        }
        Some(id) => format!("all unknown messages of campaign {id}"),
        None => format!("{} messages", args.ids.len()),
    };
    if args.consent.dry_run {
        context.out.line(&format!("would settle {which} as {}", args.outcome.code()))?;
        return Ok(Exit::Done);
    }
    if !args.consent.yes && !context.confirm(&question(&which, args.outcome))? {
        return Err(Failure::not_confirmed("nothing was settled"));
    }
    let body =
        Resolve { messages: args.ids, campaign_id: args.campaign, outcome: args.outcome.code().to_owned() };
    let answer: Answer<Resolved> = client.post("/admin/messages/resolve", &body, None).await?;
    let Resolved { resolved, message, quote } = answer.value;
    let sentence = if message.is_empty() { format!("{resolved} messages settled") } else { message };
    context.out.done(&answer.json, &sentence)?;
    match quote.and_then(read_quote) {
        Some(quote) => {
            let follow = FollowArgs { timeout: None, receipts: 0, fail_if: Vec::new() };
            settle(context, &client, quote, args.consent, false, &follow).await
        }
        None => Ok(Exit::Done),
    }
}

fn question(which: &str, outcome: Outcome) -> String {
    match outcome {
        Outcome::Sent => format!("Settle {which} as sent, and charge them?"),
        Outcome::Refunded => format!("Settle {which} as not sent, and refund them?"),
        Outcome::Resend => format!("Refund {which} and quote them anew? Some may arrive twice."),
    }
}

/// A quote, bare or in the envelope of `send-{kind}-sms`.
fn read_quote(value: Value) -> Option<Quote> {
    let bare = value.get("details").cloned().unwrap_or(value);
    serde_json::from_value(bare).ok()
}
