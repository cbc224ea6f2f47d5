//! Groups of contacts.

use serde_json::json;
use talkdrum_api::account::Message;
use talkdrum_api::contact::{Group, GroupAnswer, GroupShown, Groups};
use talkdrum_api::query::{GroupQuery, SearchQuery};

use crate::args::{
    CreateGroupArgs, DeleteGroupArgs, GroupsCommand, ListGroupsArgs, RenameGroupArgs, ShowGroupArgs,
};
use crate::client::{Answer, Client};
use crate::cmd::Context;
use crate::exit::{Exit, Failure, Result};
use crate::output::{Cell, Column};
use crate::query::Query;

/// Runs a command of this noun.
pub(super) async fn run(context: &Context, command: GroupsCommand) -> Result<Exit> {
    match command {
        GroupsCommand::List(args) => list(context, args).await,
        GroupsCommand::Show(args) => show(context, args).await,
        GroupsCommand::Create(args) => create(context, args).await,
        GroupsCommand::Rename(args) => rename(context, args).await,
        GroupsCommand::Delete(args) => delete(context, args).await,
    }
}

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
    let query = GroupQuery { group_name: Some(group.to_owned()) };
    let named = client.get::<Groups>("/api/get/group", &query).await?.value.groups;
    if let Some(group) = named.into_iter().next() {
        return Ok(Some(group));
    }
    let Ok(id) = group.trim().parse::<i64>() else { return Ok(None) };
    match client.get::<GroupShown>(&format!("/api/get/group/{id}"), &()).await {
        Ok(found) => Ok(Some(found.value.group)),
        Err(error) if error.refusal().is_some_and(|(status, _)| status == 404) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The group of a name, else of an id.
pub(crate) async fn find_group(client: &Client, group: &str) -> Result<Group> {
    look_up(client, group).await?.ok_or_else(|| {
        Failure::not_found(format!("there is no group '{group}'"))
            .hint("give its name or its id, as talkdrum groups list shows them")
    })
}

/// Lists the groups.
async fn list(context: &Context, args: ListGroupsArgs) -> Result<Exit> {
    let query = args.page.query().and(SearchQuery::new(args.search));
    let answer: Answer<Groups> = context.client()?.get("/api/get/group", &query).await?;
    context.out.list(&answer.json, &answer.value.groups, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}

/// Shows one group.
async fn show(context: &Context, args: ShowGroupArgs) -> Result<Exit> {
    let group = find_group(&context.client()?, &args.group).await?;
    context.out.record(&json!({ "group": group }).to_string(), &group, COLUMNS)?;
    Ok(Exit::Done)
}

/// Makes a group.
async fn create(context: &Context, args: CreateGroupArgs) -> Result<Exit> {
    let body = json!({ "group_name": args.name, "description": args.description });
    let answer: Answer<GroupAnswer> =
        context.client_showing(COLUMNS)?.post("/api/create/group", &body, None).await?;
    context.out.record(&answer.json, &answer.value.group, COLUMNS)?;
    Ok(Exit::Done)
}

/// Gives a group another name.
async fn rename(context: &Context, args: RenameGroupArgs) -> Result<Exit> {
    let client = context.client_showing(COLUMNS)?;
    let group = find_group(&client, &args.group).await?;
    let description = args.description.unwrap_or(group.description);
    let body = json!({ "group_name": args.name, "description": description });
    let answer: Answer<GroupAnswer> = client.put(&format!("/api/update/group/{}", group.id), &body).await?;
    context.out.record(&answer.json, &answer.value.group, COLUMNS)?;
    Ok(Exit::Done)
}

/// Deletes a group with its contacts.
async fn delete(context: &Context, args: DeleteGroupArgs) -> Result<Exit> {
    let client = context.client()?;
    let group = find_group(&client, &args.group).await?;
    let question = format!("Delete '{}' with {} contacts?", group.group_name, group.contacts_count);
    context.agree(args.yes, &question, "nothing was deleted")?;
    let answer: Answer<Message> = client.delete(&format!("/api/delete/group/{}", group.id)).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
