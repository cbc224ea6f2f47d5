//! `talkdrum voice test`.

use std::time::Duration;

use serde_json::json;
use talkdrum_api::voice::VoiceTest;

use crate::args::TestVoiceArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// How often a call is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Has the user's own phone called. With `--wait`: until it is over, and exit code 1 when it was not answered.
pub(crate) async fn run(context: &Context, args: TestVoiceArgs) -> Result<Exit> {
    let client = context.client()?;
    let body = match args.recording {
        Some(id) => json!({"audioUrl": id.to_string()}),
        None => json!({"ttsMsg": args.text, "ttsVoice": args.voice}),
    };
    let mut answer: Answer<VoiceTest> = client.post("/api/voice-test", &body, None).await?;
    while args.wait && !answer.value.over {
        tokio::time::sleep(LOOK_EVERY).await;
        answer = client.get(&format!("/api/voice-test/{}", answer.value.id), &[]).await?;
    }
    let test = &answer.value;
    let keys = match test.digits.as_str() {
        "" => String::new(),
        digits => format!(", keys {digits}"),
    };
    let up = if test.seconds > 0 { format!(", {} s", test.seconds) } else { String::new() };
    let said = format!("Test call {} to {}: {}{up}{keys}", test.id, test.to, test.message);
    context.out.done(&answer.json, &said)?;
    let is_answered = test.outcome.as_deref() == Some("answered");
    Ok(if is_answered || !test.over { Exit::Done } else { Exit::Failed })
}
