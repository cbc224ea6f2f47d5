//! The first step: a form becomes a quote.

use axum::Json;
use talkdrum_api::campaign::{Quote, QuoteAnswer};
use talkdrum_api::kind::Kind;
use talkdrum_core::model::account::id::UserId;

use super::form::{self, When};
use crate::http::{Answer, Caller, IdempotencyKey, Upload};
use crate::state::AppState;

/// Quotes a form.
pub(super) async fn quote(
    app: &AppState,
    caller: &Caller,
    key: IdempotencyKey,
    upload: Upload,
    call: (Kind, When),
) -> Answer<QuoteAnswer> {
    let posted = form::read(app, caller, key, upload, call).await?;
    Ok(Json(offer(app, caller.user_id, app.campaigns.quote(posted.form).await?).await))
}

/// A quote with a sentence, and with what would keep it from going out now.
pub(crate) async fn offer(app: &AppState, user_id: UserId, quote: Quote) -> QuoteAnswer {
    let details = app.campaigns.with_outlook(user_id, quote, app.around().space).await;
    let plural = if details.total_contacts == 1 { "" } else { "s" };
    let message = format!(
        "Quote {}: {} message{plural} for {} {}, to be confirmed until {}",
        details.quote_id, details.total_contacts, details.total_charges, details.currency, details.expires_at
    );
    QuoteAnswer { details, message }
}
