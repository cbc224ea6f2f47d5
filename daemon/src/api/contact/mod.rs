//! Contacts, one by one and as lists.

mod create;
mod delete;
mod export;
mod list;
mod of_group;
mod update;
mod with_groups;

use axum::body::Body;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures::TryStreamExt as _;
use talkdrum_core::contact::export::Pieces;
use talkdrum_core::contact::{Asked, SORTS};
use talkdrum_core::store::contact::list::Slice;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::{Columns, SortedPage};
use crate::state::AppState;

pub(super) fn brief() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(create::create_contact))
        .routes(routes!(update::update_contact))
        .routes(routes!(delete::delete_contact))
        .routes(routes!(list::list_contacts))
        .routes(routes!(of_group::list_group_contacts))
        .routes(routes!(with_groups::list_contacts_with_groups))
}

pub(super) fn lengthy() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(export::export_contacts))
}

/// What contacts can be sorted by.
enum ContactColumns {}

impl Columns for ContactColumns {
    const NAMES: &'static [&'static str] = &SORTS;
    const NOTE: &'static str = "More than 20,000 contacts are sorted by `created_at` only.";
}

/// What of a list of contacts was asked for.
fn asked(SortedPage { page, q, sort, descending, .. }: SortedPage<ContactColumns>) -> Asked {
    Asked { sort, slice: Slice { offset: page.offset, limit: page.limit, descending }, q }
}

/// An answer of CSV under a file's name.
pub(super) fn download(pieces: Pieces, name: &str) -> Response {
    // The answer has begun: all that is left is to break it off, so that the client cannot take it for complete.
    let pieces =
        pieces.inspect_err(|error| tracing::error!(code = error.code(), %error, "an export broke off"));
    let headers = [
        (CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    (headers, Body::from_stream(pieces)).into_response()
}

#[cfg(test)]
mod tests;
