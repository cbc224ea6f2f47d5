//! `talkdrum contacts edit`.

use serde_json::json;
use talkdrum_api::contact::ContactAnswer;

use super::COLUMNS;
use crate::args::EditContactArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Failure, Result};

/// Changes a contact.
pub(crate) async fn run(context: &Context, args: EditContactArgs) -> Result<Exit> {
    if args.phone.is_none() && args.name.is_none() && args.email.is_none() && args.field.is_empty() {
        return Err(Failure::usage("nothing is to change")
            .hint("give --phone, --name, --email or --field with the new value"));
    }
    let body = json!({ "phone": args.phone, "name": args.name, "email": args.email, "field": args.field });
    let path = format!("/api/update/contact/{}", args.id);
    let answer: Answer<ContactAnswer> = context.client()?.put(&path, &body).await?;
    context.out.record(&answer.json, &answer.value.contact, COLUMNS)?;
    Ok(Exit::Done)
}
