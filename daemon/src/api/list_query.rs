//! What operations that read have in common: whose records a caller may see, and which rows were asked for.
//! A filter that several of them take is a type here; what an operation extracts it lists in its `params(...)`.
//!
//! An administrator's wider view is granted here and nowhere else.

use serde::Deserialize;
use talkdrum_api::money::{Currency, MoneyError};
use talkdrum_api::query::{CurrencyQuery, PeriodQuery, UserQuery};
use talkdrum_core::account::Caller;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::sender::Listing;
use talkdrum_core::store::Tx;
use talkdrum_core::store::account::user;
use talkdrum_core::time::{Time, period};
use talkdrum_core::{Error, Result};
use utoipa::IntoParams;

use crate::http::{Page, SortedPage};

/// Whose records a caller reaches by id or number: all users', or the own ones. See [`Caller::sees_all`].
pub(super) fn scope(caller: &Caller) -> talkdrum_core::model::page::RecordScope {
    if caller.sees_all() {
        talkdrum_core::model::page::RecordScope::All
    } else {
        talkdrum_core::model::page::RecordScope::Own(caller.user_id)
    }
}

/// The part of a list that was asked for.
pub(super) fn window(page: &Page) -> talkdrum_core::model::page::Page {
    talkdrum_core::model::page::Page::new(page.offset / page.limit.max(1) + 1, page.limit)
}

/// A list as it was asked for.
pub(super) fn listing<C>(asked: &SortedPage<C>, status: &'static str) -> Listing {
    Listing {
        status,
        q: asked.q.clone(),
        sort: asked.sort,
        descending: asked.descending,
        page: window(&asked.page),
    }
}

/// The value of a filter, unless it asks for nothing.
pub(super) fn asked(filter: Option<&str>) -> Option<&str> {
    filter.map(str::trim).filter(|text| !text.is_empty() && *text != "all")
}

/// The one of `statuses` that `status` asks for; empty for `all` and for nothing.
///
/// # Errors
/// A rule on `status` that names them.
pub(super) fn status_asked(status: Option<&str>, statuses: &[&'static str]) -> Result<&'static str> {
    let Some(asked) = asked(status) else { return Ok("") };
    statuses.iter().copied().find(|status| *status == asked).ok_or_else(|| {
        let message = format!("'{asked}' is no status here: use all, {}", statuses.join(", "));
        Error::field("status", "bad_status", message)
    })
}

/// The user's id; `None` is all.
///
/// # Errors
/// A rule on `user_id` when there is no such user.
pub(super) async fn user_asked(of: &UserQuery, tx: &mut Tx) -> Result<Option<UserId>> {
    let Some(given) = asked(of.user_id.as_deref()) else { return Ok(None) };
    let found = match given.parse() {
        Ok(id) => user::by_id(tx, UserId(id)).await?,
        Err(_) => user::by_username(tx, &given.to_lowercase()).await?,
    };
    found.map(|user| Some(user.id)).ok_or_else(|| {
        let message = format!("There is no user '{given}': give an id or a user name");
        Error::field("user_id", "unknown_user", message)
    })
}

/// Whether a period has a bound.
pub(super) fn is_bounded(period: &PeriodQuery) -> bool {
    asked(period.from.as_deref()).or(asked(period.to.as_deref())).is_some()
}

/// From when (inclusive) to when (exclusive); local times are of the caller's zone.
///
/// # Errors
/// A rule on `from` or `to`.
pub(super) async fn bounds(
    period: &PeriodQuery,
    tx: &mut Tx,
    caller: &Caller,
) -> Result<(Option<Time>, Option<Time>)> {
    let (from, to) = (asked(period.from.as_deref()), asked(period.to.as_deref()));
    let zone = match from.or(to) {
        Some(_) => user::by_id(tx, caller.user_id).await?.ok_or(Error::NotFound("user"))?.zone,
        None => String::new(),
    };
    let from = from.map(|from| period::from(from, &zone)).transpose()?;
    Ok((from, to.map(|to| period::to(to, &zone)).transpose()?))
}

/// Whether campaigns are shown with samples of their numbers.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Numbers {
    /// 0 leaves `contacts` and `failed_contacts` empty, for a caller who asks often.
    #[param(value_type = Option<i64>)]
    numbers: Option<String>,
}

impl Numbers {
    /// False for `numbers=0`.
    ///
    /// # Errors
    /// A rule on `numbers`.
    pub(super) fn asked(&self) -> Result<bool> {
        match asked(self.numbers.as_deref()) {
            None | Some("1" | "true") => Ok(true),
            Some("0" | "false") => Ok(false),
            Some(_) => Err(Error::field("numbers", "bad_numbers", "numbers must be 0 or 1")),
        }
    }
}

/// The currency; `None` is both.
///
/// # Errors
/// A rule on `currency`.
pub(super) fn currency_asked(of: &CurrencyQuery) -> Result<Option<Currency>> {
    let name = of.currency.as_deref().map(str::trim).filter(|name| !name.is_empty());
    let parse = |name: &str| {
        name.parse().map_err(|error: MoneyError| Error::field("currency", error.code(), error.to_string()))
    };
    name.map(parse).transpose()
}
