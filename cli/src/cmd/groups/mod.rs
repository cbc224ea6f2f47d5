//! Groups of contacts.

pub(super) mod create;
pub(super) mod delete;
pub(super) mod list;
pub(super) mod rename;
pub(super) mod show;

use talkdrum_api::contact::{Group, GroupShown, Groups};

use crate::client::Client;
use crate::exit::{Failure, Result};
use crate::output::{Cell, Column};

/// A group in a list.
const COLUMNS: &[Column<Group>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("group_name", "Group", |it| Cell::text(&it.group_name)),
    Column::right("contacts_count", "Contacts", |it| Cell::Number(it.contacts_count)),
    Column::left("description", "Description", |it| Cell::text(&it.description)),
    Column::left("columns", "Merge fields", |it| Cell::text(it.columns.join(" "))),
    Column::left("updated_at", "Changed", |it| Cell::Time(it.updated_at.clone())),
];

/// The group of a name, else of an id; `None` when there is none.
pub(crate) async fn look_up(client: &Client, group: &str) -> Result<Option<Group>> {
    let query = [("group_name", group.to_owned())];
    let named = client.get::<Groups>("/api/get/group", &query).await?.value.groups;
    if let Some(group) = named.into_iter().next() {
        return Ok(Some(group));
    }
    let Ok(id) = group.trim().parse::<i64>() else { return Ok(None) };
    match client.get::<GroupShown>(&format!("/api/get/group/{id}"), &[]).await {
        Ok(found) => Ok(Some(found.value.group)),
        Err(error) if error.refusal().is_some_and(|(status, _)| status == 404) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The group of a name, else of an id.
pub(crate) async fn find_group(client: &Client, group: &str) -> Result<Group> {
    look_up(client, group).await?.ok_or_else(|| {
        Failure::failed(format!("there is no group '{group}'"))
            .hint("give its name or its id, as talkdrum groups list shows them")
    })
}
