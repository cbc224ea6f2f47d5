//! `talkdrum carriers test`.

use std::time::Duration;

use serde_json::json;
use talkdrum_api::carrier::CarrierTest;

use super::path;
use crate::args::TestCarrierArgs;
use crate::client::Answer;
use crate::cmd::{Context, payments};
use crate::exit::{Exit, Failure, Result};

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
    let key = payments::key(None);
    let mut answer: Answer<CarrierTest> = client.post(&path(&args.name, "test"), &body, Some(&key)).await?;
    while !answer.value.over && tokio::time::Instant::now() < over {
        tokio::time::sleep(LOOK_EVERY).await;
        answer = client.get(&format!("/admin/carrier-tests/{}", answer.value.id), &[]).await?;
    }
    let test = &answer.value;
    let references = match test.references.as_slice() {
        [] => String::new(),
        references => format!(", reference {}", references.join(", ")),
    };
    context.out.done(&answer.json, &format!("Test {}: {}{references}", test.id, test.message))?;
    let accepted = matches!(test.status.as_str(), "sent" | "delivered" | "undelivered");
    match accepted {
        true => Ok(Exit::Done),
        false => Err(Failure::failed(format!("the carrier {} did not accept the test", args.name))),
    }
}
