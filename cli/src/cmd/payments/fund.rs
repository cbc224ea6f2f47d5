//! `talkdrum fund`.

use std::time::{Duration, Instant};

use serde_json::json;
use talkdrum_api::code;
use talkdrum_api::payment::{EspeesBegun, PaystackBegun};

use super::{ask_provider, key, surely};
use crate::args::{FundArgs, Pay};
use crate::client::{Answer, Client};
use crate::cmd::Context;
use crate::exit::{Code, Exit, Failure, Result};

/// How often a payment that is waited for is asked about.
const ASK_EVERY: Duration = Duration::from_secs(3);

/// A payment that was begun.
struct Begun {
    reference: String,
    url: String,
    json: String,
}

/// Begins a payment and says where to pay; with `--wait`, until it is credited.
pub(crate) async fn run(context: &Context, args: FundArgs) -> Result<Exit> {
    let client = context.client()?;
    let begun = begin(context, &client, &args).await?;
    let (reference, url) = (&begun.reference, &begun.url);
    if !args.wait {
        let hint = match args.currency {
            Pay::Espees => "espees",
            Pay::Naira => "naira",
        };
        let sentence = format!("Pay at {url}\nthen run: talkdrum payments confirm {hint} {reference}");
        context.out.done(&begun.json, &sentence)?;
        return Ok(Exit::Done);
    }
    context.out.note(&format!("Pay at {url}"));
    context.interruption.means(format!(
        "The payment {reference} goes on: what is paid is credited, also when no command waits for it"
    ));
    wait(context, &client, &args, reference).await
}

async fn begin(context: &Context, client: &Client, args: &FundArgs) -> Result<Begun> {
    let key = key(args.key.as_deref());
    match args.currency {
        Pay::Espees => {
            let body = json!({ "price": args.amount, "narration": args.narration, "product_sku": args.sku });
            let call = || client.post("/api/payment-initiate", &body, Some(&key));
            let answer: Answer<EspeesBegun> = surely(context, &key, call).await?;
            let it = answer.value;
            Ok(Begun { reference: it.payment_ref, url: it.payment_url, json: answer.json })
        }
        Pay::Naira => {
            let body = json!({ "amount": args.amount, "narration": args.narration });
            let call = || client.post("/api/paystack-payment-initiate", &body, Some(&key));
            let answer: Answer<PaystackBegun> = surely(context, &key, call).await?;
            let it = answer.value;
            Ok(Begun { reference: it.reference, url: it.authorization_url, json: answer.json })
        }
    }
}

async fn wait(context: &Context, client: &Client, args: &FundArgs, reference: &str) -> Result<Exit> {
    let started = Instant::now();
    loop {
        let error = match ask_provider(client, args.currency, reference).await {
            Ok(answer) => {
                context.out.done(&answer.json, &answer.value.message)?;
                return Ok(Exit::Done);
            }
            Err(error) => error,
        };
        // A declined payment can be paid again on the same page.
        let goes_on = error.is_passing()
            || error
                .refusal()
                .is_some_and(|(_, code)| matches!(code, code::PAYMENT_PENDING | code::PAYMENT_FAILED));
        if !goes_on {
            // A refusal of the daemon says what became of the payment. A failed request does not.
            let is_answer = error
                .refusal()
                .is_some_and(|(status, code)| !code.is_empty() && !matches!(status, 401 | 403 | 500..));
            return Err(match is_answer {
                true => error.into(),
                false => error.of_a_look(&format!(
                    "payment {reference} was begun, and another one must not be: talkdrum payments list shows it"
                )),
            });
        }
        if started.elapsed() >= Duration::from_secs(args.timeout) {
            let message = format!("the payment {reference} was not completed in time");
            return Err(Failure::new(Exit::Failed, Code::WaitEnded, message)
                .hint("it is credited when it is paid, also later: see talkdrum payments list"));
        }
        tokio::time::sleep(ASK_EVERY).await;
    }
}
