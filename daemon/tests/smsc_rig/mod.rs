//! A carrier bound to a sandbox SMSC, and a worker that only takes notes.

#![expect(clippy::unwrap_used, reason = "a rig for tests: what fails here fails the test")]

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use talkdrum_api::kind::Kind;
use talkdrum_core::carrier::smpp::{SmppCarrier, SmppConfig, SmppDeps};
use talkdrum_core::carrier::{Answer, Event, Events, Inbound, Receipt, SmsCarrier, Submission, Verdict};
use talkdrum_core::content::{Body, Encoding, Part};
use talkdrum_core::model::message::id::MessageId;
use talkdrum_core::model::message::receipt_state::ReceiptState;
use talkdrum_core::phone::Msisdn;
use talkdrum_daemon::sandbox::smsc::{Smsc, SmscOptions};

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// The destination of a message.
pub(crate) const NUMBER: fn(i64) -> u64 = |message| 2_348_030_000_000 + message.cast_unsigned();

/// A carrier to a port that [`Rig::start`] fills in.
pub(crate) fn config() -> SmppConfig {
    SmppConfig {
        name: "main".into(),
        system_id: "talkdrum".into(),
        window: 50,
        reconnect_min_ms: 20,
        reconnect_max_ms: 100,
        ..SmppConfig::default()
    }
}

/// A text in parts.
pub(crate) fn text(parts: &[&str]) -> Arc<Body> {
    let parts = parts.iter().map(|part| Part { data: part.as_bytes().into() }).collect();
    Arc::new(Body {
        kind: Kind::Text,
        encoding: Encoding::Gsm7,
        flash: false,
        ports: None,
        parts,
        call: None,
    })
}

/// Messages to [`NUMBER`]s.
pub(crate) fn messages(
    ids: impl IntoIterator<Item = i64>,
    body: &Arc<Body>,
    parts_done: u16,
) -> Vec<Submission> {
    let from: Arc<str> = "Talkdrum".into();
    let message = |id| Submission {
        message: MessageId(id),
        to: Msisdn::from_digits(NUMBER(id)).unwrap(),
        from: Arc::clone(&from),
        body: Arc::clone(body),
        parts_done,
        tries: 0,
        caller: None,
        expires_at: None,
    };
    ids.into_iter().map(message).collect()
}

pub(crate) struct Rig {
    pub(crate) smsc: Smsc,
    pub(crate) carrier: Arc<SmppCarrier>,
    events: Events,
    pub(crate) text: Arc<Body>,
    pub(crate) parts_done: u16,
    pub(crate) acknowledges: bool,
    pub(crate) answers: HashMap<i64, Answer>,
    awaited: HashSet<i64>,
    message_of: HashMap<String, i64>,
    pub(crate) receipts: Vec<Receipt>,
    pub(crate) receipts_before_answers: usize,
    pub(crate) inbound: Vec<Inbound>,
}

impl Rig {
    pub(crate) async fn start(options: SmscOptions, config: SmppConfig) -> Self {
        let smsc = Smsc::bind(options).await.unwrap();
        let config = SmppConfig { port: smsc.local_addr().port(), ..config };
        let (carrier, events) = SmppCarrier::start(config, SmppDeps::default()).unwrap();
        Self {
            smsc,
            carrier,
            events,
            text: text(&["Hello"]),
            parts_done: 0,
            acknowledges: true,
            answers: HashMap::new(),
            awaited: HashSet::new(),
            message_of: HashMap::new(),
            receipts: Vec::new(),
            receipts_before_answers: 0,
            inbound: Vec::new(),
        }
    }

    pub(crate) fn messages(&mut self, ids: impl IntoIterator<Item = i64>) -> Vec<Submission> {
        let messages = messages(ids, &self.text, self.parts_done);
        self.awaited.extend(messages.iter().map(|message| message.message.0));
        messages
    }

    /// Hands messages over as the carrier is ready for them, and waits for every answer.
    pub(crate) async fn submit(&mut self, ids: impl IntoIterator<Item = i64>) {
        let mut left = self.messages(ids);
        let carrier = Arc::clone(&self.carrier);
        while !left.is_empty() {
            tokio::select! {
                room = carrier.ready() => {
                    let count = left.len().min(room as usize);
                    carrier.submit(left.drain(..count).collect());
                }
                batch = self.events.recv() => self.note(batch.unwrap()),
                () = tokio::time::sleep(PATIENCE) => panic!("{} messages could not be handed over", left.len()),
            }
        }
        self.until("every answer", |rig| rig.awaited.is_empty()).await;
    }

    /// Hands messages over whether the carrier is ready or not, and waits for every answer.
    pub(crate) async fn submit_unready(&mut self, ids: impl IntoIterator<Item = i64>) {
        let messages = self.messages(ids);
        self.carrier.submit(messages);
        self.until("every answer", |rig| rig.awaited.is_empty()).await;
    }

    /// Submits what was not accepted of a message.
    pub(crate) async fn resubmit(&mut self, message: i64) {
        let done = self.answers[&message].accepted.iter().map(|(part, _)| 1 << part).sum::<u16>();
        self.parts_done = done;
        self.submit([message]).await;
        self.parts_done = 0;
    }

    /// Takes events until a condition holds.
    pub(crate) async fn until(&mut self, what: &str, condition: impl Fn(&Self) -> bool) {
        let deadline = tokio::time::Instant::now() + PATIENCE;
        while !condition(self) {
            assert!(
                tokio::time::Instant::now() < deadline,
                "no {what}: {} answers, {} awaited, {} receipts, {:?}",
                self.answers.len(),
                self.awaited.len(),
                self.receipts.len(),
                self.smsc.counts()
            );
            if let Ok(batch) = tokio::time::timeout(Duration::from_millis(5), self.events.recv()).await {
                self.note(batch.unwrap());
            }
        }
    }

    fn note(&mut self, batch: Vec<Event>) {
        let mut tokens = Vec::new();
        for event in batch {
            match event {
                Event::Answer(answer) => {
                    let message = answer.message.0;
                    assert!(self.awaited.remove(&message), "message {message} was answered twice");
                    for (_, reference) in answer.accepted.iter() {
                        self.message_of.insert(reference.0.to_string(), message);
                    }
                    self.answers.insert(message, answer);
                }
                Event::Receipt(receipt) => {
                    tokens.push(receipt.token);
                    let is_known = self.message_of.contains_key(&*receipt.reference.0);
                    self.receipts_before_answers += usize::from(!is_known);
                    self.receipts.push(receipt);
                }
                Event::Inbound(inbound) => {
                    tokens.push(inbound.token);
                    self.inbound.push(inbound);
                }
                Event::OptOut(message) => panic!("message {} was called", message.0),
            }
        }
        if self.acknowledges {
            self.carrier.acknowledge(tokens);
        }
    }

    pub(crate) fn verdict(&self, message: i64) -> &Verdict {
        &self.answers[&message].verdict
    }

    pub(crate) fn count(&self, verdict: &Verdict) -> usize {
        self.answers.values().filter(|answer| answer.verdict == *verdict).count()
    }

    /// The first receipt of a message.
    pub(crate) fn receipt(&self, message: i64) -> Option<&Receipt> {
        let is_its = |receipt: &&Receipt| receipt.to.map(Msisdn::digits) == Some(NUMBER(message));
        let receipt = self.receipts.iter().find(is_its)?;
        let reference = &*receipt.reference.0;
        assert_eq!(self.message_of.get(reference), Some(&message), "the receipt names another message");
        Some(receipt)
    }

    pub(crate) fn state(&self, message: i64) -> Option<ReceiptState> {
        self.receipt(message).map(|receipt| receipt.state)
    }
}
