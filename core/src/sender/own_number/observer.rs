//! What happens in a call that verifies a number, stored as it happens, so that any daemon tells it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::future::BoxFuture;

use super::ending::refuse;
use crate::content::poll::OPT_OUT_KEY;
use crate::model::sender::id::OwnCallId;
use crate::notice::Notices;
use crate::store::voice::own_number_call as rows;
use crate::store::{Lane, Store};
use crate::time::Clock;
use crate::voice::single_call::{Observer, Progress};

/// Stores what happens in a call.
pub(super) struct Observed {
    pub(super) store: Store,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) notices: Notices,
    /// The call.
    pub(super) id: OwnCallId,
    pub(super) number: String,
    /// What the outbox shows.
    pub(super) shown: String,
    /// Whether an answer was seen.
    pub(super) is_answered: AtomicBool,
    /// Whether 9 was pressed.
    pub(super) is_refused: AtomicBool,
}

impl Observer for Observed {
    fn note<'a>(&'a self, progress: Progress<'a>) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            let Self { store, clock, notices, .. } = self;
            let (id, now) = (self.id, clock.now());
            let stored = match progress {
                Progress::Placed { from } => {
                    self.is_answered.store(false, Ordering::Release);
                    store
                        .write(Lane::Interactive, (id, from.to_owned()), |tx, (id, from)| {
                            Box::pin(rows::placed(tx, *id, from))
                        })
                        .await
                }
                Progress::Ringing => {
                    store
                        .write(Lane::Interactive, (id, now), |tx, (id, now)| {
                            Box::pin(rows::rings(tx, *id, *now))
                        })
                        .await
                }
                Progress::Answered => {
                    self.is_answered.store(true, Ordering::Release);
                    if let Some(outbox) = &notices.outbox {
                        outbox.show_spoken(self.number.clone(), self.shown.clone(), now);
                    }
                    store
                        .write(Lane::Interactive, (id, now), |tx, (id, now)| {
                            Box::pin(rows::answered(tx, *id, *now))
                        })
                        .await
                }
                Progress::Key(OPT_OUT_KEY) => {
                    self.is_refused.store(true, Ordering::Release);
                    store
                        .write(Lane::Interactive, (id, notices.clone(), now), |tx, (id, notices, now)| {
                            Box::pin(refuse(tx, *id, Some(notices), *now))
                        })
                        .await
                }
                Progress::Key(_) => Ok(()),
            };
            // Its end tells all of it once more.
            if let Err(error) = stored {
                tracing::warn!(code = error.code(), %error, "how a call goes was not stored");
            }
        })
    }
}
