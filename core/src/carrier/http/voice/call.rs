//! One call, from its submit to its end.
//!
//! Reports on it come to its place in the inbox, by webhook or by poll; the first one that is final is its end. A call
//! without a final report in time ends as unknown.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::HeaderMap;
use tokio::sync::OwnedMutexGuard;
use tokio::time::Instant;

use super::call_inbox::Place;
use super::fields::{LEAST, Phase};
use super::settings::Poll;
use super::shared::Shared;
use super::submit::{Submitted, Values, submit};
use crate::carrier::http::outgoing::{Exchange, Outgoing};
use crate::carrier::http::provider::{Callback, reference};
use crate::carrier::http::request_template::RequestTemplate;
use crate::carrier::voice::{CallEvent, CallOutcome, CallResult, EndedBy, Teller};
use crate::time::Time;

/// How long a poll, or a request to end the call, may take.
const ASK_LIMIT: Duration = Duration::from_secs(10);
/// How long the answer may be: it has a few fields.
const ASK_BYTES_MAX: usize = 64 << 10;
/// How long it may take while the carrier is shut down.
const LAST_ASK_LIMIT: Duration = Duration::from_secs(2);
/// How long a call that was cut off is still listened to.
const LAST_LOOK: Duration = Duration::from_secs(2);
/// How soon after its end was asked for a call is asked about.
const SOON: Duration = Duration::from_millis(500);

/// A call that has its channel.
pub(super) struct Placed {
    shared: Arc<Shared>,
    place: Place,
    teller: Teller,
    /// How long its clip plays.
    length: Duration,
    /// The provider's id as the provider wrote it.
    id: Option<String>,
    ringing_at: Option<Time>,
    answered_at: Option<Time>,
    digits: String,
    /// The provider was asked to end it.
    is_cancelled: bool,
    /// That was for a reason of our own, not of the call.
    is_ended_here: bool,
    is_cut: bool,
    /// It was not over in time.
    is_time_up: bool,
}

enum Next {
    Told,
    Poll,
    HungUp,
    Cut,
    TimeUp,
}

impl Placed {
    pub(super) fn new(shared: Arc<Shared>, place: Place, teller: Teller, length: Duration) -> Self {
        Self {
            shared,
            place,
            teller,
            length,
            id: None,
            ringing_at: None,
            answered_at: None,
            digits: String::new(),
            is_cancelled: false,
            is_ended_here: false,
            is_cut: false,
            is_time_up: false,
        }
    }

    /// Submits it and stays with it to its end. `alone` is let go once the submit is answered.
    pub(super) async fn carry(mut self, values: &Values, alone: Option<OwnedMutexGuard<()>>) {
        let submitted = submit(&self.shared, values).await;
        drop(alone);
        let is_in_doubt = match submitted {
            Submitted::Begun(id) => {
                self.name(id);
                false
            }
            Submitted::Not(error) if !self.place.has_news() => {
                return self.teller.tell(CallEvent::NotPlaced(error));
            }
            Submitted::Failed(status) if !self.place.has_news() => {
                let ended = self.end(CallOutcome::TrunkError, None, self.shared.deps.clock.now());
                let ended_by = EndedBy::Trunk;
                return self.teller.tell(CallEvent::Ended(CallResult {
                    code: Some(status),
                    ended_by,
                    ..ended
                }));
            }
            // A call with a report was placed, whatever the answer says.
            Submitted::Not(_) | Submitted::Failed(_) | Submitted::InDoubt => true,
        };
        let config = &self.shared.config;
        if is_in_doubt {
            tracing::warn!(
                carrier = config.name,
                reference = values.reference,
                "it is in doubt whether a call was placed"
            );
            if !config.is_told_by_reference() {
                return;
            }
            if config.id_pointer.is_empty() {
                self.name(values.reference.clone());
            }
        }
        if let Some(result) = self.follow().await {
            self.teller.tell(CallEvent::Ended(result));
        }
    }

    fn name(&mut self, id: String) {
        self.place.name(&reference(&id).0);
        self.id = Some(id);
    }

    /// Stays with it to its end; `None` where that is not known.
    async fn follow(&mut self) -> Option<CallResult> {
        let shared = Arc::clone(&self.shared);
        let poll = shared.config.poll.as_ref();
        let mut until = Instant::now() + shared.config.call_timeout;
        let mut asked_at = poll.map(|poll| Instant::now() + poll.every);
        let mut was_hung_up = false;
        loop {
            let asked = async move {
                match asked_at {
                    Some(at) => tokio::time::sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            let next = tokio::select! {
                biased;
                () = self.place.told() => Next::Told,
                () = shared.cut.cancelled(), if !self.is_cut => Next::Cut,
                () = self.teller.hung_up(), if !was_hung_up => Next::HungUp,
                () = tokio::time::sleep_until(until) => Next::TimeUp,
                () = asked => Next::Poll,
            };
            match next {
                Next::Told => {
                    if let Some(result) = self.hear() {
                        return Some(result);
                    }
                }
                Next::Poll => {
                    self.ask(poll).await;
                    asked_at = poll.map(|poll| Instant::now() + poll.every);
                }
                Next::HungUp => {
                    was_hung_up = true;
                    self.is_ended_here |= self.cancel().await;
                    asked_at = poll.map(|_| Instant::now() + SOON);
                }
                Next::Cut => {
                    self.is_cut = true;
                    self.is_ended_here |= self.cancel().await;
                    until = until.min(Instant::now() + LAST_LOOK);
                    asked_at = poll.map(|_| Instant::now() + SOON);
                }
                Next::TimeUp => {
                    self.is_time_up = !self.is_cut;
                    self.cancel().await;
                    self.ask(poll).await;
                    let result = self.hear();
                    if result.is_none() {
                        let (name, reference) = (&shared.config.name, self.place.reference());
                        tracing::warn!(
                            carrier = name,
                            reference,
                            "a call has no end: what became of it is not known"
                        );
                    }
                    return result;
                }
            }
        }
    }

    /// Passes reports on; returns the end once there is one.
    fn hear(&mut self) -> Option<CallResult> {
        let news = self.place.look();
        if let Some(id) = self.place.id_told().filter(|_| self.id.is_none()) {
            self.name(id);
        }
        let now = self.shared.deps.clock.now();
        if news.was_ringing && self.ringing_at.is_none() {
            self.ringing_at = Some(now);
            self.teller.tell(CallEvent::Ringing);
        }
        let is_answered = news.was_up || news.phase == Some(Phase::Over(CallOutcome::Answered));
        if is_answered && self.answered_at.is_none() {
            self.answered_at = Some(now - news.up.unwrap_or_default());
            self.teller.tell(CallEvent::Answered);
        }
        // Providers that tell keys tell all of them each time.
        for key in news.digits.chars().skip(self.digits.chars().count()) {
            self.teller.tell(CallEvent::Key(key));
        }
        if news.digits.len() > self.digits.len() {
            self.digits.clone_from(&news.digits);
        }
        match news.phase {
            Some(Phase::Over(outcome)) => Some(self.end(outcome, news.up, now)),
            _ => None,
        }
    }

    fn end(&self, outcome: CallOutcome, told: Option<Duration>, now: Time) -> CallResult {
        // What failed after it was answered is not tried again.
        let outcome = match outcome {
            CallOutcome::Answered
            | CallOutcome::Busy
            | CallOutcome::Rejected
            | CallOutcome::InvalidNumber => outcome,
            // We asked for it, whatever the provider calls it.
            _ if self.is_ended_here && self.answered_at.is_none() => CallOutcome::Failed,
            // It rang until we gave up, however the provider calls it.
            CallOutcome::Failed if self.is_time_up && self.has_rung_only() => CallOutcome::NoAnswer,
            CallOutcome::TrunkError if self.answered_at.is_some() => CallOutcome::Failed,
            outcome => outcome,
        };
        let measured = || self.answered_at.map(|at| now.since(at));
        let is_some = |up: &Duration| !up.is_zero();
        let up = match outcome {
            CallOutcome::Answered => told.filter(is_some).or_else(measured).filter(is_some).unwrap_or(LEAST),
            _ => Duration::ZERO,
        };
        CallResult {
            outcome,
            reason: reason(outcome, up >= self.length),
            code: None,
            ringing_at: self.ringing_at,
            answered_at: self.answered_at,
            ended_at: now,
            up,
            // The provider tells no more of it.
            heard: up.min(self.length),
            digits: self.digits.clone(),
            ended_by: self.ended_by(outcome, up),
        }
    }

    fn has_rung_only(&self) -> bool {
        self.ringing_at.is_some() && self.answered_at.is_none()
    }

    fn ended_by(&self, outcome: CallOutcome, up: Duration) -> EndedBy {
        match outcome {
            _ if self.is_ended_here => EndedBy::Caller,
            CallOutcome::Answered if up >= self.length => EndedBy::Caller,
            CallOutcome::Failed => EndedBy::Trunk,
            // The provider took it, and may not tell that a phone rang: no other trunk calls at once.
            _ => EndedBy::Callee,
        }
    }

    /// Polls the provider; a report that comes meanwhile is read first.
    async fn ask(&self, poll: Option<&Poll>) {
        let Some((poll, request)) = poll.and_then(|poll| Some((poll, self.request(&poll.request)?))) else {
            return;
        };
        let exchange = tokio::select! {
            biased;
            () = self.place.told() => return,
            () = self.shared.cut.cancelled(), if !self.is_cut => return,
            exchange = request.exchange(&self.shared.client, self.limit()) => exchange,
        };
        match exchange {
            Exchange::Answered { status: 200..=299, body, .. } => {
                let headers = HeaderMap::new();
                let report = poll.fields.read(&Callback { headers: &headers, query: "", body: &body });
                self.place.hear(&report.news);
            }
            Exchange::Answered { status, .. } => {
                let carrier = &self.shared.config.name;
                tracing::debug!(carrier, status, "the provider told nothing of a call");
            }
            Exchange::NotSent(reason) | Exchange::Lost(reason) => {
                let carrier = &self.shared.config.name;
                tracing::debug!(carrier, reason, "the provider could not be asked about a call");
            }
        }
    }

    /// Asks the provider to end it, once, where it can be asked; false where not. A report says how it ended either way.
    async fn cancel(&mut self) -> bool {
        let request = self.shared.config.cancel.as_ref().and_then(|cancel| self.request(cancel));
        let Some(request) = request.filter(|_| !self.is_cancelled) else { return false };
        self.is_cancelled = true;
        let exchange = request.exchange(&self.shared.client, self.limit()).await;
        if !matches!(exchange, Exchange::Answered { status: 200..=299, .. }) {
            let (carrier, reference) = (&self.shared.config.name, self.place.reference());
            tracing::warn!(carrier, reference, "a call could not be ended: it may go on");
        }
        true
    }

    /// A request about it; `None` where that wants an id which is not known.
    fn request(&self, template: &RequestTemplate) -> Option<Outgoing> {
        let id = match &self.id {
            None if template.uses("id") => return None,
            id => id.as_deref().unwrap_or_default(),
        };
        let request = template.fill(|name| match name {
            "id" => Cow::Borrowed(id),
            "ref" => self.place.reference().into(),
            _ => self.shared.config.link.api_key.reveal().into(),
        });
        Some(request.answered_within(ASK_BYTES_MAX))
    }

    fn limit(&self) -> Duration {
        let limit = if self.is_cut { LAST_ASK_LIMIT } else { ASK_LIMIT };
        limit.min(self.shared.config.link.timeout())
    }
}

const fn reason(outcome: CallOutcome, to_its_end: bool) -> &'static str {
    match outcome {
        CallOutcome::Answered if to_its_end => "heard to the end",
        CallOutcome::Answered => "it was hung up before the end",
        CallOutcome::Busy => "the line was busy",
        CallOutcome::NoAnswer => "it was not picked up",
        CallOutcome::Rejected => "it was declined",
        CallOutcome::InvalidNumber => "there is no such number",
        CallOutcome::TrunkError => "the provider could not make the call",
        CallOutcome::Failed => "the provider says that it failed",
    }
}
