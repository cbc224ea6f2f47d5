//! Answers as Kannel gives them: a status and one line of plain text.

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use talkdrum_api::code;
use talkdrum_core::Error;

use crate::problem::ApiError;

/// The messages that were made, by their ids: Kannel has no word for them.
const MESSAGE_IDS: HeaderName = HeaderName::from_static("x-message-ids");

/// The numbers that got no message by a fault of the platform: they are refused by nothing, and may be tried again.
const FAILED: HeaderName = HeaderName::from_static("x-failed-receivers");

/// An answer.
#[derive(Debug)]
pub(super) struct Reply {
    status: StatusCode,
    text: String,
    /// When to try again, in seconds.
    retry_after_s: Option<u64>,
    messages: Vec<i64>,
    /// Numbers as they were written.
    failed: Vec<String>,
}

impl Reply {
    fn new(status: StatusCode, text: impl Into<String>) -> Self {
        Self { status, text: text.into(), retry_after_s: None, messages: Vec::new(), failed: Vec::new() }
    }

    /// The messages are on their way, or wait for their time; `denied` are the numbers that are refused one, `failed` those
    /// that got none by a fault.
    pub(super) fn taken(messages: Vec<i64>, waits: bool, denied: &[String], failed: Vec<String>) -> Self {
        let mut text =
            if waits { "3: Queued for later delivery" } else { "0: Accepted for delivery" }.to_owned();
        if !denied.is_empty() {
            text = format!("{text} Denied receivers are: {}", denied.join(" "));
        }
        Self { messages, failed, ..Self::new(StatusCode::ACCEPTED, text) }
    }

    /// Whether the platform is at fault, not the call.
    pub(super) fn is_fault(&self) -> bool {
        self.status.is_server_error()
    }

    /// Whether the message may have been sent all the same.
    pub(super) fn is_doubtful(&self) -> bool {
        self.status == StatusCode::INTERNAL_SERVER_ERROR
    }

    /// 500: clients of Kannel repeat at 503, and would pay twice.
    pub(super) fn doubtful() -> Self {
        let text = "The message may have been sent: look before you send it again.";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, text)
    }

    /// 400: all that Kannel says of a number that it does not send to.
    pub(super) fn bad_number() -> Self {
        Self::refused("Number(s) has/have been denied by white- and/or black-lists.")
    }

    /// 400.
    pub(super) fn refused(text: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, text)
    }

    /// 403: the credentials are not those of a user.
    pub(super) fn unauthorized() -> Self {
        Self::new(StatusCode::FORBIDDEN, "Authorization failed for sendsms")
    }

    /// 503: the same call may be made again.
    pub(super) fn unavailable(retry_after_s: Option<u64>) -> Self {
        let text = "Temporal failure, try again later.";
        Self { retry_after_s, ..Self::new(StatusCode::SERVICE_UNAVAILABLE, text) }
    }
}

/// What is the caller's keeps its status and sentence; all else is a failure for a time.
impl From<ApiError> for Reply {
    fn from(error: ApiError) -> Self {
        let status = error.status();
        let passes = matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT);
        match status.is_client_error() && !passes {
            true => Self::new(status, error.detail()),
            false => Self::unavailable(error.retry_after_s()),
        }
    }
}

impl From<Error> for Reply {
    fn from(error: Error) -> Self {
        if let Error::Doubtful(why) = &error {
            tracing::error!(why, "it is not known whether a message of a sendsms call was sent");
            return Self::doubtful();
        }
        match error.code() {
            code::BAD_NUMBER => Self::bad_number(),
            code::BAD_DLR_URL => Self::refused(format!("DLR-URL field misformed, rejected: {error}")),
            code::BAD_DLR_MASK => Self::refused("DLR-Mask field misformed, rejected"),
            code::TIME_TOO_FAR => Self::refused("Deferred field misformed, rejected"),
            _ => ApiError::from(error).into(),
        }
    }
}

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        let mut response = (self.status, self.text).into_response();
        let headers = response.headers_mut();
        if let Some(seconds) = self.retry_after_s {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        let digits = |number: &String| number.chars().filter(char::is_ascii_digit).collect::<String>();
        let ids = self.messages.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
        let failed = self.failed.iter().map(digits).collect::<Vec<_>>().join(",");
        for (name, list) in [(MESSAGE_IDS, ids), (FAILED, failed)] {
            if let Some(list) = HeaderValue::from_str(&list).ok().filter(|_| !list.is_empty()) {
                headers.insert(name, list);
            }
        }
        response
    }
}
