//! An own number is verified by `POST /api/voice-call`, too: without contacts a call speaks a code to it, and the code that
//! comes back makes it one that calls may be from.

use std::sync::Arc;

use axum::Json;
use axum::http::StatusCode;
use talkdrum_api::money::{Currency, MoneyError};
use talkdrum_api::sender::{OwnNumberCalled, OwnNumberVerified};
use talkdrum_api::voice::VoiceCallAnswer;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::sender::id::OwnCallId;
use talkdrum_core::phone::{self, Msisdn};
use talkdrum_core::sender::own_number::{self, BegunCall, NotCalled, OwnCallRequest};
use talkdrum_core::store::operations::idempotency::{Claim, look_if_any};
use talkdrum_core::{Error, Result};

use super::form::VoiceCallForm;
use crate::api::voice::trunks::{AsOfNow, trunks};
use crate::http::{Answer, ApiError, Caller};
use crate::state::AppState;

/// Has the number called, or takes the code that came back.
pub(super) async fn verify(
    app: &AppState,
    caller: &Caller,
    form: &VoiceCallForm,
    claim: Option<Claim>,
) -> Answer<VoiceCallAnswer> {
    let code = form.validation_code.as_deref().map(str::trim).filter(|code| !code.is_empty());
    match code {
        Some(code) => confirm(app, caller, form, code, claim).await,
        None => call(app, caller, form, claim).await,
    }
}

async fn call(
    app: &AppState,
    caller: &Caller,
    form: &VoiceCallForm,
    claim: Option<Claim>,
) -> Answer<VoiceCallAnswer> {
    let user = caller.user_id;
    let currency = currency(form)?;
    let most = form.most()?;
    let number = number(app, form)?;
    if form.is_quote() {
        let says = "A call that verifies a number is not quoted: max_charge bounds what it may cost";
        return Err(Error::field("quote", "not_quoted", says).into());
    }
    let before = look_if_any(&mut app.store.read().await?, claim.as_ref()).await?;
    if let Some(reference) = before {
        let id = reference.parse().map_err(|_| ApiError::internal("bad_reference"))?;
        return sent(app, user, id).await;
    }
    let calls = app.own_number_calls.clone();
    let voice = form.tts_voice.clone();
    let wanted = OwnCallRequest { user, number, currency, voice, most, tells_keys: false };
    app.preview_rate.check(user)?;
    calls.check(&wanted).await?.map_err(|why| refusal(&why))?;
    let tells_keys = trunks(app).await?.iter().all(|trunk| trunk.capabilities().keys);
    let wanted = OwnCallRequest { tells_keys, ..wanted };
    let preparing = {
        let calls = calls.clone();
        async move { calls.prepare(wanted).await }
    };
    let draft = app.previews.read(true, user, preparing).await?.map_err(|why| refusal(&why))?;
    // A trunk may have been paused while the code was spoken.
    let (trunks, permit) = (trunks(app).await?, Arc::new(AsOfNow::of(app)));
    let Some(workers) = &app.workers else { return Err(ApiError::internal("no_workers")) };
    match calls.begin(draft, workers.owner(), (trunks, permit), claim).await? {
        BegunCall::Call(id) => {
            tracing::info!(call = id.0, user_id = user.0, "own_number.call");
            sent(app, user, id).await
        }
        BegunCall::Refused(why) => Err(refusal(&why)),
    }
}

async fn sent(app: &AppState, user: UserId, id: OwnCallId) -> Answer<VoiceCallAnswer> {
    let details = own_number::show_call(&mut app.store.read().await?, user, id).await?;
    Ok(Json(VoiceCallAnswer::Called(OwnNumberCalled { details, message: "Code sent".to_owned() })))
}

async fn confirm(
    app: &AppState,
    caller: &Caller,
    form: &VoiceCallForm,
    code: &str,
    claim: Option<Claim>,
) -> Answer<VoiceCallAnswer> {
    let user = caller.user_id;
    let number = number(app, form)?;
    app.proof_rate.check(user)?;
    let details = app.own_number_calls.confirm(user, number, code, claim).await?;
    tracing::info!(user_id = user.0, "own_number.verified");
    let message = "Number verified".to_owned();
    Ok(Json(VoiceCallAnswer::Verified(OwnNumberVerified { details, message })))
}

fn currency(form: &VoiceCallForm) -> Result<Currency> {
    let given = form.payment_method.as_deref().map(str::trim).filter(|method| !method.is_empty());
    let missing = || Error::field("payment_method", "payment_required", "Payment method is required");
    let unknown = |error: MoneyError| Error::field("payment_method", error.code(), error.to_string());
    given.ok_or_else(missing)?.parse().map_err(unknown)
}

/// The number of the form, which may be called.
fn number(app: &AppState, form: &VoiceCallForm) -> Result<Msisdn> {
    let text = form.caller_number()?.unwrap_or_default();
    let at_fault = |code, message| Error::field("own_number", code, message);
    let number = phone::parse(&text).map_err(|error| at_fault(error.code(), error.to_string()))?;
    app.prefixes.check(number).map_err(|error| at_fault(error.code(), error.to_string()))?;
    Ok(number)
}

fn refusal(why: &NotCalled) -> ApiError {
    let says = why.to_string();
    match why {
        NotCalled::UnderWay(_) => ApiError::new(StatusCode::CONFLICT, "verification_under_way", says),
        NotCalled::Unfunded => ApiError::new(StatusCode::FORBIDDEN, "verifications_unfunded", says),
        NotCalled::Quiet { wait, .. } => {
            ApiError::new(StatusCode::CONFLICT, "quiet_hours", says).after(wait.as_secs() + 1)
        }
        NotCalled::NumberBusy => ApiError::unavailable("number_busy", says),
        NotCalled::TooMany(wait) => {
            ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_codes", says).after(wait.as_secs() + 1)
        }
        NotCalled::NumberFull(wait) => {
            ApiError::new(StatusCode::TOO_MANY_REQUESTS, "number_codes_used_up", says)
                .after(wait.as_secs() + 1)
        }
        NotCalled::Busy => ApiError::unavailable("verifications_busy", says),
        NotCalled::DayFull(wait) => {
            ApiError::unavailable("verifications_used_up", says).after(wait.as_secs() + 1)
        }
    }
}

#[cfg(test)]
mod tests;
