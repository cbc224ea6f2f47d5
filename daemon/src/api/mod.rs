//! The API: a directory a noun, a file an operation with its request, checks, handler, documentation and tests.
//!
//! To add an operation: write `<noun>/<verb>.rs` with a `#[utoipa::path]` handler, name it in the noun's `router()`,
//! and accept the new `openapi.snap`, which is what the daemon serves: parameters that it does not have yet are refused.
//! Operations are closed unless their documentation says `security(())`; JSON
//! bodies are documented once and taken in every encoding; problems are documented for all. What is
//! routed is documented: tests make the document of what they route.

mod announcement;
mod api_key;
mod audit;
mod campaign;
mod carrier;
mod contact;
mod content;
mod dnd;
mod document;
mod draft;
mod figures;
mod group;
mod health;
mod import;
mod kannel;
mod kingschat;
mod list_query;
mod maintenance;
mod message;
mod number;
mod optout;
mod password;
mod payment;
mod price;
mod profile;
mod quote;
mod recipient;
mod register;
mod sender;
mod session;
mod setting;
mod subject;
mod template;
mod transaction;
mod transfer;
mod user;
mod user_message;
mod voice;
mod wallet;
mod webhook;

pub use self::document::accepted as accepted_document;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use tower_http::catch_panic::CatchPanicLayer;
#[cfg(test)]
use utoipa::openapi::OpenApi;

use crate::args::Role;
use crate::hook;
use crate::http::layers;
use crate::http::query::{self, KnownQueries};
use crate::http::routes::Operations;
use crate::stand_in;
use crate::state::AppState;

/// Operations that must answer within `limits.request_s`.
fn brief() -> Operations {
    Operations::new()
        .merge(health::router())
        .merge(session::router())
        .merge(register::router())
        .merge(password::router())
        .merge(kingschat::router())
        .merge(profile::router())
        .merge(api_key::router())
        .merge(price::router())
        .merge(user::router())
        .merge(user_message::router())
        .merge(wallet::router())
        .merge(quote::router())
        .merge(campaign::brief())
        .merge(draft::brief())
        .merge(template::router())
        .merge(message::router())
        .merge(kannel::router())
        .merge(carrier::router())
        .merge(webhook::router())
        .merge(setting::router())
        .merge(announcement::router())
        .merge(maintenance::router())
        .merge(audit::router())
        .merge(subject::brief())
        .merge(figures::router())
        .merge(sender::router())
        .merge(number::router())
        .merge(voice::brief())
        .merge(payment::router())
        .merge(transfer::router())
        .merge(transaction::router())
        .merge(hook::router())
        .merge(contact::brief())
        .merge(group::brief())
        .merge(import::brief())
        .merge(optout::brief())
        .merge(dnd::router())
}

/// Operations that take as long as their uploads and streams do.
fn lengthy() -> Operations {
    Operations::new()
        .merge(campaign::lengthy())
        .merge(figures::lengthy())
        .merge(draft::lengthy())
        .merge(recipient::lengthy())
        .merge(contact::lengthy())
        .merge(group::lengthy())
        .merge(import::lengthy())
        .merge(optout::lengthy())
        .merge(subject::lengthy())
        .merge(voice::lengthy())
        .merge(hook::clips())
}

/// The OpenAPI 3.1 document of everything that is routed, made again.
#[cfg(test)]
fn document() -> OpenApi {
    document::complete(brief().merge(lengthy()).document(document::base()))
}

/// The whole service; a worker serves health, metrics, and what carriers tell and fetch.
///
/// # Errors
/// Fails when the document of its operations cannot be read: the program is damaged.
pub fn router(app: AppState, role: Role) -> anyhow::Result<Router> {
    let (brief, lengthy) = match role {
        Role::Api | Role::All => (brief(), lengthy()),
        Role::Worker => (health::router(), hook::clips()),
    };
    let limit_time = middleware::from_fn_with_state(app.clone(), layers::limit_time);
    let routes = brief.into_router().layer(limit_time.clone()).merge(lengthy.into_router());
    let known = KnownQueries::of(&accepted_document()?)?;
    let routes = routes.layer(middleware::from_fn_with_state(known, query::refuse_unknown));
    // A worker has no pages: what they ask for is not there.
    let routes = match role {
        Role::Api | Role::All => routes.merge(document::pages()).fallback(crate::console::serve),
        Role::Worker => routes.fallback(async || layers::nothing_at_this_address()),
    };
    let routes = if app.sandbox.is_some() { routes.nest("/sandbox", stand_in::router()) } else { routes };
    let service = routes
        .merge(hook::carriers().layer(limit_time))
        .method_not_allowed_fallback(layers::no_such_method)
        .layer(middleware::from_fn_with_state(app.clone(), crate::http::maintenance::keep_out))
        .layer(DefaultBodyLimit::max(app.limits.body_bytes()))
        .layer(CatchPanicLayer::custom(layers::panicked))
        .layer(middleware::from_fn_with_state(app.clone(), layers::observe))
        .with_state(app);
    Ok(service)
}

#[cfg(test)]
mod tests;
