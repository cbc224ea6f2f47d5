//! Recipients before there is a message for them.

mod check;

use crate::http::routes::{Operations, routes};

pub(super) fn lengthy() -> Operations {
    Operations::new().routes(routes!(check::check_recipients))
}
