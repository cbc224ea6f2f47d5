//! `talkdrum maintenance status`.

use talkdrum_api::setting::MaintenanceStatus;

use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

const COLUMNS: &[Column<MaintenanceStatus>] = &[
    Column::left("maintenance_mode", "Maintenance", |it| {
        Cell::text(if it.maintenance_mode == "1" { "on" } else { "off" })
    }),
    Column::left("message", "Message", |it| Cell::text(&it.message)),
    Column::left("updated_at", "Switched", |it| Cell::time(it.updated_at.as_ref())),
];

/// Shows whether users and visitors are kept out; works without signing in.
pub(crate) async fn run(context: &Context) -> Result<Exit> {
    let client = context.anonymous_client()?;
    let answer: Answer<MaintenanceStatus> = client.get("/api/get-maintenance-status", &[]).await?;
    context.out.record(&answer.json, &answer.value, COLUMNS)?;
    Ok(Exit::Done)
}
