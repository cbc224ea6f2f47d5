//! Payments: begun, confirmed, listed, and looked at again by an administrator.

mod confirm;
mod confirm_espees;
mod confirm_paystack;
mod events;
mod initiate_espees;
mod initiate_paystack;
mod list;
mod list_all;
mod recheck;

use talkdrum_core::{Error, Result};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(initiate_espees::initiate_payment))
        .routes(routes!(confirm_espees::confirm_payment))
        .routes(routes!(initiate_paystack::initiate_paystack_payment))
        .routes(routes!(confirm_paystack::confirm_paystack_payment))
        .routes(routes!(list::list_payments))
        .routes(routes!(list_all::list_all_payments))
        .routes(routes!(recheck::recheck_payment))
        .routes(routes!(events::list_payment_events))
}

/// A text of a form, trimmed; refused with `missing` when it is not there.
fn required(field: &'static str, given: Option<String>, missing: &'static str) -> Result<String> {
    let given = given.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    given.ok_or_else(|| Error::field(field, "field_required", missing))
}

#[cfg(test)]
mod tests;
