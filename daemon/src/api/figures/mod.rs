//! The platform's figures, for administrators.

mod show;
mod watch;

use crate::http::routes::{Operations, routes};

pub(super) fn router() -> Operations {
    Operations::new().routes(routes!(show::show_figures))
}

pub(super) fn lengthy() -> Operations {
    Operations::new().routes(routes!(watch::watch_figures))
}
