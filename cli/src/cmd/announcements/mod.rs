//! Announcements.

pub(super) mod list;
pub(super) mod manage;
pub(super) mod show;

use talkdrum_api::setting::Announcement;

use crate::output::{Cell, Column};

/// An announcement in a list.
const COLUMNS: &[Column<Announcement>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("is_active", "Shown", |it| Cell::text(if it.is_active == 1 { "yes" } else { "no" })),
    Column::left("updated_at", "Changed", |it| Cell::Time(it.updated_at.clone())),
    Column::left("announcement", "Announcement", |it| Cell::text(&it.announcement)),
];
