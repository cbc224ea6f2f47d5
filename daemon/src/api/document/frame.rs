//! The frame of the document, and what holds for every operation in it.

use talkdrum_api::campaign::Progress;
use talkdrum_api::problem::{FieldProblem, Problem};
use utoipa::OpenApi as _;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{Components, ContentBuilder, OpenApi, PathItem, Ref, RefOr, ResponseBuilder};

/// The encodings that every JSON body may also come in.
const FORMS: [&str; 2] = ["multipart/form-data", "application/x-www-form-urlencoded"];

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

/// The document before any operation.
pub(in crate::api) fn base() -> OpenApi {
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
pub(in crate::api) fn complete(mut document: OpenApi) -> OpenApi {
    for item in document.paths.paths.values_mut() {
        for operation in operations(item) {
            take_forms_too(operation);
            answer_problems(operation);
        }
    }
    document
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
