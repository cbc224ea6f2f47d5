//! Campaigns as rows of a table.

use talkdrum_api::campaign::Campaign;

use crate::output::{Cell, Column};

/// A campaign in a list.
pub(super) const COLUMNS: &[Column<Campaign>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("status", "Status", |it| Cell::text(&it.status)),
    Column::left("sms_type", "Type", |it| Cell::text(&it.sms_type)),
    Column::left("purpose", "Purpose", |it| Cell::text(it.purpose.code())),
    Column::left("senderid", "Sender", |it| Cell::text(&it.senderid)),
    Column::left("username", "User", |it| Cell::text(&it.username)),
    Column::right("total_contacts", "Messages", |it| Cell::Number(it.total_contacts)),
    Column::right("delivered", "Delivered", |it| Cell::Number(it.counts.delivered)),
    Column::right("failed", "Failed", |it| Cell::Number(it.counts.failed())),
    Column::right("unknown", "Unknown", |it| Cell::Number(it.counts.unknown)),
    Column::right("captured", "Charged", |it| Cell::charge(it.captured)),
    Column::right("released", "Refunded", |it| Cell::charge(it.released)),
    Column::left("currency", "Currency", |it| Cell::text(&it.currency)),
    Column::left("created_at", "Created", |it| Cell::Time(it.created_at.clone())),
];
