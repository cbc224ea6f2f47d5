//! What operations that read have in common: whose records a caller may see, and which rows were asked for.
//!
//! An administrator's wider view is granted here and nowhere else.

use serde::Deserialize;
use talkdrum_core::account::Caller;
use talkdrum_core::sender::Listing;
use talkdrum_core::store::Tx;
use talkdrum_core::store::account::user;
use talkdrum_core::time::{Time, period};
use talkdrum_core::{Error, Result};

use crate::http::Page;

/// Whose records a caller reaches by id or number: everybody's, or the own ones. See [`Caller::sees_all`].
pub(super) fn scope(caller: &Caller) -> talkdrum_core::model::page::Scope {
    if caller.sees_all() {
        talkdrum_core::model::page::Scope::All
    } else {
        talkdrum_core::model::page::Scope::Own(caller.user_id)
    }
}

/// The part of a list that was asked for.
pub(super) fn window(page: &Page) -> talkdrum_core::model::page::Page {
    talkdrum_core::model::page::Page::new(page.offset / page.limit.max(1) + 1, page.limit)
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

/// The value of a filter, unless it asks for nothing.
pub(super) fn asked(filter: Option<&str>) -> Option<&str> {
    filter.map(str::trim).filter(|text| !text.is_empty() && *text != "all")
}

/// Whether `numbers` asks for samples of campaigns' numbers, which `numbers=0` leaves out.
///
/// # Errors
/// A rule on `numbers`.
pub(super) fn numbers_asked(given: Option<&str>) -> Result<bool> {
    match asked(given) {
        None | Some("1" | "true") => Ok(true),
        Some("0" | "false") => Ok(false),
        Some(_) => Err(Error::field("numbers", "bad_numbers", "numbers must be 0 or 1")),
    }
}

/// The user that `user_id` asks for, by id or user name.
///
/// # Errors
/// A rule on `user_id` when there is no such user.
pub(super) async fn user_asked(tx: &mut Tx, user_id: Option<&str>) -> Result<Option<i64>> {
    let Some(given) = asked(user_id) else { return Ok(None) };
    let found = match given.parse() {
        Ok(id) => user::by_id(tx, id).await?,
        Err(_) => user::by_username(tx, &given.to_lowercase()).await?,
    };
    found.map(|user| Some(user.id)).ok_or_else(|| {
        let message = format!("There is no user '{given}': give an id or a user name");
        Error::field("user_id", "unknown_user", message)
    })
}

/// From when (inclusive) to when (exclusive) `from` and `to` ask for: days, which count whole, or times; local ones are
/// of the caller's zone.
///
/// # Errors
/// A rule on `from` or `to`.
pub(super) async fn period_asked(
    tx: &mut Tx,
    caller: &Caller,
    from: Option<&str>,
    to: Option<&str>,
) -> Result<(Option<Time>, Option<Time>)> {
    let (from, to) = (asked(from), asked(to));
    let zone = match from.or(to) {
        Some(_) => user::by_id(tx, caller.user_id).await?.ok_or(Error::NotFound("user"))?.zone,
        None => String::new(),
    };
    let from = from.map(|from| period::from(from, &zone)).transpose()?;
    Ok((from, to.map(|to| period::to(to, &zone)).transpose()?))
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
