//! The second step: a quote becomes campaigns, once.

use axum::Json;
use talkdrum_core::Error;
use talkdrum_core::api::campaign::Confirmed;
use talkdrum_core::campaign::confirm::{Confirmation, Target};
use talkdrum_core::campaign::progress;
use talkdrum_core::content::Kind;

use super::form::{self, Posted, When};
use crate::http::{Answer, Caller, IdempotencyKey, Upload};
use crate::state::AppState;

/// Confirms the quote that a form names, or the newest one for the identical form.
pub(super) async fn confirm(
    app: &AppState,
    caller: &Caller,
    key: IdempotencyKey,
    upload: Upload,
    call: (Kind, When),
) -> Answer<Confirmed> {
    let Posted { quote_id, mut form } = form::read(app, caller, key, upload, call).await?;
    let idempotency_key = form.idempotency_key.take();
    let target = match quote_id {
        Some(id) => Target::Quote(id),
        None => Target::Form(Box::new(form)),
    };
    let confirmation = Confirmation { user_id: caller.user_id, kind: call.0, target, idempotency_key };
    let confirmed = app.desk.confirm(confirmation).await?;
    if let Some(workers) = &app.workers {
        workers.wake();
    }
    let message = confirmed.message(app.clock.now());
    let campaigns = progress::views(&mut app.store.read().await?, &confirmed.campaigns).await?;
    let details = campaigns.first().cloned();
    let details = details.ok_or_else(|| Error::Corrupt("a confirmed quote has no campaign".into()))?;
    Ok(Json(Confirmed { details, campaigns, message }))
}
