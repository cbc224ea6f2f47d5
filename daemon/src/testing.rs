//! A daemon in the test's own process, on a port of its own, with a database and a clock that the test holds.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use serde_json::Value;
use talkdrum_core::account::create_user;
use talkdrum_core::model::account::id::UserId;
use talkdrum_core::model::account::user::{NewUser, Role as UserRole};
use talkdrum_core::store::{Lane, Store};
use talkdrum_core::testing::account::new_user;
use talkdrum_core::testing::template;
use talkdrum_core::time::{ManualClock, Time};

use crate::args::Role;
use crate::config::Settings;
use crate::lifecycle::Running;
use crate::sandbox::smsc::SmscOptions;
use crate::state::Surroundings;

/// All users' password in tests.
pub(crate) const PASSWORD: &str = "correct horse";
/// When every test begins.
pub(crate) const START: Time = Time(1_700_000_000_000);

/// What a daemon answered.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) text: String,
}

impl Reply {
    /// The body as JSON; `Null` when it is none.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }

    /// The stable code of a problem.
    pub(crate) fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }
}

/// A daemon that serves on SQLite in a directory of its own.
pub(crate) struct TestDaemon {
    running: Running,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) client: reqwest::Client,
    dir: tempfile::TempDir,
}

impl TestDaemon {
    /// Starts with the defaults.
    pub(crate) async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    /// Starts with the stand-ins around it.
    pub(crate) async fn start_in_sandbox() -> Self {
        Self::start_as(Some(SmscOptions::default()), |_| {}).await
    }

    /// Starts with settings changed.
    pub(crate) async fn start_with(change: impl FnOnce(&mut Settings)) -> Self {
        Self::start_as(None, change).await
    }

    /// Starts with the stand-ins around it, and settings changed.
    pub(crate) async fn start_in_sandbox_with(change: impl FnOnce(&mut Settings)) -> Self {
        Self::start_as(Some(SmscOptions::default()), change).await
    }

    /// Starts on the data of a daemon that stopped, with settings changed.
    pub(crate) async fn start_again(dir: tempfile::TempDir, change: impl FnOnce(&mut Settings)) -> Self {
        Self::start_in(dir, None, change).await
    }

    async fn start_as(sandbox: Option<SmscOptions>, change: impl FnOnce(&mut Settings)) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), sandbox, change).await
    }

    async fn start_in(
        dir: tempfile::TempDir,
        sandbox: Option<SmscOptions>,
        change: impl FnOnce(&mut Settings),
    ) -> Self {
        let mut settings = Settings::default();
        settings.server.listen = "127.0.0.1:0".parse().unwrap();
        settings.server.data_dir = dir.path().to_owned();
        settings.limits.free_disk_mib = 0;
        change(&mut settings);
        let file = dir.path().join("talkdrum.db");
        if settings.database.url.is_none() && !file.exists() {
            template::place_sqlite(&file).await;
        }
        // Only the first of the process is heard.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let clock = Arc::new(ManualClock::new(START));
        let around = Surroundings { clock: clock.clone(), sandbox, ..Surroundings::of_life() };
        let running = Running::start(&settings, Role::All, around).await.unwrap();
        Self { running, clock, client: reqwest::Client::new(), dir }
    }

    pub(crate) fn store(&self) -> &Store {
        &self.running.app().store
    }

    pub(crate) fn app(&self) -> &crate::AppState {
        self.running.app()
    }

    pub(crate) fn address(&self) -> std::net::SocketAddr {
        self.running.address()
    }

    /// Makes a user with [`PASSWORD`] and returns the id.
    pub(crate) async fn user(&self, username: &str, role: UserRole) -> UserId {
        let hash = self.running.app().passwords.hash(PASSWORD).await.unwrap();
        let user = NewUser { password_hash: Some(hash), ..new_user(username, role) };
        self.store()
            .write(Lane::Interactive, user, |tx, user| Box::pin(create_user(tx, user, START)))
            .await
            .unwrap()
    }

    /// Makes a user and signs in; returns the token.
    pub(crate) async fn signed_in(&self, username: &str, role: UserRole) -> String {
        self.user(username, role).await;
        self.login(username).await
    }

    /// Signs in; returns the token.
    pub(crate) async fn login(&self, username: &str) -> String {
        let reply = self
            .send(
                self.request(Method::POST, "/api/login", "")
                    .form(&[("username", username), ("password", PASSWORD)]),
            )
            .await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        reply.json()["token"].as_str().unwrap().to_owned()
    }

    /// A request with a token, unless it is empty.
    pub(crate) fn request(&self, method: Method, path: &str, token: &str) -> reqwest::RequestBuilder {
        let request = self.client.request(method, format!("http://{}{path}", self.running.address()));
        if token.is_empty() { request } else { request.bearer_auth(token) }
    }

    pub(crate) async fn send(&self, request: reqwest::RequestBuilder) -> Reply {
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Reply { status, headers, text: response.text().await.unwrap() }
    }

    pub(crate) async fn get(&self, path: &str, token: &str) -> Reply {
        self.send(self.request(Method::GET, path, token)).await
    }

    pub(crate) async fn post(&self, path: &str, token: &str, form: &[(&str, &str)]) -> Reply {
        self.send(self.request(Method::POST, path, token).form(form)).await
    }

    /// The newest text that the sandbox's outbox has for a number or an address, once there is one.
    pub(crate) async fn outbox_to(&self, to: &str) -> String {
        for _ in 0..400 {
            let sent = self.get("/sandbox/outbox", "").await.json();
            let newest = sent.as_array().unwrap().iter().rfind(|sent| sent["to"] == to);
            if let Some(newest) = newest {
                return newest["text"].as_str().unwrap().to_owned();
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("nothing came to {to}");
    }

    /// The six digits of that text.
    pub(crate) async fn code_for(&self, to: &str) -> String {
        let text = self.outbox_to(to).await;
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        digits[..6].to_owned()
    }

    pub(crate) fn pass(&self, span: Duration) {
        self.clock.advance(span);
    }

    pub(crate) async fn stop(self) -> tempfile::TempDir {
        self.running.stop().await.unwrap();
        self.dir
    }
}
