//! The extractors of request bodies that are fields only: multipart form, urlencoded form or JSON into the same typed
//! request.

use std::net::IpAddr;

use axum::extract::{FromRequest, Request};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use serde::de::DeserializeOwned;

use super::fields::Pieces;
use super::incoming::{Bounds, Incoming};
use super::json::Deeper;
use super::upload::Upload;
use super::{address, json, multipart, urlencoded};
use crate::limit::admission::Sender;
use crate::limit::{DOCUMENT_BYTES, rate};
use crate::problem::ApiError;
use crate::state::AppState;

/// A typed request and the digest of what was sent.
#[derive(Clone, Debug)]
pub struct Form<T> {
    /// The request.
    pub data: T,
    /// SHA-256 of its fields, see [`super::fields::Fields::digest`], and of its big parts where a key asks for it.
    pub digest: [u8; 32],
}

impl<T: DeserializeOwned> FromRequest<AppState> for Form<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &AppState) -> Result<Self, ApiError> {
        let fields = Upload::from_request(request, app).await?.fields(Deeper::Refused).await?;
        Ok(Self { digest: fields.digest(), data: fields.parse()? })
    }
}

/// A typed request out of a body that may hold more than is read: what is nested or a list is left out.
#[derive(Clone, Debug)]
pub struct LooseForm<T>(pub T);

impl<T: DeserializeOwned> FromRequest<AppState> for LooseForm<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &AppState) -> Result<Self, ApiError> {
        let fields = Upload::from_request(request, app).await?.fields(Deeper::LeftOut).await?;
        Ok(Self(fields.parse()?))
    }
}

/// A typed document: a JSON body that is read whole, for what is no list of fields.
#[derive(Clone, Debug)]
pub struct Document<T>(pub T);

impl<T: DeserializeOwned> FromRequest<AppState> for Document<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &AppState) -> Result<Self, ApiError> {
        if Encoding::of(request.headers())? != Encoding::Json {
            let message = "The body must be a JSON document (application/json)";
            return Err(ApiError::bad_request(None, "unsupported_body", message));
        }
        let mut whole = Vec::new();
        let incoming = Incoming::of(request, app)?;
        incoming
            .read(Bounds::held(DOCUMENT_BYTES), |bytes| {
                whole.extend_from_slice(bytes);
                Ok(())
            })
            .await?;
        let read = serde_json::from_slice(&whole);
        read.map(Self).map_err(|error| {
            ApiError::bad_request(None, "bad_request", format!("The body cannot be read: {error}"))
        })
    }
}

/// The whole body of a carrier's or a provider's request, of at most `limit` bytes; `sender` says what is known of it.
///
/// # Errors
/// 408, 413, 429 or 503 for the body.
pub(crate) async fn callback(
    request: Request,
    app: &AppState,
    (sender, limit): (fn(IpAddr) -> Sender, usize),
) -> Result<Vec<u8>, ApiError> {
    let mut whole = Vec::new();
    let address = address::of(request.extensions(), request.headers(), app);
    let incoming = Incoming::from_sender(request, sender(rate::subscriber(address)), &app.bodies);
    incoming
        .read(Bounds::held(limit), |bytes| {
            whole.extend_from_slice(bytes);
            Ok(())
        })
        .await?;
    Ok(whole)
}

/// How a body is encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// With its `Content-Type`, which has the boundary.
    Multipart(String),
    Urlencoded,
    Json,
    /// No body and no type: a request whose fields are all optional.
    Nothing,
}

impl Encoding {
    /// The encoding that the headers announce.
    pub(super) fn of(headers: &HeaderMap) -> Result<Self, ApiError> {
        let Some(announced) = headers.get(CONTENT_TYPE) else { return Ok(Self::Nothing) };
        let announced = announced.to_str().unwrap_or_default();
        let essence = announced.split(';').next().unwrap_or_default().trim();
        match essence.to_ascii_lowercase().as_str() {
            "multipart/form-data" => Ok(Self::Multipart(announced.to_owned())),
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

    /// What decodes such a body.
    pub(super) fn decoder(&self, deeper: Deeper) -> Result<Decoder, ApiError> {
        Ok(match self {
            Self::Multipart(content_type) => Decoder::Multipart(multipart::Decoder::new(content_type)?),
            Self::Urlencoded => Decoder::Urlencoded(urlencoded::Decoder::default()),
            Self::Json => Decoder::Json(json::Decoder::new(deeper)),
            Self::Nothing => Decoder::Nothing,
        })
    }
}

/// Decodes a body as it arrives.
#[derive(Debug)]
pub(super) enum Decoder {
    Multipart(multipart::Decoder),
    Urlencoded(urlencoded::Decoder),
    Json(json::Decoder),
    Nothing,
}

impl Decoder {
    pub(super) fn push(&mut self, bytes: &[u8], pieces: &mut impl Pieces) -> Result<(), ApiError> {
        match self {
            Self::Multipart(decoder) => decoder.push(bytes, pieces),
            Self::Urlencoded(decoder) => decoder.push(bytes, pieces),
            Self::Json(decoder) => decoder.push(bytes, pieces),
            Self::Nothing if bytes.is_empty() => Ok(()),
            Self::Nothing => Err(without_type()),
        }
    }

    pub(super) fn finish(self, pieces: &mut impl Pieces) -> Result<(), ApiError> {
        match self {
            Self::Multipart(decoder) => decoder.finish(),
            Self::Urlencoded(decoder) => decoder.finish(pieces),
            Self::Json(decoder) => decoder.finish(),
            Self::Nothing => Ok(()),
        }
    }
}

pub(super) fn without_type() -> ApiError {
    ApiError::bad_request(None, "unsupported_body", "The body has no Content-Type")
}
