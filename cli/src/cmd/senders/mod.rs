//! Sender ids.

pub(super) mod decide;
pub(super) mod list;
pub(super) mod request;

use talkdrum_api::sender::SenderIdRecord;

use crate::output::{Cell, Column};

/// A sender id in a list.
const COLUMNS: &[Column<SenderIdRecord>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("sender_id", "Sender", |it| Cell::text(&it.sender_id)),
    Column::left("username", "User", |it| Cell::maybe(it.username.as_ref())),
    Column::left("status", "Status", |it| Cell::text(&it.status)),
    Column::left("reason", "Reason", |it| Cell::maybe(it.reason.as_ref())),
    Column::left("created_at", "Requested", |it| Cell::time(it.created_at.as_ref())),
    Column::left("decided_at", "Decided", |it| Cell::time(it.decided_at.as_ref())),
];
