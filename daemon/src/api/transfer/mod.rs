//! Transfers between users.

mod create;

use crate::http::routes::{Operations, routes};

pub(super) fn router() -> Operations {
    Operations::new().routes(routes!(create::transfer_fund))
}
