//! `talkdrum payments recheck`.

use serde_json::json;
use talkdrum_api::payment::Rechecked;

use crate::args::RecheckPaymentArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Asks the provider again what became of a payment.
pub(crate) async fn run(context: &Context, args: RecheckPaymentArgs) -> Result<Exit> {
    let path = format!("/admin/payments/{}/recheck", args.id);
    let answer: Answer<Rechecked> = context.client()?.post(&path, &json!({}), None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
