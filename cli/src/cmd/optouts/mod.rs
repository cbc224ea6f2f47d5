//! Numbers that get no messages.

pub(super) mod add;
pub(super) mod export;
pub(super) mod import;
pub(super) mod list;
pub(super) mod remove;

use talkdrum_api::contact::OptOut;

use crate::output::{Cell, Column};

/// An opt-out.
const COLUMNS: &[Column<OptOut>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("phone", "Phone", |it| Cell::text(&it.phone)),
    Column::left("source", "Source", |it| Cell::text(&it.source)),
    Column::left("note", "Note", |it| Cell::text(&it.note)),
    Column::left("created_at", "Since", |it| Cell::Time(it.created_at.clone())),
];

/// Where a list lives.
const fn path(platform: bool) -> &'static str {
    if platform { "/admin/optouts" } else { "/api/optouts" }
}
