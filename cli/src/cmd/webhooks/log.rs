//! `talkdrum webhooks log`.

use talkdrum_api::webhook::{WebhookDeliveries, WebhookDeliveryDetails};

use super::DELIVERY_COLUMNS;
use crate::args::WebhookLogArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Shows the log, or one line of it with the body.
pub(crate) async fn run(context: &Context, args: WebhookLogArgs) -> Result<Exit> {
    let client = context.client()?;
    let path = format!("/api/webhooks/{}/deliveries", args.id);
    if let Some(delivery) = args.delivery {
        let answer: Answer<WebhookDeliveryDetails> = client.get(&format!("{path}/{delivery}"), &[]).await?;
        context.out.record(&answer.json, &answer.value.delivery, DELIVERY_COLUMNS)?;
        if context.out.is_table() {
            context.out.line(&answer.value.body.to_string())?;
        }
        return Ok(Exit::Done);
    }
    let mut query = args.page.query();
    query.extend(args.status.map(|status| ("status", status.code().to_owned())));
    let answer: Answer<WebhookDeliveries> = client.get(&path, &query).await?;
    context.out.list(&answer.json, &answer.value.deliveries, answer.value.total, DELIVERY_COLUMNS)?;
    Ok(Exit::Done)
}
