//! The pages that people click: the popup of the first generation, the sign-in page of the second.
//!
//! Whatever came with the address is shown as text, never as markup, and a click leads nowhere but to
//! this daemon.

use std::fmt::Write as _;

use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse as _, Redirect, Response};
use serde::Deserialize;

use super::people;
use crate::http::{ApiError, Form};
use crate::sandbox::kingschat::{ACCESS_MS, token};
use crate::state::AppState;

/// What an application sends along.
#[derive(Debug, Deserialize)]
pub(super) struct Asked {
    #[serde(default)]
    client_id: String,
    #[serde(default)]
    scopes: String,
    #[serde(default)]
    redirect_uri: String,
    #[serde(default, rename = "clientId")]
    application: String,
    #[serde(default)]
    origin: String,
}

/// The popup: answers by a message to the window that opened it.
pub(super) async fn popup(
    State(app): State<AppState>,
    Query(asked): Query<Asked>,
) -> Result<Response, ApiError> {
    let about = format!("Application {}, which asks for {}", asked.client_id, asked.scopes);
    let fields = [("flow", "popup"), ("application", &asked.client_id), ("back", &asked.redirect_uri)];
    Ok(shown(&app, &about, &fields))
}

/// The newer sign-in page: answers with a code at the registered address.
pub(super) async fn log_in(
    State(app): State<AppState>,
    Query(asked): Query<Asked>,
) -> Result<Response, ApiError> {
    let about = format!("Application {}", asked.application);
    let fields = [("flow", "code"), ("application", &asked.application), ("back", &asked.origin)];
    Ok(shown(&app, &about, &fields))
}

fn shown(app: &AppState, about: &str, fields: &[(&str, &str)]) -> Response {
    let known: Vec<_> = people(app).map(|people| people.people.iter().cloned().collect()).unwrap_or_default();
    let mut buttons = String::new();
    for person in known.iter().rev().take(20) {
        // Writing to a String cannot fail.
        let _ = write!(
            buttons,
            "<p><button name=\"person\" value=\"{}\">{} (@{})</button></p>",
            escaped(&person.id),
            escaped(&person.name),
            escaped(&person.username)
        );
    }
    let mut hidden = String::new();
    for (name, value) in fields {
        let _ = write!(hidden, "<input type=\"hidden\" name=\"{name}\" value=\"{}\">", escaped(value));
    }
    page(
        &format!(
            "<h1>KingsChat (sandbox)</h1><p>{}</p><p>Sign in as:</p>\
         <form method=\"post\" action=\"/sandbox/kingschat/choose\">{hidden}{buttons}\
         <p><button name=\"person\" value=\"\">Deny</button></p></form>",
            escaped(about)
        ),
        None,
    )
}

/// A click.
#[derive(Debug, Deserialize)]
pub(super) struct Choice {
    #[serde(default)]
    flow: String,
    #[serde(default)]
    application: String,
    #[serde(default)]
    back: String,
    #[serde(default)]
    person: String,
}

/// Signs the person in and goes back to the application.
pub(super) async fn choose(
    State(app): State<AppState>,
    Form { data: choice, .. }: Form<Choice>,
) -> Result<Response, ApiError> {
    let now = app.clock.now();
    let mut people = people(&app).ok_or_else(|| ApiError::not_found("There is no sandbox"))?;
    let known = people.people.get(&choice.person).is_some();
    if choice.flow == "popup" {
        let message = if known {
            let pair =
                people.pair(app.entropy.as_ref(), &choice.person, &choice.application, (now, ACCESS_MS));
            serde_json::json!({
                "accessToken": pair.access_token, "refreshToken": pair.refresh_token,
                "expiresInMillis": pair.expires_in_millis,
            })
        } else {
            serde_json::json!({ "error": "The user denied access" })
        };
        drop(people);
        return Ok(posted(app.entropy.as_ref(), &message, &choice.back));
    }
    if !known {
        return Ok(page("<h1>KingsChat (sandbox)</h1><p>Denied. This window can be closed.</p>", None));
    }
    if choice.application != app.kingschat.config().client_id {
        return Err(ApiError::bad_request(
            Some("application"),
            "unknown_client",
            "There is no such application",
        ));
    }
    let code = people.code(app.entropy.as_ref(), &choice.person, &choice.application, now);
    drop(people);
    // The registered address of our application; what came with the page cannot change it.
    let mut back = reqwest::Url::parse(&format!("{}/api/kingschat/callback", app.public_url))
        .map_err(|_| ApiError::internal("public_url"))?;
    back.query_pairs_mut().append_pair("code", &code).append_pair("origin", &choice.back);
    Ok(Redirect::to(back.as_str()).into_response())
}

/// The popup's last page: hands `message` to the window that opened it, at that origin only.
fn posted(entropy: &dyn talkdrum_core::Entropy, message: &serde_json::Value, origin: &str) -> Response {
    // In a script, `<` could end it.
    let script = |value: &serde_json::Value| value.to_string().replace('<', "\\u003c");
    let nonce = token::random(entropy);
    let body = format!(
        "<p>Signed in. This window can be closed.</p><script nonce=\"{nonce}\">\
         if (window.opener) window.opener.postMessage({}, {});</script>",
        script(message),
        script(&serde_json::Value::from(origin))
    );
    page(&body, Some(&nonce))
}

fn page(body: &str, nonce: Option<&str>) -> Response {
    let policy = match nonce {
        Some(nonce) => format!("default-src 'none'; script-src 'nonce-{nonce}'; frame-ancestors 'none'"),
        None => "default-src 'none'; frame-ancestors 'none'".to_owned(),
    };
    let mut headers = HeaderMap::new();
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    let text = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>KingsChat (sandbox)</title><body>{body}</body></html>"
    );
    (StatusCode::OK, headers, Html(text)).into_response()
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}
