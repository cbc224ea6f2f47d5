//! Voice: texts as they are said, recordings, calls that try either, calls to many and lists of them.

pub(super) mod recordings;

use std::time::Duration;

use serde_json::json;
use talkdrum_api::voice::{VoiceReport, VoiceReports, VoiceTest};

use crate::args::{ListVoiceArgs, PreviewVoiceArgs, SendVoiceArgs, TestVoiceArgs, VoiceCommand};
use crate::client::Answer;
use crate::cmd::Context;
use crate::cmd::download::save;
use crate::cmd::send::{Sending, send_form};
use crate::exit::{Exit, Result};
use crate::form::CampaignForm;
use crate::output::{Cell, Column, answers_in_short};

/// Runs a command of this noun.
pub(super) async fn run(context: &Context, command: VoiceCommand) -> Result<Exit> {
    match command {
        VoiceCommand::List(args) => list(context, args).await,
        VoiceCommand::Preview(args) => preview(context, args).await,
        VoiceCommand::Send(args) => send(context, *args).await,
        VoiceCommand::Test(args) => test(context, args).await,
        VoiceCommand::Recordings(args) => recordings::run(context, args).await,
    }
}

const COLUMNS: &[Column<VoiceReport>] = &[
    Column::right("id", "Id", |it| Cell::Number(it.id)),
    Column::left("status", "Status", |it| Cell::text(&it.status)),
    Column::left("username", "User", |it| Cell::text(&it.username)),
    Column::left("msg", "Message", |it| Cell::text(&it.msg)),
    Column::right("no_of_sent_contacts", "Answered", |it| Cell::Number(it.no_of_sent_contacts)),
    Column::right("no_of_failed_contacts", "Failed", |it| Cell::Number(it.no_of_failed_contacts)),
    Column::right("units", "Units", |it| Cell::Number(it.units)),
    Column::right("espees_deducted", "ESPEES", |it| Cell::charge(it.espees_deducted)),
    Column::right("naira_deducted", "Naira", |it| Cell::charge(it.naira_deducted)),
    Column::right("refunded_amount", "Refunded", |it| Cell::charge(it.refunded_amount)),
    Column::left("created_at", "Created", |it| Cell::Time(it.created_at.clone())),
    Column::left("poll", "Answers", |it| Cell::text(answers_in_short(it.poll.as_deref()))),
];

/// Lists calls to many.
async fn list(context: &Context, args: ListVoiceArgs) -> Result<Exit> {
    let path = if args.all { "/admin/get-all-sent-voice-sms" } else { "/api/get-sent-voice-sms" };
    let answer: Answer<VoiceReports> = context.client()?.get(path, &args.page.query()).await?;
    context.out.list(&answer.json, &answer.value.voice_sms, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}

/// Saves a text as a call will say it.
async fn preview(context: &Context, args: PreviewVoiceArgs) -> Result<Exit> {
    let text = json!({"ttsMsg": args.text, "ttsVoice": args.voice});
    let wav = context.client()?.post_for_file("/api/voice-preview", &text).await?;
    save(context, wav, args.file.as_deref()).await?;
    Ok(Exit::Done)
}

/// Quotes calls to many, asks, and places them.
async fn send(context: &Context, args: SendVoiceArgs) -> Result<Exit> {
    let form = CampaignForm::of_calls(&args, &context.out.zone, &context.defaults)?;
    let sending = Sending {
        groups: args.recipients.group,
        limits: args.limits,
        canary: args.canary,
        consent: args.consent,
        key: args.key,
        at: args.at,
        rejects: args.rejects,
        wait: args.wait,
        follow: args.follow,
    };
    send_form(context, form, sending).await
}

/// How often a call is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Has the user's own phone called. With `--wait`: until it is over, and exit code 1 when it was not answered.
async fn test(context: &Context, args: TestVoiceArgs) -> Result<Exit> {
    let client = context.client()?;
    let body = match args.recording {
        Some(id) => json!({"audioUrl": id.to_string()}),
        None => json!({"ttsMsg": args.text, "ttsVoice": args.voice}),
    };
    let mut answer: Answer<VoiceTest> = client.post("/api/voice-test", &body, None).await?;
    let goes_on = format!("test call {} to {} goes on", answer.value.id, answer.value.to);
    while args.wait && !answer.value.over {
        tokio::time::sleep(LOOK_EVERY).await;
        let look = client.get(&format!("/api/voice-test/{}", answer.value.id), &()).await;
        answer = look.map_err(|error| error.of_a_look(&goes_on))?;
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
