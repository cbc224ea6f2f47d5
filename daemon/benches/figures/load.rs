//! A load of small requests over connections that are kept alive, from a thread of its own.
//!
//! HTTP/1.1 as far as the daemon's JSON answers need it: a status line, `content-length`, a body. Every
//! answer is read whole and its status checked; a load that meets an error says so instead of counting it.

use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::numbers::SENDER;

/// The result of a load.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    /// Rounds a second.
    pub(crate) per_second: f64,
    /// Rounds in all.
    pub(crate) rounds: usize,
    /// Time of a round in milliseconds, sorted.
    times_ms: Vec<f64>,
}

impl Outcome {
    /// The time that so many of a thousand rounds undercut, in milliseconds.
    pub(crate) fn percentile(&self, per_mille: usize) -> f64 {
        let place = self.times_ms.len() * per_mille / 1_000;
        self.times_ms.get(place.min(self.times_ms.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
    }
}

/// What every connection does again and again.
#[derive(Clone, Debug)]
pub(crate) enum Round {
    /// One GET.
    Read(String),
    /// One POST without a body.
    Write(String),
    /// A message to one number, in one call.
    Send,
    /// A campaign to one number: quote, then confirm.
    Campaign,
}

/// A load to run.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    pub(crate) port: u16,
    pub(crate) token: String,
    pub(crate) round: Round,
    pub(crate) connections: u64,
    pub(crate) duration: Duration,
    /// Between a connection's rounds.
    pub(crate) pause: Duration,
}

impl Load {
    /// Runs it on a thread of its own, so that the harness's other tasks do not wait in its line.
    pub(crate) async fn run(self) -> anyhow::Result<Outcome> {
        let (done, outcome) = tokio::sync::oneshot::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let result = runtime.map_err(Into::into).and_then(|runtime| runtime.block_on(self.all()));
            // The part may have timed out; then the result is not needed.
            let _ = done.send(result);
        });
        outcome.await.context("the load's thread ended")?
    }

    async fn all(self) -> anyhow::Result<Outcome> {
        let start = Instant::now();
        let mut tasks = tokio::task::JoinSet::new();
        for place in 0..self.connections {
            let load = self.clone();
            tasks.spawn(async move { load.one(place).await });
        }
        let mut outcome = Outcome::default();
        while let Some(times) = tasks.join_next().await {
            outcome.times_ms.extend(times??);
        }
        outcome.rounds = outcome.times_ms.len();
        outcome.per_second = outcome.rounds as f64 / start.elapsed().as_secs_f64();
        outcome.times_ms.sort_by(f64::total_cmp);
        Ok(outcome)
    }

    async fn one(self, place: u64) -> anyhow::Result<Vec<f64>> {
        let mut connection = Connection::open(self.port).await?;
        let mut times = Vec::new();
        let start = Instant::now();
        let request = match &self.round {
            Round::Read(path) => get(path, &self.token),
            Round::Write(path) => post(path, &self.token, ""),
            Round::Send | Round::Campaign => String::new(),
        };
        while start.elapsed() < self.duration {
            let began = Instant::now();
            match self.round {
                Round::Read(_) | Round::Write(_) => {
                    connection.ask(&request).await?;
                }
                Round::Send | Round::Campaign => {
                    self.send(&mut connection, place * 10_000 + times.len() as u64 % 10_000).await?;
                }
            }
            times.push(began.elapsed().as_secs_f64() * 1_000.0);
            if !self.pause.is_zero() {
                tokio::time::sleep(self.pause).await;
            }
        }
        Ok(times)
    }

    async fn send(&self, connection: &mut Connection, number: u64) -> anyhow::Result<()> {
        let form = format!(
            "senderid={SENDER}&payment_method=espees&message=Your+code+is+{:06}&contacts=0803{:07}",
            number * 7_919 % 1_000_000,
            number / 9_000 * 10_000 + number % 9_000
        );
        if matches!(self.round, Round::Send) {
            connection.ask(&post("/api/messages", &self.token, &form)).await?;
            return Ok(());
        }
        let answer = connection.ask(&post("/api/send-text-sms", &self.token, &form)).await?;
        let (_, rest) = answer.split_once("\"quote_id\":").context("a quote without an id")?;
        let id: String = rest.trim_start().chars().take_while(char::is_ascii_digit).collect();
        let form = format!("quote_id={id}");
        connection.ask(&post("/api/confirm-send-text-sms", &self.token, &form)).await?;
        Ok(())
    }
}

fn get(path: &str, token: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\r\n")
}

fn post(path: &str, token: &str, form: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\
         content-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{form}",
        form.len()
    )
}

/// A connection that is kept alive.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub(crate) async fn open(port: u16) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(("127.0.0.1", port)).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::with_capacity(8_192) })
    }

    /// Sends a request and reads its answer's body.
    pub(crate) async fn ask(&mut self, request: &str) -> anyhow::Result<String> {
        self.stream.write_all(request.as_bytes()).await?;
        self.buffer.clear();
        let (head, length) = loop {
            let read = self.stream.read_buf(&mut self.buffer).await?;
            ensure!(read > 0, "the connection was closed");
            if let Some(head) = self.buffer.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
                break (head + 4, length(&self.buffer[..head])?);
            }
        };
        while self.buffer.len() < head + length {
            let read = self.stream.read_buf(&mut self.buffer).await?;
            ensure!(read > 0, "the connection was closed");
        }
        let body = String::from_utf8_lossy(&self.buffer[head..head + length]).into_owned();
        if self.buffer.get(9) != Some(&b'2') {
            let status = String::from_utf8_lossy(&self.buffer[..head.min(12)]).into_owned();
            bail!("{status}: {body}");
        }
        Ok(body)
    }
}

/// The length of the body that follows a head.
fn length(head: &[u8]) -> anyhow::Result<usize> {
    let text = std::str::from_utf8(head)?;
    text.lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .context("an answer without content-length")?
        .1
        .trim()
        .parse()
        .context("a content-length that is no number")
}
