//! `talkdrum optouts export`.

use super::path;
use crate::args::ExportOptOutsArgs;
use crate::cmd::Context;
use crate::cmd::campaigns::download;
use crate::exit::{Exit, Result};

/// Writes opt-outs as CSV.
pub(crate) async fn run(context: &Context, args: ExportOptOutsArgs) -> Result<Exit> {
    let path = format!("{}/export", path(args.platform));
    download(context, &context.client()?, &path, &[], args.file.as_deref()).await?;
    Ok(Exit::Done)
}
