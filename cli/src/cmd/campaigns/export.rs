//! `talkdrum campaigns export`.

use talkdrum_api::query::{ExportQuery, PeriodQuery};

use crate::args::ExportArgs;
use crate::cmd::Context;
use crate::cmd::download::{download, require_csv};
use crate::exit::{Exit, Result};
use crate::query::Query;

/// Writes the delivery report of a campaign, or of those of a period.
pub(crate) async fn run(context: &Context, args: ExportArgs) -> Result<Exit> {
    require_csv(context)?;
    let path = match args.id {
        Some(id) => format!("/api/campaigns/{id}/export"),
        None => "/api/delivery-reports/export".to_owned(),
    };
    let query = PeriodQuery { from: args.from, to: args.to }
        .and(ExportQuery { kind: args.kind, status: args.status });
    download(context, &context.client()?, &path, &query, args.file.as_deref()).await?;
    Ok(Exit::Done)
}
