//! `talkdrum carriers ...`: the carriers under an administrator's hand.

mod hold;
mod list;
mod reload;
mod reroute;
mod show;
mod test;
mod trace;

use crate::args::{CarriersArgs, CarriersCommand};
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Runs one of them; without a command, the list.
pub(crate) async fn run(context: &Context, args: CarriersArgs) -> Result<Exit> {
    match args.command {
        None | Some(CarriersCommand::List) => list::run(context).await,
        Some(CarriersCommand::Show { name }) => show::run(context, &name).await,
        Some(CarriersCommand::Pause(args)) => hold::run(context, args, "pause").await,
        Some(CarriersCommand::Resume(args)) => hold::run(context, args, "resume").await,
        Some(CarriersCommand::Drain(args)) => hold::drain(context, args).await,
        Some(CarriersCommand::HangUp(args)) => hold::hang_up(context, args).await,
        Some(CarriersCommand::Reroute(args)) => reroute::run(context, args).await,
        Some(CarriersCommand::Reload) => reload::run(context).await,
        Some(CarriersCommand::Test(args)) => test::run(context, args).await,
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
