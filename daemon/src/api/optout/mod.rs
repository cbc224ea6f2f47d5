//! Opt-outs: numbers that get no messages. Each call is there twice: for the caller's own list, and under `/admin` for
//! the platform's, which holds for everybody.

mod add;
mod export;
mod import;
mod list;
mod remove;

use talkdrum_core::Result;
use talkdrum_core::contact::suppression::Scope;
use talkdrum_core::phone::Msisdn;
use talkdrum_core::platform::audit::{self, Entry};
use talkdrum_core::store::Tx;
use talkdrum_core::time::Time;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn brief() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list_optouts, add::add_optout))
        .routes(routes!(list::list_platform_optouts, add::add_platform_optout))
        .routes(routes!(remove::remove_optout))
        .routes(routes!(remove::remove_platform_optout))
}

pub(super) fn lengthy() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(import::import_optouts))
        .routes(routes!(import::import_platform_optouts))
        .routes(routes!(export::export_optouts))
        .routes(routes!(export::export_platform_optouts))
}

/// A change of the platform's list is in the audit trail.
async fn note(
    tx: &mut Tx,
    scope: Scope,
    by: i64,
    action: &'static str,
    number: Msisdn,
    now: Time,
) -> Result<()> {
    match scope {
        Scope::Platform => audit::record(tx, &Entry::new(by, action, number.to_string()), now).await,
        Scope::User(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests;
