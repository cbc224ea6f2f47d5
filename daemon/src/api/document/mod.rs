//! The OpenAPI document: as it was accepted in what is shipped, and made again in tests, which compare the two.

#[cfg(test)]
mod frame;

use std::io::{self, Read as _};

use axum::Router;
use axum::http::header::{CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::map_response;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use flate2::read::GzDecoder;
use utoipa::ToSchema;
use utoipa_swagger_ui::{Config, SwaggerUi};

#[cfg(test)]
pub(super) use self::frame::{base, complete};
use crate::console::accepts;
use crate::http::ApiError;
use crate::state::AppState;

/// Where the document is.
const ADDRESS: &str = "/api/openapi.json";

/// What the pages of the documentation may load. Swagger UI writes styles into the page and draws its signs from `data:`.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

/// An event of a stream, see the operation for which there are.
#[derive(ToSchema)]
#[expect(dead_code, reason = "for the document: events are written by axum")]
pub(super) struct ServerSentEvent {
    /// Its name.
    event: String,
    /// What it holds: a JSON document.
    #[schema(content_media_type = "application/json")]
    data: String,
}

const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/openapi.json.gz"));

/// The document of what [`super::router`] serves, as it was accepted into `openapi.snap`.
///
/// # Errors
/// Fails when the program is damaged: the build packed it.
pub fn accepted() -> io::Result<String> {
    let mut document = String::new();
    GzDecoder::new(PACKED).read_to_string(&mut document)?;
    Ok(document)
}

/// The document as JSON, and the pages that show it.
pub(super) fn pages() -> Router<AppState> {
    let pages: Router<AppState> = SwaggerUi::new("/api/docs").config(Config::from(ADDRESS)).into();
    pages.route(ADDRESS, get(document)).layer(map_response(|mut response: Response| async move {
        response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(PAGE_POLICY));
        response
    }))
}

/// As the build packed it, for those who take that.
async fn document(headers: HeaderMap) -> Result<Response, ApiError> {
    let described = [(CONTENT_TYPE, "application/json"), (VARY, "Accept-Encoding")];
    if accepts(&headers, "gzip") {
        return Ok((described, [(CONTENT_ENCODING, "gzip")], PACKED).into_response());
    }
    let document = accepted().map_err(|_| ApiError::internal("document"))?;
    Ok((described, document).into_response())
}
