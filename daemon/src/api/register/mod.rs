//! Registration: details first, then the code that was sent to the phone number.

mod resend;
mod start;
mod verify;

use talkdrum_api::account::CodeSent;
use talkdrum_core::account::CodeAsked;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::ApiError;
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(start::start_registration))
        .routes(routes!(resend::resend_registration_code))
        .routes(routes!(verify::verify_registration))
}

/// The answer to a request for a code: the same whether a code was sent or not.
pub(super) fn told(asked: CodeAsked, message: &str, app: &AppState) -> Result<CodeSent, ApiError> {
    match asked {
        CodeAsked::Sent => Ok(CodeSent {
            message: message.to_owned(),
            resend_after_s: app.identity.caps.cooldown.as_secs(),
            valid_for_s: talkdrum_core::account::CODE_VALID_FOR.as_secs(),
        }),
        CodeAsked::Wait(span) => Err(ApiError::too_many(span.as_secs() + 1)),
    }
}
