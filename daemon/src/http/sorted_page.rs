//! A page of a list that can be searched and sorted: `q`, `sort` and `order` beside `page` and `per_page`.
//!
//! The columns of a list are a type, from which the request is checked and the parameter documented.

use std::marker::PhantomData;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use talkdrum_api::query::OrderQuery;
use talkdrum_core::{Error, Result as CoreResult};
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterIn};

use super::page::{Page, Search};
use super::query;
use crate::problem::ApiError;
use crate::state::AppState;

/// What a list can be sorted by.
pub trait Columns {
    /// The names of the columns. The first is the one when none is asked for.
    const NAMES: &'static [&'static str];
    /// A sentence about them for the documentation, if one is needed.
    const NOTE: &'static str = "";
}

/// The part of a list that was asked for, in which order, and what to search for.
#[derive(Debug)]
pub struct SortedPage<C> {
    /// Which rows.
    pub page: Page,
    /// What to search for, trimmed; empty when nothing was asked.
    pub q: String,
    /// The column to sort by, one of [`Columns::NAMES`].
    pub sort: &'static str,
    /// Whether the sort is downwards, which it is unless `order=asc`.
    pub descending: bool,
    columns: PhantomData<C>,
}

impl<C: Columns> SortedPage<C> {
    /// Whether this is a page of the list as it is, from its end: by the first of [`Columns::NAMES`], without a search.
    pub(crate) fn is_plain(&self) -> bool {
        self.q.is_empty() && self.descending && C::NAMES.first() == Some(&self.sort)
    }
}

/// The column, and whether downwards.
fn parse(asked: &OrderQuery, columns: &[&'static str]) -> CoreResult<(&'static str, bool)> {
    let descending = match asked.order.as_deref().map(str::trim) {
        None | Some("") => true,
        Some(order) if order.eq_ignore_ascii_case("desc") => true,
        Some(order) if order.eq_ignore_ascii_case("asc") => false,
        Some(_) => return Err(Error::field("order", "bad_order", "order must be asc or desc")),
    };
    let sort = match asked.sort.as_deref().map(str::trim) {
        None | Some("") => columns.first(),
        Some(asked) => columns.iter().find(|column| **column == asked),
    };
    let sort = sort.ok_or_else(|| {
        Error::field("sort", "bad_sort", format!("sort must be one of: {}", columns.join(", ")))
    })?;
    Ok((sort, descending))
}

/// Of a caller who is signed in, as a [`Page`] is.
impl<C: Columns> FromRequestParts<AppState> for SortedPage<C> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let Search { q } = Search::from_request_parts(parts, app).await?;
        let (sort, descending) = parse(&query::read(&parts.uri)?, C::NAMES)?;
        let page = Page::from_request_parts(parts, app).await?;
        Ok(Self { page, q, sort, descending, columns: PhantomData })
    }
}

impl<C: Columns> IntoParams for SortedPage<C> {
    fn into_params(place: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let mut order = OrderQuery::into_params(&place);
        for parameter in order.iter_mut().filter(|it| it.name == "sort") {
            parameter.description = Some(describe(C::NAMES, C::NOTE));
        }
        let mut parameters = Search::into_params(&place);
        parameters.append(&mut order);
        parameters.append(&mut Page::into_params(place));
        parameters
    }
}

fn describe(columns: &[&str], note: &str) -> String {
    let names: Vec<String> = columns.iter().map(|name| format!("`{name}`")).collect();
    let usual = names.first().map(String::as_str).unwrap_or_default();
    format!("The column to sort by: {}. {usual} when left out. {note}", names.join(", "))
        .trim_end()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    enum People {}

    impl Columns for People {
        const NAMES: &'static [&'static str] = &["created_at", "name"];
        const NOTE: &'static str = "Names sort without case.";
    }

    #[test]
    fn only_columns_that_a_list_names_can_be_sorted_by() {
        let order = |asked: &str| {
            let order: OrderQuery = query::read(&format!("/x?{asked}").parse().unwrap()).unwrap();
            parse(&order, People::NAMES)
        };
        assert_eq!(order("").unwrap(), ("created_at", true));
        assert_eq!(order("sort=&order=").unwrap(), ("created_at", true));
        assert_eq!(order("sort=name&order=ASC").unwrap(), ("name", false));
        assert_eq!(order("sort=password_hash").unwrap_err().code(), "bad_sort");
        assert_eq!(order("order=up").unwrap_err().code(), "bad_order");
    }

    #[test]
    fn the_columns_are_documented() {
        let parameters = SortedPage::<People>::into_params(|| None);
        let names: Vec<&str> = parameters.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["q", "sort", "order", "page", "per_page"]);
        assert_eq!(
            parameters[1].description.as_deref(),
            Some(
                "The column to sort by: `created_at`, `name`. `created_at` when left out. Names sort without case."
            )
        );
    }
}
