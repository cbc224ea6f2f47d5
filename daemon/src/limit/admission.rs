//! The account of what is held in memory for clients at the moment, and the time that their bodies may take.
//!
//! What one body may hold in memory is reserved as its bytes arrive, so that a sender holds what was sent and no more,
//! and given back when the request is answered. A long list is reserved before it is read from the database; a large
//! answer counts until its last byte is written, or its connection is gone. The bounds are those of [`super`].

use std::collections::HashMap;
use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use talkdrum_core::model::account::id::UserId;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::rate::subscriber;
use super::{
    ADDRESS_BYTES_AT_ONCE, ADDRESSES_IN_ALL, ANSWERS_AT_ONCE, ANSWERS_IN_ALL, BODY_BYTES_A_SECOND,
    CALLBACK_BYTES_AT_ONCE, CALLBACKS_IN_ALL, FIELD_COST, IDLE, LARGE_AT_ONCE, PAYSTACK_BYTES_AT_ONCE,
    PAYSTACK_IN_ALL, SIGNED_BYTES_AT_ONCE, STRANGERS_ANSWERS_IN_ALL, STRANGERS_BODY, USER_BYTES_AT_ONCE,
    USERS_IN_ALL, WAIT_FOR_ROOM,
};
use crate::problem::ApiError;

/// Who sends a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sender {
    /// A user who is signed in, by id.
    User(UserId),
    /// An address, of IPv6 the first 64 bits.
    Address(IpAddr),
    /// The address of a carrier whose secret was shown.
    Carrier(IpAddr),
    /// An address whose callback is a carrier's if its signature says so.
    SignedCarrier(IpAddr),
    /// An address whose webhook is Paystack's if its signature says so.
    Paystack(IpAddr),
    /// Ourselves, to a user who is signed in, by id: an answer.
    Answer(UserId),
    /// Ourselves, to an address whose user is not known: an answer.
    StrangersAnswer(IpAddr),
}

impl Sender {
    fn bytes_at_once(self) -> usize {
        match self {
            Self::User(_) => USER_BYTES_AT_ONCE,
            Self::Address(_) => ADDRESS_BYTES_AT_ONCE,
            Self::Carrier(_) => CALLBACK_BYTES_AT_ONCE,
            Self::SignedCarrier(_) => SIGNED_BYTES_AT_ONCE,
            Self::Paystack(_) => PAYSTACK_BYTES_AT_ONCE,
            Self::Answer(_) | Self::StrangersAnswer(_) => ANSWERS_AT_ONCE,
        }
    }

    fn in_all(self) -> usize {
        match self {
            Self::User(_) => USERS_IN_ALL,
            Self::Address(_) => ADDRESSES_IN_ALL,
            Self::Carrier(_) | Self::SignedCarrier(_) => CALLBACKS_IN_ALL,
            Self::Paystack(_) => PAYSTACK_IN_ALL,
            Self::Answer(_) => ANSWERS_IN_ALL,
            Self::StrangersAnswer(_) => STRANGERS_ANSWERS_IN_ALL,
        }
    }

    fn kind(self) -> usize {
        match self {
            Self::User(_) => 0,
            Self::Address(_) => 1,
            Self::Carrier(_) => 2,
            Self::SignedCarrier(_) => 3,
            Self::Paystack(_) => 4,
            Self::Answer(_) => 5,
            Self::StrangersAnswer(_) => 6,
        }
    }

    /// Whether nothing is known of it but its address.
    pub fn is_stranger(self) -> bool {
        matches!(self, Self::Address(_) | Self::SignedCarrier(_) | Self::Paystack(_))
    }
}

/// As the log has it.
impl fmt::Display for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User(id) => write!(f, "user {id}"),
            Self::Address(address) => write!(f, "{address}"),
            Self::Carrier(address) => write!(f, "carrier at {address}"),
            Self::SignedCarrier(address) => write!(f, "{address}, at a carrier's hook"),
            Self::Paystack(address) => write!(f, "{address}, at Paystack's hook"),
            Self::Answer(id) => write!(f, "answer to user {id}"),
            Self::StrangersAnswer(address) => write!(f, "answer to {address}"),
        }
    }
}

/// The time that a body may still take.
#[derive(Clone, Copy, Debug)]
pub struct BodyTime {
    pub(crate) left: Duration,
    /// Whether bytes give time back.
    earns: bool,
}

impl BodyTime {
    /// That of a body of which nothing came yet.
    pub fn of(sender: Sender) -> Self {
        if sender.is_stranger() {
            Self { left: STRANGERS_BODY, earns: false }
        } else {
            Self { left: IDLE, earns: true }
        }
    }

    /// Counts what came, and how long it was waited for.
    pub fn note(&mut self, bytes: usize, waited: Duration) {
        self.left = self.left.saturating_sub(waited);
        if self.earns {
            let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
            let earned = Duration::from_secs(1).saturating_mul(bytes) / BODY_BYTES_A_SECOND;
            self.left = self.left.saturating_add(earned).min(IDLE);
        }
    }
}

/// The memory that reading a body may take of which so many bytes came, when its fields and the spool together take
/// `most`.
///
/// The shortest field, as in `a=&a=`, has three bytes and costs [`FIELD_COST`].
pub fn memory_of(bytes: usize, most: usize) -> usize {
    bytes.saturating_mul(FIELD_COST / 3).min(most)
}

/// The bodies that are being read, and the answers that are not sent yet. A cheap handle.
#[derive(Clone, Debug)]
pub struct Bodies(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    now: Mutex<Now>,
    freed: Notify,
    wait: Duration,
}

#[derive(Debug, Default)]
struct Now {
    /// There are no more entries than requests that are being read.
    by_sender: HashMap<Sender, Share>,
    in_all: [usize; 7],
}

#[derive(Clone, Copy, Debug, Default)]
struct Share {
    bytes: usize,
    large: usize,
}

/// Why there is no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Full {
    Sender,
    Large,
    InAll,
}

impl Default for Bodies {
    fn default() -> Self {
        Self::with_wait(WAIT_FOR_ROOM)
    }
}

impl Bodies {
    fn with_wait(wait: Duration) -> Self {
        Self(Arc::new(Inner { now: Mutex::default(), freed: Notify::new(), wait }))
    }

    /// Reserves the first `bytes` of memory for a body, and waits up to [`WAIT_FOR_ROOM`] for them.
    ///
    /// # Errors
    /// 429 when the sender has too much at once, 503 when all senders together have.
    pub async fn admit(&self, sender: Sender, bytes: usize, is_large: bool) -> Result<Admitted, ApiError> {
        let mut admitted = Admitted { bodies: self.clone(), sender, bytes: 0, is_large: false };
        admitted.take(bytes, is_large).await?;
        Ok(admitted)
    }

    /// The memory that is reserved at the moment, in bytes.
    pub fn bytes_at_once(&self) -> usize {
        self.lock().in_all.iter().sum()
    }

    fn lock(&self) -> MutexGuard<'_, Now> {
        self.0.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Now {
    fn take(&mut self, sender: Sender, bytes: usize, large: usize) -> Result<(), Full> {
        let share = self.by_sender.get(&sender).copied().unwrap_or_default();
        let in_all = self.in_all[sender.kind()];
        if large > 0 && share.large + large > LARGE_AT_ONCE {
            return Err(Full::Large);
        }
        if share.bytes + bytes > sender.bytes_at_once() {
            return Err(Full::Sender);
        }
        // Beyond half of the room a sender may hold at most half of what the others leave: a few cannot take all of it.
        let left = sender.in_all().saturating_sub(in_all);
        let is_unfair = in_all > sender.in_all() / 2 && share.bytes + bytes > (left + share.bytes) / 2;
        if bytes > left || is_unfair {
            return Err(Full::InAll);
        }
        self.by_sender.insert(sender, Share { bytes: share.bytes + bytes, large: share.large + large });
        self.in_all[sender.kind()] = in_all + bytes;
        Ok(())
    }

    fn give_back(&mut self, sender: Sender, bytes: usize, large: usize) {
        let in_all = &mut self.in_all[sender.kind()];
        *in_all = in_all.saturating_sub(bytes);
        let Some(share) = self.by_sender.get_mut(&sender) else { return };
        share.bytes = share.bytes.saturating_sub(bytes);
        share.large = share.large.saturating_sub(large);
        if share.bytes == 0 && share.large == 0 {
            self.by_sender.remove(&sender);
        }
    }
}

impl Full {
    fn refusal(self, sender: Sender) -> ApiError {
        match self {
            Self::Sender if matches!(sender, Sender::Answer(_) | Sender::StrangersAnswer(_)) => ApiError::new(
                StatusCode::TOO_MANY_REQUESTS,
                "too_many_answers",
                "You have not read what you asked for before: read those answers first, or ask for fewer rows with \
                 page and per_page",
            )
            .after(5),
            Self::Sender => {
                ApiError::too_many_bodies("You are sending too much at once: wait for the answers")
            }
            Self::Large => {
                ApiError::too_many_bodies("You are sending two large bodies already: wait for one of them")
            }
            Self::InAll => ApiError::unavailable(
                "busy",
                "Too much is being sent to this server at the moment: try again",
            ),
        }
    }
}

/// Room for one body; free again when this is dropped.
#[derive(Debug)]
pub struct Admitted {
    bodies: Bodies,
    sender: Sender,
    bytes: usize,
    is_large: bool,
}

impl Admitted {
    /// The body takes so many bytes of memory by now.
    ///
    /// # Errors
    /// 429 when its sender has too much at once, 503 when all senders together have.
    pub async fn grows_to(&mut self, bytes: usize) -> Result<(), ApiError> {
        match bytes.checked_sub(self.bytes) {
            None | Some(0) => Ok(()),
            Some(more) => self.take(more, false).await,
        }
    }

    /// The body turns out to be larger than [`super::LARGE_BYTES`].
    ///
    /// # Errors
    /// 429 when its sender has [`LARGE_AT_ONCE`] of them.
    pub async fn becomes_large(&mut self) -> Result<(), ApiError> {
        if self.is_large {
            return Ok(());
        }
        self.take(0, true).await
    }

    /// Makes it room for exactly so many bytes, without waiting.
    ///
    /// # Errors
    /// 429 or 503 when there is not as much: it is as large as before.
    fn resize(&mut self, bytes: usize) -> Result<(), ApiError> {
        if let Some(more) = bytes.checked_sub(self.bytes) {
            let taken = self.bodies.lock().take(self.sender, more, 0);
            taken.map_err(|full| {
                tracing::info!(sender = %self.sender, ?full, "an answer was refused");
                full.refusal(self.sender)
            })?;
        } else {
            self.bodies.lock().give_back(self.sender, self.bytes - bytes, 0);
            self.bodies.0.freed.notify_waiters();
        }
        self.bytes = bytes;
        Ok(())
    }

    async fn take(&mut self, bytes: usize, is_large: bool) -> Result<(), ApiError> {
        let until = Instant::now() + self.bodies.0.wait;
        loop {
            // Registered before the look, so that what is freed after it is heard.
            let freed = self.bodies.0.freed.notified();
            tokio::pin!(freed);
            freed.as_mut().enable();
            let taken = self.bodies.lock().take(self.sender, bytes, usize::from(is_large));
            let Err(full) = taken else { break };
            if tokio::time::timeout_at(until, freed).await.is_err() {
                tracing::info!(sender = %self.sender, ?full, "a body was refused");
                return Err(full.refusal(self.sender));
            }
        }
        self.bytes += bytes;
        self.is_large |= is_large;
        Ok(())
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        self.bodies.lock().give_back(self.sender, self.bytes, usize::from(self.is_large));
        self.bodies.0.freed.notify_waiters();
    }
}

/// The room that a request holds: an extension of the request, which is gone before its handler runs, and of what
/// surrounds the handler.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeldRoom(Arc<Mutex<Rooms>>);

#[derive(Debug, Default)]
struct Rooms {
    /// Of its body, until it is answered.
    body: Option<Admitted>,
    /// Of its answer, as estimated.
    answer: Option<Admitted>,
    /// Who is answered: the user, or the address until one is known.
    reader: Option<Sender>,
}

impl HeldRoom {
    fn lock(&self) -> MutexGuard<'_, Rooms> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the room of a body that was read.
    pub(crate) fn keep(&self, admitted: Admitted) {
        self.lock().body = Some(admitted);
    }

    /// What holds nothing yet of a request from this address.
    pub(crate) fn from(address: IpAddr) -> Self {
        let reader = Some(Sender::StrangersAnswer(subscriber(address)));
        Self(Arc::new(Mutex::new(Rooms { reader, ..Rooms::default() })))
    }

    /// Notes who is answered.
    pub(crate) fn is_for(&self, user: UserId) {
        self.lock().reader = Some(Sender::Answer(user));
    }

    /// Keeps room for an answer that is not built yet.
    pub(crate) fn keep_for_answer(&self, admitted: Admitted) {
        self.lock().answer = Some(admitted);
    }

    /// The room for an answer of so many bytes: what was estimated for it, or taken now; `None` where neither user nor
    /// address is known.
    ///
    /// # Errors
    /// 429 or 503 when there is no room.
    pub(crate) fn room_for_answer(
        &self,
        bodies: &Bodies,
        bytes: usize,
    ) -> Result<Option<Admitted>, ApiError> {
        let mut rooms = self.lock();
        let Some(sender) = rooms.reader else { return Ok(None) };
        let mut room = rooms.answer.take().unwrap_or_else(|| Admitted {
            bodies: bodies.clone(),
            sender,
            bytes: 0,
            is_large: false,
        });
        room.resize(bytes)?;
        Ok(Some(room))
    }
}

impl ApiError {
    fn too_many_bodies(detail: &'static str) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_bodies", detail).after(5)
    }
}

#[cfg(test)]
mod tests;
