//! `talkdrum users credit`.

use serde::Deserialize;
use serde_json::json;
use talkdrum_api::money::Amount;

use super::id_of;
use crate::args::{CreditArgs, Pay};
use crate::client::Answer;
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// The message and the new balance of the wallet that was credited.
#[derive(Debug, Deserialize)]
struct Credited {
    #[serde(default)]
    message: String,
    espee_balance: Option<Amount>,
    paystack_balance: Option<Amount>,
}

/// Credits a wallet. The payment reference makes it safe to run twice: the second time is refused.
pub(crate) async fn run(context: &Context, args: CreditArgs) -> Result<Exit> {
    let client = context.client()?;
    let id = id_of(&client, &args.user).await?;
    let (call, field) = match args.currency {
        Pay::Espees => ("assign-espee", "espees"),
        Pay::Naira => ("assign-naira", "amount"),
    };
    let body = json!({ field: args.amount, "payment_ref": args.reference });
    let answer: Answer<Credited> = client.post(&format!("/admin/{call}/{id}"), &body, None).await?;
    let balance = answer.value.espee_balance.or(answer.value.paystack_balance);
    let label = args.currency.currency().label();
    let mut sentence = answer.value.message.clone();
    if let Some(balance) = balance {
        sentence.push_str(&format!(" (balance now {} {label})", balance.to_fixed(2)));
    }
    context.out.done(&answer.json, sentence.trim_start())?;
    Ok(Exit::Done)
}
