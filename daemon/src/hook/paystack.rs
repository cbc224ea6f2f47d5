//! `POST /hooks/paystack`: enter this address as the webhook in Paystack's dashboard.

use axum::extract::{Request, State};
use axum::http::StatusCode;
use talkdrum_core::payment::PaymentEventOutcome;

use crate::http::ClientAddress;
use crate::http::{ApiError, body};
use crate::limit::ANONYMOUS_BYTES;
use crate::limit::admission::Sender;
use crate::state::AppState;

/// Where Paystack puts its signature.
const SIGNATURE: &str = "x-paystack-signature";

/// Paystack's webhook. The body must be signed with our secret key; whatever it says of a payment, Paystack itself is
/// asked before anything is credited.
#[utoipa::path(
    post, path = "/hooks/paystack", tag = "payment", security(()),
    request_body(content = String, content_type = "application/json"),
    responses((status = 200, description = "Heard; also of what is nothing to us")),
)]
pub(super) async fn hear_paystack(
    State(app): State<AppState>,
    ClientAddress(address): ClientAddress,
    request: Request,
) -> Result<StatusCode, ApiError> {
    let unauthorized =
        || ApiError::new(StatusCode::UNAUTHORIZED, "bad_signature", "The signature is not valid");
    if !app.webhook_ips.is_empty() && !app.webhook_ips.contains(&address) {
        tracing::warn!(%address, "a webhook came from an address that is not Paystack's");
        return Err(unauthorized());
    }
    let signature = request.headers().get(SIGNATURE).and_then(|value| value.to_str().ok());
    let signature = signature.unwrap_or_default().to_owned();
    if signature.is_empty() {
        return Err(unauthorized());
    }
    let body = body::callback(request, &app, (Sender::Paystack, ANONYMOUS_BYTES)).await?;
    match app.payments.hear_paystack(&body, &signature).await? {
        PaymentEventOutcome::Unsigned => {
            tracing::warn!(%address, "a webhook was not signed with our key");
            return Err(unauthorized());
        }
        PaymentEventOutcome::Paid(payment) => {
            // It is due in the database by now: if this fails, the sweeper settles it.
            if let Err(error) = app.payments.settle(&payment).await {
                tracing::warn!(payment_id = payment.id.0, code = error.code(), "a webhook's payment waits");
            }
        }
        PaymentEventOutcome::Kept | PaymentEventOutcome::Ignored => {}
    }
    Ok(StatusCode::OK)
}
