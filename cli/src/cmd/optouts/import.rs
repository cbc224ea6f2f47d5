//! `talkdrum optouts import`.

use reqwest::multipart::Form;

use super::path;
use crate::args::ImportOptOutsArgs;
use crate::cmd::Context;
use crate::cmd::contacts::import::{finish, import};
use crate::exit::{Exit, Result};

/// Imports numbers that get no messages.
pub(crate) async fn run(context: &Context, args: ImportOptOutsArgs) -> Result<Exit> {
    let client = context.client()?;
    let mut form = Form::new().text("note", args.note);
    for column in args.phone_column {
        form = form.text("phone_column", column);
    }
    let path = format!("{}/import", path(args.platform));
    let import = import(context, &client, &path, form, &args.file).await?;
    finish(context, &client, &import, &args.outcome).await
}
