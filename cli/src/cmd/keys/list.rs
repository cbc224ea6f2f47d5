//! `talkdrum keys list`.

use talkdrum_api::account::ApiKeys;

use super::COLUMNS;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Lists the keys.
pub(crate) async fn run(context: &Context) -> Result<Exit> {
    let answer: Answer<ApiKeys> = context.client()?.get("/api/api-keys", &[]).await?;
    context.out.list(&answer.json, &answer.value.api_keys, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}
