//! `GET /api/get-espee-balance`.

use axum::Json;
use axum::extract::State;
use talkdrum_core::api::wallet::Balances;
use talkdrum_core::money::Currency;
use talkdrum_core::store::ledger::holdings;

use crate::http::{Answer, Caller};
use crate::state::AppState;

/// What both wallets hold, and what running campaigns have reserved.
#[utoipa::path(
    get, path = "/api/get-espee-balance", tag = "wallet",
    responses((status = 200, body = Balances)),
)]
pub(super) async fn show_balances(State(app): State<AppState>, caller: Caller) -> Answer<Balances> {
    let mut tx = app.store.read().await?;
    let (espees, espees_reserved) = holdings(&mut tx, caller.user_id, Currency::Espees).await?;
    let (paystack_balance, paystack_reserved) = holdings(&mut tx, caller.user_id, Currency::Naira).await?;
    Ok(Json(Balances { espees, paystack_balance, espees_reserved, paystack_reserved }))
}
