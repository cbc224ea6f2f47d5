//! Templates: texts that a customer keeps to write with.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use talkdrum_api::account::Message;
use talkdrum_api::template::{Template, TemplateSaved, Templates};
use talkdrum_core::campaign::template;
use talkdrum_core::model::campaign::id::TemplateId;
use talkdrum_core::store::Lane;
use utoipa::ToSchema;

use crate::http::routes::{Operations, routes};
use crate::http::{Answer, ApiError, Caller, Form, IdempotencyKey, Path};
use crate::state::AppState;

pub(super) fn router() -> Operations {
    Operations::new()
        .routes(routes!(list_templates, create_template))
        .routes(routes!(change_template, delete_template))
}

/// Your templates in order of names: at most 100, so there are no pages.
#[utoipa::path(
    get, path = "/api/templates", tag = "template",
    responses((status = 200, body = Templates)),
)]
async fn list_templates(State(app): State<AppState>, caller: Caller) -> Answer<Templates> {
    let templates = template::list(&mut app.store.read().await?, caller.user_id).await?;
    Ok(Json(Templates { templates }))
}

/// A text to be kept.
#[derive(Debug, Deserialize, ToSchema)]
struct TemplateForm {
    /// Its name, of at most 60 characters: none of your other templates has it, in whatever case.
    #[serde(default)]
    name: String,
    /// What it says, of at most 16 KiB; merge fields stay as they are.
    #[serde(default)]
    text: String,
}

/// Keep a text under a name. An account keeps 100 (`templates_full`).
#[utoipa::path(
    post, path = "/api/templates", tag = "template",
    request_body = TemplateForm,
    responses((status = 201, body = TemplateSaved)),
)]
async fn create_template(
    State(app): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Form { data, digest }: Form<TemplateForm>,
) -> Result<(StatusCode, Json<TemplateSaved>), ApiError> {
    app.disk.check()?;
    let written = template::written(&data.name, &data.text)?;
    let claim = key.claim(&caller, "template.create", digest);
    let input = (claim, caller.user_id, written, app.clock.now());
    let create = app.store.write(Lane::Interactive, input, |tx, (claim, user, written, now)| {
        Box::pin(async move {
            let id = template::create(tx, claim.as_ref(), *user, written, *now).await?;
            template::show(tx, *user, id).await
        })
    });
    Ok((StatusCode::CREATED, saved("Template saved", create.await?)))
}

fn saved(message: &str, template: Template) -> Json<TemplateSaved> {
    Json(TemplateSaved { message: message.to_owned(), template })
}

/// Change the name and the text of a template.
#[utoipa::path(
    put, path = "/api/templates/{id}", tag = "template",
    params(("id" = i64, Path, description = "The template's id")),
    request_body = TemplateForm,
    responses((status = 200, body = TemplateSaved)),
)]
async fn change_template(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<TemplateId>,
    Form { data, .. }: Form<TemplateForm>,
) -> Answer<TemplateSaved> {
    let written = template::written(&data.name, &data.text)?;
    let input = (caller.user_id, id, written, app.clock.now());
    let change = app.store.write(Lane::Interactive, input, |tx, (user, id, written, now)| {
        Box::pin(async move {
            template::change(tx, *user, *id, written, *now).await?;
            template::show(tx, *user, *id).await
        })
    });
    Ok(saved("Template saved", change.await?))
}

/// Delete a template.
#[utoipa::path(
    delete, path = "/api/templates/{id}", tag = "template",
    params(("id" = i64, Path, description = "The template's id")),
    responses((status = 200, body = Message)),
)]
async fn delete_template(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<TemplateId>,
) -> Answer<Message> {
    let delete = app.store.write(Lane::Interactive, (caller.user_id, id), |tx, (user, id)| {
        Box::pin(template::delete(tx, *user, *id))
    });
    delete.await?;
    Ok(Json(Message { message: "Template deleted".into() }))
}

#[cfg(test)]
mod tests {
    use talkdrum_core::model::account::user::Role;

    use crate::testing::TestDaemon;

    #[tokio::test]
    async fn a_template_is_made_once_changed_and_deleted() {
        let daemon = TestDaemon::start().await;
        let token = daemon.signed_in("ada", Role::User).await;
        let form = [("name", "Sale"), ("text", "Dear {name}, come")];
        let made = daemon.post("/api/templates", &token, &form).await;
        assert_eq!((made.status, &made.json()["template"]["name"]), (201, &"Sale".into()), "{}", made.text);
        let again = daemon.post("/api/templates", &token, &[("name", "sale"), ("text", "x")]).await;
        assert_eq!((again.status, again.code().as_str()), (409, "template_name_taken"));
        let id = made.json()["template"]["id"].as_i64().unwrap();
        let path = format!("/api/templates/{id}");
        let form = [("name", "Sale"), ("text", "Come!")];
        let changed = daemon.send(daemon.request(reqwest::Method::PUT, &path, &token).form(&form)).await;
        assert_eq!((changed.status, &changed.json()["template"]["text"]), (200, &"Come!".into()));
        let gone = daemon.send(daemon.request(reqwest::Method::DELETE, &path, &token)).await;
        assert_eq!(gone.status, 200);
        let list = daemon.get("/api/templates", &token).await.json();
        assert_eq!(list["templates"].as_array().map(Vec::len), Some(0));
    }
}
