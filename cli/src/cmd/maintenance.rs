//! Maintenance mode.

use serde_json::json;
use talkdrum_api::account::Message;
use talkdrum_api::setting::MaintenanceStatus;

use crate::args::MaintenanceCommand;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

/// Runs a command of this noun.
pub(super) async fn run(context: &Context, command: MaintenanceCommand) -> Result<Exit> {
    match command {
        MaintenanceCommand::On { message } => switch(context, Some(message)).await,
        MaintenanceCommand::Off => switch(context, None).await,
        MaintenanceCommand::Status => status(context).await,
    }
}

/// Keeps users and visitors out with a message, or lets them in without one.
async fn switch(context: &Context, message: Option<String>) -> Result<Exit> {
    let (path, body) = match message {
        Some(message) => {
            ("/admin/enable-maintenance-mode", json!({ "message": message, "maintenance_mode": 1 }))
        }
        None => ("/admin/disable-maintenance-mode", json!({ "maintenance_mode": 0 })),
    };
    let answer: Answer<Message> = context.client()?.post(path, &body, None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}

const COLUMNS: &[Column<MaintenanceStatus>] = &[
    Column::left("maintenance_mode", "Maintenance", |it| {
        Cell::text(if it.maintenance_mode == "1" { "on" } else { "off" })
    }),
    Column::left("message", "Message", |it| Cell::text(&it.message)),
    Column::left("updated_at", "Switched", |it| Cell::time(it.updated_at.as_ref())),
];

/// Shows whether users and visitors are kept out; works without signing in.
async fn status(context: &Context) -> Result<Exit> {
    let client = context.anonymous_client()?;
    let answer: Answer<MaintenanceStatus> = client.get("/api/get-maintenance-status", &()).await?;
    context.out.record(&answer.json, &answer.value, COLUMNS)?;
    Ok(Exit::Done)
}
