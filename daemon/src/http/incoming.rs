//! A body on its way in: who sends it, how large and how slow it may be, and the room that is reserved for it.
//!
//! Every body of the API is read here. The rate of a sender who is not signed in is counted, a declared length is
//! compared, all before the first byte is read; room is reserved as the bytes arrive.

use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::Request;
use futures::StreamExt as _;
use tokio::time::{Instant, timeout, timeout_at};

use super::address;
use super::caller::SignedIn;
use crate::limit;
use crate::limit::admission::{Admitted, Bodies, BodyTime, HeldRoom, Sender, memory_of};
use crate::limit::rate;
use crate::problem::ApiError;
use crate::state::AppState;

/// Bytes that are decoded before other requests get their turn.
const TURN_BYTES: usize = 256 << 10;

/// A body that is not read yet.
#[derive(Debug)]
pub(super) struct Incoming {
    body: Body,
    length: Option<u64>,
    sender: Sender,
    bodies: Bodies,
    held: HeldRoom,
}

/// What a body may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Its length, in bytes.
    pub(super) length: usize,
    /// The memory that is held of it, in bytes.
    pub(super) memory: usize,
}

impl Bounds {
    /// A body that is held whole.
    pub(super) fn held(length: usize) -> Self {
        Self { length, memory: length }
    }

    /// The same for a sender; less for a sender who is not signed in.
    fn of(self, sender: Sender) -> Self {
        match sender {
            Sender::User(_)
            | Sender::Carrier(_)
            | Sender::SignedCarrier(_)
            | Sender::Paystack(_)
            | Sender::Answer(_)
            | Sender::StrangersAnswer(_) => self,
            Sender::Address(_) => Self {
                length: self.length.min(limit::ANONYMOUS_BYTES),
                memory: self.memory.min(limit::ANONYMOUS_BYTES),
            },
        }
    }
}

impl Incoming {
    /// The body of an operation's request.
    ///
    /// # Errors
    /// 429 when an address that is not signed in sends too many.
    pub(super) fn of(request: Request, app: &AppState) -> Result<Self, ApiError> {
        let sender = match request.extensions().get::<SignedIn>() {
            Some(SignedIn(user)) => Sender::User(*user),
            None => {
                let address = address::of(request.extensions(), request.headers(), app);
                app.anonymous_rate.check(address)?;
                Sender::Address(rate::subscriber(address))
            }
        };
        Ok(Self::from_sender(request, sender, &app.bodies))
    }

    pub(super) fn from_sender(request: Request, sender: Sender, bodies: &Bodies) -> Self {
        let held = request.extensions().get::<HeldRoom>().cloned().unwrap_or_default();
        let body = request.into_body();
        Self { length: body.size_hint().exact(), body, sender, bodies: bodies.clone(), held }
    }

    /// What the fields of this body may take of `bytes`.
    pub(super) fn memory(&self, bytes: usize) -> usize {
        Bounds::held(bytes).of(self.sender).memory
    }

    /// Reads the body to its end, piece by piece.
    ///
    /// # Errors
    /// 408, 413, 429 or 503 for the body, or what `take` refuses.
    pub(super) async fn read(
        self,
        bounds: Bounds,
        mut take: impl FnMut(&[u8]) -> Result<(), ApiError> + Send,
    ) -> Result<(), ApiError> {
        let bounds = bounds.of(self.sender);
        let mut stream = self.body.into_data_stream();
        let reading = async {
            let declared = self.length.unwrap_or(0);
            if declared > bounds.length as u64 {
                return Err(ApiError::too_large(bounds.length));
            }
            let is_large = declared > limit::LARGE_BYTES as u64;
            let admitted = self.bodies.admit(self.sender, 0, is_large).await?;
            read_all(&mut stream, bounds, (admitted, BodyTime::of(self.sender)), &mut take).await
        };
        match reading.await {
            Ok(admitted) => {
                self.held.keep(admitted);
                Ok(())
            }
            Err(error) => {
                discard(&mut stream).await;
                Err(error)
            }
        }
    }
}

async fn read_all(
    stream: &mut (impl futures::Stream<Item = Result<Bytes, axum::Error>> + Unpin),
    bounds: Bounds,
    (mut admitted, mut time): (Admitted, BodyTime),
    take: &mut (impl FnMut(&[u8]) -> Result<(), ApiError> + Send),
) -> Result<Admitted, ApiError> {
    let (mut taken, mut turn) = (0_usize, 0_usize);
    loop {
        let since = Instant::now();
        let bytes = match timeout(time.left, stream.next()).await {
            Ok(Some(Ok(bytes))) => bytes,
            Ok(Some(Err(_))) => return Err(broken()),
            Ok(None) => return Ok(admitted),
            Err(_) => return Err(ApiError::timeout()),
        };
        time.note(bytes.len(), since.elapsed());
        taken = taken.saturating_add(bytes.len());
        if taken > bounds.length {
            return Err(ApiError::too_large(bounds.length));
        }
        admitted.grows_to(memory_of(taken, bounds.memory)).await?;
        if taken > limit::LARGE_BYTES {
            admitted.becomes_large().await?;
        }
        take(&bytes)?;
        turn += bytes.len();
        if turn >= TURN_BYTES {
            turn = 0;
            tokio::task::yield_now().await;
        }
    }
}

fn broken() -> ApiError {
    ApiError::bad_request(None, "broken_body", "The body ended before it was complete")
}

/// Reads on without keeping anything, so that a client that is still writing comes to see the answer.
async fn discard(stream: &mut (impl futures::Stream<Item = Result<Bytes, axum::Error>> + Unpin)) {
    let until = Instant::now() + limit::DISCARDED_WITHIN;
    let mut room = limit::DISCARDED_BYTES;
    while let Ok(Some(Ok(bytes))) = timeout_at(until, stream.next()).await {
        let Some(left) = room.checked_sub(bytes.len()) else { return };
        room = left;
    }
}
