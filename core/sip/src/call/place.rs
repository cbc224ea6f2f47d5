//! Places a call: INVITE, ringing, the clip, BYE.
//!
//! ```text
//! INVITE ── nothing in time ───────────────────────────────> trunk error
//!    │ 1xx
//!    ├── rings too long, or hung up ── CANCEL ── final, 2xx ─> no answer, or failed (a 2xx is ACKed and BYEd)
//!    ├── 3xx to 6xx ───────────────────────────────────────> by its code
//!    │ 200
//!    └── clip ── over, or hung up ── BYE ──────────────────> answered
//!             └─ their BYE ────────────────────────────────> answered
//! ```

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rsipstack::dialog::authenticate::Credential;
use rsipstack::dialog::dialog::{DialogState, DialogStateReceiver};
use rsipstack::dialog::invitation::{InviteAsyncResult, InviteOption};
use rsipstack::dialog::invite_dialog::InviteDialog;
use rsipstack::sip::{Header, StatusCodeKind};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use super::{CallEvent, CallRequest, Teller};
use crate::leg::Leg;
use crate::line::Line;
use crate::media::{Media, Script};
use crate::outcome::{CallResult, EndedBy, MediaStats, Outcome, ended_by, of_code};
use crate::sdp::Local;
use crate::stack::allow;
use crate::stopwatch::Stopwatch;

/// Places a call and stays with it until its end, which it returns. `hang_up` ends it.
pub(crate) async fn place(
    line: Arc<Line>,
    request: CallRequest,
    teller: &mut Teller,
    hang_up: &CancellationToken,
) -> CallResult {
    let mut facts = Facts::start();
    let Ok(socket) = line.ports.bind().await else {
        return facts.end(Outcome::Failed, "no port for audio is free here", EndedBy::Caller);
    };
    let Ok(mut invite) = Invite::send(&line, &request, socket.local_addr().map_or(0, |at| at.port())) else {
        return facts.end(Outcome::Failed, "the call could not be begun here", EndedBy::Caller);
    };
    match invite.ring(&mut facts, teller, hang_up).await {
        Rung::Answered(body) => {
            facts.answered_at = Some(facts.stopwatch.now());
            let Ok(target) = invite.leg.answered(&body) else {
                let says = "it was answered without audio that can be used";
                let result = facts.end(Outcome::Failed, says, EndedBy::Trunk);
                invite.bye();
                return result;
            };
            teller.tell(CallEvent::Answered);
            let script = Script {
                clip: Some(request.clip),
                tail: request.tail,
                plays: request.plays,
                ends_on: request.ends_on,
                press: None,
            };
            let mut media = Media::new(socket, target, script);
            media.forget();
            let (ended_by, mut reason) = tokio::select! {
                biased;
                () = invite.hung_up() => (EndedBy::Callee, "they hung up"),
                () = hang_up.cancelled() => (EndedBy::Caller, "it was hung up"),
                () = media.run(teller) => (EndedBy::Caller, "heard to the end"),
            };
            if ended_by == EndedBy::Caller && media.is_ended_by_key() {
                reason = "a key ended it";
            }
            let mut result = facts.end(Outcome::Answered, reason, ended_by);
            invite.bye();
            media.hear_rest(teller);
            result.heard = media.heard();
            result.media = media.stats;
            result.digits = teller.digits();
            result
        }
        Rung::Final(code) => {
            let (outcome, reason) = of_code(code, facts.ringing_at.is_some());
            facts.end(outcome, reason, ended_by(outcome))
        }
        Rung::Silent => facts.end(Outcome::TrunkError, "the trunk does not answer", EndedBy::Trunk),
        Rung::Broken => {
            facts.end(Outcome::TrunkError, "the answer of the trunk cannot be used", EndedBy::Trunk)
        }
        Rung::GivenUp => {
            facts.sip_code = invite.cancel(line.config.first_answer).await;
            facts.end(Outcome::NoAnswer, "it was not answered", EndedBy::Caller)
        }
        Rung::HungUp => {
            facts.sip_code = invite.cancel(line.config.first_answer).await;
            facts.end(Outcome::Failed, "it was hung up before it was answered", EndedBy::Caller)
        }
    }
}

/// What is known of a call so far.
struct Facts {
    stopwatch: Stopwatch,
    sip_code: Option<u16>,
    ringing_at: Option<SystemTime>,
    answered_at: Option<SystemTime>,
}

impl Facts {
    fn start() -> Self {
        Self { stopwatch: Stopwatch::start(), sip_code: None, ringing_at: None, answered_at: None }
    }

    /// It ends now: before BYE is handed on, so that its way is not billed.
    fn end(self, outcome: Outcome, reason: &'static str, ended_by: EndedBy) -> CallResult {
        CallResult {
            outcome,
            reason,
            sip_code: self.sip_code,
            ringing_at: self.ringing_at,
            answered_at: self.answered_at,
            ended_at: self.stopwatch.now(),
            heard: Duration::ZERO,
            digits: String::new(),
            ended_by,
            media: MediaStats::default(),
        }
    }
}

/// How the ringing ended.
enum Rung {
    /// With 200, and this session description.
    Answered(Vec<u8>),
    /// With another final answer.
    Final(u16),
    /// There was no provisional answer in time.
    Silent,
    /// With something that is no answer.
    Broken,
    /// It rang for too long.
    GivenUp,
    /// We hung up.
    HungUp,
}

/// An INVITE that was sent, and the dialog it makes.
struct Invite {
    line: Arc<Line>,
    leg: Arc<Leg>,
    states: DialogStateReceiver,
    outcome: JoinHandle<InviteAsyncResult>,
    /// Whether the dialog is left to a task that ends it.
    left: bool,
}

impl Invite {
    fn send(line: &Arc<Line>, request: &CallRequest, port: u16) -> Result<Self, Box<rsipstack::Error>> {
        let config = &line.config;
        let written = |number: &str| {
            let digits = number.trim_start_matches('+');
            if config.plus { format!("+{digits}") } else { digits.to_owned() }
        };
        let from = written(request.from.as_deref().unwrap_or(&config.caller_id));
        let caller = line.uri(&from);
        let contact = line.stack.contact(&from);
        let media = std::net::SocketAddr::new(line.stack.address.ip(), port);
        let local = Local { media, session: rand::random(), version: 1 };
        let identity =
            config.asserted_identity.then(|| Header::PAssertedIdentity(format!("<{caller}>").into()));
        let option = InviteOption {
            callee: line.uri(&written(&request.to)),
            caller,
            contact: contact.clone(),
            content_type: Some("application/sdp".into()),
            offer: Some(local.offer(&config.codecs).into_bytes()),
            credential: config.credentials.as_ref().map(|credentials| Credential {
                username: credentials.username.clone(),
                password: credentials.password.clone(),
                ..Credential::default()
            }),
            headers: Some(std::iter::once(allow()).chain(identity).collect()),
            ..InviteOption::default()
        };
        let (sender, states) = line.stack.dialogs.new_dialog_state_channel();
        let (dialog, outcome) = line.stack.dialogs.do_invite_async(option, sender)?;
        let leg = Arc::new(Leg::new(dialog, contact, config.codecs.clone(), local));
        line.legs.add(leg.clone());
        Ok(Self { line: line.clone(), leg, states, outcome, left: false })
    }

    fn dialog(&self) -> &InviteDialog {
        &self.leg.dialog
    }

    /// Waits until it is answered, refused, or rang for too long.
    async fn ring(&mut self, facts: &mut Facts, teller: &Teller, hang_up: &CancellationToken) -> Rung {
        let config = &self.line.config;
        let mut deadline = Instant::now() + config.first_answer;
        let (mut alive, mut early_body) = (false, Vec::new());
        loop {
            tokio::select! {
                // What was said comes before that it is over.
                biased;
                Some(state) = self.states.recv() => match state {
                    DialogState::Trying(_) | DialogState::Early(..) if !alive => {
                        alive = true;
                        deadline = Instant::now() + config.ring;
                        teller.tell(CallEvent::Trying);
                        if let DialogState::Early(_, response) = state {
                            early_body = response.body;
                            facts.rings(teller);
                        }
                    }
                    DialogState::Early(_, response) => {
                        if facts.ringing_at.is_none() {
                            deadline = Instant::now() + config.ring;
                        }
                        if !response.body.is_empty() {
                            early_body = response.body;
                        }
                        facts.rings(teller);
                    }
                    DialogState::Confirmed(_, response) => {
                        facts.sip_code = Some(response.status_code.code());
                        // The answer may have come with the ringing already (RFC 3261, section 13.2.1).
                        let body = if response.body.is_empty() { early_body } else { response.body };
                        return Rung::Answered(body);
                    }
                    _ => {}
                },
                over = &mut self.outcome => {
                    let Ok(Ok((_, Some(response)))) = over else { return Rung::Broken };
                    let code = response.status_code.code();
                    facts.sip_code = Some(code);
                    return match response.status_code.kind() {
                        StatusCodeKind::Successful | StatusCodeKind::Provisional => Rung::Broken,
                        _ => Rung::Final(code),
                    };
                }
                () = hang_up.cancelled() => return Rung::HungUp,
                () = sleep_until(deadline) => {
                    if alive {
                        return Rung::GivenUp;
                    }
                    // The stack stops repeating it, and cancels it should an answer come yet.
                    self.outcome.abort();
                    return Rung::Silent;
                }
            }
        }
    }

    /// Sends CANCEL, which waits for a provisional answer where none came yet, and returns the final answer's code when
    /// it comes in time. A 2xx that crosses it is ACKed and ended with BYE.
    async fn cancel(&mut self, patience: Duration) -> Option<u16> {
        let dialog = self.dialog().clone();
        self.line.tasks.spawn(async move { dialog.cancel().await });
        let over = timeout(patience, &mut self.outcome).await;
        if over.is_err() {
            self.outcome.abort();
        }
        // An answer that came a moment before the CANCEL made a session that the stack does not end by itself.
        self.bye();
        match over {
            Ok(Ok(Ok((_, Some(response))))) => Some(response.status_code.code()),
            _ => None,
        }
    }

    /// Waits for the other party's BYE.
    async fn hung_up(&mut self) {
        while let Some(state) = self.states.recv().await {
            if matches!(state, DialogState::Terminated(..)) {
                return;
            }
        }
    }

    /// Sends BYE where there is a session, and leaves it to a task to see that it is answered.
    fn bye(&mut self) {
        if !matches!(self.dialog().state(), DialogState::Confirmed(..)) {
            return;
        }
        self.left = true;
        let (line, leg) = (self.line.clone(), self.leg.clone());
        self.line.tasks.spawn(async move {
            if let Err(error) = leg.dialog.bye().await {
                tracing::debug!(%error, "a BYE was not answered");
            }
            forget(&line, &leg);
        });
    }
}

impl Drop for Invite {
    fn drop(&mut self) {
        if !self.left {
            forget(&self.line, &self.leg);
        }
    }
}

/// Takes a call that is over from the books: the stack never does by itself.
fn forget(line: &Line, leg: &Leg) {
    let id = leg.dialog.id();
    line.stack.dialogs.remove_dialog(&id);
    line.legs.remove(&id.call_id);
}

impl Facts {
    fn rings(&mut self, teller: &Teller) {
        if self.ringing_at.is_none() {
            self.ringing_at = Some(self.stopwatch.now());
            teller.tell(CallEvent::Ringing);
        }
    }
}
