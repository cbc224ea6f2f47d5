//! `talkdrum maintenance on` and `off`.

use serde_json::json;
use talkdrum_api::account::Message;

use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Keeps users and visitors out with a message, or lets them in without one.
pub(crate) async fn run(context: &Context, message: Option<String>) -> Result<Exit> {
    let (path, body) = match message {
        Some(message) => {
            ("/admin/enable-maintenance-mode", json!({ "message": message, "maintenance_mode": 1 }))
        }
        None => ("/admin/disable-maintenance-mode", json!({ "maintenance_mode": 0 })),
    };
    let answer: Answer<Message> = context.client()?.post(path, &body, None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}
