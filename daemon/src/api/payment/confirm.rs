//! What both confirmations do: find the caller's payment, ask its provider, and say what came of it.

use axum::Json;
use talkdrum_api::payment::PaymentConfirmed;
use talkdrum_core::ledger;
use talkdrum_core::payment::{Provider, require_settled};

use crate::http::{Answer, Caller};
use crate::state::AppState;

/// Confirms a payment of the caller. An inactive caller may: what was paid is credited.
pub(super) async fn confirm(
    app: &AppState,
    caller: &Caller,
    provider: Provider,
    reference: &str,
) -> Answer<PaymentConfirmed> {
    app.confirm_rate.check(caller.user_id)?;
    let payment = app.cashier.find(provider, reference, caller.user_id).await?;
    let payment = app.cashier.settle(&payment).await?;
    require_settled(&payment)?;
    let (_, balance) =
        ledger::wallet(&mut app.store.read().await?, caller.user_id, payment.money.currency).await?;
    let message = match payment.settled_by {
        None => format!("Payment successful: {} was added to your account", payment.money),
        Some(_) => "Payment successful: it was credited by an administrator".to_owned(),
    };
    Ok(Json(PaymentConfirmed { message, payment: payment.into(), balance }))
}
