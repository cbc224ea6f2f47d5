//! A customer of the API, as a program is one: bearer token, forms in, JSON out.

use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use reqwest::multipart::{Form, Part};
use serde_json::Value;

use crate::numbers::{SENDER, TEXT};

/// How often a campaign's progress is asked for.
const LOOK: Duration = Duration::from_millis(20);

/// Signed in.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    http: reqwest::Client,
    /// The daemon's port on loopback.
    pub(crate) port: u16,
    /// The bearer token.
    pub(crate) token: String,
}

/// When a campaign reached what, from its confirmation on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Milestones {
    /// The confirmation was answered.
    pub(crate) confirmed: f64,
    /// The carrier had accepted a message.
    pub(crate) first: f64,
    /// The carrier had answered for every message.
    pub(crate) submitted: f64,
    /// Every receipt was applied.
    pub(crate) delivered: f64,
}

impl Client {
    /// Signs in through one of the doors.
    pub(crate) async fn sign_in(port: u16, door: &str, name: &str, password: &str) -> anyhow::Result<Self> {
        let http = reqwest::Client::builder().timeout(Duration::from_secs(120)).no_proxy().build()?;
        let mut client = Self { http, port, token: String::new() };
        let answer = client.post(door, &[("username", name), ("password", password)]).await?;
        client.token = answer["token"].as_str().context("no token")?.to_owned();
        Ok(client)
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    async fn send(&self, request: reqwest::RequestBuilder) -> anyhow::Result<reqwest::Response> {
        let response = request.bearer_auth(&self.token).send().await?;
        if response.status().is_success() {
            return Ok(response);
        }
        let (status, url) = (response.status(), response.url().path().to_owned());
        bail!("{url} answered {status}: {}", response.text().await.unwrap_or_default())
    }

    /// Posts a form.
    pub(crate) async fn post(&self, path: &str, fields: &[(&str, &str)]) -> anyhow::Result<Value> {
        Ok(self.send(self.http.post(self.url(path)).form(fields)).await?.json().await?)
    }

    /// Posts fields as a multipart form.
    pub(crate) async fn form(&self, path: &str, fields: &[(&'static str, &str)]) -> anyhow::Result<Value> {
        let form =
            fields.iter().fold(Form::new(), |form, (name, value)| form.text(*name, (*value).to_owned()));
        Ok(self.send(self.http.post(self.url(path)).multipart(form)).await?.json().await?)
    }

    /// Puts fields.
    pub(crate) async fn put(&self, path: &str, fields: &[(&str, &str)]) -> anyhow::Result<Value> {
        Ok(self.send(self.http.put(self.url(path)).form(fields)).await?.json().await?)
    }

    /// Puts a JSON document.
    pub(crate) async fn put_json(&self, path: &str, body: &Value) -> anyhow::Result<Value> {
        Ok(self.send(self.http.put(self.url(path)).json(body)).await?.json().await?)
    }

    /// Posts a file with fields.
    pub(crate) async fn upload(
        &self,
        path: &str,
        fields: &[(&'static str, &'static str)],
        file: Vec<u8>,
    ) -> anyhow::Result<Value> {
        let form = Form::new().part("file", Part::bytes(file).file_name("contacts.csv"));
        let form = fields.iter().fold(form, |form, (name, value)| form.text(*name, *value));
        Ok(self.send(self.http.post(self.url(path)).multipart(form)).await?.json().await?)
    }

    /// Gets a JSON document.
    pub(crate) async fn get(&self, path: &str) -> anyhow::Result<Value> {
        Ok(self.send(self.http.get(self.url(path))).await?.json().await?)
    }

    /// Reads a document to its end as it comes, and counts its bytes and lines.
    pub(crate) async fn drain(&self, path: &str) -> anyhow::Result<(usize, usize)> {
        let mut response = self.send(self.http.get(self.url(path))).await?;
        let (mut bytes, mut lines) = (0, 0);
        while let Some(chunk) = response.chunk().await? {
            bytes += chunk.len();
            lines += chunk.iter().filter(|byte| **byte == b'\n').count();
        }
        Ok((bytes, lines))
    }

    /// Has a file of recipients quoted; returns the quote's id and its recipients.
    pub(crate) async fn quote(&self, recipients: Vec<u8>) -> anyhow::Result<(i64, i64)> {
        let form = Form::new()
            .text("senderid", SENDER)
            .text("payment_method", "espees")
            .text("message", TEXT)
            .part("file", Part::bytes(recipients).file_name("recipients.csv"));
        let request = self.http.post(self.url("/api/send-text-sms")).multipart(form);
        let answer: Value = self.send(request).await?.json().await?;
        let details = &answer["details"];
        let number = |key: &str| details[key].as_i64().with_context(|| format!("a quote without {key}"));
        Ok((number("quote_id")?, number("total_contacts")?))
    }

    /// Confirms a quote; returns its campaign's id.
    pub(crate) async fn confirm(&self, quote: i64) -> anyhow::Result<i64> {
        let answer = self.post("/api/confirm-send-text-sms", &[("quote_id", &quote.to_string())]).await?;
        answer["details"]["id"].as_i64().context("a campaign without an id")
    }

    /// Confirms a quote and follows its campaign until every receipt is applied.
    pub(crate) async fn run(
        &self,
        quote: i64,
        size: i64,
        limit: Duration,
    ) -> anyhow::Result<(i64, Milestones)> {
        // A look costs the daemon more the larger the campaign is, and its time need not be told so finely.
        let look = LOOK.max(Duration::from_nanos(20 * size.cast_unsigned()));
        let start = Instant::now();
        let campaign = self.confirm(quote).await?;
        let mut reached = Milestones { confirmed: start.elapsed().as_secs_f64(), ..Milestones::default() };
        loop {
            let progress = self.get(&format!("/api/campaigns/{campaign}")).await?;
            let now = start.elapsed().as_secs_f64();
            let count = |key: &str| progress["campaign"]["counts"][key].as_i64().unwrap_or_default();
            let delivered = count("delivered");
            let answered = delivered + count("submitted") + count("undelivered");
            if answered > 0 && reached.first == 0.0 {
                reached.first = now;
            }
            if answered >= size && reached.submitted == 0.0 {
                reached.submitted = now;
            }
            if delivered >= size {
                reached.delivered = now;
                return Ok((campaign, reached));
            }
            ensure!(
                start.elapsed() < limit,
                "after {now:.0} s of campaign {campaign} {answered} of {size} were submitted and {delivered} delivered: {}",
                progress["campaign"]["counts"]
            );
            let pause = if reached.first == 0.0 { Duration::from_millis(2) } else { look };
            tokio::time::sleep(pause).await;
        }
    }
}
