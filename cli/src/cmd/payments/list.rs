//! `talkdrum payments list`.

use talkdrum_api::payment::Payments;

use super::COLUMNS;
use crate::args::ListPaymentsArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Lists payments, newest first.
pub(crate) async fn run(context: &Context, args: ListPaymentsArgs) -> Result<Exit> {
    let path = if args.all || args.user.is_some() { "/admin/payments" } else { "/api/payments" };
    let mut query = args.page.query();
    query.extend(args.status.map(|status| ("status", status)));
    query.extend(args.user.map(|user| ("user_id", user)));
    query.extend(args.search.map(|text| ("q", text)));
    let answer: Answer<Payments> = context.client()?.get(path, &query).await?;
    context.out.list(&answer.json, &answer.value.payments, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
