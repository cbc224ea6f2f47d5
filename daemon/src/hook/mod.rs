//! What other services call: the raw body and its signature come first, and only then is anything read.
//!
//! The invariant: a delivery that cannot be proved changes nothing and learns nothing.

mod paystack;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(paystack::hear_paystack))
}
