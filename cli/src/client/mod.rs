//! The API as the commands see it: typed answers or a [`Failure`] that says what to do. A token is sent to the
//! address it was made for and to no other.

mod error;
mod retry;
mod sse;

use std::io;
use std::time::Duration;

use futures::{Stream, TryStreamExt};
use jiff::Timestamp;
use jiff::fmt::rfc2822;
use reqwest::multipart::Form;
use reqwest::{ClientBuilder, Method, RequestBuilder, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sse_stream::Sse;
use talkdrum_api::problem::Problem;

pub(crate) use error::{CallError, TokenSource, again_under};
pub(crate) use retry::{calling_for_sure, retrying};

use crate::exit::{Failure, Result};
use crate::output::Columns;
use crate::query::Query;

/// How long to try to reach the daemon.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a daemon may stay silent within one answer. Quotes of millions of rows take seconds.
const READ_TIMEOUT: Duration = Duration::from_secs(120);
/// How long a form may take to be sent and answered: of the largest one over a slow line. A line that takes nothing any
/// more is noticed by TCP within seconds, a daemon that is gone by its keep-alive.
const UPLOAD_TIMEOUT: Duration = Duration::from_hours(12);

/// A bearer token with where it came from, for the hint when it is refused.
#[derive(Clone, Debug)]
pub(crate) struct Credential {
    /// The token.
    pub(crate) token: crate::args::Token,
    /// Where it came from.
    pub(crate) source: TokenSource,
}

/// An answer: read, and word for word.
#[derive(Debug)]
pub(crate) struct Answer<T> {
    /// What it says.
    pub(crate) value: T,
    /// The JSON as it came, for `-o json`.
    pub(crate) json: String,
    /// When the daemon gave it, by its own clock: what figures in it are as of. RFC 3339.
    pub(crate) at: String,
}

/// A client of one daemon.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    http: reqwest::Client,
    /// For forms: [`READ_TIMEOUT`] would count the time in which a body is sent.
    uploads: reqwest::Client,
    url: String,
    /// The address as messages have it: without a password.
    shown_url: String,
    credential: Option<Credential>,
    /// Nothing is changed before the command knows those that are asked for.
    columns: Columns,
}

impl Client {
    /// A client of the daemon at `url`.
    pub(crate) fn new(url: &str, credential: Option<Credential>) -> Result<Self> {
        Self::with_read_timeout(url, credential, READ_TIMEOUT)
    }

    fn with_read_timeout(url: &str, credential: Option<Credential>, silence: Duration) -> Result<Self> {
        let parsed = reqwest::Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        if parsed.is_none() {
            return Err(Failure::usage(format!("'{}' is not an address", without_userinfo(url)))
                .hint("write it as http://127.0.0.1:8080 or https://sms.example.com"));
        }
        let http = set_up(reqwest::Client::builder().read_timeout(silence))?;
        let uploads = set_up(reqwest::Client::builder().timeout(UPLOAD_TIMEOUT))?;
        let url = url.trim_end_matches('/').to_owned();
        let shown_url = without_userinfo(&url);
        Ok(Self { http, uploads, url, shown_url, credential, columns: Columns::default() })
    }

    /// The same client, which changes nothing before these columns are known to the command.
    #[must_use]
    pub(crate) fn with_columns(mut self, columns: Columns) -> Self {
        self.columns = columns;
        self
    }

    /// The daemon's address, without a slash at its end.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// The same for people: without a user name and a password in it.
    pub(crate) fn shown_url(&self) -> &str {
        &self.shown_url
    }

    /// `GET`, with query parameters.
    pub(crate) async fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &(impl Query + Sync),
    ) -> Result<Answer<T>, CallError> {
        self.read(self.request(Method::GET, path).query(query)).await
    }

    /// `POST` of a JSON body, under an idempotency key where one is given.
    pub(crate) async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &(impl Serialize + Sync + ?Sized),
        key: Option<&str>,
    ) -> Result<Answer<T>, CallError> {
        self.read(with_key(self.request(Method::POST, path).json(body), key)).await
    }

    /// `POST` of a multipart form, streamed.
    pub(crate) async fn post_form<T: DeserializeOwned>(
        &self,
        path: &str,
        form: Form,
        key: Option<&str>,
    ) -> Result<Answer<T>, CallError> {
        self.read(with_key(self.request_by(&self.uploads, Method::POST, path).multipart(form), key)).await
    }

    /// `PUT` of a JSON body.
    pub(crate) async fn put<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &(impl Serialize + Sync + ?Sized),
    ) -> Result<Answer<T>, CallError> {
        self.read(self.request(Method::PUT, path).json(body)).await
    }

    /// `DELETE`.
    pub(crate) async fn delete<T: DeserializeOwned>(&self, path: &str) -> Result<Answer<T>, CallError> {
        self.read(self.request(Method::DELETE, path)).await
    }

    /// `GET` of something long: the answer's size, where it is known, and its pieces as they come.
    pub(crate) async fn download<Q: Query + Sync>(
        &self,
        path: &str,
        query: &Q,
    ) -> Result<(Option<u64>, impl Stream<Item = Result<Vec<u8>, CallError>> + Unpin + use<Q>), CallError>
    {
        self.pieces(self.request(Method::GET, path).query(query)).await
    }

    /// `POST` of a JSON body that is answered with a file: its size, where it is known, and its pieces as they come.
    pub(crate) async fn post_for_file(
        &self,
        path: &str,
        body: &serde_json::Value,
    ) -> Result<(Option<u64>, impl Stream<Item = Result<Vec<u8>, CallError>> + Unpin + use<>), CallError>
    {
        self.pieces(self.request(Method::POST, path).json(body)).await
    }

    async fn pieces(
        &self,
        request: RequestBuilder,
    ) -> Result<(Option<u64>, impl Stream<Item = Result<Vec<u8>, CallError>> + Unpin + use<>), CallError>
    {
        let (response, _) = self.accept(request).await?;
        let url = self.shown_url.clone();
        let length = response.content_length();
        let pieces = response.bytes_stream().map_ok(|bytes| bytes.to_vec());
        // What comes in pieces is read, whatever the method.
        Ok((length, pieces.map_err(move |error| CallError::lost(&url, &error, true))))
    }

    /// The server-sent events of a path.
    pub(crate) async fn events(
        &self,
        path: &str,
    ) -> Result<impl Stream<Item = Result<Sse, CallError>> + use<>, CallError> {
        let request = self.request(Method::GET, path).header("Accept", "text/event-stream");
        let (response, _) = self.accept(request).await?;
        let kind = response.headers().get("content-type").and_then(|value| value.to_str().ok());
        if !kind.is_some_and(|kind| kind.starts_with("text/event-stream")) {
            return Err(CallError::Unreadable { what: "an answer that is no event stream".to_owned() });
        }
        Ok(sse::read(response.bytes_stream().map_err(io::Error::other), self.shown_url.clone()))
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.request_by(&self.http, method, path)
    }

    fn request_by(&self, http: &reqwest::Client, method: Method, path: &str) -> RequestBuilder {
        let request = http.request(method, format!("{}{path}", self.url));
        match &self.credential {
            Some(credential) => request.bearer_auth(&credential.token.0),
            None => request,
        }
    }

    async fn read<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<Answer<T>, CallError> {
        let (response, reads) = self.accept(request).await?;
        let at = moment(&response);
        let json = response.text().await.map_err(|error| CallError::lost(&self.shown_url, &error, reads))?;
        let value = serde_json::from_str(&json).map_err(|error| CallError::Unreadable {
            what: format!("an answer this version cannot read ({error})"),
        })?;
        Ok(Answer { value, json: json.trim_end().to_owned(), at })
    }

    /// Sends, and turns every refusal into an error. Whether it was a call that only reads comes with the response.
    async fn accept(&self, request: RequestBuilder) -> Result<(Response, bool), CallError> {
        let (http, request) = request.build_split();
        // What cannot be built is not sent.
        let request = request.map_err(|error| CallError::lost(&self.shown_url, &error, true))?;
        let reads = request.method() == Method::GET;
        if !reads && !self.columns.are_known() {
            return Err(CallError::NoColumns);
        }
        let response =
            http.execute(request).await.map_err(|error| CallError::lost(&self.shown_url, &error, reads))?;
        let status = response.status();
        if status.is_success() {
            return Ok((response, reads));
        }
        let body = response.text().await.unwrap_or_default();
        let mut problem = serde_json::from_str::<Problem>(&body).unwrap_or_default();
        problem.status = status.as_u16();
        if problem.detail.is_empty() {
            problem.detail = format!("the daemon at {} answered {status}", self.shown_url);
        }
        let source = self.credential.as_ref().map_or(TokenSource::Missing, |credential| credential.source);
        Err(CallError::Refused { problem: Box::new(problem), url: self.shown_url.clone(), source, reads })
    }
}

/// An address without the user name and the password that may stand before its host (RFC 3986, section 3.2.1).
pub(crate) fn without_userinfo(url: &str) -> String {
    let (scheme, rest) =
        url.split_once("://").map_or(("", url), |(_, rest)| url.split_at(url.len() - rest.len()));
    let authority = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let host = rest[..authority].rfind('@').map_or(0, |at| at + 1);
    format!("{scheme}{}", &rest[host..])
}

/// When a response was given: its `Date` (RFC 9110, section 6.6.1), else now.
fn moment(response: &Response) -> String {
    let date = response.headers().get("date").and_then(|date| date.to_str().ok());
    let date = date.and_then(|date| rfc2822::parse(date).ok());
    date.map_or_else(Timestamp::now, |date| date.timestamp()).to_string()
}

fn set_up(builder: ClientBuilder) -> Result<reqwest::Client> {
    builder
        .user_agent(concat!("talkdrum/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_TIMEOUT)
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .map_err(|error| Failure::failed(format!("cannot set up HTTP: {error}")))
}

fn with_key(request: RequestBuilder, key: Option<&str>) -> RequestBuilder {
    match key {
        Some(key) => request.header("Idempotency-Key", key),
        None => request,
    }
}

#[cfg(test)]
mod tests {
    use reqwest::Body;
    use reqwest::multipart::Part;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    /// Answers a request when its chunked body has ended.
    async fn answer_one(listener: TcpListener) {
        let (mut connection, _) = listener.accept().await.unwrap();
        let (mut heard, mut buffer) = (Vec::new(), [0; 4_096]);
        while !heard.ends_with(b"0\r\n\r\n") {
            let read = connection.read(&mut buffer).await.unwrap();
            assert!(read > 0, "the client gave up");
            heard.extend_from_slice(&buffer[..read]);
        }
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\ntrue";
        connection.write_all(answer.as_bytes()).await.unwrap();
    }

    #[tokio::test]
    async fn a_form_may_take_longer_to_send_than_a_daemon_may_stay_silent() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let server = tokio::spawn(answer_one(listener));
        let client = Client::with_read_timeout(&url, None, Duration::from_millis(50)).unwrap();
        let pieces = futures::stream::unfold(0, |sent| async move {
            tokio::time::sleep(Duration::from_millis(60)).await;
            (sent < 4).then(|| (Ok::<_, std::io::Error>("a piece"), sent + 1))
        });
        let form = Form::new().part("contacts", Part::stream(Body::wrap_stream(pieces)));
        assert!(client.post_form::<bool>("/api/recipients/check", form, None).await.unwrap().value);
        server.await.unwrap();
    }

    #[test]
    fn a_password_in_an_address_is_not_shown() {
        for (url, shown) in [
            ("https://ada:secret@host:8080/x@y", "https://host:8080/x@y"),
            ("https://ada:p@ss@host", "https://host"),
            ("ada:secret@host", "host"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ] {
            assert_eq!(without_userinfo(url), shown);
        }
    }
}
