//! Signing in by KingsChat, and linking it to an account.
//!
//! Signing in and linking need a browser: `POST /api/kingschat-login`, `/api/kingschat/start`, `/finish`, `/callback`,
//! `/options` and `/api/kingschat/link` have no command at the terminal. What a stranger is told of a
//! failed sign-in is that it failed; why is in the log.

mod callback;

use axum::Json;
use axum::extract::State;
use axum::http::header::{self, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use talkdrum_api::account::{Authorization, ChatLink, Message, SignedIn};
use talkdrum_core::Error;
use talkdrum_core::account::kingschat::flow::{self, FinishedFlow, Returned};
use talkdrum_core::account::kingschat::{ChatError, ChatProfile, login};
use talkdrum_core::model::account::id::{SessionId, UserId};
use talkdrum_core::model::account::user::User;
use talkdrum_core::store::Lane;
use talkdrum_core::store::account::kingschat;
use talkdrum_core::store::operations::idempotency::once;
use talkdrum_core::time::Time;
use utoipa::ToSchema;

use crate::api::user::response;
use crate::http::ClientAddress;
use crate::http::routes::{Operations, routes};
use crate::http::{
    Answer, ApiError, Caller, Form, IdempotencyKey, LooseForm, Origin, SessionCaller, SignInAttempt,
};
use crate::state::AppState;

/// The cookie that ties what comes back from KingsChat to the browser that began.
const COOKIE: &str = "talkdrum_chat";

pub(super) fn router() -> Operations {
    Operations::new()
        .routes(routes!(kingschat_login))
        .routes(routes!(show_kingschat_options))
        .routes(routes!(start_kingschat))
        .routes(routes!(callback::take_kingschat_code, callback::take_kingschat_form))
        .routes(routes!(finish_kingschat))
        .routes(routes!(show_kingschat_link, link_kingschat, unlink_kingschat))
        .routes(routes!(start_kingschat_link))
}

/// What a browser brings: the older flow's token, or the newer one's code. The profile beside it proves nothing and is
/// not read.
#[derive(Deserialize, ToSchema)]
pub(super) struct Brought {
    /// The access token that KingsChat gave the page; `accessToken` is taken as well.
    #[serde(default, alias = "accessToken")]
    access_token: String,
    /// The code of the newer flow.
    #[serde(default)]
    code: String,
    /// The nonce that came back with the code.
    #[serde(default)]
    origin: String,
    /// What `POST /api/kingschat/start` gave this browser.
    #[serde(default)]
    state: String,
}

impl std::fmt::Debug for Brought {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Brought").finish_non_exhaustive()
    }
}

/// The answer to a sign-in by KingsChat: that of every sign-in, with the token where this call's clients look.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ChatSignedIn {
    /// The bearer token.
    access_token: String,
    /// The same.
    data: ChatToken,
    /// As every sign-in answers.
    #[serde(flatten)]
    signed_in: SignedIn,
}

/// A bearer token.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ChatToken {
    /// The token.
    access_token: String,
}

/// Refuses when no application is configured.
fn require_on(app: &AppState) -> Result<(), ApiError> {
    if app.kingschat.is_on() {
        return Ok(());
    }
    Err(ApiError::new(StatusCode::NOT_FOUND, "kingschat_off", "KingsChat is not set up on this platform"))
}

/// A failed sign-in, in the specification's words; the cause goes to the log.
fn failed(error: &ChatError) -> ApiError {
    tracing::info!(%error, "a sign-in by KingsChat failed");
    match error {
        ChatError::Refused(_) => {
            ApiError::new(StatusCode::UNAUTHORIZED, "chat_login_failed", "Login failed. Please try again.")
        }
        ChatError::Unreachable(_) | ChatError::Unclear(_) => ApiError::unavailable(
            "kingschat_unavailable",
            "KingsChat cannot be reached: try again in a moment",
        ),
    }
}

/// Whose token was brought.
async fn profile(app: &AppState, token: &str) -> Result<ChatProfile, ApiError> {
    app.kingschat.profile(token.trim(), app.clock.now()).await.map_err(|error| failed(&error))
}

/// The answer that a session began.
async fn entered(app: &AppState, token: String, user: &User) -> Result<ChatSignedIn, ApiError> {
    tracing::info!(user_id = user.id.0, "signed in by KingsChat");
    Ok(ChatSignedIn {
        access_token: token.clone(),
        data: ChatToken { access_token: token.clone() },
        signed_in: SignedIn {
            authorization: Authorization { token: token.clone(), kind: "bearer".into() },
            token,
            user: response::user(&mut app.store.read().await?, user).await?,
            message: "Logged in Successfully".into(),
        },
    })
}

/// The secret of the browser that sends these headers.
fn cookie(headers: &HeaderMap) -> Option<&str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(name, value)| (name == COOKIE).then_some(value))
}

/// Sign in by KingsChat, with its access token beside the profile, or with the code of the newer flow.
#[utoipa::path(
    post, path = "/api/kingschat-login", tag = "kingschat", security(()),
    request_body = Brought,
    responses((status = 200, body = ChatSignedIn)),
)]
async fn kingschat_login(
    State(app): State<AppState>,
    SignInAttempt(origin): SignInAttempt,
    LooseForm(brought): LooseForm<Brought>,
) -> Answer<ChatSignedIn> {
    require_on(&app)?;
    let now = app.clock.now();
    if !brought.access_token.trim().is_empty() {
        let profile = profile(&app, &brought.access_token).await?;
        let (token, user) = login::sign_in(&app.identity, &profile, (&origin, now)).await?;
        return Ok(Json(entered(&app, token.reveal().to_owned(), &user).await?));
    }
    if brought.code.is_empty() || brought.origin.is_empty() {
        return Err(Error::field(
            "access_token",
            "token_required",
            "Token not found in authentication response.",
        )
        .into());
    }
    let back = Returned {
        origin: &brought.origin,
        code: &brought.code,
        browser: Some(&brought.state),
        without_browser: false,
    };
    flow::returned(&app.identity, &app.kingschat, back, now).await?;
    let finished =
        flow::finish(&app.store, app.entropy.as_ref(), &app.sessions, &brought.state, (&origin, now)).await?;
    match finished {
        FinishedFlow::SignedIn(token, user) => {
            Ok(Json(entered(&app, token.reveal().to_owned(), &user).await?))
        }
        // The nonce was not this browser's, or it was for a link.
        FinishedFlow::Waiting | FinishedFlow::Linked => {
            Err(Error::rule("chat_login_over", "This sign-in is over: begin again").into())
        }
    }
}

/// What a page needs to offer the sign-in. Nothing of it is secret.
#[derive(Debug, Serialize, ToSchema)]
struct ChatOptions {
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
async fn show_kingschat_options(State(app): State<AppState>) -> Answer<ChatOptions> {
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

/// A sign-in that was begun.
#[derive(Debug, Serialize, ToSchema)]
struct ChatStarted {
    /// Where to send the person.
    url: String,
    /// What this browser shows to get its session: `POST /api/kingschat/finish`. It goes nowhere else.
    state: String,
    /// When both are worth nothing any more.
    expires_at: String,
}

/// Begin to sign in by KingsChat's newer flow. The answer's cookie ties what comes back to this browser.
#[utoipa::path(
    post, path = "/api/kingschat/start", tag = "kingschat", security(()),
    responses((status = 200, body = ChatStarted)),
)]
async fn start_kingschat(
    State(app): State<AppState>,
    ClientAddress(address): ClientAddress,
) -> Result<(HeaderMap, Json<ChatStarted>), ApiError> {
    require_on(&app)?;
    app.login_rate.check(address)?;
    begun(&app, None, app.login_rate.knows(address)).await
}

/// Begins a sign-in, or a link of a user in one of the user's sessions.
async fn begun(
    app: &AppState,
    link_to: Option<(UserId, SessionId)>,
    is_known: bool,
) -> Result<(HeaderMap, Json<ChatStarted>), ApiError> {
    let now = app.clock.now();
    let started = flow::start(&app.store, app.entropy.as_ref(), link_to, is_known, now).await?;
    let url = app.kingschat.login_page(started.origin.reveal()).map_err(|error| failed(&error))?;
    let state = started.state.reveal().to_owned();
    // KingsChat comes back by a form from its own site, which only a cookie for all sites survives; browsers take such
    // a one only where it is secure.
    let reach = if app.public_url.starts_with("https://") { "SameSite=None; Secure" } else { "SameSite=Lax" };
    let life = flow::LIVES_FOR.as_secs();
    let cookie = format!("{COOKIE}={state}; Path=/api/kingschat; Max-Age={life}; HttpOnly; {reach}");
    let mut headers = HeaderMap::new();
    headers.insert(SET_COOKIE, HeaderValue::from_str(&cookie).map_err(|_| ApiError::internal("cookie"))?);
    let expires_at = started.expires_at.to_rfc3339();
    Ok((headers, Json(ChatStarted { url: url.into(), state, expires_at })))
}

/// The browser that asks.
#[derive(Deserialize, ToSchema)]
struct Finish {
    /// What `POST /api/kingschat/start` gave it.
    #[serde(default)]
    state: String,
}

/// Where a sign-in stands that began no session (yet).
#[derive(Debug, Serialize, ToSchema)]
struct ChatProgress {
    /// `waiting` or `linked`.
    status: String,
    /// For people.
    message: String,
}

/// Get the session once the person signed in at KingsChat. Ask every two seconds; 202 means not yet.
#[utoipa::path(
    post, path = "/api/kingschat/finish", tag = "kingschat", security(()),
    request_body = Finish,
    responses((status = 200, body = ChatSignedIn), (status = 202, body = ChatProgress)),
)]
async fn finish_kingschat(
    State(app): State<AppState>,
    Origin(origin): Origin,
    Form { data, .. }: Form<Finish>,
) -> Result<Response, ApiError> {
    if data.state.is_empty() {
        return Err(Error::field("state", "state_required", "State is required").into());
    }
    let now = app.clock.now();
    let finished =
        flow::finish(&app.store, app.entropy.as_ref(), &app.sessions, &data.state, (&origin, now)).await?;
    let progress =
        |status: &str, message: &str| Json(ChatProgress { status: status.into(), message: message.into() });
    Ok(match finished {
        FinishedFlow::SignedIn(token, user) => {
            Json(entered(&app, token.reveal().to_owned(), &user).await?).into_response()
        }
        FinishedFlow::Linked => progress("linked", "Your KingsChat account is linked").into_response(),
        FinishedFlow::Waiting => {
            (StatusCode::ACCEPTED, progress("waiting", "KingsChat has not answered yet")).into_response()
        }
    })
}

/// Show which KingsChat account is linked.
#[utoipa::path(
    get, path = "/api/kingschat/link", tag = "kingschat",
    responses((status = 200, body = ChatLink)),
)]
async fn show_kingschat_link(State(app): State<AppState>, caller: Caller) -> Answer<ChatLink> {
    let link = kingschat::of_user(&mut app.store.read().await?, caller.user_id).await?;
    Ok(Json(match link {
        None => ChatLink::default(),
        Some(link) => ChatLink {
            linked: true,
            linked_at: Some(link.linked_at.to_rfc3339()),
            last_login_at: link.last_login_at.map(Time::to_rfc3339),
            username: link.username,
            avatar_url: link.avatar_url,
        },
    }))
}

/// Link the KingsChat account of an access token to the signed-in user. Linking the same again changes nothing. The
/// newer flow begins at `/api/kingschat/link/start`.
#[utoipa::path(
    post, path = "/api/kingschat/link", tag = "kingschat",
    request_body = Brought,
    responses((status = 200, body = Message)),
)]
async fn link_kingschat(
    State(app): State<AppState>,
    caller: SessionCaller,
    _attempt: SignInAttempt,
    LooseForm(brought): LooseForm<Brought>,
) -> Answer<Message> {
    require_on(&app)?;
    caller.require_recent(&app).await?;
    if brought.access_token.trim().is_empty() {
        return Err(Error::field(
            "access_token",
            "token_required",
            "Token not found in authentication response.",
        )
        .into());
    }
    let input =
        (app.identity.clone(), caller.user_id, profile(&app, &brought.access_token).await?, app.clock.now());
    app.store
        .write(Lane::Interactive, input, |tx, (identity, user_id, profile, now)| {
            Box::pin(login::link(tx, identity, *user_id, profile, *now))
        })
        .await?;
    tracing::info!(user_id = caller.user_id.0, "a KingsChat account was linked");
    Ok(Json(Message { message: "Your KingsChat account is linked".into() }))
}

/// End the link to a KingsChat account. Refused for an account without a password: it would have no way to sign in.
#[utoipa::path(
    delete, path = "/api/kingschat/link", tag = "kingschat",
    responses((status = 200, body = Message)),
)]
async fn unlink_kingschat(
    State(app): State<AppState>,
    caller: SessionCaller,
    key: IdempotencyKey,
) -> Answer<Message> {
    let user_id = caller.user_id;
    let input = (key.claim_on(&caller, "kingschat.unlink", user_id.0), user_id, app.clock.now());
    app.store
        .write(Lane::Interactive, input, |tx, (claim, user_id, now)| {
            Box::pin(async move {
                once(tx, claim.as_ref(), *now, async |tx| {
                    login::unlink(tx, *user_id).await?;
                    Ok(*user_id)
                })
                .await
            })
        })
        .await?;
    tracing::info!(user_id = user_id.0, "a KingsChat account was unlinked");
    Ok(Json(Message { message: "Your KingsChat account is not linked any more".into() }))
}

/// Begin to link a KingsChat account by the newer flow, to the signed-in user. It comes to nothing once the session ends.
#[utoipa::path(
    post, path = "/api/kingschat/link/start", tag = "kingschat",
    responses((status = 200, body = ChatStarted)),
)]
async fn start_kingschat_link(
    State(app): State<AppState>,
    caller: SessionCaller,
    ClientAddress(address): ClientAddress,
) -> Result<(HeaderMap, Json<ChatStarted>), ApiError> {
    require_on(&app)?;
    caller.require_recent(&app).await?;
    app.login_rate.check(address)?;
    begun(&app, Some((caller.user_id, caller.session_id)), true).await
}

#[cfg(test)]
mod tests;
