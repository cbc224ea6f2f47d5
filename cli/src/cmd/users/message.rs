//! `talkdrum users message` and `talkdrum users messages`.

use serde::Deserialize;
use serde_json::json;
use talkdrum_api::user_message::{Recipient, UserMessage, UserMessageShown, UserMessages};

use super::id_of;
use crate::args::{MessageUsersArgs, UserMessagesArgs};
use crate::client::Answer;
use crate::cmd::{Context, payments};
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

const COLUMNS: &[Column<UserMessage>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("user_id", "To", |it| it.user_id.map_or(Cell::text("all"), Cell::Number)),
    Column::left("status", "Status", |it| Cell::text(&it.status)),
    Column::right("recipients", "Recipients", |it| Cell::Number(it.recipients)),
    Column::left("sms", "Text messages", |it| Cell::text(counts(&it.sms))),
    Column::left("chat", "KingsChat", |it| Cell::text(counts(&it.chat))),
    Column::left("created_at", "Written", |it| Cell::Time(it.created_at.clone())),
];

const RECIPIENTS: &[Column<Recipient>] = &[
    Column::right("user_id", "User", |it| Cell::Number(it.user_id)),
    Column::left("username", "Username", |it| Cell::text(&it.username)),
    Column::left("sms", "Text message", |it| Cell::text(&it.sms)),
    Column::left("chat", "KingsChat", |it| Cell::maybe(it.chat.as_ref())),
    Column::left("chat_reason", "Reason", |it| Cell::maybe(it.chat_reason.as_ref())),
];

fn counts(counts: &std::collections::BTreeMap<String, i64>) -> String {
    let parts: Vec<_> = counts.iter().map(|(status, count)| format!("{count} {status}")).collect();
    parts.join(", ")
}

/// `{"id": ..., "message": ...}`.
#[derive(Debug, Deserialize)]
struct Noted {
    id: i64,
    message: String,
}

/// Messages one user or all.
pub(crate) async fn send(context: &Context, args: MessageUsersArgs) -> Result<Exit> {
    let client = context.client()?;
    let user_id = match &args.user {
        Some(user) => Some(id_of(&client, user).await?),
        None => {
            context.agree(args.yes, "Message all users?", "no one was messaged")?;
            None
        }
    };
    let body = json!({ "message": args.message, "user_id": user_id });
    let key = payments::key(args.key.as_deref());
    let call = client.post("/admin/admin-send-sms-user", &body, Some(&key));
    let answer: Answer<Noted> = context.keyed(&key, call).await?;
    let sentence = format!("{}: talkdrum users messages {}", answer.value.message, answer.value.id);
    context.out.done(&answer.json, &sentence)?;
    Ok(Exit::Done)
}

/// Lists messages, or who gets one.
pub(crate) async fn list(context: &Context, args: UserMessagesArgs) -> Result<Exit> {
    let client = context.client()?;
    match args.id {
        None => {
            let answer: Answer<UserMessages> = client.get("/admin/user-messages", &args.page.query()).await?;
            context.out.list(&answer.json, &answer.value.user_messages, answer.value.total, COLUMNS)?;
        }
        Some(id) => {
            let path = format!("/admin/user-messages/{id}");
            let answer: Answer<UserMessageShown> = client.get(&path, &args.page.query()).await?;
            context.out.list(&answer.json, &answer.value.recipients, answer.value.total, RECIPIENTS)?;
        }
    }
    Ok(Exit::Done)
}
