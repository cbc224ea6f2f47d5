//! `talkdrum messages resolve`.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use talkdrum_api::campaign::{MessageRow, Messages, Quote};
use talkdrum_api::message::{Resolve, Why};
use talkdrum_api::money::Amount;
use talkdrum_api::query::{PageQuery, UnknownQuery};

use crate::args::{FollowArgs, Format, Outcome, ResolveArgs};
use crate::client::{Answer, Client};
use crate::cmd::Context;
use crate::cmd::campaigns::resend::settle;
use crate::cmd::send::{client_to_send, require_consent};
use crate::exit::{Exit, Failure, Result};
use crate::output::{currency_label, json_object, to_json};
use crate::query::Query;

/// Rows a page when all unknown messages of a campaign are looked at; the API takes no more.
const PER_PAGE: u16 = 1000;

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
pub(crate) async fn run(context: &Context, mut args: ResolveArgs) -> Result<Exit> {
    let mut named = BTreeSet::new();
    args.ids.retain(|id| named.insert(*id));
    require_consent(args.consent, false)?;
    let client = client_to_send(context, args.consent)?;
    if args.consent.dry_run || !args.consent.yes {
        let unknown = Unknown::among(&client, &args).await?;
        if args.consent.dry_run {
            return unknown.show(context, args.outcome);
        }
        if !context.confirm(&question(&unknown.said(), args.outcome))? {
            return Err(Failure::not_confirmed("nothing was settled"));
        }
    }
    let body =
        Resolve { messages: args.ids, campaign_id: args.campaign, outcome: args.outcome.code().to_owned() };
    let answer: Answer<Resolved> = client.post("/admin/messages/resolve", &body, None).await?;
    let Resolved { resolved, message, quote } = answer.value;
    let sentence = if message.is_empty() { format!("{resolved} messages settled") } else { message };
    let Some(quote) = quote.and_then(read_quote) else {
        context.out.done(&answer.json, &sentence)?;
        return Ok(Exit::Done);
    };
    let follow = FollowArgs { timeout: None, receipts: 0, fail_if: Vec::new() };
    if context.out.format != Format::Json {
        context.out.done(&answer.json, &sentence)?;
        return settle(context, &client, quote, args.consent, false, &follow, &[]).await;
    }
    // One object: what was settled, and what was sent again.
    let settled = [("resolved", to_json(&resolved)?), ("message", to_json(&sentence)?)];
    let sent = settle(context, &client, quote, args.consent, false, &follow, &settled).await;
    if sent.is_err() {
        context.out.line(&answer.json)?;
    }
    sent
}

/// The unknown messages among those that are named: how many, and what they cost by currency.
#[derive(Debug, Default)]
struct Unknown {
    messages: usize,
    costs: BTreeMap<String, Amount>,
}

/// What they cost in one currency.
#[derive(Debug, Serialize)]
struct Cost<'a> {
    currency: &'a str,
    amount: Amount,
}

impl Unknown {
    async fn among(client: &Client, args: &ResolveArgs) -> Result<Self> {
        let mut this = Self::default();
        for id in &args.ids {
            let answer: Answer<Why> = client.get(&format!("/api/messages/{id}"), &()).await?;
            this.add(&answer.value.message)?;
        }
        let Some(campaign) = args.campaign else { return Ok(this) };
        for page in 1.. {
            let of = UnknownQuery { campaign_id: Some(campaign), ..UnknownQuery::default() };
            let query = of.and(PageQuery::new(page, PER_PAGE.into()));
            let answer: Answer<Messages> = client.get("/admin/unknown-messages", &query).await?;
            let rows = answer.value.messages;
            for row in &rows {
                this.add(row)?;
            }
            if rows.len() < usize::from(PER_PAGE) {
                break;
            }
        }
        Ok(this)
    }

    fn add(&mut self, message: &MessageRow) -> Result<()> {
        if message.status != "unknown" {
            return Ok(());
        }
        self.messages += 1;
        let cost = self.costs.entry(message.currency.clone()).or_default();
        *cost = cost.plus(message.price).map_err(|error| Failure::failed(error.to_string()))?;
        Ok(())
    }

    /// `2 messages of 5.00000 Naira`.
    fn said(&self) -> String {
        let costs = self.costs.iter();
        let costs: Vec<String> = costs
            .map(|(currency, amount)| format!("{} {}", amount.to_fixed(5), currency_label(currency)))
            .collect();
        let plural = if self.messages == 1 { "" } else { "s" };
        let of = if costs.is_empty() { String::new() } else { format!(" of {}", costs.join(" and ")) };
        format!("{} unknown message{plural}{of}", self.messages)
    }

    /// Says what would be done, and does nothing.
    fn show(&self, context: &Context, outcome: Outcome) -> Result<Exit> {
        let does = match outcome {
            Outcome::Sent => "as sent, and charge them",
            Outcome::Refunded => "as not sent, and refund them",
            Outcome::Resend => "as not sent, refund them and quote them again",
        };
        let costs = self.costs.iter().map(|(currency, amount)| Cost { currency, amount: *amount });
        let json = json_object(&[
            ("total", self.messages.to_string()),
            ("outcome", to_json(&outcome.code())?),
            ("costs", to_json(&costs.collect::<Vec<_>>())?),
        ]);
        context.out.done(&json, &format!("It would settle {} {does}; nothing was settled", self.said()))?;
        Ok(Exit::Done)
    }
}

fn question(which: &str, outcome: Outcome) -> String {
    match outcome {
        Outcome::Sent => format!("Settle {which} as sent, and charge them?"),
        Outcome::Refunded => format!("Settle {which} as not sent, and refund them?"),
        Outcome::Resend => format!("Refund {which} and quote them again? Some may arrive twice."),
    }
}

/// A quote, bare or in the envelope of `send-{kind}-sms`.
fn read_quote(value: Value) -> Option<Quote> {
    let bare = value.get("details").cloned().unwrap_or(value);
    serde_json::from_value(bare).ok()
}
