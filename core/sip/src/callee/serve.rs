//! Answers calls, each in the manner that its number asks for.

use std::sync::{Arc, Weak};
use std::time::Duration;

use rsipstack::dialog::dialog::{DialogState, DialogStateReceiver};
use rsipstack::dialog::invite_dialog::InviteDialog;
use rsipstack::sip::{Header, HeadersExt, Method, Request, StatusCode};
use rsipstack::transaction::TransactionReceiver;
use rsipstack::transaction::transaction::Transaction;
use tokio::net::UdpSocket;
use tokio::sync::watch;
use tokio_util::task::TaskTracker;

use super::heard::{Heard, Recorder};
use super::record::CalleeStatus;
use crate::clip::MAX_CLIP;
use crate::g711::Codec;
use crate::media::{Media, Script, Target};
use crate::outcome::EndedBy;
use crate::sdp::{Description, Local};
use crate::stack::{Stack, allow};
use crate::stopwatch::Stopwatch;

/// The most calls at the same time; more are busy.
const CALLS_MAX: usize = 2_000;
/// How long a phone rings, or listens, when its caller never ends the call.
const PATIENCE: Duration = MAX_CLIP;

/// What the calls of a callee share.
pub(super) struct CalleeLine {
    pub(super) stack: Stack,
    pub(super) heard: Heard,
    pub(super) tasks: TaskTracker,
    ring: Duration,
}

impl CalleeLine {
    pub(super) fn new(stack: Stack, ring: Duration) -> Self {
        Self { stack, heard: Heard::default(), tasks: TaskTracker::new(), ring }
    }
}

/// How a number behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    Busy,
    Ring,
    HangUp,
    NoSuchNumber,
    UnavailableOnce,
    PressOne,
    Decline,
    PressNine,
    Listen,
}

impl Manner {
    fn of(to: &str) -> Self {
        match to.get(to.len().saturating_sub(4)..).unwrap_or_default() {
            "9101" => Self::Busy,
            "9102" => Self::Ring,
            "9103" => Self::HangUp,
            "9104" => Self::NoSuchNumber,
            "9105" => Self::UnavailableOnce,
            "9106" => Self::PressOne,
            "9107" => Self::Decline,
            "9108" => Self::PressNine,
            _ => Self::Listen,
        }
    }
}

/// Serves until the callee is dropped.
pub(super) async fn serve(line: Weak<CalleeLine>, mut incoming: TransactionReceiver) {
    while let Some(mut request) = incoming.recv().await {
        let Some(line) = line.upgrade() else { return };
        if line.tasks.len() >= CALLS_MAX {
            let _ = request.reply(StatusCode::BusyHere).await;
            continue;
        }
        line.tasks.clone().spawn(async move {
            if let Err(error) = answer(&line, request).await {
                tracing::debug!(%error, "the callee did not answer a request");
            }
        });
    }
}

async fn answer(line: &Arc<CalleeLine>, mut request: Transaction) -> rsipstack::Result<()> {
    if let Some(mut dialog) = line.stack.dialogs.match_dialog(&request) {
        return dialog.handle(&mut request).await;
    }
    match request.original.method {
        Method::Invite => take(line, request).await,
        Method::Options => request.reply_with(StatusCode::OK, vec![allow()], None).await,
        _ => request.reply(StatusCode::CallTransactionDoesNotExist).await,
    }
}

/// Takes a call, and stays with it until its end.
async fn take(line: &Arc<CalleeLine>, mut invite: Transaction) -> rsipstack::Result<()> {
    let Some((to, from)) = numbers(&invite.original) else {
        return invite.reply(StatusCode::BadRequest).await;
    };
    let offer = std::mem::take(&mut invite.original.body);
    let (sender, states) = line.stack.dialogs.new_dialog_state_channel();
    let contact = line.stack.contact(&to);
    let dialog = line.stack.dialogs.get_or_create_server_invite(&invite, sender, None, Some(contact))?;
    let mut driven = dialog.clone();
    // It answers for as long as the INVITE's transaction lasts.
    let driver = tokio::spawn(async move { driven.handle(&mut invite).await });
    let id = line.heard.rings(&to, &from);
    let mut call = Taken { line: line.clone(), id, dialog, states, stopwatch: Stopwatch::start() };
    let result = call.behave(Manner::of(&to), &to, &offer).await;
    let _ = driver.await;
    line.stack.dialogs.remove_dialog(&call.dialog.id());
    result
}

/// The numbers called and calling, cut where no number is that long; `None` when From cannot be read.
fn numbers(invite: &Request) -> Option<(String, String)> {
    let from = invite.from_header().ok()?.uri().ok()?;
    let short = |user: Option<&str>| user.unwrap_or_default().chars().take(32).collect();
    Some((short(invite.uri.user()), short(from.user())))
}

/// A call that was taken.
struct Taken {
    line: Arc<CalleeLine>,
    id: u64,
    dialog: InviteDialog,
    states: DialogStateReceiver,
    stopwatch: Stopwatch,
}

impl Taken {
    async fn behave(&mut self, manner: Manner, to: &str, offer: &[u8]) -> rsipstack::Result<()> {
        let refusal = match manner {
            Manner::Busy => Some((StatusCode::BusyHere, CalleeStatus::Busy)),
            Manner::NoSuchNumber => Some((StatusCode::NotFound, CalleeStatus::InvalidNumber)),
            Manner::Decline => Some((StatusCode::Decline, CalleeStatus::Declined)),
            Manner::UnavailableOnce if self.line.heard.is_first(to) => {
                Some((StatusCode::ServiceUnavailable, CalleeStatus::Unavailable))
            }
            _ => None,
        };
        if let Some((code, status)) = refusal {
            self.refuse(code, status);
            return Ok(());
        }
        self.dialog.ringing(None, None)?;
        let ring = if manner == Manner::Ring { PATIENCE } else { self.line.ring };
        tokio::select! {
            biased;
            () = self.terminated() => self.ended(CalleeStatus::Cancelled, EndedBy::Caller),
            () = tokio::time::sleep(ring) => match manner {
                Manner::Ring => self.refuse(StatusCode::TemporarilyUnavailable, CalleeStatus::Cancelled),
                _ => self.pick_up(manner, offer).await?,
            },
        }
        Ok(())
    }

    fn refuse(&self, code: StatusCode, status: CalleeStatus) {
        if let Err(error) = self.dialog.reject(Some(code), None) {
            tracing::debug!(%error, "a call was over before it was refused");
        }
        self.ended(status, EndedBy::Callee);
    }

    fn ended(&self, status: CalleeStatus, by: EndedBy) {
        let now = self.stopwatch.now();
        self.line.heard.change(self.id, |call| {
            call.status = status;
            call.ended_at = Some(now);
            call.ended_by = Some(by);
        });
    }

    /// Waits until the caller ended it.
    async fn terminated(&mut self) {
        while let Some(state) = self.states.recv().await {
            if matches!(state, DialogState::Terminated(..)) {
                return;
            }
        }
    }

    async fn pick_up(&mut self, manner: Manner, offer: &[u8]) -> rsipstack::Result<()> {
        let socket = UdpSocket::bind((self.line.stack.address.ip(), 0)).await?;
        let local = Local { media: socket.local_addr()?, session: rand::random(), version: 1 };
        let agreed = Description::parse(offer).ok().and_then(|offer| {
            let codec = offer.best_of(&[Codec::Pcma, Codec::Pcmu])?;
            Some((offer, codec))
        });
        let Some((offer, codec)) = agreed else {
            self.refuse(StatusCode::NotAcceptableHere, CalleeStatus::Failed);
            return Ok(());
        };
        let headers = vec![allow(), Header::ContentType("application/sdp".into())];
        self.dialog.accept(Some(headers), Some(local.answer(&offer, codec).into_bytes()))?;
        let answered_at = self.stopwatch.now();
        self.line.heard.change(self.id, |call| {
            call.status = CalleeStatus::Answered;
            call.answered_at = Some(answered_at);
        });
        let target = Target {
            address: offer.media,
            codec,
            telephone_event: offer.telephone_event,
            listens: offer.direction.receives(),
        };
        self.listen(manner, socket, target).await
    }

    async fn listen(&mut self, manner: Manner, socket: UdpSocket, target: Target) -> rsipstack::Result<()> {
        let key = match manner {
            Manner::PressOne => Some('1'),
            Manner::PressNine => Some('9'),
            _ => None,
        };
        let press = key.map(|key| (Duration::from_millis(500), key));
        let hang_up = if manner == Manner::HangUp { Duration::from_secs(2) } else { PATIENCE };
        let (_kept, target) = watch::channel(target);
        let script = Script { clip: None, tail: PATIENCE, plays: 1, ends_on: String::new(), press };
        let mut media = Media::new(socket, target, script);
        let mut recorder = Recorder::default();
        let by = tokio::select! {
            biased;
            () = self.terminated() => EndedBy::Caller,
            () = tokio::time::sleep(hang_up) => EndedBy::Callee,
            () = media.run(&mut recorder) => EndedBy::Callee,
        };
        media.hear_rest(&mut recorder);
        let pressed = press.filter(|(after, _)| media.played() > *after).map(|(_, key)| key);
        self.line.heard.change(self.id, |call| {
            call.rtp_packets = recorder.packets;
            call.rms = recorder.rms();
            call.digits.extend(pressed);
        });
        self.line.heard.keep_audio(self.id, recorder.samples);
        self.ended(CalleeStatus::Answered, by);
        if by == EndedBy::Callee {
            self.dialog.bye().await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_four_digits_tell_how_a_number_behaves() {
        assert_eq!(Manner::of("2348030009101"), Manner::Busy);
        assert_eq!(Manner::of("9107"), Manner::Decline);
        assert_eq!(Manner::of("2348030009108"), Manner::PressNine);
        for other in ["", "1", "2348031234567", "91010", "äöü9"] {
            assert_eq!(Manner::of(other), Manner::Listen, "{other}");
        }
    }
}
