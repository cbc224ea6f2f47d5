//! The carriers and routes that this daemon serves: made of its settings when it starts, and of the file again while it
//! serves, in step with the other daemons on the database.

mod answers;
pub(crate) mod campaign_service;
mod order;
pub(crate) mod peers;
mod reload;
pub(crate) mod workers;

pub(crate) use order::{answer, as_stored};
pub(crate) use reload::{ReloadOrder, reload_all, reload_here};
