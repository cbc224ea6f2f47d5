//! The pages: the public site, the dashboard and the administration, as `console/` builds them into `console/dist`.
//!
//! A release build holds them within; a debug build reads the directory at each request, so that `npm run build` shows
//! at once. They are compressed when they are built, never here, and kept in no other form; but for the index, which says
//! where this daemon is reached. What belongs to the API is never answered with a page, so a mistyped call gets a problem
//! document.

use std::borrow::Cow;
use std::io::{Read as _, Write as _};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use rust_embed::{EmbeddedFile, RustEmbed};
use sha2::{Digest as _, Sha256};

use crate::http::answer::InProgram;
use crate::http::layers;
use crate::problem::ApiError;
use crate::state::AppState;

#[derive(RustEmbed)]
#[folder = "../console/dist"]
#[allow_missing = true]
struct Dist;

/// Where addresses of the API, of the stand-ins and of hooks begin.
const NOT_PAGES: [&str; 6] = ["/api", "/admin", "/sandbox", "/hooks", "/metrics", "/problems"];

/// The page that finds its way by the address.
const INDEX: &str = "index.html";

/// The picture of a preview as the build names it. Those who preview a link ask for a whole address only.
const PREVIEW: &str = "property=\"og:image\" content=\"/preview.jpg\"";

/// Scripts and pictures come from here only. MUI writes its styles into the page.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data: blob:; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'";

/// A name with a hash of its content never changes.
const FOREVER: &str = "public, max-age=31536000, immutable";
/// Asked for again each time, and answered 304 while it is the same.
const ASK_AGAIN: &str = "no-cache";

/// What no operation answers: a page, where a browser asks for one.
pub(crate) async fn serve(State(app): State<AppState>, request: Request) -> Response {
    answer(&request, &app.public_url, Dist::get)
}

fn answer(request: &Request, public_url: &str, find: impl Fn(&str) -> Option<EmbeddedFile>) -> Response {
    let nothing = || layers::nothing_at_this_address().into_response();
    if !matches!(*request.method(), Method::GET | Method::HEAD) || !is_a_page(request.uri()) {
        return nothing();
    }
    let path = request.uri().path().trim_start_matches('/');
    // A dot hides what a build leaves beside its files.
    let is_hidden = path.split('/').any(|part| part.starts_with('.'));
    if !path.is_empty()
        && path != INDEX
        && !is_hidden
        && let Some(file) = [path, &format!("{}/{INDEX}", path.trim_end_matches('/'))]
            .iter()
            .find_map(|path| file(path, request.headers(), &find))
    {
        return file;
    }
    if path != INDEX && !takes_page(path, request.headers()) {
        return nothing();
    }
    index(request.headers(), public_url, &find).unwrap_or_else(|| not_built().into_response())
}

/// The page that finds its way by the address, with the address of its picture in full.
fn index(
    headers: &HeaderMap,
    public_url: &str,
    find: &impl Fn(&str) -> Option<EmbeddedFile>,
) -> Option<Response> {
    let built = match find(INDEX) {
        Some(plain) => plain.data.into_owned(),
        None => unpacked(&find(&format!("{INDEX}.gz"))?.data)?,
    };
    let site = public_url.replace('&', "&amp;").replace('"', "&quot;");
    let whole = PREVIEW.replace("/preview.jpg", &format!("{site}/preview.jpg"));
    let page = String::from_utf8(built).ok()?.replace(PREVIEW, &whole);
    let etag = etag(&Sha256::digest(&page));
    if asks_for(headers, &etag) {
        return Some(described(StatusCode::NOT_MODIFIED.into_response(), INDEX, etag));
    }
    if !accepts(headers, "gzip") {
        return Some(described(page.into_response(), INDEX, etag));
    }
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(page.as_bytes()).ok()?;
    let mut response = described(packed.finish().ok()?.into_response(), INDEX, etag);
    response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    Some(response)
}

fn is_a_page(uri: &Uri) -> bool {
    !NOT_PAGES.iter().any(|start| {
        uri.path().strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

fn not_built() -> ApiError {
    ApiError::not_found(
        "This talkdrumd was built without its pages: 'make build' makes them. The API is at /api/docs",
    )
}

/// A file, in the smallest form that the client takes. What compression makes smaller is kept compressed only.
fn file(path: &str, headers: &HeaderMap, find: &impl Fn(&str) -> Option<EmbeddedFile>) -> Option<Response> {
    let packed = |suffix: &str| find(&format!("{path}.{suffix}"));
    let plain = find(path);
    let kept_as = plain.is_none().then(|| packed("gz")).flatten();
    let etag = etag(&plain.as_ref().or(kept_as.as_ref())?.metadata.sha256_hash());
    let response = if asks_for(headers, &etag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let smallest = [("br", "br"), ("gzip", "gz")]
            .iter()
            .filter(|(encoding, _)| accepts(headers, encoding))
            .find_map(|(encoding, suffix)| Some((*encoding, packed(suffix)?.data)));
        match (smallest, plain, kept_as) {
            (Some((encoding, data)), ..) => {
                let mut response = embedded(data);
                response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
                response
            }
            (None, Some(plain), _) => embedded(plain.data),
            (None, None, packed) => unpacked(&packed?.data)?.into_response(),
        }
    };
    Some(described(response, path, etag))
}

/// An answer with what its reader is told of it.
fn described(mut response: Response, path: &str, etag: HeaderValue) -> Response {
    let kept = if path.starts_with("assets/") { FOREVER } else { ASK_AGAIN };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, content_type(path));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
    headers.insert(header::VARY, HeaderValue::from_static("Accept, Accept-Encoding"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(CONTENT_SECURITY_POLICY));
    headers.insert(header::ETAG, etag);
    response
}

/// A file as it lies in the program: however many read it, it takes no memory.
fn embedded(data: Cow<'static, [u8]>) -> Response {
    let is_static = matches!(data, Cow::Borrowed(_));
    let mut response = data.into_response();
    if is_static {
        response.extensions_mut().insert(InProgram);
    }
    response
}

/// Of what the build packed: its size is that build's own.
fn unpacked(data: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    GzDecoder::new(data).read_to_end(&mut plain).ok()?;
    Some(plain)
}

fn content_type(path: &str) -> HeaderValue {
    let guess = mime_guess::from_path(path).first_or_octet_stream();
    let with_charset = match (guess.type_().as_str(), guess.subtype().as_str()) {
        ("text", _) | (_, "javascript" | "json") => format!("{}; charset=utf-8", guess.essence_str()),
        _ => guess.essence_str().to_owned(),
    };
    HeaderValue::try_from(with_charset).unwrap_or(HeaderValue::from_static("application/octet-stream"))
}

/// A weak tag: it is of the content, and the same for each encoding.
fn etag(hash: &[u8]) -> HeaderValue {
    let hash = hex::encode(&hash[..12]);
    HeaderValue::try_from(format!("W/\"{hash}\"")).unwrap_or(HeaderValue::from_static("W/\"\""))
}

fn asks_for(headers: &HeaderMap, etag: &HeaderValue) -> bool {
    let Ok(etag) = etag.to_str() else { return false };
    list(headers, header::IF_NONE_MATCH).any(|asked| asked == etag || asked == "*")
}

/// Whether a page is an answer: it is, unless JSON is asked for and no page, or the address is that of a file.
///
/// Tools, monitors and chat programs that preview a link ask for `*/*` or for nothing in particular.
fn takes_page(path: &str, headers: &HeaderMap) -> bool {
    let kinds =
        || list(headers, header::ACCEPT).map(|kind| kind.split(';').next().unwrap_or_default().trim());
    if kinds().any(|kind| kind.eq_ignore_ascii_case("text/html")) {
        return true;
    }
    let is_json = |kind: &str| kind.eq_ignore_ascii_case("application/json") || kind.ends_with("+json");
    let is_file = path.rsplit('/').next().is_some_and(|last| last.contains('.'));
    !is_file && !kinds().any(is_json)
}

/// Whether an encoding is accepted: it is named, and not with the weight 0.
/// Whether a client takes an answer in an encoding.
pub(crate) fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    list(headers, header::ACCEPT_ENCODING).any(|offer| {
        let mut parts = offer.split(';').map(str::trim);
        let is_named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(encoding));
        let is_refused = parts
            .filter_map(|part| part.strip_prefix("q="))
            .any(|weight| weight.trim_matches(['0', '.']).is_empty());
        is_named && !is_refused
    })
}

fn list(headers: &HeaderMap, name: header::HeaderName) -> impl Iterator<Item = &str> {
    headers
        .get_all(name)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
}

#[cfg(test)]
mod tests;
