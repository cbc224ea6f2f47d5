//! `talkdrum campaigns resend`.

use serde_json::json;
use talkdrum_api::campaign::{Quote, QuoteAnswer};

use crate::args::{ConsentArgs, FollowArgs, ResendArgs};
use crate::client::{Answer, Client};
use crate::cmd::Context;
use crate::cmd::send::confirm::confirm_quote;
use crate::cmd::send::{client_to_send, dry_run, finish, offer, require_consent, require_wait};
use crate::exit::{Exit, Result};

/// Quotes the failed messages of a campaign again, asks, and sends them.
pub(crate) async fn run(context: &Context, args: ResendArgs) -> Result<Exit> {
    require_wait(args.wait, &args.follow)?;
    require_consent(args.consent, false)?;
    let client = client_to_send(context, args.consent)?;
    let path = format!("/api/campaigns/{}/resend", args.id);
    let answer: Answer<QuoteAnswer> = client.post(&path, &json!({}), None).await?;
    let quote = answer.value.details;
    settle(context, &client, quote, args.consent, args.wait, &args.follow, &[]).await
}

/// Shows a quote that the daemon made of messages it has, asks, and confirms it. JSON has the members of `beside` too.
pub(crate) async fn settle(
    context: &Context,
    client: &Client,
    quote: Quote,
    consent: ConsentArgs,
    wait: bool,
    follow: &FollowArgs,
    beside: &[(&str, String)],
) -> Result<Exit> {
    if consent.dry_run {
        return dry_run(context, &quote);
    }
    offer(context, consent, &quote, false)?;
    // The quote exists once, so its id is key enough: another run confirms the same one, once.
    let key = format!("quote-{}/confirm", quote.quote_id);
    let how = "talkdrum campaigns list shows whether it goes out; no message is sent again twice";
    let confirmed = context.repeatable(how, confirm_quote(context, client, &quote, &key)).await?;
    finish(context, client, quote, confirmed.value.campaigns, wait, follow, beside).await
}
