//! `talkdrum carriers pause`, `resume`, `drain` and `hang-up`.

use std::time::Duration;

use serde_json::json;
use talkdrum_api::carrier::{CarrierHeld, Carriers};

use super::path;
use super::show::carrier_json;
use crate::args::{DrainCarrierArgs, HangUpCarrierArgs, HoldCarrierArgs};
use crate::client::{Answer, Client};
use crate::cmd::Context;
use crate::exit::{Code, Exit, Failure, Result};

/// How often a drain is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// What is true of a drain that is not waited for any more.
const GOES_ON: &str = "the drain goes on: talkdrum carriers list tells when it is done";

/// Asks for one of them; `verb` is the last part of the call's path.
pub(super) async fn run(context: &Context, args: HoldCarrierArgs, verb: &str) -> Result<Exit> {
    let answer = ask(&context.client()?, &args, verb).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}

/// Hangs up the calls of a carrier, after a question.
pub(super) async fn hang_up(context: &Context, args: HangUpCarrierArgs) -> Result<Exit> {
    let question = format!("Pause the carrier {} and hang up all its calls?", args.hold.name);
    context.agree(args.yes, &question, "no call was hung up")?;
    run(context, args.hold, "hang-up").await
}

/// Drains a carrier, and waits until it is drained where that was asked for.
pub(super) async fn drain(context: &Context, args: DrainCarrierArgs) -> Result<Exit> {
    let client = context.client()?;
    let answer = ask(&client, &args.hold, "drain").await?;
    let Some(wait) = args.wait else {
        context.out.done(&answer.json, &answer.value.message)?;
        return Ok(Exit::Done);
    };
    let over = tokio::time::Instant::now() + Duration::from_secs(wait);
    context.interruption.means(GOES_ON);
    loop {
        let look = client.get("/admin/carriers", &()).await;
        let list: Answer<Carriers> = look.map_err(|error| error.of_a_look(GOES_ON))?;
        let found = list.value.carriers.iter().find(|carrier| carrier.name == args.hold.name);
        // Nothing waits at a carrier that is not configured and not listed.
        let in_flight = found.map_or(0, |carrier| carrier.in_flight);
        if found.is_none_or(|carrier| carrier.state == "drained") {
            let json = carrier_json(found)?;
            context.out.done(&json, &format!("The carrier {} is drained", args.hold.name))?;
            return Ok(Exit::Done);
        }
        if tokio::time::Instant::now() >= over {
            let message = format!("{in_flight} messages are still in flight");
            return Err(Failure::new(Exit::Failed, Code::WaitEnded, message).hint(GOES_ON));
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

async fn ask(client: &Client, args: &HoldCarrierArgs, verb: &str) -> Result<Answer<CarrierHeld>> {
    let body = json!({ "reason": args.reason.as_deref().unwrap_or_default() });
    Ok(client.post(&path(&args.name, verb), &body, None).await?)
}
