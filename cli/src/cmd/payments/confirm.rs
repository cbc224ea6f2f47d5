//! `talkdrum payments confirm`.

use serde_json::{Value, json};
use talkdrum_api::payment::PaymentConfirmed;

use crate::args::{ConfirmPaymentArgs, Pay};
use crate::client::{Answer, CallError, Client};
use crate::cmd::Context;
use crate::exit::{Exit, Result};

/// Asks whether a payment is paid. Exit code 4 while it is not.
pub(crate) async fn run(context: &Context, args: ConfirmPaymentArgs) -> Result<Exit> {
    let answer = ask(&context.client()?, args.currency, &args.reference).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}

/// The call of either provider.
pub(super) async fn ask(
    client: &Client,
    pay: Pay,
    reference: &str,
) -> Result<Answer<PaymentConfirmed>, CallError> {
    let (path, body): (&str, Value) = match pay {
        Pay::Espees => ("/api/payment-confirm", json!({ "payment_ref": reference })),
        Pay::Naira => ("/api/paystack-payment-confirm", json!({ "reference": reference })),
    };
    client.post(path, &body, None).await
}
