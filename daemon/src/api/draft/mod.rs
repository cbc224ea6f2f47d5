//! Drafts: forms that are not sent yet, kept with their files.

mod add_file;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use futures::TryStreamExt as _;
use serde::Deserialize;
use talkdrum_api::account::Message;
use talkdrum_api::draft::{DraftSaved, FormDraft, FormDrafts};
use talkdrum_core::campaign::draft;
use talkdrum_core::model::campaign::id::{DraftFileId, DraftId};
use talkdrum_core::store::Lane;
use utoipa::{IntoParams, ToSchema};

use crate::http::routes::{Operations, routes};
use crate::http::{Answer, ApiError, Caller, Form, IdempotencyKey, Path, Query};
use crate::state::AppState;

pub(super) fn brief() -> Operations {
    Operations::new()
        .routes(routes!(list_drafts, create_draft, delete_draft_by_key))
        .routes(routes!(show_draft, save_draft, delete_draft))
        .routes(routes!(delete_draft_file))
}

pub(super) fn lengthy() -> Operations {
    Operations::new().routes(routes!(add_file::add_draft_file)).routes(routes!(read_draft_file))
}

/// Which drafts are asked for.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct OfForm {
    /// Only those of `sms` or of `call`.
    form: Option<String>,
}

/// Your drafts, the last changed first: at most 20, so there are no pages. Their fields are left out.
#[utoipa::path(
    get, path = "/api/drafts", tag = "draft",
    params(OfForm),
    responses((status = 200, body = FormDrafts)),
)]
async fn list_drafts(
    State(app): State<AppState>,
    caller: Caller,
    Query(of): Query<OfForm>,
) -> Answer<FormDrafts> {
    let form = of.form.as_deref().map(draft::form_of).transpose()?;
    let mut tx = app.store.snapshot().await?;
    Ok(Json(FormDrafts { drafts: draft::list(&mut tx, caller.user_id, form).await? }))
}

/// A form to be kept.
#[derive(Debug, Deserialize, ToSchema)]
struct CreateDraft {
    /// What it is of: `sms` or `call`.
    #[serde(default)]
    form: String,
    /// What it is shown as; cut after 100 characters.
    #[serde(default)]
    title: String,
    /// Its fields, an object in JSON of at most 256 KiB, in a text: answered as they are.
    #[serde(default)]
    fields: String,
    /// A key of your own, of at most 100 visible ASCII characters: with one that you have a draft of, that draft is answered
    /// as it is, and none is begun.
    key: Option<String>,
}

/// Keep a form that is not sent yet. It is removed when nothing is changed in it for 30 days; an account keeps 20
/// (`drafts_full`).
#[utoipa::path(
    post, path = "/api/drafts", tag = "draft",
    request_body = CreateDraft,
    responses((status = 201, body = DraftSaved)),
)]
async fn create_draft(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Form { data, digest }: Form<CreateDraft>,
) -> Result<(StatusCode, Json<DraftSaved>), ApiError> {
    app.disk.check()?;
    let form = draft::form_of(&data.form)?;
    let written = draft::written(&data.title, data.fields)?;
    let own_key = draft::key_of(data.key.as_deref())?;
    let claim = key.claim(&caller, "draft.create", digest);
    let input = (claim, caller.user_id, own_key, form, written, app.clock.now());
    let create = app.store.write(Lane::Interactive, input, |tx, (claim, user, key, form, written, now)| {
        Box::pin(async move {
            let who = (*user, key.as_deref());
            let id = draft::create(tx, claim.as_ref(), who, form, written, *now).await?;
            draft::show(tx, *user, id).await
        })
    });
    Ok((StatusCode::CREATED, saved("Draft saved", create.await?)))
}

fn saved(message: &str, draft: FormDraft) -> Json<DraftSaved> {
    Json(DraftSaved { message: message.to_owned(), draft })
}

/// One of your drafts, with its fields.
#[utoipa::path(
    get, path = "/api/drafts/{id}", tag = "draft",
    params(("id" = i64, Path, description = "The draft's id")),
    responses((status = 200, body = FormDraft)),
)]
async fn show_draft(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<DraftId>,
) -> Answer<FormDraft> {
    let mut tx = app.store.snapshot().await?;
    Ok(Json(draft::show(&mut tx, caller.user_id, id).await?))
}

/// What a draft says now.
#[derive(Debug, Deserialize, ToSchema)]
struct SaveDraft {
    /// The version that is changed.
    #[serde(default)]
    version: i64,
    /// What it is shown as; cut after 100 characters.
    #[serde(default)]
    title: String,
    /// Its fields, an object in JSON of at most 256 KiB, in a text.
    #[serde(default)]
    fields: String,
}

/// Save a draft over a version of it. Where it was changed since then, as on another device, it is left alone and 409
/// answered (`draft_changed`).
#[utoipa::path(
    put, path = "/api/drafts/{id}", tag = "draft",
    params(("id" = i64, Path, description = "The draft's id")),
    request_body = SaveDraft,
    responses((status = 200, body = DraftSaved)),
)]
async fn save_draft(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<DraftId>,
    Form { data, .. }: Form<SaveDraft>,
) -> Answer<DraftSaved> {
    let written = draft::written(&data.title, data.fields)?;
    let input = ((caller.user_id, id, data.version), written, app.clock.now());
    let save = app.store.write(Lane::Interactive, input, |tx, (draft, written, now)| {
        Box::pin(async move {
            draft::save(tx, *draft, written, *now).await?;
            draft::show(tx, draft.0, draft.1).await
        })
    });
    Ok(saved("Draft saved", save.await?))
}

/// Which version is deleted.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct OnlyVersion {
    /// Only this version of the draft; whichever it has when it is left out.
    version: Option<i64>,
}

/// Delete a draft with its files. Where a version is named and the draft was changed since then, it is left alone
/// (`draft_changed`).
#[utoipa::path(
    delete, path = "/api/drafts/{id}", tag = "draft",
    params(("id" = i64, Path, description = "The draft's id"), OnlyVersion),
    responses((status = 200, body = Message)),
)]
async fn delete_draft(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<DraftId>,
    Query(only): Query<OnlyVersion>,
) -> Answer<Message> {
    let input = ((caller.user_id, id), only.version, app.clock.now());
    let delete = app.store.write(Lane::Interactive, input, |tx, (draft, version, now)| {
        Box::pin(draft::delete(tx, *draft, *version, *now))
    });
    delete.await?;
    Ok(Json(Message { message: "Draft deleted".into() }))
}

/// Which draft is deleted.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct OfKey {
    /// The key that it was begun with.
    #[serde(default)]
    key: String,
    /// Only this version of the draft; whichever it has when it is left out.
    version: Option<i64>,
}

/// Delete the draft that was begun with a key, as `DELETE /api/drafts/{id}` does: also one whose id was never heard of.
#[utoipa::path(
    delete, path = "/api/drafts", tag = "draft",
    params(OfKey),
    responses((status = 200, body = Message)),
)]
async fn delete_draft_by_key(
    State(app): State<AppState>,
    caller: Caller,
    Query(of): Query<OfKey>,
) -> Answer<Message> {
    let key = draft::key_of(Some(&of.key))?.unwrap_or_default();
    let input = (caller.user_id, key, of.version, app.clock.now());
    let delete = app.store.write(Lane::Interactive, input, |tx, (user, key, version, now)| {
        Box::pin(draft::delete_by_key(tx, (*user, key), *version, *now))
    });
    delete.await?;
    Ok(Json(Message { message: "Draft deleted".into() }))
}

/// The version that a change is of.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct OfVersion {
    /// The version of the draft that is changed.
    #[serde(default)]
    version: i64,
}

/// Take a file out of a draft. Where the draft was changed meanwhile it is left alone (`draft_changed`).
#[utoipa::path(
    delete, path = "/api/drafts/{id}/files/{file}", tag = "draft",
    params(
        ("id" = i64, Path, description = "The draft's id"),
        ("file" = i64, Path, description = "The file's id"),
        OfVersion,
    ),
    responses((status = 200, body = DraftSaved)),
)]
async fn delete_draft_file(
    State(app): State<AppState>,
    caller: Caller,
    Path((id, file)): Path<(DraftId, DraftFileId)>,
    Query(of): Query<OfVersion>,
) -> Answer<DraftSaved> {
    let input = ((caller.user_id, id, of.version), file, app.clock.now());
    let remove = app.store.write(Lane::Interactive, input, |tx, (draft, file, now)| {
        Box::pin(async move {
            draft::remove_file(tx, *draft, *file, *now).await?;
            draft::show(tx, draft.0, draft.1).await
        })
    });
    Ok(saved("File removed from the draft", remove.await?))
}

/// A file of a draft, as it was added.
#[utoipa::path(
    get, path = "/api/drafts/{id}/files/{file}", tag = "draft",
    params(
        ("id" = i64, Path, description = "The draft's id"),
        ("file" = i64, Path, description = "The file's id"),
    ),
    responses((status = 200, content_type = "application/octet-stream", description = "The file")),
)]
async fn read_draft_file(
    State(app): State<AppState>,
    caller: Caller,
    Path((id, file)): Path<(DraftId, DraftFileId)>,
) -> Result<Response, ApiError> {
    let (file, content) = draft::content(&app.store, (caller.user_id, id, file)).await?;
    let seat = app.exports.take(caller.user_id)?;
    // The answer has begun: all that is left is to break it off, so that the client cannot take it for complete.
    let content = content.inspect_err(
        |error| tracing::warn!(code = error.code(), %error, "a file of a draft was not read to its end"),
    );
    let headers = [
        (CONTENT_TYPE, "application/octet-stream".to_owned()),
        // The name is in the draft.
        (CONTENT_DISPOSITION, "attachment".to_owned()),
        (CACHE_CONTROL, "private, no-store".to_owned()),
        (CONTENT_LENGTH, file.bytes.to_string()),
    ];
    Ok((headers, Body::from_stream(seat.hold(content))).into_response())
}

#[cfg(test)]
mod tests;
