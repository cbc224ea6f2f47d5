//! `talkdrum contacts add`.

use serde_json::json;
use talkdrum_api::contact::ContactAnswer;

use super::COLUMNS;
use crate::args::AddContactArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::cmd::groups::find_group;
use crate::exit::{Exit, Result};

/// Adds a contact to a group.
pub(crate) async fn run(context: &Context, args: AddContactArgs) -> Result<Exit> {
    let client = context.client()?;
    let group = find_group(&client, &args.group).await?;
    let body = json!({ "phone": args.phone, "name": args.name, "email": args.email, "field": args.field });
    let path = format!("/api/create/contact/group/{}", group.id);
    let answer: Answer<ContactAnswer> = client.post(&path, &body, None).await?;
    context.out.record(&answer.json, &answer.value.contact, COLUMNS)?;
    Ok(Exit::Done)
}
