//! `GET /api/get-espee-balance`.

use axum::Json;
use axum::extract::State;
use talkdrum_api::wallet::Balances;
use talkdrum_core::store::money::ledger::holdings;

use crate::http::{Answer, Caller};
use crate::state::AppState;

/// What both wallets hold, and what running campaigns have reserved.
#[utoipa::path(
    get, path = "/api/get-espee-balance", tag = "wallet",
    responses((status = 200, body = Balances)),
)]
pub(super) async fn show_balances(State(app): State<AppState>, caller: Caller) -> Answer<Balances> {
    let (espees, naira) = holdings(&mut app.store.snapshot().await?, caller.user_id).await?;
    Ok(Json(Balances {
        espees: espees.wallet,
        paystack_balance: naira.wallet,
        espees_reserved: espees.reserved,
        paystack_reserved: naira.reserved,
    }))
}
