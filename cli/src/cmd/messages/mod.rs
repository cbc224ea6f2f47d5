//! Single messages.

pub(super) mod failed;
pub(super) mod find;
pub(super) mod inbound;
pub(super) mod last;
pub(super) mod list;
pub(super) mod resolve;
pub(super) mod send;
pub(super) mod sent;
pub(super) mod unknown;
pub(super) mod why;

use talkdrum_api::campaign::MessageRow;

use crate::output::{Cell, Column};

/// A message in a list.
const COLUMNS: &[Column<MessageRow>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::right("campaign_id", "Campaign", |it| Cell::Number(it.campaign_id)),
    Column::left("to", "To", |it| Cell::text(&it.to)),
    Column::left("senderid", "Sender", |it| Cell::text(&it.senderid)),
    Column::left("network", "Network", |it| Cell::text(&it.network)),
    Column::left("status", "Status", |it| Cell::text(&it.status)),
    Column::left("reason", "Reason", |it| Cell::maybe(it.reason.as_ref())),
    Column::right("pages", "Pages", |it| Cell::Number(it.pages)),
    Column::right("price", "Price", |it| Cell::charge(it.price)),
    Column::left("submitted_at", "Submitted", |it| Cell::time(it.submitted_at.as_ref())),
    Column::left("done_at", "Done", |it| Cell::time(it.done_at.as_ref())),
];
