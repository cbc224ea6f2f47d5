//! Virtual numbers and own numbers.

pub(super) mod own;

use serde_json::json;
use talkdrum_api::account::Message;
use talkdrum_api::query::{OwnNumberQuery, SearchQuery, VirtualNumberQuery};
use talkdrum_api::sender::{OwnNumber, OwnNumbers, VirtualNumber, VirtualNumberAssigned, VirtualNumbers};

use crate::args::{ApproveNumberArgs, ListNumbersArgs, NumberArgs, NumbersCommand, OwnNumberCommand};
use crate::client::Answer;
use crate::cmd::Context;
use crate::cmd::users::id_of;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};
use crate::query::Query;

/// Runs a command of this noun.
pub(super) async fn run(context: &Context, command: NumbersCommand) -> Result<Exit> {
    match command {
        NumbersCommand::List(args) => list(context, args).await,
        NumbersCommand::Request => request(context).await,
        NumbersCommand::Approve(args) => approve(context, args).await,
        NumbersCommand::Delete(args) => delete(context, args).await,
        NumbersCommand::Own(OwnNumberCommand::Verify(args)) => own::verify(context, args).await,
        NumbersCommand::Own(OwnNumberCommand::Confirm(args)) => own::confirm(context, args).await,
        NumbersCommand::Own(OwnNumberCommand::Withdraw(args)) => own::withdraw(context, args).await,
        NumbersCommand::Own(OwnNumberCommand::Delete(args)) => own::delete(context, args).await,
    }
}

const VIRTUAL: &[Column<VirtualNumber>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("virtual_num", "Number", |it| Cell::maybe(it.virtual_num.as_ref())),
    Column::right("user_id", "User id", |it| Cell::Number(it.user_id)),
    Column::left("username", "User", |it| Cell::text(&it.username)),
    Column::left("status", "Status", |it| Cell::text(&it.status)),
    Column::left("created_at", "Requested", |it| Cell::Time(it.created_at.clone())),
];

const OWN: &[Column<OwnNumber>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("phone_number", "Number", |it| Cell::text(&it.phone_number)),
    Column::right("user_id", "User id", |it| Cell::Number(it.user_id)),
    Column::left("username", "User", |it| Cell::text(&it.username)),
    Column::left("status", "Status", |it| Cell::text(&it.status)),
    Column::left("created_at", "Begun", |it| Cell::Time(it.created_at.clone())),
];

/// Lists virtual or own numbers, one's own or all users'.
async fn list(context: &Context, args: ListNumbersArgs) -> Result<Exit> {
    let client = context.client()?;
    let (page, status) = (args.page.query().and(SearchQuery::new(args.search)), args.status);
    if args.own {
        let query = page.and(OwnNumberQuery { status });
        let path = if args.all { "/admin/get-own-numbers" } else { "/api/get-own-number" };
        let answer: Answer<OwnNumbers> = client.get(path, &query).await?;
        context.out.list(&answer.json, &answer.value.own_numbers, answer.value.total, OWN)?;
    } else {
        let query = page.and(VirtualNumberQuery { status });
        let path = if args.all { "/admin/get-virtual-numbers" } else { "/api/get-virtual-number" };
        let answer: Answer<VirtualNumbers> = client.get(path, &query).await?;
        context.out.list(&answer.json, &answer.value.virtual_numbers, answer.value.total, VIRTUAL)?;
    }
    Ok(Exit::Done)
}

/// Requests a virtual number.
async fn request(context: &Context) -> Result<Exit> {
    let answer: Answer<Message> =
        context.client()?.post("/api/request-virtual-number", &json!({}), None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}

/// Assigns a virtual number to a user.
async fn approve(context: &Context, args: ApproveNumberArgs) -> Result<Exit> {
    let client = context.client()?;
    let user = id_of(&client, &args.user).await?;
    let body = json!({ "virtual_num": args.number });
    let answer: Answer<VirtualNumberAssigned> =
        client.post(&format!("/admin/approve-virtual-number/{user}"), &body, None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}

/// Takes a virtual number away.
async fn delete(context: &Context, args: NumberArgs) -> Result<Exit> {
    let path = format!("/admin/delete-virtual-number/{}", args.id);
    let answer: Answer<Message> = context.client()?.delete(&path).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
