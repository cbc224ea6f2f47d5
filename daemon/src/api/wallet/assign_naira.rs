//! `POST /admin/assign-naira/{id}`.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use talkdrum_api::money::{Amount, Currency, Money};
use talkdrum_api::wallet::NairaAssigned;
use talkdrum_core::account::Caller;
use talkdrum_core::entropy::Entropy;
use talkdrum_core::model::account::id::UserId;
use utoipa::ToSchema;

use super::{CreditAssignment, amount, credit, reference};
use crate::http::{AdminCaller, Answer, Form, IdempotencyKey, Path};
use crate::state::AppState;

/// The credit.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct AssignNaira {
    /// How much, with at most six decimals.
    #[schema(value_type = Amount)]
    amount: Option<Amount>,
    /// The payment it corrects: each reference is credited once. One is made up when none is given; then only an
    /// `Idempotency-Key` keeps a repeated request from crediting twice.
    payment_ref: Option<String>,
}

/// Credit a user's Naira wallet, for a payment that failed to.
#[utoipa::path(
    post, path = "/admin/assign-naira/{id}", tag = "wallet",
    params(("id" = i64, Path, description = "The user's id")),
    request_body = AssignNaira,
    responses((status = 200, body = NairaAssigned)),
)]
pub(super) async fn assign_naira(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Path(user): Path<UserId>,
    Form { data, digest }: Form<AssignNaira>,
) -> Answer<NairaAssigned> {
    caller.require_active()?;
    let amount = amount("amount", data.amount, "Kindly input Naira amount")?;
    let payment_ref = reference(data.payment_ref.as_deref())?
        .unwrap_or_else(|| made_up(&caller, &key, app.entropy.as_ref()));
    let money = Money { amount, currency: Currency::Naira };
    let message = format!("{money} assigned successfully");
    let claim = key.claim_with(&caller, "wallet.assign_naira", user.0, digest);
    let reference = payment_ref.clone();
    let assignment =
        CreditAssignment { claim, by: caller.user_id, user, money, reference, now: app.clock.now() };
    let paystack_balance = credit(&app, assignment).await?;
    Ok(Json(NairaAssigned { message, paystack_balance, payment_ref }))
}

/// A reference for a credit that came without one: that of its key, so that the key alone makes it happen once.
fn made_up(caller: &Caller, key: &IdempotencyKey, entropy: &dyn Entropy) -> String {
    match &key.0 {
        Some(key) => format!("admin-{}-{key}", caller.user_id),
        None => format!("admin-{}-{:016x}", caller.user_id, entropy.u64()),
    }
}
