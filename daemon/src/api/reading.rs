//! What operations that read have in common: whose records a caller may see, and which rows were asked for.
//!
//! The invariant: an administrator's wider view is granted here and nowhere else.

use serde::Deserialize;
use talkdrum_core::account::Caller;
use talkdrum_core::campaign::report;
use talkdrum_core::sender::Listing;
use talkdrum_core::{Error, Result};

use crate::http::Page;

/// Whose records a caller reaches by id or number: administrators everybody's, users their own.
pub(super) fn scope(caller: &Caller) -> report::Scope {
    if caller.is_admin() { report::Scope::All } else { report::Scope::Own(caller.user_id) }
}

/// The part of a list that was asked for.
pub(super) fn window(page: &Page) -> report::Page {
    report::Page::new(page.offset / page.limit.max(1) + 1, page.limit)
}

/// A list as it was asked for. `columns` are what it can be sorted by, `id` (the order of making) first.
///
/// # Errors
/// A rule on `sort` that names the columns.
pub(super) fn listing(page: &Page, status: &'static str, columns: &[&'static str]) -> Result<Listing> {
    Ok(Listing {
        status,
        q: page.q.clone(),
        sort: page.sort_among(columns)?,
        descending: page.descending,
        page: window(page),
    })
}

/// The `status` of a query.
#[derive(Debug, Deserialize)]
pub(super) struct StatusFilter {
    status: Option<String>,
}

impl StatusFilter {
    /// What was asked for, if anything was.
    pub(super) fn asked(&self) -> Option<&str> {
        self.status.as_deref().map(str::trim).filter(|status| !status.is_empty())
    }

    /// The one of `statuses` that was asked for; empty for `all` and for nothing.
    ///
    /// # Errors
    /// A rule on `status` that names them.
    pub(super) fn among(&self, statuses: &[&'static str]) -> Result<&'static str> {
        match self.asked() {
            None | Some("all") => Ok(""),
            Some(asked) => statuses.iter().copied().find(|status| *status == asked).ok_or_else(|| {
                Error::field(
                    "status",
                    "bad_status",
                    format!("'{asked}' is no status here: use all, {}", statuses.join(", ")),
                )
            }),
        }
    }
}
