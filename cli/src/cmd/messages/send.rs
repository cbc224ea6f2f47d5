//! `talkdrum messages send`.

use std::collections::BTreeMap;

use talkdrum_api::campaign::MessageSent;

use crate::args::SendMessageArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::cmd::send::keys;
use crate::exit::{Exit, Result};
use crate::form;
use crate::output::{Cell, Column};

/// What was sent, and what is left.
const SENT: &[Column<MessageSent>] = &[
    Column::right("id", "Message", |it| Cell::Number(it.details.id)),
    Column::right("campaign_id", "Campaign", |it| Cell::Number(it.details.campaign_id)),
    Column::left("to", "To", |it| Cell::text(&it.details.to)),
    Column::left("senderid", "Sender ID", |it| Cell::text(&it.details.senderid)),
    Column::left("network", "Network", |it| Cell::text(&it.details.network)),
    Column::left("status", "Status", |it| Cell::text(&it.details.status)),
    Column::right("pages", "Pages", |it| Cell::Number(it.details.pages)),
    Column::right("price", "Price", |it| Cell::charge(it.details.price)),
    Column::left("currency", "Paid in", |it| Cell::text(&it.details.currency)),
    Column::right("balance", "Balance", |it| Cell::charge(it.balance)),
];

/// Sends one message. With a key of its own or of the caller's, a request that is tried again sends nothing twice.
pub(crate) async fn run(context: &Context, args: SendMessageArgs) -> Result<Exit> {
    let mut form: BTreeMap<&str, String> = form::content(&args.content)?.into_iter().collect();
    form.insert("sms_type", args.content.kind.kind().code().to_owned());
    form.insert("payment_method", args.pay.method().to_owned());
    form.insert("contacts", args.number);
    form.extend(args.max_charge.map(|most| ("max_charge", most.to_string())));
    let key = args.key.unwrap_or_else(keys::random);
    let answer: Answer<MessageSent> = context.client()?.post("/api/messages", &form, Some(&key)).await?;
    let (out, sent) = (&context.out, &answer.value);
    out.record(&answer.json, sent, SENT)?;
    out.note(&format!("{}. What becomes of it: talkdrum why {}", sent.message, sent.details.id));
    Ok(Exit::Done)
}
