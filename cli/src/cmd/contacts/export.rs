//! `talkdrum contacts export`.

use crate::args::ExportContactsArgs;
use crate::cmd::Context;
use crate::cmd::campaigns::download;
use crate::cmd::groups::find_group;
use crate::exit::{Exit, Result};

/// Writes contacts as CSV.
pub(crate) async fn run(context: &Context, args: ExportContactsArgs) -> Result<Exit> {
    let client = context.client()?;
    let path = match args.group {
        Some(group) => format!("/api/groups/{}/export", find_group(&client, &group).await?.id),
        None => "/api/contacts/export".to_owned(),
    };
    download(context, &client, &path, &[], args.file.as_deref()).await?;
    Ok(Exit::Done)
}
