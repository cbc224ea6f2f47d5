//! A whole daemon in the test's process, with an administrator, a customer, a price and some money.

#![expect(clippy::unwrap_used, reason = "a rig for tests: what fails here fails the test")]

use std::time::{Duration, Instant};

use reqwest::multipart::{Form, Part};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use talkdrum_core::account::create_user;
use talkdrum_core::ledger::verify::{Findings, verify};
use talkdrum_core::model::account::user::{NewUser, Role as UserRole};
use talkdrum_core::store::Lane;
use talkdrum_core::testing::account::new_user;
use talkdrum_daemon::args::Role;
use talkdrum_daemon::config::{CarrierSection, Settings};
use talkdrum_daemon::lifecycle::Running;
use talkdrum_daemon::sandbox::smsc::{Smsc, SmscOptions};
use talkdrum_daemon::state::Surroundings;

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(60);
const PASSWORD: &str = "correct horse";

/// What the daemon answered.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) text: String,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }

    /// The body of a success.
    pub(crate) fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text);
        self.json()
    }

    /// Status and code of a refusal.
    pub(crate) fn refusal(&self) -> (u16, String) {
        (self.status, self.json()["code"].as_str().unwrap_or_default().to_owned())
    }
}

/// The daemon and who uses it.
pub(crate) struct House {
    running: Running,
    client: reqwest::Client,
    /// The administrator's token.
    pub(crate) root: String,
    /// The customer's token.
    pub(crate) ada: String,
    pub(crate) ada_id: i64,
    _dir: tempfile::TempDir,
}

impl House {
    /// With the stand-ins of `serve --sandbox`; a page costs 1.5 ESPEES.
    pub(crate) async fn in_sandbox() -> Self {
        let sandbox = Some(SmscOptions::default());
        Self::start(Surroundings { sandbox, ..Surroundings::of_life() }, |_| {}).await
    }

    /// With an SMSC of the test's own, and options of the carrier that leads to it.
    pub(crate) async fn with_carrier(smsc: &Smsc, options: &[(&str, i64)]) -> Self {
        let mut table = toml::Table::new();
        table.insert("host".into(), "127.0.0.1".into());
        table.insert("port".into(), i64::from(smsc.local_addr().port()).into());
        table.insert("system_id".into(), "talkdrum".into());
        for (name, value) in options {
            table.insert((*name).into(), (*value).into());
        }
        let carrier = CarrierSection { name: "main".into(), kind: "smpp".into(), options: table };
        Self::start(Surroundings::of_life(), |settings| settings.carriers.push(carrier)).await
    }

    async fn start(around: Surroundings, change: impl FnOnce(&mut Settings)) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let dir = tempfile::tempdir().unwrap();
        let mut settings = Settings::default();
        settings.server.listen = "127.0.0.1:0".parse().unwrap();
        settings.server.data_dir = dir.path().to_owned();
        settings.limits.free_disk_mib = 0;
        change(&mut settings);
        let running = Running::start(&settings, Role::All, around).await.unwrap();
        let client = reqwest::Client::new();
        let nobody = String::new();
        let mut house = Self { running, client, root: nobody.clone(), ada: nobody, ada_id: 0, _dir: dir };
        house.user("root", UserRole::Admin).await;
        house.root = house.login("root").await;
        house.ada_id = house.user("ada", UserRole::User).await;
        house.ada = house.login("ada").await;
        house.post("/admin/set-sms-unit-price", &house.root, &[("price", "1.5")]).await.ok();
        house
    }

    /// Makes a user and returns the id.
    pub(crate) async fn user(&self, username: &str, role: UserRole) -> i64 {
        let app = self.running.app();
        let hash = app.passwords.hash(PASSWORD).await.unwrap();
        let user = (NewUser { password_hash: Some(hash), ..new_user(username, role) }, app.clock.now());
        let made =
            app.store.write(Lane::Interactive, user, |tx, (user, now)| Box::pin(create_user(tx, user, *now)));
        made.await.unwrap().0
    }

    pub(crate) async fn login(&self, username: &str) -> String {
        let form = [("username", username), ("password", PASSWORD)];
        self.post("/api/login", "", &form).await.ok()["token"].as_str().unwrap().to_owned()
    }

    pub(crate) fn request(&self, method: Method, path: &str, token: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("http://{}{path}", self.running.address()));
        if token.is_empty() { request } else { request.bearer_auth(token) }
    }

    pub(crate) async fn send(&self, request: RequestBuilder) -> Reply {
        let response = request.send().await.unwrap();
        Reply { status: response.status().as_u16(), text: response.text().await.unwrap() }
    }

    pub(crate) async fn get(&self, path: &str, token: &str) -> Reply {
        self.send(self.request(Method::GET, path, token)).await
    }

    pub(crate) async fn post(&self, path: &str, token: &str, form: &[(&str, &str)]) -> Reply {
        self.send(self.request(Method::POST, path, token).form(form)).await
    }

    /// Credits ada's ESPEES wallet.
    pub(crate) async fn fund(&self, espees: &str, reference: &str) {
        let path = format!("/admin/assign-espee/{}", self.ada_id);
        self.post(&path, &self.root, &[("espees", espees), ("payment_ref", reference)]).await.ok();
    }

    /// Quotes a form of ada's; WEBSMS and ESPEES are filled in.
    pub(crate) async fn quote(&self, call: &str, form: &[(&str, &str)]) -> Value {
        self.post(&format!("/api/{call}-sms"), &self.ada, &with_usual(form)).await.ok()["details"].clone()
    }

    /// Quotes a form with a file of recipients; the file comes first, as it may.
    pub(crate) async fn quote_file(&self, call: &str, file: &str, form: &[(&str, &str)]) -> Value {
        let request = self.request(Method::POST, &format!("/api/{call}-sms"), &self.ada);
        self.send(request.multipart(multipart(file, form))).await.ok()["details"].clone()
    }

    /// Confirms a quote of ada's and returns the campaign.
    pub(crate) async fn confirm(&self, call: &str, quote: &Value) -> Value {
        self.try_confirm(call, quote).await.ok()["details"].clone()
    }

    pub(crate) async fn try_confirm(&self, call: &str, quote: &Value) -> Reply {
        let request = self.request(Method::POST, &format!("/api/confirm-{call}-sms"), &self.ada);
        self.send(request.json(&json!({ "quote_id": quote["quote_id"] }))).await
    }

    /// Looks at a campaign until it is as wanted.
    pub(crate) async fn until(&self, campaign: &Value, wanted: impl Fn(&Value) -> bool) -> Value {
        let path = format!("/api/campaigns/{}", campaign["id"]);
        let start = Instant::now();
        loop {
            let shown = self.get(&path, &self.root).await.ok()["campaign"].clone();
            if wanted(&shown) {
                return shown;
            }
            assert!(start.elapsed() < PATIENCE, "this campaign stays as it is: {shown:#}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Looks at a message of ada's until it has this status, and tells why.
    pub(crate) async fn until_message(&self, path: &str, status: &str) -> Value {
        let start = Instant::now();
        loop {
            let why = self.get(path, &self.ada).await.ok();
            if why["message"]["status"] == status {
                return why;
            }
            assert!(start.elapsed() < PATIENCE, "this message stays as it is: {why:#}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub(crate) async fn balances(&self) -> Value {
        self.get("/api/get-espee-balance", &self.ada).await.ok()
    }

    /// The whole ledger, added up again.
    pub(crate) async fn findings(&self) -> Findings {
        verify(&mut self.running.app().store.read().await.unwrap()).await.unwrap()
    }

    /// Ends the daemon, once its books are seen to be in order.
    pub(crate) async fn close(self) {
        assert_eq!(self.findings().await, Findings::default());
        self.running.stop().await.unwrap();
    }
}

/// A form as multipart, with a file of recipients.
pub(crate) fn multipart(file: &str, form: &[(&str, &str)]) -> Form {
    let mut body = Form::new().part("file", Part::text(file.to_owned()).file_name("list.csv"));
    for (name, value) in with_usual(form) {
        body = body.text(name.to_owned(), value.to_owned());
    }
    body
}

/// A form with sender and payment method, unless it has its own.
pub(crate) fn with_usual<'a>(form: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut form = form.to_vec();
    for (name, value) in [("senderid", "WEBSMS"), ("payment_method", "espees")] {
        if !form.iter().any(|(given, _)| *given == name) {
            form.push((name, value));
        }
    }
    form
}
