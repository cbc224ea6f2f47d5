//! One bound connection, from its bind_resp to its end: a single task that reads, answers, fills the window and writes
//! what it has in one go.
//!
//! Whatever ends the session, every submission it took is answered, and truly: `Unanswered` exactly
//! where the socket took octets of a part that was not answered.
//!
//! Every PDU that comes in passes [`Session::on_pdu`], every one that goes out is appended to [`Outbox`]: there the
//! trace looks.

mod inbound;
mod outbound;

use std::collections::VecDeque;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::mpsc::{self, error::TrySendError};
use tokio::time::{Instant, Interval, MissedTickBehavior, Sleep};

use self::outbound::Current;
use super::command::{ENQUIRE_LINK, ESME_ROK, UNBIND, put_header};
use super::frame::Frames;
use super::shared::{Link, Shared, weight};
use super::template::Templates;
use super::trace_line;
use super::validity::ValidityPeriod;
use super::window::{Settled, Window};
use super::wire::Wire;
use crate::carrier::pace::Pause;
use crate::carrier::submit_queue::unsent;
use crate::carrier::{Event, Submission};

/// So many events may wait for the worker before the session stops reading. Until then enquire_link is answered
/// whatever the worker does; beyond it, the carrier's own receipts hold the line up.
const EVENTS_WAITING_MAX: usize = 8_192;

/// So many octets may wait for the socket before no more is encoded.
const OCTETS_WAITING_MAX: usize = 256 * 1024;

/// How long the other side may take to answer an unbind, or to hang up after its own.
const UNBIND_WAIT: Duration = Duration::from_secs(2);

/// Why a session ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// It was closed, as asked.
    Closed,
    /// The connection was lost.
    Lost(String),
}

/// Where a session stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Bound,
    /// We sent an unbind, or answered one: nothing is submitted any more.
    Unbinding {
        until: Instant,
        ours: bool,
    },
}

/// Octets on their way to the socket.
#[derive(Debug, Default)]
struct Outbox {
    octets: Vec<u8>,
    written: usize,
    /// Up to where the trace looked, or would have.
    traced: usize,
    /// Octets of this connection that the socket took, or may have taken.
    taken: u64,
}

impl Outbox {
    /// Where in the connection's stream the next octet appended will stand.
    fn position(&self) -> u64 {
        self.taken + self.waiting() as u64
    }

    fn waiting(&self) -> usize {
        self.octets.len() - self.written
    }

    fn took(&mut self, count: usize) {
        self.written += count;
        self.taken += count as u64;
        if self.written == self.octets.len() {
            self.octets.clear();
            (self.written, self.traced) = (0, 0);
        }
    }
}

type Permit = BoxFuture<'static, Result<mpsc::OwnedPermit<Vec<Event>>, mpsc::error::SendError<()>>>;

/// Events on their way to the worker.
#[derive(Default)]
struct Report {
    events: Vec<Event>,
    permit: Option<Permit>,
}

impl std::fmt::Debug for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Report").field("events", &self.events.len()).finish_non_exhaustive()
    }
}

impl Report {
    fn is_full(&self) -> bool {
        self.events.len() >= EVENTS_WAITING_MAX
    }

    fn take(&mut self) -> Vec<Event> {
        let next = Vec::with_capacity(self.events.len().min(1_024));
        std::mem::replace(&mut self.events, next)
    }

    /// Hands over what waits, or arranges to be woken when the worker has taken something.
    fn poll(&mut self, cx: &mut Context<'_>, to: &mpsc::Sender<Vec<Event>>) {
        while !self.events.is_empty() {
            if let Some(permit) = &mut self.permit {
                let Poll::Ready(permit) = permit.as_mut().poll(cx) else { return };
                self.permit = None;
                let events = self.take();
                if let Ok(permit) = permit {
                    permit.send(events);
                }
                continue;
            }
            match to.try_send(self.take()) {
                Ok(()) => {}
                Err(TrySendError::Full(events)) => {
                    self.events = events;
                    self.permit = Some(Box::pin(to.clone().reserve_owned()));
                }
                Err(TrySendError::Closed(_)) => self.permit = None,
            }
        }
    }
}

/// See the module.
#[derive(Debug)]
pub(super) struct Session<'a> {
    shared: &'a Shared,
    link: &'a Link,
    templates: &'a mut Templates,
    wire: Wire,
    connection: u64,
    phase: Phase,
    now: Instant,
    frames: Frames,
    /// The socket had nothing more when it was last read.
    is_drained: bool,
    heard_at: Instant,
    outbox: Outbox,
    must_flush: bool,
    window: Window,
    staged: VecDeque<Submission>,
    current: Option<Current>,
    validity: ValidityPeriod,
    pause: Pause,
    is_open: bool,
    report: Report,
    /// Parts done with in this turn.
    released: u32,
    refusals: Vec<(u32, Arc<str>)>,
    acknowledged: Vec<u32>,
    /// Outstanding data_sm, which are answered by another PDU than deliver_sm.
    data_sms: Vec<u32>,
    check: Option<(u32, Instant)>,
    check_wanted: bool,
    ticker: Interval,
    alarm: Pin<Box<Sleep>>,
    end: Option<End>,
}

impl<'a> Session<'a> {
    /// A session on a connection whose bind was accepted; `frames` holds what came after the bind_resp.
    pub(super) fn new(
        shared: &'a Shared,
        link: &'a Link,
        templates: &'a mut Templates,
        wire: Wire,
        frames: Frames,
    ) -> Self {
        let config = &shared.config;
        let now = Instant::now();
        let tick = config.response_timeout_ms.min(config.enquire_link_ms) / 4;
        let mut ticker = tokio::time::interval(Duration::from_millis(tick.clamp(5, 250)));
        ticker.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let pause = Duration::from_millis(config.throttle_pause_ms);
        Self {
            connection: shared.next_connection(link),
            phase: Phase::Bound,
            now,
            frames,
            is_drained: false,
            heard_at: now,
            outbox: Outbox::default(),
            must_flush: false,
            window: Window::new(if link.role.sends() { config.window } else { 1 }),
            staged: VecDeque::new(),
            current: None,
            validity: ValidityPeriod::default(),
            pause: Pause::new(pause, Duration::from_millis(config.throttle_pause_max_ms)),
            is_open: false,
            report: Report::default(),
            released: 0,
            refusals: Vec::new(),
            acknowledged: Vec::new(),
            data_sms: Vec::new(),
            check: None,
            check_wanted: false,
            ticker,
            alarm: Box::pin(tokio::time::sleep_until(now)),
            end: None,
            shared,
            link,
            templates,
            wire,
        }
    }

    /// Runs the session to its end, and answers what it leaves open.
    pub(super) async fn run(mut self) -> End {
        self.link.serve(self.connection);
        if self.link.role.sends() {
            self.shared.sender_began();
        }
        // What came with the bind_resp is in the frames already.
        self.handle_pdus();
        let end = poll_fn(|cx| self.poll(cx)).await;
        self.set_open(false);
        if self.link.role.sends() {
            self.shared.sender_ended();
        }
        self.settle_everything();
        let Self { shared, mut report, mut wire, .. } = self;
        // A sent FIN lets the other side read our last answers; a lost connection refuses it, and may.
        let _ = tokio::time::timeout(UNBIND_WAIT, poll_fn(|cx| Pin::new(&mut wire).poll_shutdown(cx))).await;
        shared.queue.report(report.take()).await;
        shared.return_unsent().await;
        end
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<End> {
        loop {
            self.link.bell.answer(cx.waker());
            self.now = Instant::now();
            self.take_acknowledged();
            let was_held_up = self.is_held_up();
            self.fill();
            if let Err(error) = self.write(cx) {
                self.hear_out(cx, &error);
            }
            let mut has_more = self.read(cx);
            has_more |= self.tick(cx);
            self.conclude_turn();
            self.report.poll(cx, self.shared.queue.events());
            if let Some(end) = self.end.take() {
                return Poll::Ready(end);
            }
            // No event will wake this task for it: only this turn knows that filling or reading can go on.
            if !has_more && (!was_held_up || self.is_held_up()) {
                return Poll::Pending;
            }
        }
    }

    /// Whether the socket or the worker is so far behind that filling or reading waits for it.
    fn is_held_up(&self) -> bool {
        self.report.is_full() || self.outbox.waiting() >= OCTETS_WAITING_MAX
    }

    /// Makes known what this turn changed.
    fn conclude_turn(&mut self) {
        self.shared.queue.release(std::mem::take(&mut self.released));
        let takes = self.link.role.sends() && self.phase == Phase::Bound && !self.pause.is_on();
        self.set_open(takes);
    }

    fn set_open(&mut self, open: bool) {
        match (self.is_open, open) {
            (false, true) => self.shared.open(),
            (true, false) => self.shared.shut(),
            _ => {}
        }
        self.is_open = open;
    }

    fn lose(&mut self, reason: impl Into<String>) {
        self.end.get_or_insert_with(|| End::Lost(reason.into()));
    }

    /// Shows the trace what was appended since it last looked.
    fn trace_outgoing(&mut self) {
        let Outbox { octets, traced, .. } = &mut self.outbox;
        if self.shared.trace.is_on() {
            for line in trace_line::outgoing(&octets[*traced..]) {
                self.shared.trace.note(|| line);
            }
        }
        *traced = octets.len();
    }

    /// Writes what waits, as far as the socket takes it.
    fn write(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        self.trace_outgoing();
        while self.outbox.waiting() > 0 {
            let octets = &self.outbox.octets[self.outbox.written..];
            match Pin::new(&mut self.wire).poll_write(cx, octets) {
                Poll::Pending => return Ok(()),
                Poll::Ready(Ok(count)) if count > 0 => {
                    self.outbox.took(count);
                    self.must_flush = true;
                }
                Poll::Ready(outcome) => {
                    // It is not known how much of the failed write went out.
                    self.outbox.took(self.outbox.waiting());
                    return Err(outcome.err().unwrap_or_else(|| io::ErrorKind::WriteZero.into()));
                }
            }
        }
        if self.must_flush && Pin::new(&mut self.wire).poll_flush(cx)?.is_ready() {
            self.must_flush = false;
        }
        Ok(())
    }

    /// The carrier takes no more octets: what it sent before is still read, since each answer is one unknown message
    /// less.
    fn hear_out(&mut self, cx: &mut Context<'_>, error: &io::Error) {
        while self.read(cx) {}
        self.end = Some(End::Lost(format!("writing to the carrier failed: {error}")));
    }

    /// Reads once and handles what came; whether there may be more.
    fn read(&mut self, cx: &mut Context<'_>) -> bool {
        self.is_drained = false;
        if self.report.is_full() || self.end.is_some() {
            return false;
        }
        let mut buffer = ReadBuf::new(self.frames.space());
        match Pin::new(&mut self.wire).poll_read(cx, &mut buffer) {
            Poll::Pending => {
                self.is_drained = true;
                return false;
            }
            Poll::Ready(Err(error)) => self.lose(format!("reading from the carrier failed: {error}")),
            Poll::Ready(Ok(())) => match buffer.filled().len() {
                0 => self.hung_up(),
                count => {
                    self.frames.filled(count);
                    self.heard_at = self.now;
                    self.handle_pdus();
                }
            },
        }
        self.end.is_none()
    }

    fn hung_up(&mut self) {
        match self.phase {
            Phase::Unbinding { ours: true, .. } => self.end = Some(End::Closed),
            _ => self.lose("the carrier closed the connection"),
        }
    }

    /// Looks at the clocks; whether something is to be written.
    fn tick(&mut self, cx: &mut Context<'_>) -> bool {
        // The alarm only wakes the task, for `fill`: one that rang after this turn's `fill` asks for another turn.
        let has_rung = self.alarm.as_mut().poll(cx).is_ready();
        let mut has_more = has_rung && self.alarm.deadline() > self.now;
        while self.ticker.poll_tick(cx).is_ready() {
            has_more |= self.on_tick();
        }
        has_more
    }

    fn on_tick(&mut self) -> bool {
        if let Some(at) = self.shared.queue.closes_at() {
            self.wind_up(at);
        }
        if let Phase::Unbinding { until, ours } = self.phase {
            if self.now >= until {
                self.end = Some(if ours { End::Closed } else { End::Lost("the carrier unbound".to_owned()) });
            }
            return self.outbox.waiting() > 0;
        }
        // With the socket drained, what is not answered by now was not answered in time.
        if self.is_drained {
            self.expire();
            self.check_link();
        }
        self.outbox.waiting() > 0
    }

    fn expire(&mut self) {
        let Self { window, report, released, .. } = self;
        let timeout = self.shared.config.response_timeout();
        let expired = window.expire(self.now, timeout, |settled| settle(report, released, settled));
        if expired > 0 {
            tracing::warn!(
                carrier = self.shared.config.name,
                parts = expired,
                "answers did not come in time"
            );
            self.check_wanted = true;
        }
    }

    fn check_link(&mut self) {
        let config = &self.shared.config;
        if let Some((_, sent_at)) = self.check {
            if self.heard_at > sent_at {
                self.check = None;
            } else if self.now.duration_since(sent_at) >= config.response_timeout() {
                return self.lose("the carrier does not answer enquire_link");
            } else {
                return;
            }
        }
        let silence = Duration::from_millis(config.enquire_link_ms);
        if self.check_wanted || self.now.duration_since(self.heard_at) >= silence {
            let sequence = self.window.next_sequence();
            put_header(&mut self.outbox.octets, ENQUIRE_LINK, ESME_ROK, sequence);
            self.check = Some((sequence, self.now));
            self.check_wanted = false;
        }
    }

    /// The carrier closes: unbinds once nothing is outstanding, or time is up.
    fn wind_up(&mut self, at: Instant) {
        let is_idle = self.window.is_empty() && self.current.is_none();
        if self.phase == Phase::Bound && (is_idle || self.now >= at) {
            let sequence = self.window.next_sequence();
            put_header(&mut self.outbox.octets, UNBIND, ESME_ROK, sequence);
            self.phase = Phase::Unbinding { until: self.now + UNBIND_WAIT, ours: true };
        }
    }

    fn settle_everything(&mut self) {
        let Self { window, report, released, .. } = self;
        if let Some(current) = self.current.take()
            && let Some(settled) = window.abandon(current.flight)
        {
            settle(report, released, settled);
        }
        window.lose(self.outbox.taken, |settled| settle(report, released, settled));
        for submission in self.staged.drain(..) {
            *released += weight(&submission);
            report.events.push(unsent(&submission));
        }
        self.shared.queue.release(std::mem::take(&mut self.released));
    }
}

/// Reports a settled message.
fn settle(report: &mut Report, released: &mut u32, settled: Settled) {
    *released += settled.weight;
    report.events.push(Event::Answer(settled.answer));
}
