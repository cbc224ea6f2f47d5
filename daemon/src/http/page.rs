//! Which part of a list: `page` from 1 and `per_page`; where a list can be searched, `q`.
//!
//! Without `page`, as the specification's own client asks, a list answers with its newest 1,000. An
//! offset is within what an `i64` and a patient database can take, and there is room for a long page before it is read
//! (see [`crate::limit`]).

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use talkdrum_api::query::{PageQuery, SearchQuery};
use talkdrum_core::{Error, Result as CoreResult};
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterIn};

use super::caller::SignedIn;
use super::query;
use crate::limit::admission::{HeldRoom, Sender};
use crate::limit::{ROW_BYTES, SHORT_PAGE_ROWS};
use crate::problem::ApiError;
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
}

impl IntoParams for Page {
    fn into_params(place: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        PageQuery::into_params(place)
    }
}

impl Page {
    fn parse(asked: PageQuery) -> CoreResult<Self> {
        let page = number("page", asked.page, LAST)?;
        let per_page = number("per_page", asked.per_page, MOST)?;
        let limit = per_page.unwrap_or(if page.is_some() { USUAL } else { MOST });
        Ok(Self { offset: (page.unwrap_or(1) - 1) * limit, limit })
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
            if let Some(held) = parts.extensions.get::<HeldRoom>() {
                held.keep_for_answer(room);
            }
        }
        Ok(page)
    }
}

/// What to search a list for, trimmed; empty when nothing was asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// The text.
    pub q: String,
}

impl IntoParams for Search {
    fn into_params(place: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        SearchQuery::into_params(place)
    }
}

impl<S: Sync> FromRequestParts<S> for Search {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let SearchQuery { q } = query::read(&parts.uri)?;
        let q = q.trim();
        if q.chars().count() > LONGEST_Q {
            return Err(Error::field("q", "bad_search", "q must have at most 200 characters").into());
        }
        Ok(Self { q: q.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(asked: &str) -> CoreResult<Page> {
        Page::parse(query::read(&format!("/x?{asked}").parse().unwrap()).unwrap())
    }

    #[test]
    fn without_a_page_the_newest_thousand_are_meant() {
        assert_eq!(page("").unwrap(), Page { offset: 0, limit: 1_000 });
    }

    #[test]
    fn pages_count_from_one() {
        assert_eq!(page("page=3&per_page=40").unwrap(), Page { offset: 80, limit: 40 });
        assert_eq!(page("page=2").unwrap(), Page { offset: 20, limit: 20 });
    }

    #[test]
    fn what_makes_no_sense_is_refused_by_name() {
        for query in ["page=0", "page=-1", "page=x", "per_page=1001", "page=99999999999"] {
            assert!(page(query).is_err(), "{query}");
        }
    }

    #[tokio::test]
    async fn a_search_is_trimmed_and_bounded() {
        let search = async |q: &str| {
            let (mut parts, ()) =
                axum::http::Request::get(format!("/x?q={q}")).body(()).unwrap().into_parts();
            Search::from_request_parts(&mut parts, &()).await.map(|search| search.q)
        };
        assert_eq!(search("%20ada%20").await.unwrap(), "ada");
        assert_eq!(search("").await.unwrap(), "");
        assert_eq!(search(&"x".repeat(201)).await.unwrap_err().code(), "bad_search");
    }
}
