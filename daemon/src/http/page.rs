//! Which part of a list: `page` from 1, `per_page`, `sort`, `order`, `q`.
//!
//! Without `page`, as the specification's own client asks, a list answers with its newest 1,000. An
//! offset is within what an `i64` and a patient database can take, and there is room for a long page before it is read
//! (see [`super::limits`]).

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::Deserialize;
use talkdrum_core::{Error, Result as CoreResult};

use super::admission::{Held, Sender};
use super::caller::SignedIn;
use super::limits::{ROW_BYTES, SHORT_PAGE_ROWS};
use super::problem::ApiError;
use super::query;
use crate::state::AppState;

/// The most rows of one answer, and those of an answer without `page`.
const MOST: i64 = 1_000;
/// Rows of a page whose size was not asked for.
const USUAL: i64 = 20;
/// The last page that can be asked for.
const LAST: i64 = 1_000_000_000;
/// The longest search text, in characters.
const LONGEST_Q: usize = 200;

/// The part of a list that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Rows before it.
    pub offset: i64,
    /// Rows of it.
    pub limit: i64,
    /// The column to sort by, as sent; see [`Page::sort_among`].
    pub sort: Option<String>,
    /// Whether the sort is downwards, which it is unless `order=asc`.
    pub descending: bool,
    /// What to search for, trimmed; empty when nothing was asked.
    pub q: String,
}

#[derive(Debug, Default, Deserialize)]
struct Raw {
    page: Option<String>,
    per_page: Option<String>,
    sort: Option<String>,
    order: Option<String>,
    q: Option<String>,
}

impl Page {
    fn parse(raw: Raw) -> CoreResult<Self> {
        let page = number("page", raw.page, LAST)?;
        let per_page = number("per_page", raw.per_page, MOST)?;
        let limit = per_page.unwrap_or(if page.is_some() { USUAL } else { MOST });
        let descending = match raw.order.as_deref().map(str::trim) {
            None | Some("") => true,
            Some(order) if order.eq_ignore_ascii_case("desc") => true,
            Some(order) if order.eq_ignore_ascii_case("asc") => false,
            Some(_) => return Err(Error::field("order", "bad_order", "order must be asc or desc")),
        };
        let q = raw.q.unwrap_or_default().trim().to_owned();
        if q.chars().count() > LONGEST_Q || q.contains('\0') {
            return Err(Error::field("q", "bad_search", "q must have at most 200 characters and no NUL"));
        }
        let sort = raw.sort.filter(|sort| !sort.trim().is_empty());
        Ok(Self { offset: (page.unwrap_or(1) - 1) * limit, limit, sort, descending, q })
    }

    /// The column to sort by, one of `columns`; the first of them when none was asked for.
    ///
    /// # Errors
    /// A rule on `sort` that names the columns.
    pub fn sort_among(&self, columns: &[&'static str]) -> CoreResult<&'static str> {
        let asked = self.sort.as_deref().map(str::trim);
        match asked {
            None => columns.first().copied(),
            Some(asked) => columns.iter().copied().find(|column| *column == asked),
        }
        .ok_or_else(|| {
            Error::field("sort", "bad_sort", format!("sort must be one of: {}", columns.join(", ")))
        })
    }
}

fn number(field: &'static str, text: Option<String>, most: i64) -> CoreResult<Option<i64>> {
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else { return Ok(None) };
    match text.trim().parse() {
        Ok(number) if (1..=most).contains(&number) => Ok(Some(number)),
        _ => Err(Error::field(field, "bad_page", format!("{field} must be a number from 1 to {most}"))),
    }
}

/// Of a caller who is signed in: an operation names its caller before its page.
impl FromRequestParts<AppState> for Page {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let page = Self::parse(query::read(&parts.uri)?)?;
        if page.limit > SHORT_PAGE_ROWS {
            let Some(SignedIn(user)) = parts.extensions.get() else { return Err(ApiError::unauthorized()) };
            let bytes = usize::try_from(page.limit).unwrap_or(usize::MAX).saturating_mul(ROW_BYTES);
            let room = app.bodies.admit(Sender::Answer(*user), bytes, false).await?;
            if let Some(held) = parts.extensions.get::<Held>() {
                held.keep_for_answer(room);
            }
        }
        Ok(page)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(asked: &str) -> CoreResult<Page> {
        let raw = query::read(&format!("/x?{asked}").parse().unwrap()).unwrap();
        Page::parse(raw)
    }

    #[test]
    fn without_a_page_the_newest_thousand_are_meant() {
        let page = page("").unwrap();
        assert_eq!((page.offset, page.limit, page.descending), (0, 1_000, true));
    }

    #[test]
    fn pages_count_from_one() {
        let page = page("page=3&per_page=40&order=ASC&q=%20ada%20").unwrap();
        assert_eq!((page.offset, page.limit, page.descending, page.q.as_str()), (80, 40, false, "ada"));
        assert_eq!(super::Page::parse(Raw { page: Some("2".into()), ..Raw::default() }).unwrap().offset, 20);
    }

    #[test]
    fn what_makes_no_sense_is_refused_by_name() {
        for query in ["page=0", "page=-1", "page=x", "per_page=1001", "order=up", "page=99999999999"] {
            assert!(page(query).is_err(), "{query}");
        }
    }

    #[test]
    fn only_columns_that_an_operation_names_can_be_sorted_by() {
        let columns = ["created_at", "name"];
        assert_eq!(page("").unwrap().sort_among(&columns).unwrap(), "created_at");
        assert_eq!(page("sort=name").unwrap().sort_among(&columns).unwrap(), "name");
        assert!(page("sort=password_hash").unwrap().sort_among(&columns).is_err());
    }
}
