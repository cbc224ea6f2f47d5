//! Every refusal as an RFC 9457 problem document.
//!
//! This is the only place that chooses the status code of an error and logs a failure of the server. The client gets the
//! request id; the cause stays in the log, under that id.

use std::borrow::Cow;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use talkdrum_api::code;
use talkdrum_api::problem::{FieldProblem, Problem};
use talkdrum_core::Error;

/// What a handler returns: a JSON body, or a problem.
pub type Answer<T> = Result<Json<T>, ApiError>;

tokio::task_local! {
    static REQUEST_ID: String;
}

/// The id of the request that is being served; empty outside any.
pub(crate) fn request_id() -> String {
    REQUEST_ID.try_with(Clone::clone).unwrap_or_default()
}

/// Serves a request under its id.
pub(crate) async fn within<T>(id: String, serving: impl Future<Output = T>) -> T {
    REQUEST_ID.scope(id, serving).await
}

/// Why a request was not served.
#[derive(Clone, Debug)]
pub struct ApiError {
    status: StatusCode,
    code: Cow<'static, str>,
    detail: Cow<'static, str>,
    fields: Vec<FieldProblem>,
    error: Option<&'static str>,
    retry_after_s: Option<u64>,
}

impl ApiError {
    /// A refusal with its status, a stable code and a sentence.
    pub fn new(status: StatusCode, code: &'static str, detail: impl Into<Cow<'static, str>>) -> Self {
        let detail = match detail.into() {
            Cow::Owned(text) => Cow::Owned(without_long_echo(text)),
            said => said,
        };
        Self {
            status,
            code: Cow::Borrowed(code),
            detail,
            fields: Vec::new(),
            error: None,
            retry_after_s: None,
        }
    }

    /// 400, with the field at fault where it is known.
    pub fn bad_request(
        field: Option<&str>,
        code: &'static str,
        detail: impl Into<Cow<'static, str>>,
    ) -> Self {
        let mut error = Self::new(StatusCode::BAD_REQUEST, code, detail);
        if let Some(field) = field {
            error.fields.push(FieldProblem { field: field.to_owned(), message: error.detail.to_string() });
        }
        error
    }

    /// 401: no token, or an unknown one.
    pub fn unauthorized() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "unauthorized", "Login again: the token is missing or not valid")
    }

    /// 401: a session that was not used for too long. `error` is the text the specification's clients look for.
    pub fn token_expired() -> Self {
        Self {
            error: Some("Token error: Token has expired"),
            ..Self::new(StatusCode::UNAUTHORIZED, "token_expired", "Inactivity time elapsed, Login again")
        }
    }

    /// 401: an API key that has ended.
    pub fn key_expired() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "api_key_expired", "This API key has expired: make another one")
    }

    /// 403: signed in, but not allowed.
    pub fn forbidden(code: &'static str, detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::FORBIDDEN, code, detail)
    }

    /// 404.
    pub fn not_found(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::NOT_FOUND, code::NOT_FOUND, detail)
    }

    /// 413: more was sent than is taken.
    pub fn too_large(limit_bytes: usize) -> Self {
        Self::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too_large",
            format!("The request is too large: at most {} KiB are taken here", limit_bytes >> 10),
        )
    }

    /// 429, with when to try again.
    pub fn too_many(wait_s: u64) -> Self {
        Self {
            retry_after_s: Some(wait_s.max(1)),
            ..Self::new(
                StatusCode::TOO_MANY_REQUESTS,
                "too_many_requests",
                format!("Too many attempts: try again in {} seconds", wait_s.max(1)),
            )
        }
    }

    /// The same, with when to try again.
    pub(crate) fn after(self, wait_s: u64) -> Self {
        Self { retry_after_s: Some(wait_s), ..self }
    }

    /// 408: the client stopped sending.
    pub fn timeout() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "body_timeout", "The rest of the body did not come in time")
    }

    /// 500: the cause is in the log.
    pub fn internal(code: &'static str) -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            code,
            "The server failed to do this. Look whether it was done before you try again, and tell the operator the request id",
        )
    }

    /// 503, with when to try again.
    pub fn unavailable(code: &'static str, detail: impl Into<Cow<'static, str>>) -> Self {
        Self { retry_after_s: Some(5), ..Self::new(StatusCode::SERVICE_UNAVAILABLE, code, detail) }
    }

    /// The status.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The stable code.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// The sentence for people.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// When to try again, in seconds, where that is known.
    pub fn retry_after_s(&self) -> Option<u64> {
        self.retry_after_s
    }

    fn problem(&self) -> Problem {
        Problem {
            kind: format!("/problems/{}", self.code),
            title: self.status.canonical_reason().unwrap_or("Error").to_owned(),
            status: self.status.as_u16(),
            detail: self.detail.to_string(),
            code: self.code.to_string(),
            message: self.detail.to_string(),
            errors: self.fields.clone(),
            request_id: request_id(),
            error: self.error.map(str::to_owned),
        }
    }
}

/// Characters of a sentence that is never cut.
const SENTENCE: usize = 300;
/// Characters of what was sent that a longer one repeats.
const ECHO: usize = 100;
/// Characters of the longest sentence.
const LONGEST_SENTENCE: usize = 2_000;

/// A sentence that repeats, in quotation marks, what was sent: no more of it than its beginning.
fn without_long_echo(text: String) -> String {
    if text.chars().nth(SENTENCE).is_none() {
        return text;
    }
    let cut = |text: &str, most: usize| match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    };
    let echo = text.split_once('\'').and_then(|(before, rest)| {
        let (echo, after) = rest.rsplit_once('\'')?;
        Some(format!("{before}'{}'{after}", cut(echo, ECHO)))
    });
    cut(&echo.unwrap_or(text), LONGEST_SENTENCE)
}

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        match error {
            Error::Rule { code, message, field } => Self::bad_request(field, code, message),
            Error::NotFound(what) => Self::not_found(format!("No such {what}")),
            Error::Conflict { code, message } => Self::new(StatusCode::CONFLICT, code, message),
            Error::Stale | Error::Unmarked => {
                Self::new(StatusCode::CONFLICT, error.code(), error.to_string())
            }
            Error::NoRoute(_) => Self::bad_request(None, error.code(), error.to_string()),
            Error::Unavailable { code, message } => Self::unavailable(code, message),
            Error::Unreadable(_) | Error::SpeechBusy | Error::ProviderRefused(_) => {
                Self::unavailable(error.code(), error.to_string())
            }
            Error::Database(_)
            | Error::Doubtful(_)
            | Error::WentBack(_)
            | Error::Schema(_)
            | Error::Io { .. }
            | Error::Corrupt(_)
            | Error::Crashed => {
                tracing::error!(code = error.code(), %error, "a request failed");
                Self::internal(error.code())
            }
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.problem())).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = self.retry_after_s {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_error_has_its_status_and_rules_name_their_field() {
        let status = |error: Error| ApiError::from(error).status().as_u16();
        assert_eq!(status(Error::rule("r", "no")), 400);
        assert_eq!(status(Error::NotFound("user")), 404);
        assert_eq!(status(Error::conflict("c", "no")), 409);
        assert_eq!(status(Error::unavailable("u", "later")), 503);
        assert_eq!(status(Error::Corrupt("odd".into())), 500);
        let problem =
            ApiError::from(Error::field("email", "email_invalid", "Email address is invalid")).problem();
        assert_eq!(problem.errors[0].field, "email");
        assert_eq!(problem.message, "Email address is invalid");
    }

    #[test]
    fn a_refusal_repeats_no_more_than_the_beginning_of_what_was_sent() {
        let said = |value: &str| {
            let message = format!("'{value}' is no time zone: write it as Africa/Lagos");
            let problem = ApiError::from(Error::field("zone", "unknown_zone", message)).problem();
            assert_eq!(problem.errors[0].message, problem.detail);
            problem.detail
        };
        let end = "is no time zone: write it as Africa/Lagos";
        assert_eq!(said("Lagos"), format!("'Lagos' {end}"));
        assert_eq!(said(&"ẹ".repeat(300_000)), format!("'{}…' {end}", "ẹ".repeat(100)));
        assert_eq!(said(&"a'b".repeat(300_000)).chars().count(), 2 + 101 + 1 + end.len());
        let listed = ApiError::from(Error::rule("r", "column, ".repeat(10_000))).problem();
        assert_eq!(listed.detail.chars().count(), LONGEST_SENTENCE + 1);
    }

    #[test]
    fn a_failure_of_the_server_keeps_its_cause_to_itself() {
        let problem = ApiError::from(Error::Corrupt("row 7 of secrets".into())).problem();
        assert!(!serde_json::to_string(&problem).unwrap().contains("row 7"));
    }
}
