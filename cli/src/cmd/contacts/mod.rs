//! Contacts.

pub(super) mod add;
pub(super) mod edit;
pub(super) mod export;
pub(crate) mod import;
pub(super) mod imports;
pub(super) mod list;
pub(super) mod remove;

use talkdrum_api::contact::Contact;

use crate::output::{Cell, Column};

/// A contact in a list.
const COLUMNS: &[Column<Contact>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::right("group_id", "Group", |it| Cell::Number(it.group_id)),
    Column::left("phone", "Phone", |it| Cell::text(&it.phone)),
    Column::left("name", "Name", |it| Cell::text(&it.name)),
    Column::left("email", "E-mail", |it| Cell::text(&it.email)),
    Column::left("fields", "Merge fields", |it| Cell::text(fields(it))),
    Column::left("created_at", "Added", |it| Cell::Time(it.created_at.clone())),
];

fn fields(contact: &Contact) -> String {
    let fields: Vec<String> = contact.fields.iter().map(|(name, value)| format!("{name}={value}")).collect();
    fields.join(" ")
}
