//! Payments, transfers, and the history of both.

pub(super) mod confirm;
pub(super) mod events;
pub(super) mod fund;
pub(super) mod list;
pub(super) mod recheck;
pub(super) mod transactions;
pub(super) mod transfer;

use talkdrum_api::payment::Payment;

use crate::client::{Answer, CallError, retrying};
use crate::cmd::Context;
use crate::cmd::send::keys;
use crate::output::{Cell, Column};

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
pub(super) async fn surely<T, F>(context: &Context, call: impl Fn() -> F) -> Result<Answer<T>, CallError>
where
    F: Future<Output = Result<Answer<T>, CallError>>,
{
    match call().await {
        Err(CallError::Lost { .. }) => {
            let told = |_: &CallError, pause: std::time::Duration| {
                context.out.note(&format!("no answer: trying again in {} s", pause.as_secs()));
            };
            retrying(told, call).await
        }
        answer => answer,
    }
}

/// The key of `--key`, or a random one, so that a repeated request within a run does nothing twice.
pub(super) fn key(given: Option<&str>) -> String {
    given.map_or_else(keys::random, str::to_owned)
}
