//! `talkdrum settings get`.

use serde_json::Value;

use super::read;
use crate::args::{Format, Setting};
use crate::cmd::Context;
use crate::exit::{Exit, Failure, Result};

/// Prints one setting's value, and nothing else; of several, one a line.
pub(crate) async fn run(context: &Context, setting: Setting) -> Result<Exit> {
    let (shown, answer) = read(&context.client()?, setting).await?;
    if context.out.format == Format::Json {
        context.out.line(&Value::Object(answer).to_string())?;
    }
    if let Some(closed) = shown.iter().find(|it| !it.readable) {
        return Err(Failure::failed(format!("{} cannot be read with the daemon's secret key", closed.name))
            .hint("put the right secret.key back, or enter it again with talkdrum settings set"));
    }
    if context.out.format == Format::Json {
        return Ok(Exit::Done);
    }
    if let Some(unset) = shown.iter().find(|it| it.value.is_none()) {
        return Err(
            Failure::failed(format!("{} is not set", unset.name)).hint("talkdrum settings set sets it")
        );
    }
    for value in shown.into_iter().filter_map(|it| it.value) {
        context.out.line(&value)?;
    }
    Ok(Exit::Done)
}
