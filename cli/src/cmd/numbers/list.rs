//! `talkdrum numbers list`.

use talkdrum_api::sender::{OwnNumber, OwnNumbers, VirtualNumber, VirtualNumbers};

use crate::args::ListNumbersArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};

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
pub(crate) async fn run(context: &Context, args: ListNumbersArgs) -> Result<Exit> {
    let client = context.client()?;
    let mut query = args.page.query();
    query.extend(args.status.map(|status| ("status", status)));
    query.extend(args.search.map(|text| ("q", text)));
    if args.own {
        let path = if args.all { "/admin/get-own-numbers" } else { "/api/get-own-number" };
        let answer: Answer<OwnNumbers> = client.get(path, &query).await?;
        context.out.list(&answer.json, &answer.value.own_numbers, answer.value.total, OWN)?;
    } else {
        let path = if args.all { "/admin/get-virtual-numbers" } else { "/api/get-virtual-number" };
        let answer: Answer<VirtualNumbers> = client.get(path, &query).await?;
        context.out.list(&answer.json, &answer.value.virtual_numbers, answer.value.total, VIRTUAL)?;
    }
    Ok(Exit::Done)
}
