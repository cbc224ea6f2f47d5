//! `talkdrum carriers test`.

use std::time::Duration;

use serde_json::json;
use talkdrum_api::carrier::CarrierTest;

use super::path;
use crate::args::TestCarrierArgs;
use crate::client::Answer;
use crate::cmd::{Context, payments};
use crate::exit::{Code, Exit, Failure, Result};

/// How often a receipt is looked for.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long the daemon itself waits for it.
const WAIT_OF_DAEMON_S: u64 = 10;

/// Sends one message over a carrier, and waits for its answer and its receipt. Exit 1 when it was not accepted.
pub(super) async fn run(context: &Context, args: TestCarrierArgs) -> Result<Exit> {
    let client = context.client()?;
    let body = json!({
        "to": args.to,
        "message": args.message.unwrap_or_default(),
        "wait_s": args.wait.min(WAIT_OF_DAEMON_S),
    });
    let over = tokio::time::Instant::now() + Duration::from_secs(args.wait);
    let key = payments::key(args.key.as_deref());
    let path = path(&args.name, "test");
    let mut answer: Answer<CarrierTest> = context.keyed(&key, client.post(&path, &body, Some(&key))).await?;
    let goes_on = format!(
        "test {} was submitted: the same command with --key {key} shows what became of it, and sends nothing",
        answer.value.id
    );
    context.interruption.means(&goes_on);
    while !answer.value.over && tokio::time::Instant::now() < over {
        tokio::time::sleep(LOOK_EVERY).await;
        let look = client.get(&format!("/admin/carrier-tests/{}", answer.value.id), &()).await;
        answer = look.map_err(|error| error.of_a_look(&goes_on))?;
    }
    context.interruption.means("");
    let test = &answer.value;
    let references = match test.references.as_slice() {
        [] => String::new(),
        references => format!(", reference {}", references.join(", ")),
    };
    context.out.done(&answer.json, &format!("Test {}: {}{references}", test.id, test.message))?;
    if !test.over {
        let message = format!("test {} goes on", test.id);
        return Err(Failure::new(Exit::GoesOn, Code::WaitEnded, message).hint(goes_on));
    }
    let accepted = matches!(test.status.as_str(), "sent" | "delivered" | "undelivered");
    match accepted {
        true => Ok(Exit::Done),
        false => Err(Failure::failed(format!("the carrier {} did not accept the test", args.name))),
    }
}
