//! The caller's API keys.

mod create;

use axum::Json;
use axum::extract::State;
use talkdrum_api::account::{ApiKey, ApiKeys, Message};
use talkdrum_core::account::auth::api_key;
use talkdrum_core::model::account::id::ApiKeyId;
use talkdrum_core::store::Lane;
use talkdrum_core::store::account::api_key::{self as stored, ApiKeyRow};
use talkdrum_core::store::operations::idempotency::once;
use talkdrum_core::time::Time;

use crate::http::routes::{Operations, routes};
use crate::http::{Answer, Caller, IdempotencyKey, LeavingCaller, Page, Path};
use crate::state::AppState;

pub(super) fn router() -> Operations {
    Operations::new().routes(routes!(list_api_keys, create::create_api_key)).routes(routes!(revoke_api_key))
}

/// The wire form of a key.
pub(super) fn shown(row: ApiKeyRow) -> ApiKey {
    ApiKey {
        id: row.id.0,
        name: row.name,
        prefix: row.prefix,
        scopes: row.scopes.codes().into_iter().map(str::to_owned).collect(),
        created_at: row.created_at.to_rfc3339(),
        last_used_at: row.last_used_at.map(Time::to_rfc3339),
        expires_at: row.expires_at.map(Time::to_rfc3339),
        purpose: row.purpose,
    }
}

/// List your API keys in use, newest first, without their secrets.
#[utoipa::path(
    get, path = "/api/api-keys", tag = "api_key",
    params(Page),
    responses((status = 200, body = ApiKeys)),
)]
async fn list_api_keys(State(app): State<AppState>, caller: Caller, page: Page) -> Answer<ApiKeys> {
    let mut tx = app.store.snapshot().await?;
    let (rows, total) = stored::page(&mut tx, caller.user_id, page.offset, page.limit).await?;
    Ok(Json(ApiKeys { api_keys: rows.into_iter().map(shown).collect(), total }))
}

/// Revoke an API key: it stops working at once.
#[utoipa::path(
    delete, path = "/api/api-keys/{id}", tag = "api_key",
    params(("id" = i64, Path, description = "The key's id")),
    responses((status = 200, body = Message)),
)]
async fn revoke_api_key(
    State(app): State<AppState>,
    caller: LeavingCaller,
    key: IdempotencyKey,
    Path(id): Path<ApiKeyId>,
) -> Answer<Message> {
    let input = (key.claim_on(&caller, "api_key.revoke", id.0), caller.user_id, id, app.clock.now());
    app.store
        .write(Lane::Interactive, input, |tx, (claim, user_id, id, now)| {
            Box::pin(async move {
                once(tx, claim.as_ref(), *now, async |tx| {
                    api_key::revoke(tx, *user_id, *id, *now).await?;
                    Ok(*id)
                })
                .await
            })
        })
        .await?;
    app.callers.forget_key(id);
    Ok(Json(Message { message: "The key is revoked".into() }))
}
