//! The frame of the OpenAPI document, and what holds for every operation in it.

use axum::Router;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::middleware::map_response;
use axum::response::Response;
use talkdrum_api::campaign::Progress;
use talkdrum_api::problem::{FieldProblem, Problem};
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{Components, ContentBuilder, OpenApi, PathItem, Ref, RefOr, ResponseBuilder};
use utoipa::{OpenApi as _, ToSchema};
use utoipa_swagger_ui::SwaggerUi;

use crate::state::AppState;

/// The encodings that every JSON body may also come in.
const FORMS: [&str; 2] = ["multipart/form-data", "application/x-www-form-urlencoded"];

/// What the pages of the documentation may load. Swagger UI writes styles into the page and draws its signs from `data:`.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Talkdrum",
        description = "Bulk SMS with a price that holds: quote, confirm, watch, and know who did not get it and why. \
                       Bodies are taken as multipart form, urlencoded form or JSON. Every changing call honours the \
                       `Idempotency-Key` header. Errors are RFC 9457 problem documents. What an account may \
                       keep without paying is bounded, less until it is first funded: contacts (`contacts_quota`), \
                       opt-outs (`optouts_quota`), quotes that are not confirmed (`quotes_quota`) and their \
                       recipients (`recipients_quota`), and files of imports (`imports_quota`)."
    ),
    components(schemas(Problem, FieldProblem, Progress)),
    security(("bearer" = []))
)]
struct Frame;

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

/// The document before any operation.
pub(super) fn base() -> OpenApi {
    let mut document = Frame::openapi();
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("The token of a session (`POST /api/login`), or an API key (`td_...`)."))
        .build();
    document
        .components
        .get_or_insert_with(Components::new)
        .add_security_scheme("bearer", SecurityScheme::Http(bearer));
    document
}

/// Adds what holds for every operation.
pub(super) fn complete(mut document: OpenApi) -> OpenApi {
    for item in document.paths.paths.values_mut() {
        for operation in operations(item) {
            take_forms_too(operation);
            answer_problems(operation);
        }
    }
    document
}

/// The document as JSON, and the pages that show it.
pub(super) fn pages(document: OpenApi) -> Router<AppState> {
    let pages: Router<AppState> = SwaggerUi::new("/api/docs").url("/api/openapi.json", document).into();
    pages.layer(map_response(|mut response: Response| async move {
        response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(PAGE_POLICY));
        response
    }))
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.post, &mut item.put, &mut item.delete, &mut item.patch].into_iter().flatten()
}

fn take_forms_too(operation: &mut Operation) {
    let Some(RefOr::T(body)) = &mut operation.request_body else { return };
    let Some(json) = body.content.get("application/json").cloned() else { return };
    for form in FORMS {
        body.content.entry(form.to_owned()).or_insert_with(|| json.clone());
    }
}

fn answer_problems(operation: &mut Operation) {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
    let problem = ResponseBuilder::new()
        .description("A problem: the field `code` says which, `message` says what to do.")
        .content("application/problem+json", content)
        .build();
    operation.responses.responses.entry("default".to_owned()).or_insert(problem.into());
}
