//! A carrier that does as a seed tells it, and remembers what it accepted across the crashes of whoever uses it.
//!
//! [`Network`] is the world outside: it outlives every connection. [`ScriptedCarrier`] is one connection to it; when it
//! is dropped, answers on their way are lost and unacknowledged receipts wait for the next connection.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::future::BoxFuture;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use talkdrum_api::kind::Kind;

use crate::carrier::voice::{CallOutcome, CallResult, EndedBy};
use crate::carrier::{
    Accepted, Answer, CallPolicy, Capabilities, Event, Health, Receipt, ReceiptToken, Reference, Refusal,
    SmsCarrier, Submission, Verdict,
};
use crate::content::CallScript;
use crate::content::poll::OPT_OUT_KEY;
use crate::model::message::id::MessageId;
use crate::model::message::receipt_state::ReceiptState;
use crate::testing::odds::Odds;
use crate::time::{Clock as _, ManualClock, Time};

/// A call as the phone knows it.
#[derive(Clone, Copy, Debug)]
pub struct PhoneCall {
    /// The message.
    pub message: MessageId,
    /// When.
    pub at: Time,
    /// Over which network.
    pub which: usize,
    /// Whether it rang or was answered.
    pub has_rung: bool,
}

/// Calls over all networks, in their order.
pub type Phones = Arc<Mutex<Vec<PhoneCall>>>;

/// The world outside.
#[derive(Clone, Debug)]
pub struct Network(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    rng: StdRng,
    /// What people press: apart, so that the rest of a seed stays as it is.
    keys: StdRng,
    odds: Odds,
    next_reference: u64,
    /// What each accepted message's receipt says.
    fates: HashMap<MessageId, ReceiptState>,
    /// Receipts on their way, until they are acknowledged.
    receipts: VecDeque<Receipt>,
    /// Events for each connection.
    outboxes: BTreeMap<u64, VecDeque<Event>>,
    connections: u64,
    tokens: u32,
    /// In order, so that a seed brings them again in the same one.
    unacknowledged: BTreeMap<u32, Receipt>,
    /// Nothing comes through.
    is_cut: bool,
    /// Every message that was handed over, in order.
    handed: Vec<MessageId>,
    /// Every message that was accepted, in order.
    log: Vec<MessageId>,
    /// What a reference stands for.
    messages: HashMap<Reference, MessageId>,
    /// Every message whose receipt was acknowledged, in order.
    acknowledged: Vec<MessageId>,
    barred: BTreeSet<MessageId>,
    /// How many more it refuses, whatever they are.
    spell: u32,
    /// Every call that was placed; of those that were answered, the pulses that are due.
    calls: BTreeMap<MessageId, Option<u8>>,
    /// Messages in whose calls 9 was pressed.
    opt_outs: BTreeSet<MessageId>,
    /// Where calls are noted.
    phones: Option<(Phones, Arc<ManualClock>, usize)>,
}

/// How calls are placed again.
pub const CALL_AGAIN: CallPolicy = CallPolicy::new(2, Duration::from_secs(20));

impl Network {
    /// The world of `seed`.
    pub fn new(seed: u64, odds: Odds) -> Self {
        Self(Arc::new(Mutex::new(State {
            rng: StdRng::seed_from_u64(seed),
            keys: StdRng::seed_from_u64(seed ^ 0x9999),
            odds,
            next_reference: 1_000,
            fates: HashMap::new(),
            receipts: VecDeque::new(),
            outboxes: BTreeMap::new(),
            connections: 0,
            tokens: 0,
            unacknowledged: BTreeMap::new(),
            is_cut: false,
            handed: Vec::new(),
            log: Vec::new(),
            messages: HashMap::new(),
            acknowledged: Vec::new(),
            barred: BTreeSet::new(),
            spell: 0,
            calls: BTreeMap::new(),
            opt_outs: BTreeSet::new(),
            phones: None,
        })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes what happens from now on.
    pub fn set_odds(&self, odds: Odds) {
        self.state().odds = odds;
    }

    /// A new connection: what the last one had not heard is lost, but for receipts, which come again.
    pub fn connect(&self, name: &str, window: u32) -> Arc<ScriptedCarrier> {
        self.connect_as(name, Capabilities { kinds: Kind::SMS.to_vec(), rate: 0, window, calls: None })
    }

    /// A new connection that takes calls, too. What it fails to place goes to `spare`.
    pub fn connect_for_calls(&self, name: &str, window: u32, spare: &str) -> Arc<ScriptedCarrier> {
        let calls = Some(CallPolicy { failover: vec![spare.to_owned()], ..CALL_AGAIN });
        self.connect_as(name, Capabilities { kinds: Kind::ALL.to_vec(), rate: 0, window, calls })
    }

    fn connect_as(&self, name: &str, capabilities: Capabilities) -> Arc<ScriptedCarrier> {
        let mut state = self.state();
        state.connections += 1;
        state.bring_again();
        Arc::new(ScriptedCarrier {
            name: name.to_owned(),
            capabilities,
            network: self.clone(),
            connection: state.connections,
        })
    }

    /// Cuts every link: answers on their way are lost, so that what they are about is in doubt. Returns how many.
    pub fn cut(&self) -> usize {
        let mut state = self.state();
        state.is_cut = true;
        let mut in_doubt = 0;
        for outbox in state.outboxes.values_mut() {
            // Receipts come again.
            outbox.retain(|event| matches!(event, Event::Answer(_)));
            for event in outbox {
                if let Event::Answer(answer) = event
                    && answer.verdict != Verdict::Unsent
                {
                    (answer.verdict, answer.accepted) = (Verdict::Unanswered, Accepted::None);
                    in_doubt += 1;
                }
            }
        }
        in_doubt
    }

    /// The links are up again: receipts that were not acknowledged come again.
    pub fn mend(&self) {
        let mut state = self.state();
        state.is_cut = false;
        state.bring_again();
    }

    /// Notes calls in `phones`, with the time of this clock, as those of the network `which`.
    pub fn note_calls(&self, phones: &Phones, clock: &Arc<ManualClock>, which: usize) {
        self.state().phones = Some((Arc::clone(phones), Arc::clone(clock), which));
    }

    /// Whether the links are cut.
    pub fn is_cut(&self) -> bool {
        self.state().is_cut
    }

    /// Every message that was handed over, in order.
    pub fn handed(&self) -> Vec<MessageId> {
        self.state().handed.clone()
    }

    /// Every message that was accepted, in order.
    pub fn log(&self) -> Vec<MessageId> {
        self.state().log.clone()
    }

    /// Every message whose receipt was acknowledged, in order.
    pub fn acknowledged(&self) -> Vec<MessageId> {
        self.state().acknowledged.clone()
    }

    /// Every call that was placed; of those that were answered, the pulses that are due.
    pub fn calls(&self) -> BTreeMap<MessageId, Option<u8>> {
        self.state().calls.clone()
    }

    /// Messages that it refused for a reason of its own.
    pub fn barred(&self) -> BTreeSet<MessageId> {
        self.state().barred.clone()
    }

    /// Messages in whose calls 9 was pressed.
    pub fn opt_outs(&self) -> BTreeSet<MessageId> {
        self.state().opt_outs.clone()
    }

    /// What a message's receipt says.
    pub fn fate(&self, message: MessageId) -> Option<ReceiptState> {
        self.state().fates.get(&message).copied()
    }

    /// Whether nothing is on its way.
    pub fn is_quiet(&self) -> bool {
        let state = self.state();
        state.receipts.is_empty() && state.outboxes.values().all(VecDeque::is_empty)
    }
}

impl State {
    fn percent(&mut self, odds: u8) -> bool {
        self.rng.random_range(0..100) < odds
    }

    /// Whether it has one of its spells, in which it takes nothing.
    fn refuses_all(&mut self) -> bool {
        if self.spell == 0 && self.rng.random_range(0..150) == 0 {
            self.spell = 60;
        }
        self.spell = self.spell.saturating_sub(1);
        self.spell > 0
    }

    fn outbox(&mut self, connection: u64) -> &mut VecDeque<Event> {
        self.outboxes.entry(connection).or_default()
    }

    fn bring_again(&mut self) {
        let waiting = std::mem::take(&mut self.unacknowledged);
        self.receipts.extend(waiting.into_values());
    }

    fn hand_out_receipt(&mut self) -> Option<Event> {
        let mut receipt = self.receipts.pop_front()?;
        self.tokens += 1;
        receipt.token = ReceiptToken { connection: self.connections, sequence: self.tokens };
        self.unacknowledged.insert(self.tokens, receipt.clone());
        Some(Event::Receipt(receipt))
    }

    fn submit(&mut self, connection: u64, submission: &Submission) {
        let answer =
            |verdict, accepted| Event::Answer(Answer { message: submission.message, verdict, accepted });
        let refusal = |code, is_carriers| Refusal { code, reason: "scripted".into(), is_carriers };
        let odds = self.odds;
        self.handed.push(submission.message);
        if self.is_cut {
            // It was not written; or it was, and what became of it is not heard of.
            if self.percent(50) {
                self.outbox(connection).push_back(answer(Verdict::Unsent, Accepted::None));
            } else if self.percent(50) {
                self.outbox(connection).push_back(answer(Verdict::Unanswered, Accepted::None));
            } else {
                self.accept(connection, submission);
            }
        } else if self.percent(odds.unsent) {
            self.outbox(connection).push_back(answer(Verdict::Unsent, Accepted::None));
        } else if odds.barred > 0 && self.refuses_all() {
            let (code, is_final) = if self.percent(70) { (0x04, true) } else { (0x58, false) };
            let verdict = if is_final { Verdict::Refused } else { Verdict::Throttled };
            if is_final {
                self.barred.insert(submission.message);
            }
            self.outbox(connection).push_back(answer(verdict(refusal(code, true)), Accepted::None));
        } else if self.percent(odds.throttled) {
            self.outbox(connection)
                .push_back(answer(Verdict::Throttled(refusal(0x58, true)), Accepted::None));
        } else if odds.barred > 0 && self.percent(odds.barred) {
            self.barred.insert(submission.message);
            self.outbox(connection).push_back(answer(Verdict::Refused(refusal(0x04, true)), Accepted::None));
        } else if self.percent(odds.refused) {
            self.outbox(connection).push_back(answer(Verdict::Refused(refusal(0x0b, false)), Accepted::None));
        } else if self.percent(odds.submission_lost) {
            self.outbox(connection).push_back(answer(Verdict::Unanswered, Accepted::None));
        } else {
            self.accept(connection, submission);
        }
    }

    /// A call: answered, it is accepted and has no receipt; its answer is how it ended.
    fn call(&mut self, connection: u64, submission: &Submission, script: &CallScript) {
        let odds = self.odds;
        let missed = [
            (CallOutcome::Busy, EndedBy::Callee),
            // Answered, but only after it was cancelled.
            (CallOutcome::NoAnswer, EndedBy::Caller),
            (CallOutcome::TrunkError, EndedBy::Trunk),
            // Hung up here before it was answered, as the daemon stops.
            (CallOutcome::Failed, EndedBy::Caller),
        ];
        let declined =
            [(CallOutcome::Rejected, EndedBy::Callee), (CallOutcome::InvalidNumber, EndedBy::Callee)];
        let (outcome, ended_by) = if self.percent(odds.missed) {
            missed[self.rng.random_range(0..missed.len())]
        } else if self.percent(odds.declined) {
            declined[self.rng.random_range(0..declined.len())]
        } else {
            (CallOutcome::Answered, EndedBy::Callee)
        };
        let is_answered = outcome == CallOutcome::Answered;
        // Some networks are late to end it.
        let most = script.duration().as_secs() + 9;
        let up = Duration::from_secs(if is_answered { self.rng.random_range(1..most) } else { 0 });
        if is_answered {
            self.log.push(submission.message);
            self.fates.insert(submission.message, ReceiptState::Delivered);
        }
        self.calls.insert(submission.message, is_answered.then(|| script.billed(up)));
        // A number that does not exist does not ring; a trunk may fail before and after.
        let has_rung = is_answered || outcome != CallOutcome::InvalidNumber && self.percent(50);
        if let Some((phones, clock, which)) = &self.phones {
            let call = PhoneCall { message: submission.message, at: clock.now(), which: *which, has_rung };
            phones.lock().unwrap_or_else(PoisonError::into_inner).push(call);
        }
        let result = CallResult {
            outcome,
            reason: "scripted",
            code: None,
            ringing_at: has_rung.then_some(EPOCH),
            answered_at: is_answered.then_some(EPOCH),
            ended_at: EPOCH + up,
            up,
            heard: up,
            digits: if is_answered { self.pressed() } else { String::new() },
            ended_by,
        };
        // The trunk dies in the midst of it, or the link does.
        let is_lost = self.percent(odds.answer_lost) || self.is_cut;
        let has_opted_out = result.digits.contains(OPT_OUT_KEY);
        let verdict = if is_lost { Verdict::Unanswered } else { Verdict::Called(Box::new(result)) };
        let answer = Answer { message: submission.message, verdict, accepted: Accepted::None };
        if has_opted_out {
            self.opt_outs.insert(submission.message);
            self.outbox(connection).push_back(Event::OptOut(submission.message));
        }
        self.outbox(connection).push_back(Event::Answer(answer));
    }

    /// What a person pressed: nothing, an answer, or also the key that opts out.
    fn pressed(&mut self) -> String {
        const PRESSED: [&str; 8] = ["", "", "1", "2", "7", "9", "19", "*2"];
        PRESSED[self.keys.random_range(0..PRESSED.len())].to_owned()
    }

    fn accept(&mut self, connection: u64, submission: &Submission) {
        if let Some(script) = &submission.body.call {
            return self.call(connection, submission, script);
        }
        let odds = self.odds;
        self.log.push(submission.message);
        self.next_reference += 1;
        let reference = Reference(self.next_reference.to_string().into());
        self.messages.insert(reference.clone(), submission.message);
        let fate =
            if self.percent(odds.undelivered) { ReceiptState::Undelivered } else { ReceiptState::Delivered };
        let receipt = Receipt {
            reference: reference.clone(),
            to: Some(submission.to),
            from: Some(submission.from.as_ref().into()),
            state: fate,
            error: None,
            done_at: None,
            token: ReceiptToken { connection: 0, sequence: 0 },
        };
        // What was accepted before under this id was another message.
        self.fates.remove(&submission.message);
        if !self.percent(odds.receipt_lost) {
            self.fates.insert(submission.message, fate);
            if self.percent(odds.receipt_twice) {
                self.receipts.push_back(receipt.clone());
            }
            if self.percent(odds.receipt_early) && !self.is_cut {
                self.receipts.push_front(receipt);
                let early = self.hand_out_receipt();
                self.outbox(connection).extend(early);
            } else {
                self.receipts.push_back(receipt);
            }
        }
        let (verdict, accepted) = if self.percent(odds.answer_lost) || self.is_cut {
            (Verdict::Unanswered, Accepted::None)
        } else {
            (Verdict::Accepted, Accepted::One(0, reference))
        };
        self.outbox(connection).push_back(Event::Answer(Answer {
            message: submission.message,
            verdict,
            accepted,
        }));
    }
}

/// One connection to the network.
pub struct ScriptedCarrier {
    name: String,
    capabilities: Capabilities,
    network: Network,
    connection: u64,
}

impl ScriptedCarrier {
    /// Events of this connection: answers in order, receipts among them. Receipts come to the newest connection.
    pub fn take_events(&self, most: usize) -> Vec<Event> {
        let mut state = self.network.state();
        let mut events = Vec::new();
        while events.len() < most {
            let has_answers = state.outboxes.get(&self.connection).is_some_and(|outbox| !outbox.is_empty());
            let has_receipts =
                self.connection == state.connections && !state.is_cut && !state.receipts.is_empty();
            let receipts_first = state.rng.random_bool(0.3);
            let event = match (receipts_first, has_answers, has_receipts) {
                (_, false, false) => break,
                (true, _, true) | (false, false, true) => state.hand_out_receipt(),
                (_, true, _) => state.outboxes.get_mut(&self.connection).and_then(VecDeque::pop_front),
            };
            events.extend(event);
        }
        events
    }
}

impl Drop for ScriptedCarrier {
    /// Answers on their way are lost.
    fn drop(&mut self) {
        self.network.state().outboxes.remove(&self.connection);
    }
}

impl fmt::Debug for ScriptedCarrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptedCarrier").field("name", &self.name).finish_non_exhaustive()
    }
}

impl SmsCarrier for ScriptedCarrier {
    fn name(&self) -> &str {
        &self.name
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn health(&self) -> Health {
        match self.network.is_cut() {
            false => Health::Up,
            true => Health::Connecting { reason: "the link is cut".into() },
        }
    }

    fn ready(&self) -> BoxFuture<'_, u32> {
        let window = self.capabilities.window;
        Box::pin(async move { window })
    }

    fn submit(&self, batch: Vec<Submission>) {
        let mut state = self.network.state();
        for submission in &batch {
            state.submit(self.connection, submission);
        }
    }

    fn acknowledge(&self, tokens: Vec<ReceiptToken>) {
        let mut state = self.network.state();
        if state.is_cut {
            return;
        }
        for token in tokens {
            if let Some(receipt) = state.unacknowledged.remove(&token.sequence) {
                let message = state.messages.get(&receipt.reference).copied();
                state.acknowledged.extend(message);
            }
        }
    }

    fn close(&self, _grace: Duration) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }
}

/// A receipt's time for tests that compare.
pub const EPOCH: Time = Time(1_800_000_000_000);
