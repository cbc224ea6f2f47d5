//! `talkdrum senders list`.

use serde::Deserialize;
use talkdrum_api::sender::SenderIdRecord;

use super::COLUMNS;
use crate::args::ListSendersArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Both lists of sender ids: each answers under its own name.
#[derive(Debug, Deserialize)]
struct Listed {
    #[serde(alias = "senderId", alias = "senderids")]
    rows: Vec<SenderIdRecord>,
    total: i64,
}

/// Lists one's own sender ids, or all users'.
pub(crate) async fn run(context: &Context, args: ListSendersArgs) -> Result<Exit> {
    let path = if args.all { "/admin/get-sender-ids" } else { "/api/get-sender-id" };
    let mut query = args.page.query();
    query.extend(args.status.map(|status| ("status", status.code().to_owned())));
    query.extend(args.search.map(|text| ("q", text)));
    let answer: Answer<Listed> = context.client()?.get(path, &query).await?;
    context.out.list(&answer.json, &answer.value.rows, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
