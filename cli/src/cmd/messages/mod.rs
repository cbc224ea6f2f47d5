//! Single messages.

pub(super) mod resolve;
pub(super) mod why;

use std::collections::BTreeMap;

use talkdrum_api::campaign::{LastSentMessage, MessageRow, MessageSent, Messages, SentMessage, SentMessages};
use talkdrum_api::inbound::{InboundMessage, InboundMessages};
use talkdrum_api::query::{FailedQuery, MessageQuery, NumberQuery, SearchQuery, UnknownQuery, UserQuery};

use crate::args::{
    FailedArgs, FindArgs, InboundArgs, ListMessagesArgs, MessagesCommand, SendMessageArgs, SentArgs,
    UnknownArgs,
};
use crate::client::Answer;
use crate::cmd::Context;
use crate::cmd::idempotency;
use crate::exit::{Exit, Result};
use crate::form;
use crate::output::{Cell, Column};
use crate::query::Query;

/// Runs a command of this noun.
pub(super) async fn run(context: &Context, command: MessagesCommand) -> Result<Exit> {
    match command {
        MessagesCommand::Send(args) => send(context, args).await,
        MessagesCommand::Find(args) => find(context, args).await,
        MessagesCommand::Sent(args) => sent(context, args).await,
        MessagesCommand::Failed(args) => failed(context, args).await,
        MessagesCommand::Last => last(context).await,
        MessagesCommand::List(args) => list(context, args).await,
        MessagesCommand::Inbound(args) => inbound(context, args).await,
        MessagesCommand::Unknown(args) => unknown(context, args).await,
        MessagesCommand::Resolve(args) => resolve::run(context, args).await,
    }
}

/// A message in a list.
const COLUMNS: &[Column<MessageRow>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::right("campaign_id", "Campaign", |it| Cell::Number(it.campaign_id)),
    Column::left("to", "To", |it| Cell::text(&it.to)),
    Column::left("purpose", "Purpose", |it| Cell::text(it.purpose.code())),
    Column::left("senderid", "Sender", |it| Cell::text(&it.senderid)),
    Column::left("network", "Network", |it| Cell::text(&it.network)),
    Column::left("status", "Status", |it| Cell::text(&it.status)),
    Column::left("reason", "Reason", |it| Cell::maybe(it.reason.as_ref())),
    Column::right("pages", "Pages", |it| Cell::Number(it.pages)),
    Column::right("price", "Price", |it| Cell::charge(it.price)),
    Column::left("submitted_at", "Submitted", |it| Cell::time(it.submitted_at.as_ref())),
    Column::left("done_at", "Done", |it| Cell::time(it.done_at.as_ref())),
];

/// What was sent, and what is left.
const SUBMITTED: &[Column<MessageSent>] = &[
    Column::right("id", "Message", |it| Cell::Number(it.details.id)),
    Column::right("campaign_id", "Campaign", |it| Cell::Number(it.details.campaign_id)),
    Column::left("to", "To", |it| Cell::text(&it.details.to)),
    Column::left("purpose", "Purpose", |it| Cell::text(it.details.purpose.code())),
    Column::left("senderid", "Sender ID", |it| Cell::text(&it.details.senderid)),
    Column::left("network", "Network", |it| Cell::text(&it.details.network)),
    Column::left("status", "Status", |it| Cell::text(&it.details.status)),
    Column::right("pages", "Pages", |it| Cell::Number(it.details.pages)),
    Column::right("price", "Price", |it| Cell::charge(it.details.price)),
    Column::left("currency", "Paid in", |it| Cell::text(&it.details.currency)),
    Column::right("balance", "Balance", |it| Cell::charge(it.balance)),
];

/// Sends one message. With a key of its own or of the caller's, a request that is tried again sends nothing twice.
async fn send(context: &Context, args: SendMessageArgs) -> Result<Exit> {
    let mut form: BTreeMap<&str, String> =
        form::content(&args.content, &context.defaults)?.into_iter().collect();
    form.insert("sms_type", args.content.kind.kind().code().to_owned());
    form.insert("payment_method", context.defaults.payment_method(args.pay));
    form.insert("contacts", args.number);
    form.extend(args.max_charge.map(|most| ("max_charge", most.to_string())));
    let key = args.key.unwrap_or_else(idempotency::random);
    let client = context.client_showing(SUBMITTED)?;
    let answer: Answer<MessageSent> =
        context.keyed(&key, client.post("/api/messages", &form, Some(&key))).await?;
    let (out, sent) = (&context.out, &answer.value);
    out.record(&answer.json, sent, SUBMITTED)?;
    out.note(&format!("{}. What becomes of it: talkdrum why {}", sent.message, sent.details.id));
    Ok(Exit::Done)
}

/// Finds every message to a number, across campaigns.
async fn find(context: &Context, args: FindArgs) -> Result<Exit> {
    let query = args.page.query().and(NumberQuery { number: args.number, campaign_id: args.campaign });
    let answer: Answer<Messages> = context.client()?.get("/api/messages", &query).await?;
    context.out.list(&answer.json, &answer.value.messages, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}

/// A campaign as sent messages show it.
const SENT_COLUMNS: &[Column<SentMessage>] = &[
    Column::right("sms_shoot_id", "Campaign", |it| Cell::Number(it.sms_shoot_id)),
    Column::left("type", "Type", |it| Cell::text(&it.kind)),
    Column::left("purpose", "Purpose", |it| Cell::text(it.purpose.code())),
    Column::left("status", "Status", |it| Cell::text(&it.status)),
    Column::left("senderid", "Sender", |it| Cell::text(&it.senderid)),
    Column::left("msg", "Message", |it| Cell::text(&it.msg)),
    Column::right("no_of_contacts", "Contacts", |it| Cell::Number(it.no_of_contacts)),
    Column::right("no_of_sent_contacts", "Sent", |it| Cell::Number(it.no_of_sent_contacts)),
    Column::right("no_of_failed_contacts", "Failed", |it| Cell::Number(it.no_of_failed_contacts)),
    Column::right("espees_deducted", "ESPEES", |it| Cell::charge(it.espees_deducted)),
    Column::right("naira_deducted", "Naira", |it| Cell::charge(it.naira_deducted)),
    Column::left("created_at", "Created", |it| Cell::Time(it.created_at.clone())),
];

/// Lists sent messages, one row a campaign.
async fn sent(context: &Context, args: SentArgs) -> Result<Exit> {
    let query = args.page.query().and(args.filter.query());
    let answer: Answer<SentMessages> = context.client()?.get("/api/get-sent-messages", &query).await?;
    context.out.list(&answer.json, &answer.value.messages, answer.value.total, SENT_COLUMNS)?;
    Ok(Exit::Done)
}

/// Lists messages that are undelivered, rejected or expired, across campaigns.
async fn failed(context: &Context, args: FailedArgs) -> Result<Exit> {
    let query = args.page.query().and(FailedQuery { before: args.before });
    let answer: Answer<Messages> = context.client()?.get("/api/get-failed-messages", &query).await?;
    context.out.list(&answer.json, &answer.value.messages, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}

const LAST_COLUMNS: &[Column<LastSentMessage>] =
    &[Column::left("last_sent_message_time", "Last message sent", |it| {
        Cell::time(it.last_sent_message_time.as_ref())
    })];

/// Shows when the newest campaign started to send.
async fn last(context: &Context) -> Result<Exit> {
    let answer: Answer<LastSentMessage> = context.client()?.get("/api/get-last-sent-message", &()).await?;
    context.out.record(&answer.json, &answer.value, LAST_COLUMNS)?;
    Ok(Exit::Done)
}

/// Lists the messages of a campaign, in order of sending.
async fn list(context: &Context, args: ListMessagesArgs) -> Result<Exit> {
    let query = args.page.query().and(MessageQuery { status: args.status, reason: args.reason });
    let path = format!("/api/campaigns/{}/messages", args.campaign);
    let answer: Answer<Messages> = context.client()?.get(&path, &query).await?;
    context.out.list(&answer.json, &answer.value.messages, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}

/// A message from a handset in a list.
const INBOUND_COLUMNS: &[Column<InboundMessage>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("received_at", "Received", |it| Cell::Time(it.received_at.clone())),
    Column::left("from", "From", |it| Cell::text(&it.from)),
    Column::left("to", "To", |it| Cell::text(&it.to)),
    Column::left("text", "Text", |it| Cell::text(&it.text)),
    Column::right("parts_missing", "Parts missing", |it| Cell::Number(it.parts_missing)),
    Column::left("username", "User", |it| Cell::maybe(it.username.as_ref())),
    Column::left("action", "Done", |it| Cell::maybe(it.action.as_ref())),
];

/// Lists what handsets answered, newest first.
async fn inbound(context: &Context, args: InboundArgs) -> Result<Exit> {
    let query = args.page.query().and(SearchQuery::new(args.search));
    let answer: Answer<InboundMessages> = context.client()?.get("/api/inbound-messages", &query).await?;
    context.out.list(&answer.json, &answer.value.messages, answer.value.total, INBOUND_COLUMNS)?;
    Ok(Exit::Done)
}

/// Lists `unknown` messages: they may have been sent or not.
async fn unknown(context: &Context, args: UnknownArgs) -> Result<Exit> {
    let of = UnknownQuery { campaign_id: args.campaign, carrier: args.carrier.unwrap_or_default() };
    let query = args.page.query().and(of).and(UserQuery { user_id: args.user });
    let answer: Answer<Messages> = context.client()?.get("/admin/unknown-messages", &query).await?;
    context.out.list(&answer.json, &answer.value.messages, answer.value.total, COLUMNS)?;
    if !answer.value.messages.is_empty() && context.out.is_table() {
        context.out.note("settle them with: talkdrum messages resolve --as sent|refunded|resend MESSAGE...");
    }
    Ok(Exit::Done)
}
