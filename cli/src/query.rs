//! The parameters of a call that reads: those of one or more of the API's types.

use serde::Serialize;

/// Parameters of two types, in one query.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct And<A, B> {
    #[serde(flatten)]
    first: A,
    #[serde(flatten)]
    second: B,
}

/// What can be the parameters of a query.
pub(crate) trait Query: Serialize + Sized {
    /// These parameters and others, which have other names.
    fn and<B: Query>(self, second: B) -> And<Self, B> {
        And { first: self, second }
    }
}

impl<T: Serialize> Query for T {}

#[cfg(test)]
mod tests {
    use talkdrum_api::query::{CampaignQuery, FailedQuery, PageQuery, SearchQuery};

    use super::*;

    #[test]
    fn a_query_has_the_parameters_of_all_its_types_that_are_given() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let kind = CampaignQuery { status: None, kind: Some("wap-push".to_owned()), purpose: None };
        let before = FailedQuery { before: Some(7) };
        let search = |text: &str| SearchQuery::new(Some(text.to_owned()));
        let query = PageQuery::new(2, 20).and(search("a b")).and(kind).and(before);
        let request = reqwest::Client::new().get("http://localhost/x");
        assert_eq!(
            request.query(&query).build().unwrap().url().query(),
            Some("page=2&per_page=20&q=a+b&type=wap-push&before=7")
        );
        let none =
            reqwest::Client::new().get("http://localhost/x").query(&search("").and(FailedQuery::default()));
        assert_eq!(none.build().unwrap().url().query(), None);
    }
}
