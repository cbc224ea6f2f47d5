//! `POST /api/optouts` and `POST /admin/optouts`.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use talkdrum_api::contact::{OptOut, OptOutAnswer};
use talkdrum_api::purpose::OptOutReach;
use talkdrum_core::Result;
use talkdrum_core::contact::suppression::{self, NewOptOut, SuppressionScope};
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::platform::quota::Quotas;
use talkdrum_core::store::operations::idempotency::{Claim, once};
use talkdrum_core::store::{Lane, Tx};
use talkdrum_core::time::Time;
use utoipa::ToSchema;

use crate::http::{AdminCaller, ApiError, Caller, Form, IdempotencyKey};
use crate::state::AppState;

/// The number that opts out.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct AddOptOut {
    /// The number, in any usual form.
    #[serde(default)]
    phone: String,
    /// `all`, which is meant when it is left out: no messages but codes; `promotional`: no promotional messages.
    reach: Option<String>,
    /// Why, or where it was heard.
    #[serde(default)]
    note: String,
}

/// Opt a number out of the caller's messages. One that is on the list already stays as it is, but that `all`
/// replaces `promotional`; one more
/// than the account may keep is refused (`optouts_quota`).
#[utoipa::path(
    post, path = "/api/optouts", tag = "optout",
    request_body = AddOptOut,
    responses((status = 201, body = OptOutAnswer)),
)]
pub(super) async fn add_optout(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Form { data, digest }: Form<AddOptOut>,
) -> Result<(StatusCode, Json<OptOutAnswer>), ApiError> {
    let claim = key.claim(&caller, "optout.add", digest);
    add(&app, SuppressionScope::User(caller.user_id), caller.user_id, &data, claim).await
}

/// Opt a number out of all users' messages. One that is on the list already stays as it is, but that `all`
/// replaces `promotional`.
#[utoipa::path(
    post, path = "/admin/optouts", tag = "optout",
    request_body = AddOptOut,
    responses((status = 201, body = OptOutAnswer)),
)]
pub(super) async fn add_platform_optout(
    State(app): State<AppState>,
    caller: AdminCaller,
    key: IdempotencyKey,
    Form { data, digest }: Form<AddOptOut>,
) -> Result<(StatusCode, Json<OptOutAnswer>), ApiError> {
    let claim = key.claim(&caller, "optout.add_platform", digest);
    add(&app, SuppressionScope::Platform, caller.user_id, &data, claim).await
}

struct Adding {
    scope: SuppressionScope,
    by: UserId,
    new: NewOptOut,
    claim: Option<Claim>,
    quotas: Quotas,
    now: Time,
}

async fn add(
    app: &AppState,
    scope: SuppressionScope,
    by: UserId,
    data: &AddOptOut,
    claim: Option<Claim>,
) -> Result<(StatusCode, Json<OptOutAnswer>), ApiError> {
    let new = NewOptOut::parse(&data.phone, data.reach.as_deref(), &data.note)?;
    let adding = Adding { scope, by, new, claim, quotas: app.campaigns.quotas, now: app.clock.now() };
    let optout = app.store.write(Lane::Interactive, adding, |tx, adding| Box::pin(store(tx, adding))).await?;
    let message = match optout.reach {
        OptOutReach::Promotional => format!("{} gets no more promotional messages", optout.phone),
        OptOutReach::All => format!("{} gets no more messages but codes", optout.phone),
    };
    Ok((StatusCode::CREATED, Json(OptOutAnswer { optout, message })))
}

async fn store(tx: &mut Tx, adding: &Adding) -> Result<OptOut> {
    let Adding { scope, by, new, claim, quotas, now } = adding;
    once(tx, claim.as_ref(), *now, async |tx| {
        suppression::add_typed(tx, *scope, new, *quotas, *by, *now).await?;
        Ok(new.number.to_string())
    })
    .await?;
    suppression::of_number(tx, *scope, new.number).await
}
