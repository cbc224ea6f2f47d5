//! `talkdrum audit`.

use talkdrum_api::query::{AuditQuery, PeriodQuery, SearchQuery, UserQuery};
use talkdrum_api::setting::{AuditEntry, AuditTrail};

use crate::args::AuditArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};
use crate::query::Query;

const COLUMNS: &[Column<AuditEntry>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("at", "When", |it| Cell::Time(it.at.clone())),
    Column::left("username", "By", |it| Cell::maybe(it.username.as_ref())),
    Column::left("action", "Action", |it| Cell::text(&it.action)),
    Column::left("subject", "What", |it| Cell::text(&it.subject)),
    Column::left("before", "Before", |it| Cell::maybe(it.before.as_ref())),
    Column::left("after", "After", |it| Cell::maybe(it.after.as_ref())),
];

/// Lists what administrators changed.
pub(crate) async fn run(context: &Context, args: AuditArgs) -> Result<Exit> {
    let query = args
        .page
        .query()
        .and(UserQuery { user_id: args.user })
        .and(AuditQuery { action: args.action, subject: args.subject })
        .and(PeriodQuery { from: args.from, to: args.to })
        .and(SearchQuery::new(args.search));
    let answer: Answer<AuditTrail> = context.client()?.get("/admin/audit", &query).await?;
    context.out.list(&answer.json, &answer.value.audit, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
