//! The audit trail, for administrators.

mod list;

use crate::http::routes::{Operations, routes};

pub(super) fn router() -> Operations {
    Operations::new().routes(routes!(list::list_audit))
}
