//! `GET /api/kingschat/options`.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::Answer;
use crate::state::AppState;

/// What a page needs to offer the sign-in. Nothing of it is secret.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ChatOptions {
    /// Whether it can be offered.
    enabled: bool,
    /// `dev`, `staging` or `prod`.
    environment: String,
    /// The id of our application there.
    client_id: String,
    /// The popup's page.
    accounts_url: String,
    /// What the popup asks for.
    scopes: Vec<String>,
    /// Where the popup's message may come from; everything else is not to be believed.
    allowed_origins: Vec<String>,
    /// Whether the newer flow can be used: `POST /api/kingschat/start`.
    code_flow: bool,
}

/// How to offer the sign-in by KingsChat.
#[utoipa::path(
    get, path = "/api/kingschat/options", tag = "kingschat", security(()),
    responses((status = 200, body = ChatOptions)),
)]
pub(super) async fn show_kingschat_options(State(app): State<AppState>) -> Answer<ChatOptions> {
    let (section, config) = (&app.kingschat_section, app.kingschat.config());
    let mut allowed_origins = section.allowed_origins.clone();
    if allowed_origins.is_empty() {
        let own = reqwest::Url::parse(&config.accounts_url).map(|url| url.origin().ascii_serialization());
        allowed_origins.extend(own);
    }
    Ok(Json(ChatOptions {
        enabled: app.kingschat.is_on(),
        environment: section.environment.code().into(),
        client_id: config.client_id.clone(),
        accounts_url: config.accounts_url.clone(),
        scopes: section.scopes.clone(),
        allowed_origins,
        code_flow: app.kingschat.is_on() && config.api_key.is_some(),
    }))
}
