//! Whether a trunk is there: OPTIONS (RFC 3261, section 11), again and again.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use rsipstack::sip::{Method, SipMessage, StatusCodeKind, typed};
use rsipstack::transaction::key::{TransactionKey, TransactionRole};
use rsipstack::transaction::make_tag;
use rsipstack::transaction::transaction::Transaction;
use tokio::sync::watch;

use crate::line::Line;

/// What is known of a trunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Health {
    /// Whether it is there.
    pub reach: Reach,
    /// Since when it is what it is.
    pub since: SystemTime,
    /// The code of its last answer to a ping.
    pub code: Option<u16>,
    /// How long that answer took.
    pub round_trip: Option<Duration>,
}

/// Whether a trunk is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// It was not pinged yet.
    Unknown,
    /// It answers, or is not pinged. Any code will do, even one that refuses the ping: only 503 says that it takes no calls.
    Up,
    /// It does not answer, or answers 503.
    Down,
}

impl Health {
    /// Before the first ping, if there will be one.
    pub(crate) fn at_start(is_pinged: bool) -> Self {
        let reach = if is_pinged { Reach::Unknown } else { Reach::Up };
        Self { reach, since: SystemTime::now(), code: None, round_trip: None }
    }
}

/// How often the name of a trunk that is not pinged is looked up.
const LOOK_UP_EVERY: Duration = Duration::from_secs(60);

/// Looks its name up until it is dropped, as a trunk moves, and pings it.
pub(crate) async fn watch(line: Arc<Line>, health: watch::Sender<Health>) {
    let Some(pause) = line.config.options else {
        // None waits for the next ping.
        drop(health);
        loop {
            tokio::time::sleep(LOOK_UP_EVERY).await;
            look_up(&line).await;
        }
    };
    loop {
        look_up(&line).await;
        let began = Instant::now();
        let code = tokio::time::timeout(line.config.first_answer, options(&line)).await.ok().flatten();
        let reach = if code.is_none_or(|code| code == 503) { Reach::Down } else { Reach::Up };
        health.send_modify(|health| {
            if health.reach != reach {
                tracing::info!(trunk = %line.config.host, ?reach, code, "the trunk's health changed");
                health.since = SystemTime::now();
            }
            health.reach = reach;
            health.code = code;
            health.round_trip = code.map(|_| began.elapsed());
        });
        tokio::time::sleep(pause).await;
    }
}

/// A name that is not found now may be the old address still.
async fn look_up(line: &Line) {
    if let Err(error) = line.resolve().await {
        tracing::warn!(trunk = %line.config.host, %error, "the trunk's name was not found");
    }
}

/// Asks once; the code of the answer.
async fn options(line: &Line) -> Option<u16> {
    let uri = line.uri("");
    let from = typed::From { display_name: None, uri: line.uri(&line.config.caller_id), params: Vec::new() }
        .with_tag(make_tag());
    let to = typed::To { display_name: None, uri: uri.clone(), params: Vec::new() };
    let endpoint = &line.stack.endpoint;
    let via = endpoint.get_via(None, None).ok()?;
    let request = endpoint.make_request(Method::Options, uri, via, from, to, 1, None);
    let key = TransactionKey::from_request(&request, TransactionRole::Client).ok()?;
    let mut transaction = Transaction::new_client(key, request, endpoint.clone(), None);
    transaction.send().await.ok()?;
    while let Some(message) = transaction.receive().await {
        if let SipMessage::Response(response) = message
            && response.status_code.kind() != StatusCodeKind::Provisional
        {
            return Some(response.status_code.code());
        }
    }
    None
}
