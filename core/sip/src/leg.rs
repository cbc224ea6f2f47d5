//! One call as the trunk's requests see it: its dialog, and the session descriptions of both sides.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rsipstack::dialog::DialogId;
use rsipstack::dialog::invite_dialog::InviteDialog;
use rsipstack::sip::{StatusCode, Uri};
use tokio::sync::watch;

use crate::g711::Codec;
use crate::media::Target;
use crate::sdp::{Description, Local, SdpError};

/// A call that was placed, from its INVITE until its BYE is answered.
pub(crate) struct Leg {
    pub(crate) dialog: InviteDialog,
    /// Where we are reached, as every answer of ours repeats it.
    pub(crate) contact: Uri,
    codecs: Vec<Codec>,
    local: Mutex<Local>,
    target: OnceLock<watch::Sender<Target>>,
    /// The number of the trunk's last request (RFC 3261, section 12.2.2).
    sequence: AtomicU32,
}

impl Leg {
    pub(crate) fn new(dialog: InviteDialog, contact: Uri, codecs: Vec<Codec>, local: Local) -> Self {
        Self {
            dialog,
            contact,
            codecs,
            local: Mutex::new(local),
            target: OnceLock::new(),
            sequence: AtomicU32::new(0),
        }
    }

    /// Begins the session that a 2xx describes.
    ///
    /// # Errors
    /// When its description has no audio that can be used.
    pub(crate) fn answered(&self, body: &[u8]) -> Result<watch::Receiver<Target>, SdpError> {
        let target = self.target_of(&Description::parse(body)?)?;
        let (sender, receiver) = watch::channel(target);
        // A second answer cannot come: the first one ends the INVITE.
        let _ = self.target.set(sender);
        Ok(receiver)
    }

    /// Our answer to a new offer, which takes effect at once; to a request without one, our offer.
    ///
    /// # Errors
    /// The code to refuse it with: then everything stays as it was.
    pub(crate) fn answer(&self, offer: &[u8]) -> Result<String, StatusCode> {
        let target = self.target.get().ok_or(StatusCode::RequestPending)?;
        let mut local = self.local.lock().unwrap_or_else(PoisonError::into_inner);
        if offer.is_empty() {
            local.version += 1;
            return Ok(local.offer(&self.codecs));
        }
        let offer = Description::parse(offer).map_err(|_| StatusCode::NotAcceptableHere)?;
        let changed = self.target_of(&offer).map_err(|_| StatusCode::NotAcceptableHere)?;
        local.version += 1;
        target.send_replace(changed);
        Ok(local.answer(&offer, changed.codec))
    }

    /// Takes the answer to an offer of ours, which an ACK brought; one that cannot be used changes nothing.
    pub(crate) fn take_answer(&self, answer: &[u8]) {
        let changed = Description::parse(answer).and_then(|description| self.target_of(&description));
        if let (Ok(changed), Some(target)) = (changed, self.target.get()) {
            target.send_replace(changed);
        }
    }

    fn target_of(&self, remote: &Description) -> Result<Target, SdpError> {
        Ok(Target {
            address: remote.media,
            codec: remote.best_of(&self.codecs).ok_or(SdpError::NoCodec)?,
            telephone_event: remote.telephone_event,
            listens: remote.direction.receives(),
        })
    }

    /// Whether a request's number is newer than, or that of, the last one.
    pub(crate) fn in_order(&self, sequence: u32) -> bool {
        self.sequence.fetch_max(sequence, Ordering::Relaxed) <= sequence
    }
}

/// The calls that are up, by their Call-ID.
#[derive(Default)]
pub(crate) struct Legs(Mutex<HashMap<String, Arc<Leg>>>);

impl Legs {
    pub(crate) fn add(&self, leg: Arc<Leg>) {
        self.lock().insert(leg.dialog.id().call_id, leg);
    }

    pub(crate) fn remove(&self, call_id: &str) {
        self.lock().remove(call_id);
    }

    /// The call of a dialog, by Call-ID and our tag.
    pub(crate) fn find(&self, id: &DialogId) -> Option<Arc<Leg>> {
        self.lock().get(&id.call_id).filter(|leg| leg.dialog.id().local_tag == id.local_tag).cloned()
    }

    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Leg>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
