//! Contacts.

pub(crate) mod import;

use serde::Deserialize;
use serde_json::json;
use talkdrum_api::account::Message;
use talkdrum_api::contact::{
    Contact, ContactAnswer, ContactWithGroups, Contacts, ContactsWithGroups, Import, Imports,
};
use talkdrum_api::query::SearchQuery;

use crate::args::{
    AddContactArgs, ContactsCommand, EditContactArgs, ExportContactsArgs, ImportsArgs, ListContactsArgs,
    RemoveContactArgs,
};
use crate::client::Answer;
use crate::cmd::Context;
use crate::cmd::download::{download, require_csv};
use crate::cmd::groups::find_group;
use crate::exit::{Exit, Failure, Result};
use crate::output::{Cell, Column};
use crate::query::Query;

/// Runs a command of this noun.
pub(super) async fn run(context: &Context, command: ContactsCommand) -> Result<Exit> {
    match command {
        ContactsCommand::List(args) => list(context, args).await,
        ContactsCommand::Add(args) => add(context, args).await,
        ContactsCommand::Edit(args) => edit(context, args).await,
        ContactsCommand::Remove(args) => remove(context, args).await,
        ContactsCommand::Import(args) => import::run(context, args).await,
        ContactsCommand::Imports(args) => imports(context, args).await,
        ContactsCommand::Export(args) => export(context, args).await,
    }
}

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
async fn list(context: &Context, args: ListContactsArgs) -> Result<Exit> {
    let client = context.client()?;
    let query = args.page.query().and(SearchQuery::new(args.search));
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

/// Adds a contact to a group.
async fn add(context: &Context, args: AddContactArgs) -> Result<Exit> {
    let client = context.client_showing(COLUMNS)?;
    let group = find_group(&client, &args.group).await?;
    let body = json!({ "phone": args.phone, "name": args.name, "email": args.email, "field": args.field });
    let path = format!("/api/create/contact/group/{}", group.id);
    let answer: Answer<ContactAnswer> = client.post(&path, &body, None).await?;
    context.out.record(&answer.json, &answer.value.contact, COLUMNS)?;
    Ok(Exit::Done)
}

/// Changes a contact.
async fn edit(context: &Context, args: EditContactArgs) -> Result<Exit> {
    if args.phone.is_none() && args.name.is_none() && args.email.is_none() && args.field.is_empty() {
        return Err(Failure::usage("nothing is to change")
            .hint("give --phone, --name, --email or --field with the new value"));
    }
    let body = json!({ "phone": args.phone, "name": args.name, "email": args.email, "field": args.field });
    let path = format!("/api/update/contact/{}", args.id);
    let answer: Answer<ContactAnswer> = context.client_showing(COLUMNS)?.put(&path, &body).await?;
    context.out.record(&answer.json, &answer.value.contact, COLUMNS)?;
    Ok(Exit::Done)
}

/// Removes a contact from its group.
async fn remove(context: &Context, args: RemoveContactArgs) -> Result<Exit> {
    let path = format!("/api/delete/contact/{}", args.id);
    let answer: Answer<Message> = context.client()?.delete(&path).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}

/// `{"import": ...}`.
#[derive(Debug, Deserialize)]
struct ShownImport {
    import: Import,
}

/// An import.
pub(super) const IMPORT_COLUMNS: &[Column<Import>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("target", "Into", |it| Cell::text(&it.target)),
    Column::left("status", "Status", |it| Cell::text(&it.status)),
    Column::right("rows_read", "Rows", |it| Cell::Number(it.rows_read)),
    Column::right("added", "New", |it| Cell::Number(it.added)),
    Column::right("updated", "Updated", |it| Cell::Number(it.updated)),
    Column::right("unchanged", "Unchanged", |it| Cell::Number(it.unchanged)),
    Column::right("duplicates", "Duplicates", |it| Cell::Number(it.duplicates)),
    Column::right("invalid", "Invalid", |it| Cell::Number(it.invalid)),
    Column::left("created_at", "Begun", |it| Cell::Time(it.created_at.clone())),
    Column::left("error", "Error", |it| Cell::maybe(it.error.as_ref())),
];

/// Shows the results of imports.
async fn imports(context: &Context, args: ImportsArgs) -> Result<Exit> {
    let client = context.client()?;
    if let Some(id) = args.id {
        let answer: Answer<ShownImport> = client.get(&format!("/api/imports/{id}"), &()).await?;
        context.out.record(&answer.json, &answer.value.import, IMPORT_COLUMNS)?;
        return Ok(Exit::Done);
    }
    let answer: Answer<Imports> = client.get("/api/imports", &args.page.query()).await?;
    context.out.list(&answer.json, &answer.value.imports, answer.value.total, IMPORT_COLUMNS)?;
    Ok(Exit::Done)
}

/// Writes contacts as CSV.
async fn export(context: &Context, args: ExportContactsArgs) -> Result<Exit> {
    require_csv(context)?;
    let client = context.client()?;
    let path = match args.group {
        Some(group) => format!("/api/groups/{}/export", find_group(&client, &group).await?.id),
        None => "/api/contacts/export".to_owned(),
    };
    download(context, &client, &path, &(), args.file.as_deref()).await?;
    Ok(Exit::Done)
}
