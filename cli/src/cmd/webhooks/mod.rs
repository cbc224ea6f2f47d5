//! Webhooks.

mod change;
mod create;
mod list;
mod log;
mod redeliver;
mod show;

use talkdrum_api::webhook::{Webhook, WebhookDelivery};

use super::Context;
use crate::args::WebhooksCommand;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

/// Runs one of the commands.
pub(super) async fn run(context: &Context, command: WebhooksCommand) -> Result<Exit> {
    match command {
        WebhooksCommand::List(args) => list::run(context, args).await,
        WebhooksCommand::Create(args) => create::run(context, args).await,
        WebhooksCommand::Show(args) => show::run(context, args).await,
        WebhooksCommand::Edit(args) => change::edit(context, args).await,
        WebhooksCommand::Delete(args) => change::delete(context, args).await,
        WebhooksCommand::Rotate(args) => create::rotate(context, args).await,
        WebhooksCommand::Test(args) => change::test(context, args).await,
        WebhooksCommand::Log(args) => log::run(context, args).await,
        WebhooksCommand::Redeliver(args) => redeliver::run(context, args).await,
    }
}

const COLUMNS: &[Column<Webhook>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("username", "User", |it| Cell::text(&it.username)),
    Column::left("url", "URL", |it| Cell::text(&it.url)),
    Column::left("events", "Events", |it| Cell::text(it.events.join(" "))),
    Column::left("state", "State", |it| Cell::text(state(it))),
    Column::right("pending", "Waiting", |it| Cell::Number(it.pending)),
    Column::left("failing_since", "Failing since", |it| Cell::time(it.failing_since.as_ref())),
    Column::left("description", "Description", |it| Cell::text(&it.description)),
];

const DELIVERY_COLUMNS: &[Column<WebhookDelivery>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("type", "Event", |it| Cell::text(&it.kind)),
    Column::left("created_at", "Happened", |it| Cell::Time(it.created_at.clone())),
    Column::left("status", "Status", |it| Cell::text(&it.status)),
    Column::right("attempts", "Attempts", |it| Cell::Number(it.attempts)),
    Column::right("answer", "Answer", |it| {
        Cell::text(it.answer.map(|code| code.to_string()).unwrap_or_default())
    }),
    Column::left("note", "It said", |it| Cell::maybe(it.note.as_ref())),
    Column::left("next_attempt_at", "Next attempt", |it| Cell::time(it.next_attempt_at.as_ref())),
];

fn state(webhook: &Webhook) -> String {
    match (&webhook.inactive_reason, webhook.is_active) {
        (_, true) => "on".to_owned(),
        (None, false) => "off".to_owned(),
        (Some(reason), false) => format!("off: {reason}"),
    }
}
