//! Sender ids.

use serde::Deserialize;
use serde_json::{Value, json};
use talkdrum_api::query::{OwnSenderQuery, SearchQuery, SenderQuery};
use talkdrum_api::sender::{SenderIdDecided, SenderIdRecord, SenderIdsRequested, SenderPurpose};

use crate::args::{
    ListSendersArgs, RejectSenderArgs, RequestSendersArgs, SenderArgs, SenderPurposeArgs, SendersCommand,
};
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};
use crate::query::Query;

/// Runs a command of this noun.
pub(super) async fn run(context: &Context, command: SendersCommand) -> Result<Exit> {
    match command {
        SendersCommand::List(args) => list(context, args).await,
        SendersCommand::Request(args) => request(context, args).await,
        SendersCommand::Approve(args) => approve(context, args).await,
        SendersCommand::Reject(args) => reject(context, args).await,
        SendersCommand::Purpose(args) => purpose(context, args).await,
    }
}

/// A sender id in a list.
const COLUMNS: &[Column<SenderIdRecord>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("sender_id", "Sender", |it| Cell::text(&it.sender_id)),
    Column::left("username", "User", |it| Cell::maybe(it.username.as_ref())),
    Column::left("status", "Status", |it| Cell::text(&it.status)),
    Column::left("purpose", "Purpose", |it| Cell::text(it.purpose.map_or("", |it| it.code()))),
    Column::left("reason", "Reason", |it| Cell::maybe(it.reason.as_ref())),
    Column::left("created_at", "Requested", |it| Cell::time(it.created_at.as_ref())),
    Column::left("decided_at", "Decided", |it| Cell::time(it.decided_at.as_ref())),
];

/// Both lists of sender ids: each answers under its own name.
#[derive(Debug, Deserialize)]
struct Listed {
    #[serde(alias = "senderId", alias = "senderids")]
    rows: Vec<SenderIdRecord>,
    total: i64,
}

/// Lists one's own sender ids, or all users'.
async fn list(context: &Context, args: ListSendersArgs) -> Result<Exit> {
    let client = context.client()?;
    let page = args.page.query().and(SearchQuery::new(args.search));
    let status = args.status.map(|status| status.code().to_owned());
    let answer: Answer<Listed> = if args.all {
        client.get("/admin/get-sender-ids", &page.and(SenderQuery { status })).await?
    } else {
        client.get("/api/get-sender-id", &page.and(OwnSenderQuery { status })).await?
    };
    context.out.list(&answer.json, &answer.value.rows, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}

/// Requests sender ids, all or none.
async fn request(context: &Context, args: RequestSendersArgs) -> Result<Exit> {
    let body = json!({ "sender_ids": args.sender_ids });
    let answer: Answer<SenderIdsRequested> =
        context.client()?.post("/api/request-senderid", &body, None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}

/// Approves a sender id.
async fn approve(context: &Context, args: SenderArgs) -> Result<Exit> {
    decide(context, &format!("/admin/approve-senderid/{}", args.id), &json!({})).await
}

/// Refuses a sender id, or takes it back.
async fn reject(context: &Context, args: RejectSenderArgs) -> Result<Exit> {
    let body = json!({ "reason": args.reason });
    decide(context, &format!("/admin/disapprove-senderid/{}", args.id), &body).await
}

/// Sets or removes the default purpose of messages from a sender id.
async fn purpose(context: &Context, args: SenderPurposeArgs) -> Result<Exit> {
    let body = json!({ "purpose": args.default.purpose.unwrap_or_default() });
    let path = format!("/admin/sender-ids/{}/purpose", args.id);
    let answer: Answer<SenderPurpose> = context.client()?.put(&path, &body).await?;
    let told = match answer.value.purpose {
        Some(purpose) => {
            let (id, purpose) = (args.id, purpose.code());
            format!(
                "Messages from sender ID {id} are {purpose} unless the request or its API key says otherwise"
            )
        }
        None => format!("Messages from sender ID {} have the default purpose of their account", args.id),
    };
    context.out.done(&answer.json, &told)?;
    Ok(Exit::Done)
}

async fn decide(context: &Context, path: &str, body: &Value) -> Result<Exit> {
    let answer: Answer<SenderIdDecided> = context.client()?.post(path, body, None).await?;
    let SenderIdDecided { message, sender_id, campaigns_paused } = &answer.value;
    let mut sentence = format!("{message} ({})", sender_id.sender_id);
    if *campaigns_paused > 0 {
        sentence.push_str(&format!(" {campaigns_paused} of its campaigns are paused now"));
    }
    context.out.done(&answer.json, &sentence)?;
    Ok(Exit::Done)
}
