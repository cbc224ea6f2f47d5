//! `talkdrum carriers ...`: the carriers under an administrator's hand.

mod breaker;
mod hold;
mod list;
mod show;
mod test_message;
mod trace;

use serde_json::json;
use talkdrum_api::carrier::{CarrierRerouted, Carriers, CarriersReloaded};

use crate::args::{CarriersArgs, CarriersCommand, RerouteCarrierArgs, SureArgs};
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Failure, Result};

/// Runs one of them; without a command, the list.
pub(crate) async fn run(context: &Context, args: CarriersArgs) -> Result<Exit> {
    match args.command {
        None | Some(CarriersCommand::List) => list::run(context).await,
        Some(CarriersCommand::Show { name }) => show::run(context, &name).await,
        Some(CarriersCommand::Pause(args)) => hold::run(context, args, "pause").await,
        Some(CarriersCommand::Resume(args)) => hold::run(context, args, "resume").await,
        Some(CarriersCommand::Drain(args)) => hold::drain(context, args).await,
        Some(CarriersCommand::HangUp(args)) => hold::hang_up(context, args).await,
        Some(CarriersCommand::Breaker(args)) => breaker::run(context, args).await,
        Some(CarriersCommand::Reroute(args)) => reroute(context, args).await,
        Some(CarriersCommand::Reload) => reload(context).await,
        Some(CarriersCommand::Test(args)) => test_message::run(context, args).await,
        Some(CarriersCommand::Trace(args)) => trace::run(context, args).await,
    }
}

/// The path of a call about a carrier.
fn path(name: &str, verb: &str) -> String {
    // Only its way of escaping is wanted of the address.
    let escaped = reqwest::Url::parse("http://talkdrum").map(|mut url| {
        if let Ok(mut parts) = url.path_segments_mut() {
            parts.extend(["admin", "carriers", name, verb]);
        }
        url.path().to_owned()
    });
    escaped.unwrap_or_else(|_| format!("/admin/carriers/{name}/{verb}"))
}

/// Has the daemon read its configuration again.
async fn reload(context: &Context) -> Result<Exit> {
    let answer: Answer<CarriersReloaded> =
        context.client()?.post("/admin/carriers/reload", &json!({}), None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    for removed in answer.value.removed.iter().filter(|removed| removed.waiting > 0) {
        context
            .out
            .warn(&format!("{} messages wait for the removed carrier {}", removed.waiting, removed.name));
    }
    let daemons = &answer.value.daemons;
    for daemon in daemons.iter().filter(|daemon| matches!(daemon.outcome.as_str(), "refused" | "silent")) {
        context.out.warn(&format!("{} ({}): {}", daemon.name, daemon.role, daemon.message));
    }
    for key in &answer.value.needs_restart {
        context.out.warn(&format!("{key} changed in the file, and needs a restart"));
    }
    // Some daemons go on with their old carriers: a script must be able to tell.
    let refused = daemons.iter().filter(|daemon| daemon.outcome == "refused").count();
    match refused {
        0 => Ok(Exit::Done),
        _ => Err(Failure::failed(format!("{refused} of {} daemons kept their old carriers", daemons.len()))),
    }
}

/// Moves what waits at a carrier to another one, and says what stays and why.
async fn reroute(context: &Context, args: RerouteCarrierArgs) -> Result<Exit> {
    let client = context.client()?;
    let SureArgs { yes, dry_run } = args.consent;
    if !yes || dry_run {
        let list: Answer<Carriers> = client.get("/admin/carriers", &()).await?;
        let found = list.value.carriers.iter().find(|it| it.name == args.name);
        let waiting = found.map_or(0, |it| it.queued + it.queued_later);
        let goal = args
            .to
            .as_deref()
            .map_or_else(|| "where the routes lead now".to_owned(), |to| format!("to {to}"));
        let what = format!("{waiting} messages that wait at {} {goal}", args.name);
        if dry_run {
            let sentence = format!("It would move at most the {what}; nothing was moved");
            context.out.done(&show::carrier_json(found)?, &sentence)?;
            return Ok(Exit::Done);
        }
        context.agree(yes, &format!("Move the {what}?"), "nothing was moved")?;
    }
    let body = json!({ "to": args.to.unwrap_or_default() });
    let answer: Answer<CarrierRerouted> = client.post(&path(&args.name, "reroute"), &body, None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    for moved in &answer.value.moved {
        context.out.note(&format!("{} go by {} now", moved.messages, moved.carrier));
    }
    for kept in &answer.value.kept {
        context.out.warn(&format!("{} stay: {}", kept.messages, kept.reason));
    }
    Ok(Exit::Done)
}
