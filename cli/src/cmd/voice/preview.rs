//! `talkdrum voice preview`.

use serde_json::json;

use crate::args::PreviewVoiceArgs;
use crate::cmd::Context;
use crate::cmd::campaigns::save;
use crate::exit::{Exit, Result};

/// Saves a text as a call will say it.
pub(crate) async fn run(context: &Context, args: PreviewVoiceArgs) -> Result<Exit> {
    let text = json!({"ttsMsg": args.text, "ttsVoice": args.voice});
    let wav = context.client()?.post_for_file("/api/voice-preview", &text).await?;
    save(context, wav, args.file.as_deref()).await?;
    Ok(Exit::Done)
}
