//! `talkdrum transfer`.

use std::io::IsTerminal as _;

use serde_json::json;
use talkdrum_api::payment::Transferred;

use super::{key, surely};
use crate::args::TransferArgs;
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Failure, Result};

/// Transfers to another user, after a question: what is given is not taken back.
pub(crate) async fn run(context: &Context, args: TransferArgs) -> Result<Exit> {
    let currency = args.currency.currency();
    if !args.yes {
        if !std::io::stdin().is_terminal() {
            return Err(Failure::usage("there is no terminal to ask for consent")
                .hint("give --yes to transfer without a question"));
        }
        let question = format!("Transfer {} {} to {}?", args.amount, currency.label(), args.to);
        if !context.confirm(&question)? {
            return Err(Failure::failed("not confirmed: nothing was transferred"));
        }
    }
    let client = context.client()?;
    let key = key(args.key.as_deref());
    let body = json!({
        "amount": args.amount, "recipient_username": args.to, "currency": currency.code(),
    });
    let call = || client.post("/api/transfer-fund", &body, Some(&key));
    let answer: Answer<Transferred> = surely(context, call).await?;
    let it = &answer.value;
    let sentence = format!("{} (balance now {} {})", it.message, it.balance.to_fixed(2), currency.label());
    context.out.done(&answer.json, &sentence)?;
    Ok(Exit::Done)
}
