//! `talkdrum prices set`.

use serde_json::json;
use talkdrum_core::api::account::Message;

use crate::args::{Pay, SetPriceArgs};
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Sets the price of a page. Quotes that were given keep theirs.
pub(crate) async fn run(context: &Context, args: SetPriceArgs) -> Result<Exit> {
    let path = match args.currency {
        Pay::Espees => "/admin/set-sms-unit-price",
        Pay::Naira => "/admin/set-sms-unit-price-naira",
    };
    let answer: Answer<Message> = context.client()?.post(path, &json!({ "price": args.price }), None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
