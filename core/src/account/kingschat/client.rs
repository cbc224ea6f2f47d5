//! The calls.
//!
//! Every call has a time limit and a largest answer, and only so many run at once. What came of a call
//! is reported as refused, not done, or not known, so that a message is never sent twice and never lost silently.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::{RequestBuilder, Response, StatusCode, Url};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::claims::{TokenBinding, examine};
use super::{ChatError, ChatProfile, Generation, KingsChatConfig};
use crate::time::Time;

/// Calls at once: strangers cause them.
const CALLS_AT_ONCE: usize = 16;
/// How long a call may wait for its turn.
const WAITS: Duration = Duration::from_secs(5);
/// The largest answer that is read, in bytes.
const LARGEST_ANSWER: usize = 256 * 1_024;
/// The longest token or code that is passed on.
const LONGEST_TOKEN: usize = 8_192;
/// How long an access token is taken to live when KingsChat does not say.
const USUAL_LIFE_MS: i64 = 3_600_000;

/// A client of KingsChat; cloning it is cheap.
#[derive(Clone, Debug)]
pub struct KingsChat {
    http: reqwest::Client,
    config: Arc<KingsChatConfig>,
    permits: Arc<Semaphore>,
}

/// What a code or a refresh token was exchanged for. `Debug` shows no token.
#[derive(Clone, PartialEq, Eq)]
pub struct Tokens {
    /// Acts for the person.
    pub access_token: String,
    /// Gets the next pair; used once.
    pub refresh_token: Option<String>,
    /// When the access token ends.
    pub expires_at: Time,
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokens").field("expires_at", &self.expires_at).finish_non_exhaustive()
    }
}

/// What became of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChatDelivery {
    /// KingsChat took it.
    Sent,
    /// It did not and will not.
    Refused(String),
    /// It did not; later it may.
    Later(String),
    /// It was asked, and may have taken it.
    Unknown(String),
}

impl KingsChat {
    /// A client by this configuration.
    pub fn new(http: reqwest::Client, config: KingsChatConfig) -> Self {
        Self { http, config: Arc::new(config), permits: Arc::new(Semaphore::new(CALLS_AT_ONCE)) }
    }

    /// Its address and our credentials.
    pub fn config(&self) -> &KingsChatConfig {
        &self.config
    }

    /// Whether an application is configured.
    pub fn is_on(&self) -> bool {
        !self.config.client_id.is_empty()
    }

    /// Whether messages can be sent as our application.
    pub fn sends(&self) -> bool {
        self.config.api_key.is_some()
    }

    /// Where to send a browser to sign in by the newer flow; `origin` comes back with the code.
    ///
    /// # Errors
    /// When the configured address is none.
    pub fn login_page(&self, origin: &str) -> Result<Url, ChatError> {
        let mut url = address(&self.config.login_url, &["log-in"])?;
        url.query_pairs_mut()
            .append_pair("clientId", &self.config.client_id)
            .append_pair("origin", origin)
            .append_pair("forceLogin", "true");
        Ok(url)
    }

    /// Whose token this is, if it was made for our application.
    ///
    /// # Errors
    /// When KingsChat does not take it, or it was made for another application or for none.
    pub async fn profile(&self, token: &str, now: Time) -> Result<ChatProfile, ChatError> {
        let binding = examine(checked(token)?, &self.config.client_id, now)?;
        self.profile_of(token, binding == TokenBinding::Ours || self.config.accept_unbound_tokens).await
    }

    /// The profile and tokens of the user for whom this code was made. A code is exchanged in our application's name,
    /// so its tokens are ours whether they say so or not.
    ///
    /// # Errors
    /// When KingsChat does not take the code.
    pub async fn profile_by_code(&self, code: &str, now: Time) -> Result<ChatProfile, ChatError> {
        let body =
            json!({ "grant_type": "code", "client_id": self.config.client_id, "code": checked(code)? });
        let tokens = self.tokens(Generation::Platform, &body, now).await?;
        examine(&tokens.access_token, &self.config.client_id, now)?;
        self.profile_of(&tokens.access_token, true).await
    }

    /// The next pair of tokens. The old refresh token is spent even when the answer is lost.
    ///
    /// No page and no job asks for it. A session here is the platform's own: KingsChat's access token is used once, for
    /// the profile, in the request that brings it, and neither it nor a refresh token is stored; messages go out by the
    /// application's key. What stores a person's tokens to act for them later has to call this before they end.
    ///
    /// # Errors
    /// When KingsChat does not take the token.
    pub async fn refresh(&self, generation: Generation, token: &str, now: Time) -> Result<Tokens, ChatError> {
        let body = json!({
            "client_id": self.config.client_id, "grant_type": "refresh_token", "refresh_token": checked(token)?,
        });
        self.tokens(generation, &body, now).await
    }

    /// Sends a message to a person by KingsChat's id. The first generation needs an access token to send as; the second
    /// sends as our application.
    pub async fn send(&self, recipient: &str, text: &str, sender: Option<&str>) -> ChatDelivery {
        let sent = match (&self.config.api_key, sender) {
            (Some(key), _) => self.send_by_platform(recipient, text, key).await,
            (None, Some(token)) => self.send_by_sdk(recipient, text, token).await,
            (None, None) => return ChatDelivery::Refused("there is no account to send as".to_owned()),
        };
        match sent {
            Ok(_) => ChatDelivery::Sent,
            Err(ChatError::Refused(why)) => ChatDelivery::Refused(why),
            Err(ChatError::Unreachable(why)) => ChatDelivery::Later(why),
            Err(ChatError::Unclear(why)) => ChatDelivery::Unknown(why),
        }
    }

    async fn send_by_platform(&self, recipient: &str, text: &str, key: &str) -> Result<Value, ChatError> {
        let url = address(&self.config.platform_url, &["developer", "api", "messages"])?;
        let mut body =
            json!({ "recipient_id": recipient, "message": { "body": { "text": { "body": text } } } });
        if let Some(sender) = &self.config.sender_id {
            body["sender_id"] = json!(sender);
        }
        self.call(self.http.post(url).header("api-key", key).json(&body)).await
    }

    async fn send_by_sdk(&self, recipient: &str, text: &str, token: &str) -> Result<Value, ChatError> {
        let url = address(&self.config.api_url, &["api", "users", recipient, "new_message"])?;
        let body = json!({ "message": { "body": { "text": { "body": text } } } });
        self.call(self.http.post(url).bearer_auth(token).json(&body)).await
    }

    /// Asks the newer interface, which tells our application's people from others', then the older one, which takes any
    /// application's token and is therefore asked only about tokens that are `ours`.
    async fn profile_of(&self, token: &str, ours: bool) -> Result<ChatProfile, ChatError> {
        let mut refused =
            ChatError::Refused("the token does not say for which application it was made".into());
        if let Some(key) = &self.config.api_key {
            let url = address(&self.config.platform_url, &["developer", "api", "user", "profile"])?;
            match self.call(self.http.get(url).header("api-key", key).bearer_auth(token)).await {
                Ok(answer) => return ChatProfile::read(&answer),
                Err(ChatError::Refused(why)) => refused = ChatError::Refused(why),
                Err(other) => return Err(other),
            }
        }
        if !ours {
            return Err(refused);
        }
        for path in [["api", "profile"].as_slice(), &["developer", "api", "profile"]] {
            let url = address(&self.config.api_url, path)?;
            match self.call(self.http.get(url).bearer_auth(token)).await {
                Ok(answer) => return ChatProfile::read(&answer),
                Err(ChatError::Refused(why)) => refused = ChatError::Refused(why),
                Err(other) => return Err(other),
            }
        }
        Err(refused)
    }

    async fn tokens(&self, generation: Generation, body: &Value, now: Time) -> Result<Tokens, ChatError> {
        let url = match generation {
            Generation::Sdk => address(&self.config.api_url, &["oauth2", "token"])?,
            Generation::Platform => {
                address(&self.config.platform_url, &["developer", "api", "oauth2", "token"])?
            }
        };
        let answer = self.call(self.http.post(url).json(body)).await?;
        let token = |name: &str| answer.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        let access_token = checked(token("access_token").unwrap_or_default())
            .map_err(|_| ChatError::Unclear("an answer without an access token".to_owned()))?;
        let life = answer.get("expires_in_millis").and_then(Value::as_i64).unwrap_or(USUAL_LIFE_MS).max(0);
        Ok(Tokens {
            access_token: access_token.to_owned(),
            refresh_token: token("refresh_token").map(str::to_owned),
            expires_at: Time(now.millis().saturating_add(life)),
        })
    }

    /// One call and its JSON answer.
    async fn call(&self, request: RequestBuilder) -> Result<Value, ChatError> {
        let _permit = tokio::time::timeout(WAITS, self.permits.acquire())
            .await
            .map_err(|_| ChatError::Unreachable("too many calls at once".to_owned()))?
            .map_err(|_| ChatError::Unreachable("shutting down".to_owned()))?;
        let request = request.timeout(self.config.timeout).header("Accept", "application/json");
        let response = request.send().await.map_err(|error| lost(&error))?;
        let status = response.status();
        if status.is_success() {
            let bytes = bounded(response).await?;
            if bytes.is_empty() {
                return Ok(Value::Null);
            }
            return serde_json::from_slice(&bytes)
                .map_err(|_| ChatError::Unclear("an answer that is no JSON".to_owned()));
        }
        Err(match status {
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                ChatError::Unreachable(format!("it answered {}", status.as_u16()))
            }
            _ if status.is_server_error() => ChatError::Unclear(format!("it answered {}", status.as_u16())),
            _ => ChatError::Refused(format!("it answered {}", status.as_u16())),
        })
    }
}

/// Why a call has no answer. The address is left out: it may hold more than a log should.
fn lost(error: &reqwest::Error) -> ChatError {
    if error.is_connect() || error.is_builder() {
        return ChatError::Unreachable("no connection".to_owned());
    }
    ChatError::Unclear(
        if error.is_timeout() { "it did not answer in time" } else { "the connection broke" }.into(),
    )
}

async fn bounded(mut response: Response) -> Result<Vec<u8>, ChatError> {
    let mut bytes = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(|error| lost(&error))? {
        if bytes.len() + piece.len() > LARGEST_ANSWER {
            return Err(ChatError::Unclear("an answer that is too large".to_owned()));
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

/// A token or code that can stand in a header.
fn checked(token: &str) -> Result<&str, ChatError> {
    let plain = token.bytes().all(|byte| byte.is_ascii_graphic());
    if (1..=LONGEST_TOKEN).contains(&token.len()) && plain {
        return Ok(token);
    }
    Err(ChatError::Refused("the token is empty, too long or not plain".to_owned()))
}

/// A path under a configured address; each segment is escaped.
fn address(base: &str, segments: &[&str]) -> Result<Url, ChatError> {
    let wrong = || ChatError::Unreachable("a configured address is none".to_owned());
    let mut url = Url::parse(base).map_err(|_| wrong())?;
    url.path_segments_mut().map_err(|()| wrong())?.pop_if_empty().extend(segments);
    Ok(url)
}
