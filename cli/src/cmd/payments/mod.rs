//! Payments, transfers, and the history of both.

pub(super) mod fund;
pub(super) mod transactions;

use serde_json::{Value, json};
use talkdrum_api::payment::{
    Payment, PaymentConfirmed, PaymentEvent, PaymentEvents, Payments, Rechecked, Transferred,
};
use talkdrum_api::query::{PaymentQuery, SearchQuery, UserQuery};

use crate::args::{
    ConfirmPaymentArgs, ListPaymentsArgs, PageArgs, Pay, PaymentsCommand, RecheckPaymentArgs, TransferArgs,
};
use crate::client::{Answer, CallError, Client, calling_for_sure};
use crate::cmd::Context;
use crate::cmd::idempotency;
use crate::exit::{Exit, Result};
use crate::output::{Cell, Column};
use crate::query::Query;

/// Runs a command of this noun.
pub(super) async fn run(context: &Context, command: PaymentsCommand) -> Result<Exit> {
    match command {
        PaymentsCommand::List(args) => list(context, args).await,
        PaymentsCommand::Confirm(args) => confirm(context, args).await,
        PaymentsCommand::Recheck(args) => recheck(context, args).await,
        PaymentsCommand::Events(args) => events(context, args).await,
    }
}

/// A payment in a list.
const COLUMNS: &[Column<Payment>] = &[
    Column::right("id", "Payment", |it| Cell::Number(it.id)),
    Column::left("created_at", "Begun", |it| Cell::Time(it.created_at.clone())),
    Column::left("username", "Payer", |it| Cell::maybe(it.username.as_ref())),
    Column::right("amount", "Amount", |it| Cell::balance(it.amount)),
    Column::left("currency", "Wallet", |it| Cell::text(&it.currency)),
    Column::left("status", "Status", |it| Cell::text(&it.status)),
    Column::left("status_details", "Details", |it| Cell::text(&it.status_details)),
    Column::left("payment_ref", "Reference", |it| Cell::text(&it.payment_ref)),
];

/// Calls under an idempotency key. When the answer was lost the call may have happened: it is made again.
pub(super) async fn surely<T, F>(context: &Context, key: &str, call: impl Fn() -> F) -> Result<Answer<T>>
where
    F: Future<Output = Result<Answer<T>, CallError>>,
{
    let told = |_: &CallError, pause: std::time::Duration| {
        context.out.note(&format!("no answer: trying again in {:.1} s", pause.as_secs_f64()));
    };
    context.keyed(key, calling_for_sure(told, call)).await
}

/// The key of `--key`, or a random one, so that a repeated request within a run does nothing twice.
pub(super) fn key(given: Option<&str>) -> String {
    given.map_or_else(idempotency::random, str::to_owned)
}

/// Lists payments, newest first.
async fn list(context: &Context, args: ListPaymentsArgs) -> Result<Exit> {
    let path = if args.all || args.user.is_some() { "/admin/payments" } else { "/api/payments" };
    let query = args
        .page
        .query()
        .and(PaymentQuery { status: args.status, provider: None })
        .and(UserQuery { user_id: args.user })
        .and(SearchQuery::new(args.search));
    let answer: Answer<Payments> = context.client()?.get(path, &query).await?;
    context.out.list(&answer.json, &answer.value.payments, answer.value.total, COLUMNS)?;
    Ok(Exit::Done)
}

/// Asks whether a payment is paid. Exit code 4 while it is not.
async fn confirm(context: &Context, args: ConfirmPaymentArgs) -> Result<Exit> {
    let answer = ask_provider(&context.client()?, args.currency, &args.reference).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}

/// The call of either provider.
async fn ask_provider(
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

/// Asks the provider again what became of a payment.
async fn recheck(context: &Context, args: RecheckPaymentArgs) -> Result<Exit> {
    let path = format!("/admin/payments/{}/recheck", args.id);
    let answer: Answer<Rechecked> = context.client()?.post(&path, &json!({}), None).await?;
    context.out.done(&answer.json, &answer.value.message)?;
    Ok(Exit::Done)
}

const EVENT_COLUMNS: &[Column<PaymentEvent>] = &[
    Column::right("id", "Event", |it| Cell::Number(it.id)),
    Column::left("received_at", "At", |it| Cell::Time(it.received_at.clone())),
    Column::left("event", "What", |it| Cell::text(&it.event)),
    Column::left("username", "Payer", |it| Cell::maybe(it.username.as_ref())),
    Column::right("payment_id", "Payment", |it| it.payment_id.map_or(Cell::Empty, Cell::Number)),
    Column::left("reference", "Reference", |it| Cell::maybe(it.reference.as_ref())),
    Column::left("summary", "Details", |it| Cell::text(&it.summary)),
];

/// Lists refunds and disputes, newest first. None of them moved money here.
async fn events(context: &Context, args: PageArgs) -> Result<Exit> {
    let answer: Answer<PaymentEvents> = context.client()?.get("/admin/payment-events", &args.query()).await?;
    context.out.list(&answer.json, &answer.value.events, answer.value.total, EVENT_COLUMNS)?;
    Ok(Exit::Done)
}

/// Transfers to another user, after a question: what is given is not taken back.
pub(super) async fn transfer(context: &Context, args: TransferArgs) -> Result<Exit> {
    let currency = args.currency.currency();
    let question = format!("Transfer {} {} to {}?", args.amount, currency.label(), args.to);
    context.agree(args.yes, &question, "nothing was transferred")?;
    let client = context.client()?;
    let key = key(args.key.as_deref());
    let body = json!({
        "amount": args.amount, "recipient_username": args.to, "currency": currency.code(),
    });
    let call = || client.post("/api/transfer-fund", &body, Some(&key));
    let answer: Answer<Transferred> = surely(context, &key, call).await?;
    let it = &answer.value;
    let sentence = format!("{} (balance now {} {})", it.message, it.balance.to_fixed(2), currency.label());
    context.out.done(&answer.json, &sentence)?;
    Ok(Exit::Done)
}
