//! Sends a request to a customer's address: a signed one of a webhook, or a call about a message.
//!
//! The host name is resolved again for each request, and only allowed addresses are connected to. Redirects are not
//! followed; the time, the bytes read and the part of the answer that is kept have bounds.

use std::fmt;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::CONTENT_TYPE;

use super::endpoint::Reach;
use crate::error::{Error, Result};

/// How long an address may take to take the connection, and to answer in all: Standard Webhooks' 15 to 30 s.
const CONNECT_TIME: Duration = Duration::from_secs(5);
const ANSWER_TIME: Duration = Duration::from_secs(15);
/// Characters kept of an answer.
const EXCERPT: usize = 300;
/// Bytes read of an answer.
const READ_BYTES: usize = 4 * 1_024;

/// A request to be made.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookRequest {
    /// Where to.
    pub url: String,
    /// `webhook-id`: the event's, the same at every attempt.
    pub id: String,
    /// `webhook-timestamp`, in s.
    pub timestamp_s: i64,
    /// `webhook-signature`.
    pub signature: String,
    /// JSON.
    pub body: String,
}

impl fmt::Debug for WebhookRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request").field("id", &self.id).finish_non_exhaustive()
    }
}

/// The result of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestOutcome {
    /// An answer came.
    Answered {
        /// Its HTTP status.
        status: u16,
        /// The beginning of its body.
        excerpt: String,
    },
    /// None came; why, in words for the owner.
    Failed(String),
}

/// A request under way.
pub type PendingRequest<'c> = Pin<Box<dyn Future<Output = RequestOutcome> + Send + 'c>>;

/// Makes requests: over HTTP in production, from a script in tests.
pub trait WebhookClient: Send + Sync + fmt::Debug {
    /// Makes one.
    fn post(&self, request: WebhookRequest) -> PendingRequest<'_>;
}

/// Calls addresses that came with messages: over HTTP in production, from a script in tests.
pub trait CallbackClient: Send + Sync + fmt::Debug {
    /// Calls one by GET.
    fn get(&self, url: String) -> PendingRequest<'_>;
}

/// The client over HTTP.
#[derive(Clone, Debug)]
pub struct HttpWebhookClient {
    client: reqwest::Client,
    reach: Reach,
}

impl HttpWebhookClient {
    /// A client that goes as far as `reach`.
    ///
    /// # Errors
    /// When this machine has no certificates.
    pub fn new(reach: Reach) -> Result<Self> {
        let client = reqwest::Client::builder()
            .connect_timeout(CONNECT_TIME)
            .timeout(ANSWER_TIME)
            .redirect(reqwest::redirect::Policy::none())
            // A proxy would look up names in our place.
            .no_proxy()
            .dns_resolver(Arc::new(Guarded(reach)))
            .user_agent(concat!("Talkdrum/", env!("CARGO_PKG_VERSION"), " (webhooks)"))
            .build()
            .map_err(|error| Error::Schema(format!("the webhooks' HTTP client cannot be made: {error}")))?;
        Ok(Self { client, reach })
    }

    async fn try_post(&self, request: WebhookRequest) -> std::result::Result<RequestOutcome, String> {
        let url = self.checked(&request.url)?;
        let request = self
            .client
            .post(url)
            .header(CONTENT_TYPE, "application/json")
            .header("webhook-id", request.id)
            .header("webhook-timestamp", request.timestamp_s)
            .header("webhook-signature", request.signature)
            .body(request.body);
        answered(request).await
    }

    async fn try_get(&self, url: &str) -> std::result::Result<RequestOutcome, String> {
        answered(self.client.get(self.checked(url)?)).await
    }

    /// An address that may be connected to, unless its name leads elsewhere.
    fn checked(&self, url: &str) -> std::result::Result<reqwest::Url, String> {
        let url = reqwest::Url::parse(url).map_err(|_| "The address cannot be read".to_owned())?;
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
        if host.parse().is_ok_and(|address| !self.reach.allows(address)) {
            return Err(FORBIDDEN.to_owned());
        }
        Ok(url)
    }
}

/// Sends a request, and reads the beginning of its answer.
async fn answered(request: reqwest::RequestBuilder) -> std::result::Result<RequestOutcome, String> {
    let mut response = request.send().await.map_err(|error| in_words(&error))?;
    let status = response.status().as_u16();
    let mut read = Vec::new();
    while read.len() < READ_BYTES {
        match response.chunk().await {
            Ok(Some(chunk)) => read.extend_from_slice(&chunk),
            // The status has come: what the body is for is only the log.
            Ok(None) | Err(_) => break,
        }
    }
    read.truncate(READ_BYTES);
    let text = String::from_utf8_lossy(&read);
    let plain = text.chars().map(|sign| if sign.is_control() { ' ' } else { sign });
    Ok(RequestOutcome::Answered {
        status,
        excerpt: plain.take(EXCERPT).collect::<String>().trim().to_owned(),
    })
}

impl WebhookClient for HttpWebhookClient {
    fn post(&self, request: WebhookRequest) -> PendingRequest<'_> {
        Box::pin(async move { self.try_post(request).await.unwrap_or_else(RequestOutcome::Failed) })
    }
}

impl CallbackClient for HttpWebhookClient {
    fn get(&self, url: String) -> PendingRequest<'_> {
        Box::pin(async move { self.try_get(&url).await.unwrap_or_else(RequestOutcome::Failed) })
    }
}

/// What the owner of a forbidden address reads.
const FORBIDDEN: &str = "The name leads to an address that is not public";

/// The innermost cause, which is the one that says something; it names no more than the owner knows.
fn in_words(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "It did not answer in time".to_owned();
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string().chars().take(EXCERPT).collect()
}

/// Looks names up and leaves out what may not be reached, so that what was checked is what is connected to.
#[derive(Clone, Copy, Debug)]
struct Guarded(Reach);

impl Resolve for Guarded {
    fn resolve(&self, name: Name) -> Resolving {
        let reach = self.0;
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0))
                .await?
                .filter(|address| reach.allows(address.ip()))
                .collect();
            if found.is_empty() {
                return Err(FORBIDDEN.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use wiremock::matchers::{body_string, header, header_regex, method, path};
    use wiremock::{Mock, MockServer, ResponseTemplate};

    use super::*;

    fn request(url: String) -> WebhookRequest {
        WebhookRequest {
            url,
            id: "msg_7".into(),
            timestamp_s: 5,
            signature: "v1,x".into(),
            body: "{}".into(),
        }
    }

    fn client(reach: Reach) -> HttpWebhookClient {
        let _ = rustls::crypto::ring::default_provider().install_default();
        HttpWebhookClient::new(reach).unwrap()
    }

    #[tokio::test]
    async fn a_request_carries_id_time_and_signature_and_the_answers_beginning_is_kept() {
        let server = MockServer::start().await;
        Mock::given(method("POST"))
            .and(path("/hook"))
            .and(header("webhook-id", "msg_7"))
            .and(header("webhook-timestamp", "5"))
            .and(header_regex("webhook-signature", "^v1,x$"))
            .and(header("content-type", "application/json"))
            .and(body_string("{}"))
            .respond_with(ResponseTemplate::new(202).set_body_string(format!("ok\n{}", "x".repeat(9_000))))
            .expect(1)
            .mount(&server)
            .await;
        let outcome = client(Reach::Anywhere).post(request(format!("{}/hook", server.uri()))).await;
        let RequestOutcome::Answered { status: 202, excerpt } = outcome else { panic!("{outcome:?}") };
        assert!(excerpt.starts_with("ok x") && excerpt.len() == EXCERPT);
    }

    #[tokio::test]
    async fn a_redirect_is_an_answer_and_leads_nowhere() {
        let server = MockServer::start().await;
        let elsewhere = format!("{}/other", server.uri());
        Mock::given(path("/hook"))
            .respond_with(ResponseTemplate::new(307).insert_header("location", elsewhere.as_str()))
            .mount(&server)
            .await;
        Mock::given(path("/other")).respond_with(ResponseTemplate::new(200)).expect(0).mount(&server).await;
        let outcome = client(Reach::Anywhere).post(request(format!("{}/hook", server.uri()))).await;
        assert!(matches!(outcome, RequestOutcome::Answered { status: 307, .. }), "{outcome:?}");
    }

    #[tokio::test]
    async fn the_daemons_own_network_is_out_of_reach_by_number_and_by_name() {
        let server = MockServer::start().await;
        Mock::given(method("POST")).respond_with(ResponseTemplate::new(200)).expect(0).mount(&server).await;
        let port = server.address().port();
        for host in ["127.0.0.1", "localhost", "[::1]"] {
            let outcome = client(Reach::Public).post(request(format!("http://{host}:{port}/"))).await;
            assert_eq!(outcome, RequestOutcome::Failed(FORBIDDEN.into()), "{host}");
        }
    }

    #[tokio::test]
    async fn nobody_there_is_said_in_words() {
        let outcome = client(Reach::Anywhere).post(request("http://127.0.0.1:1/".into())).await;
        let RequestOutcome::Failed(why) = outcome else { panic!("{outcome:?}") };
        assert!(why.to_lowercase().contains("refused"), "{why}");
    }
}
