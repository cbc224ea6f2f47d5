//! `talkdrum contacts list`.

use talkdrum_api::contact::{ContactWithGroups, Contacts, ContactsWithGroups};

use super::COLUMNS;
use crate::args::ListContactsArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::cmd::groups::find_group;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

/// A contact with its groups.
const WITH_GROUPS: &[Column<ContactWithGroups>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.contact.id)),
    Column::left("phone", "Phone", |it| Cell::text(&it.contact.phone)),
    Column::left("name", "Name", |it| Cell::text(&it.contact.name)),
    Column::left("email", "E-mail", |it| Cell::text(&it.contact.email)),
    Column::left("groups", "Groups", |it| {
        let names: Vec<&str> = it.groups.iter().map(|group| group.group_name.as_str()).collect();
        Cell::text(names.join(", "))
    }),
];

/// Lists contacts, newest first.
pub(crate) async fn run(context: &Context, args: ListContactsArgs) -> Result<Exit> {
    let client = context.client()?;
    let mut query = args.page.query();
    query.extend(args.search.map(|text| ("q", text)));
    if args.with_groups {
        let answer: Answer<ContactsWithGroups> = client.get("/api/group/contact", &query).await?;
        context.out.list(&answer.json, &answer.value.contacts, answer.value.total, WITH_GROUPS)?;
        return Ok(Exit::Done);
    }
    let path = match args.group {
        Some(group) => format!("/api/get/group/contacts/{}", find_group(&client, &group).await?.id),
        None => "/api/get/contact".to_owned(),
    };
    let answer: Answer<Contacts> = client.get(&path, &query).await?;
    context.out.list(&answer.json, &answer.value.contacts, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
