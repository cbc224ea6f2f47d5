//! Receipts on their way from a callback to the worker and back as a confirmation that they are stored.
//!
//! The inbox of a carrier exists from the start of the daemon; the carrier attaches its events to it once this daemon
//! holds it. Invariant: [`HookDelivery::Committed`] is returned only after the worker acknowledged every receipt of the
//! delivery.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use super::provider::{CallbackReport, Report, Said};
use super::trace_line;
use crate::carrier::{Event, Inbound, Receipt, ReceiptToken, Trace};

/// Receipts that may wait for their acknowledgement at once.
const WAITING_MAX: usize = 100_000;

/// What became of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookDelivery {
    /// It is stored.
    Committed,
    /// This daemon does not hold the carrier: store it for the one that does.
    Elsewhere,
    /// It was not stored in time: the provider is to send it again.
    Late,
}

/// The inbox of one carrier. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Inbox(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    events: Option<mpsc::Sender<Vec<Event>>>,
    trace: Option<Arc<Trace>>,
    connection: u64,
    next: u32,
    waiting: HashMap<u32, Arc<Countdown>>,
}

/// Notified when every receipt of a delivery is acknowledged.
#[derive(Debug)]
struct Countdown {
    left: Mutex<(usize, Option<oneshot::Sender<()>>)>,
}

impl Countdown {
    fn one_less(&self) {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        left.0 = left.0.saturating_sub(1);
        if left.0 == 0
            && let Some(done) = left.1.take()
        {
            // The waiting request may have been given up.
            let _ = done.send(());
        }
    }
}

impl Inbox {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on receipts go to these events.
    pub(super) fn attach(&self, events: mpsc::Sender<Vec<Event>>, trace: Arc<Trace>) {
        let mut state = self.state();
        state.connection += 1;
        state.waiting.clear();
        state.events = Some(events);
        state.trace = Some(trace);
    }

    /// The carrier is closed.
    pub(super) fn detach(&self) {
        let mut state = self.state();
        state.events = None;
        state.waiting.clear();
    }

    /// Shows messages from handsets in the trace.
    pub fn note_messages(&self, messages: &[Said]) {
        let state = self.state();
        for message in messages {
            state.trace.iter().for_each(|trace| trace.note(|| trace_line::said(message)));
        }
    }

    /// Hands receipts to the worker and waits until they are stored.
    pub async fn deliver(&self, reports: Vec<Report>, within: Duration) -> HookDelivery {
        self.deliver_all(CallbackReport { reports, messages: Vec::new() }, within).await
    }

    /// The same, with messages from handsets: of a provider that was asked, by the daemon that holds the carrier.
    pub(super) async fn deliver_all(&self, heard: CallbackReport, within: Duration) -> HookDelivery {
        let CallbackReport { reports, messages } = heard;
        let count = reports.len() + messages.len();
        if count == 0 {
            return HookDelivery::Committed;
        }
        let (done, waits) = oneshot::channel();
        let (events, batch, tokens) = {
            let mut state = self.state();
            let Some(events) = state.events.clone() else { return HookDelivery::Elsewhere };
            if state.waiting.len() + count > WAITING_MAX {
                return HookDelivery::Late;
            }
            for report in &reports {
                state.trace.iter().for_each(|trace| trace.note(|| trace_line::report(report)));
            }
            for message in &messages {
                state.trace.iter().for_each(|trace| trace.note(|| trace_line::said(message)));
            }
            let countdown = Arc::new(Countdown { left: Mutex::new((count, Some(done))) });
            let mut tokens = Vec::with_capacity(count);
            let mut token = || {
                state.next = state.next.wrapping_add(1);
                let token = ReceiptToken { connection: state.connection, sequence: state.next };
                state.waiting.insert(token.sequence, Arc::clone(&countdown));
                tokens.push(token.sequence);
                token
            };
            let mut batch = Vec::with_capacity(count);
            batch.extend(reports.into_iter().map(|report| receipt(report, token())));
            batch.extend(messages.into_iter().map(|message| inbound(message, token())));
            (events, batch, tokens)
        };
        let stored = tokio::time::timeout(within, async {
            events.send(batch).await.map_err(|_| ())?;
            waits.await.map_err(|_| ())
        });
        match stored.await {
            Ok(Ok(())) => HookDelivery::Committed,
            Ok(Err(())) | Err(_) => {
                let mut state = self.state();
                for token in tokens {
                    state.waiting.remove(&token);
                }
                HookDelivery::Late
            }
        }
    }

    /// The worker stored these.
    pub(super) fn acknowledge(&self, tokens: &[ReceiptToken]) {
        let mut state = self.state();
        let connection = state.connection;
        for token in tokens.iter().filter(|token| token.connection == connection) {
            if let Some(countdown) = state.waiting.remove(&token.sequence) {
                countdown.one_less();
            }
        }
    }
}

fn receipt(report: Report, token: ReceiptToken) -> Event {
    Event::Receipt(Receipt {
        reference: report.reference,
        to: report.to,
        from: None,
        state: report.state,
        error: report.error,
        done_at: report.done_at,
        token,
    })
}

fn inbound(said: Said, token: ReceiptToken) -> Event {
    let Said { from, to, text, reference, part } = said;
    Event::Inbound(Inbound {
        from: from.into(),
        to: to.into(),
        text,
        part,
        reference: reference.map(String::into_boxed_str),
        mark: None,
        token,
    })
}
