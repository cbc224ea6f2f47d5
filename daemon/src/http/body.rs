//! The one extractor of request bodies: multipart form, urlencoded form or JSON into the same typed request.
//!
//! The invariant: no more than `limits.body_kib` of a body is ever held in memory here.

use axum::body::{Body, Bytes};
use axum::extract::multipart::MultipartError;
use axum::extract::{DefaultBodyLimit, FromRequest, Multipart, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use serde::de::DeserializeOwned;

use super::fields::Fields;
use super::problem::ApiError;
use crate::state::AppState;

/// A typed request and the digest of what was sent.
#[derive(Clone, Debug)]
pub struct Form<T> {
    /// The request.
    pub data: T,
    /// SHA-256 of its fields, see [`Fields::digest`], and of its big parts where a key asks for it.
    pub digest: [u8; 32],
}

impl<T: DeserializeOwned> FromRequest<AppState> for Form<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &AppState) -> Result<Self, ApiError> {
        let fields = read(request, app.limits.body_bytes(), Fields::push_json).await?;
        Ok(Self { digest: fields.digest(), data: fields.parse()? })
    }
}

/// A typed request out of a body that may hold more than we read: what is nested or a list is left out.
#[derive(Clone, Debug)]
pub struct LooseForm<T>(pub T);

impl<T: DeserializeOwned> FromRequest<AppState> for LooseForm<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &AppState) -> Result<Self, ApiError> {
        let fields = read(request, app.limits.body_bytes(), |fields, json| match json {
            serde_json::Value::Object(mut object) => {
                object.retain(|_, value| !value.is_array() && !value.is_object());
                fields.push_json(serde_json::Value::Object(object))
            }
            other => fields.push_json(other),
        })
        .await?;
        Ok(Self(fields.parse()?))
    }
}

/// How a body is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Multipart,
    Urlencoded,
    Json,
    /// No body and no type: a request whose fields are all optional.
    Nothing,
}

impl Encoding {
    /// The encoding that the headers announce.
    pub(super) fn of(headers: &HeaderMap) -> Result<Self, ApiError> {
        let Some(announced) = headers.get(CONTENT_TYPE) else { return Ok(Self::Nothing) };
        let essence = announced.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim();
        match essence.to_ascii_lowercase().as_str() {
            "multipart/form-data" => Ok(Self::Multipart),
            "application/x-www-form-urlencoded" => Ok(Self::Urlencoded),
            json if json == "application/json" || json.ends_with("+json") => Ok(Self::Json),
            "" => Ok(Self::Nothing),
            _ => Err(ApiError::bad_request(
                None,
                "unsupported_body",
                "The body must be multipart/form-data, application/x-www-form-urlencoded or application/json",
            )),
        }
    }
}

/// How the JSON of a body becomes fields.
type PushJson = fn(&mut Fields, serde_json::Value) -> Result<(), ApiError>;

async fn read(mut request: Request, limit: usize, push_json: PushJson) -> Result<Fields, ApiError> {
    let mut fields = Fields::default();
    match Encoding::of(request.headers())? {
        Encoding::Multipart => {
            DefaultBodyLimit::max(limit).apply(&mut request);
            let mut parts = multipart(request).await?;
            while let Some(part) = parts.next_field().await.map_err(|error| broken_form(&error, limit))? {
                let name = part.name().unwrap_or_default().to_owned();
                fields.push(&name, part.text().await.map_err(|error| broken_form(&error, limit))?)?;
            }
        }
        Encoding::Urlencoded => push_urlencoded(&mut fields, &whole(request.into_body(), limit).await?)?,
        Encoding::Json => push_json(&mut fields, json(&whole(request.into_body(), limit).await?)?)?,
        Encoding::Nothing => {
            if !whole(request.into_body(), limit).await?.is_empty() {
                return Err(ApiError::bad_request(None, "unsupported_body", "The body has no Content-Type"));
            }
        }
    }
    Ok(fields)
}

pub(super) async fn multipart(request: Request) -> Result<Multipart, ApiError> {
    Multipart::from_request(request, &()).await.map_err(|_| {
        ApiError::bad_request(None, "bad_form", "The multipart form cannot be read: its boundary is missing")
    })
}

/// A broken form, or one that is too large.
pub(super) fn broken_form(error: &MultipartError, limit: usize) -> ApiError {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return ApiError::too_large(limit);
    }
    ApiError::bad_request(
        None,
        "bad_form",
        format!("The multipart form cannot be read: {}", error.body_text()),
    )
}

/// The whole body, if it is no larger than `limit`.
pub(super) async fn whole(body: Body, limit: usize) -> Result<Bytes, ApiError> {
    axum::body::to_bytes(body, limit).await.map_err(|error| {
        let mut cause: Option<&dyn std::error::Error> = Some(&error);
        while let Some(reason) = cause {
            if reason.to_string().contains("length limit exceeded") {
                return ApiError::too_large(limit);
            }
            cause = reason.source();
        }
        ApiError::bad_request(None, "broken_body", "The body ended before it was complete")
    })
}

/// The JSON value of a body; an empty body is an empty object.
pub(super) fn json(bytes: &[u8]) -> Result<serde_json::Value, ApiError> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(serde_json::Value::Object(serde_json::Map::default()));
    }
    serde_json::from_slice(bytes).map_err(|error| {
        ApiError::bad_request(None, "bad_json", format!("The JSON body cannot be read: {error}"))
    })
}

fn push_urlencoded(fields: &mut Fields, bytes: &[u8]) -> Result<(), ApiError> {
    super::urlencoded::decode_all(bytes, |name, value| fields.push(name, value))
}
