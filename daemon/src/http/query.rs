//! Parameters in the query, read like the fields of a form, and refused where an operation knows none of that name.
//!
//! What an operation that reads takes is what its documentation lists; with an ignored filter the answer
//! would be to another question.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{FromRequestParts, MatchedPath, Request, State};
use axum::http::request::Parts;
use axum::http::{Method, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use super::fields::Fields;
use super::urlencoded::decode_all;
use crate::limit::QUERY_BYTES;
use crate::problem::ApiError;

/// The parameters of the query.
#[derive(Clone, Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        read(&parts.uri).map(Self)
    }
}

/// The parameters in the query of an address.
pub(super) fn read<T: DeserializeOwned>(uri: &Uri) -> Result<T, ApiError> {
    let mut fields = Fields::within(QUERY_BYTES);
    each(uri, |name, value| fields.push(name, value))?;
    fields.parse()
}

fn each(uri: &Uri, field: impl FnMut(&str, String) -> Result<(), ApiError>) -> Result<(), ApiError> {
    decode_all(uri.query().unwrap_or_default().as_bytes(), field)
}

/// How the names begin that clients add to keep caches away, as in `?_=1700000000`: no filter begins so.
const NO_FILTER: char = '_';

/// What a list is sorted by, where it can be.
const SORTING: [&str; 2] = ["sort", "order"];

/// The names that each operation knows, by the path it is routed at.
#[derive(Clone, Debug, Default)]
pub struct KnownQueries(Arc<HashMap<String, Vec<String>>>);

impl KnownQueries {
    /// Those of the operations of an OpenAPI document that read, but for those that are open to anybody: others call
    /// these, with parameters of their own.
    ///
    /// # Errors
    /// Fails when it is no such document.
    pub fn of(document: &str) -> serde_json::Result<Self> {
        let document = serde_json::from_str::<Document>(document)?;
        let reading = document.paths.into_iter().filter_map(|(path, item)| Some((path, item.get?)));
        let closed = reading.filter(|(_, operation)| operation.security.is_none());
        Ok(Self(Arc::new(closed.map(|(path, operation)| (path, operation.names())).collect())))
    }

    fn check(&self, path: &str, uri: &Uri) -> Result<(), ApiError> {
        let Some(known) = self.0.get(path) else { return Ok(()) };
        each(uri, |name, value| {
            let is_list = known.iter().any(|known| known == "page");
            if known.iter().any(|known| known == name) || name.starts_with(NO_FILTER) {
                return Ok(());
            }
            if is_list && SORTING.contains(&name) {
                // A table without a sorted column sends it empty.
                return if value.is_empty() { Ok(()) } else { Err(one_order(name)) };
            }
            let takes = match known.as_slice() {
                [] => "no parameters are taken here".to_owned(),
                known => format!("use {}", known.join(", ")),
            };
            Err(ApiError::bad_request(
                Some(name),
                "unknown_parameter",
                format!("'{name}' is no parameter here: {takes}"),
            ))
        })
    }
}

fn one_order(name: &str) -> ApiError {
    ApiError::bad_request(
        Some(name),
        "bad_sort",
        format!("This list has one order and cannot be sorted: leave '{name}' out"),
    )
}

/// What [`KnownQueries`] wants to know of an OpenAPI document.
#[derive(Deserialize)]
struct Document {
    paths: HashMap<String, PathItem>,
}

#[derive(Deserialize)]
struct PathItem {
    get: Option<Operation>,
}

#[derive(Deserialize)]
struct Operation {
    #[serde(default)]
    parameters: Vec<Parameter>,
    security: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Parameter {
    name: String,
    #[serde(rename = "in")]
    place: String,
}

impl Operation {
    fn names(self) -> Vec<String> {
        let in_query = self.parameters.into_iter().filter(|it| it.place == "query");
        in_query.map(|it| it.name).collect()
    }
}

/// Turns a request away whose query has a name that its operation does not know.
pub(crate) async fn refuse_unknown(
    State(known): State<KnownQueries>,
    request: Request,
    next: Next,
) -> Response {
    if request.method() == Method::GET && request.uri().query().is_some() {
        let path = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
        if let Err(error) = known.check(path.unwrap_or_default(), request.uri()) {
            return error.into_response();
        }
    }
    next.run(request).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Filter {
        status: Option<String>,
        before: Option<i64>,
    }

    #[test]
    fn a_query_is_read_like_a_form_and_refused_as_a_problem() {
        let filter = |query: &str| read::<Filter>(&format!("/x?{query}").parse().unwrap());
        let given = filter("status=a%20b&before=7").unwrap();
        assert_eq!((given.status.as_deref(), given.before), (Some("a b"), Some(7)));
        assert_eq!(filter("status=&before=").unwrap(), Filter { status: None, before: None });
        for bad in ["before=x", "before=1&before=2", "status=%00"] {
            assert_eq!(filter(bad).unwrap_err().status(), 400, "{bad}");
        }
    }

    #[test]
    fn a_name_that_is_not_known_is_refused_with_those_that_are() {
        let known = KnownQueries(Arc::new(HashMap::from([
            ("/x".to_owned(), vec!["status".to_owned()]),
            ("/list".to_owned(), vec!["page".to_owned()]),
        ])));
        let check = |path: &str, uri: &str| known.check(path, &uri.parse().unwrap());
        assert!(check("/x", "/x?status=a").is_ok());
        assert!(check("/elsewhere", "/elsewhere?stats=a").is_ok(), "not an operation that reads");
        assert!(check("/list", "/list?page=2&sort=&order=").is_ok(), "nothing is asked for");
        assert!(check("/x", "/x?_=1700000000&status=a&_t=1").is_ok(), "keeps caches away");
        let refused = check("/list", "/list?sort=id").unwrap_err();
        assert_eq!((refused.status().as_u16(), refused.code()), (400, "bad_sort"));
        let refused = check("/x", "/x?stats=a").unwrap_err();
        assert_eq!((refused.status().as_u16(), refused.code()), (400, "unknown_parameter"));
    }
}
