//! Calls: makes those that are due, and makes them again until they are taken or given up.
//!
//! An attempt is claimed by moving its due time ahead: when the daemon dies in between, it becomes due again. A user has
//! a bounded number under way, so an address that does not answer holds up its owner's calls only.

use std::fmt;
use std::time::Duration;

use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::webhook::id::ReceiptCallId;
use crate::store::webhook::receipt_call as rows;
use crate::store::webhook::receipt_call::{CallSlots, DueCall, FinishedCall};
use crate::store::{Lane, Store};
use crate::time::Time;
use crate::webhook::delivery::{AT_ONCE, AT_ONCE_USER, CLAIM, SCHEDULE_S};
use crate::webhook::http_client::{CallbackClient, RequestOutcome};
use crate::webhook::under_way::UnderWay;

/// Calls under way. A finished one frees its slot.
pub struct ReceiptCalls<'c> {
    store: &'c Store,
    client: &'c dyn CallbackClient,
    clock: &'c dyn crate::Clock,
    /// Held by a user.
    under_way: UnderWay<'c, ReceiptCallId, UserId, FinishedCall>,
}

impl fmt::Debug for ReceiptCalls<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReceiptCalls").field("under_way", &self.under_way).finish_non_exhaustive()
    }
}

impl<'c> ReceiptCalls<'c> {
    /// None yet.
    pub fn new(store: &'c Store, client: &'c dyn CallbackClient, clock: &'c dyn crate::Clock) -> Self {
        Self { store, client, clock, under_way: UnderWay::new() }
    }

    /// Whether no call is under way.
    pub fn is_idle(&self) -> bool {
        self.under_way.is_empty()
    }

    /// Claims what is due for the free slots and starts it; true when there was something.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn start(&mut self) -> Result<bool> {
        let now = self.clock.now();
        let slots = CallSlots { total: AT_ONCE, user: AT_ONCE_USER, busy: self.under_way.holders() };
        let claimed = self
            .store
            .write(Lane::Background, (now, slots), |tx, (now, slots)| {
                Box::pin(rows::claim(tx, *now, *now + CLAIM, slots))
            })
            .await?;
        let found = !claimed.is_empty();
        for due in claimed {
            self.under_way.start(due.id, due.user_id, attempt(self.client, due, self.clock));
        }
        Ok(found)
    }

    /// Waits until a call is over, and returns it with the others that are over by then; without one under way it waits for
    /// ever. It may be dropped while it waits.
    pub async fn over(&mut self) -> Vec<FinishedCall> {
        self.under_way.over().await
    }

    /// Notes what came of calls. What cannot be noted is due again when its claim ends.
    ///
    /// # Errors
    /// When the database fails. What an address does is no error.
    pub async fn note(&mut self, over: Vec<FinishedCall>) -> Result<()> {
        self.store
            .write(Lane::Background, over, |tx, over| {
                Box::pin(async move {
                    for finished in over.iter() {
                        rows::finish(tx, *finished).await?;
                    }
                    Ok(())
                })
            })
            .await
    }
}

async fn attempt(client: &dyn CallbackClient, due: DueCall, clock: &dyn crate::Clock) -> FinishedCall {
    let outcome = client.get(due.url.clone()).await;
    judge(&due, &outcome, clock.now())
}

/// What an attempt's outcome means. Nothing of the address or the answer is logged: both are the user's.
fn judge(due: &DueCall, outcome: &RequestOutcome, now: Time) -> FinishedCall {
    let answer = match outcome {
        RequestOutcome::Answered { status, .. } => Some(*status),
        RequestOutcome::Failed(_) => None,
    };
    if answer.is_some_and(|status| (200..300).contains(&status)) {
        return FinishedCall { id: due.id, next_at: None };
    }
    let wait_s = usize::try_from(due.attempts - 1).ok().and_then(|attempt| SCHEDULE_S.get(attempt)).copied();
    let next_at = wait_s.filter(|wait| *wait > 0).map(|wait| now + Duration::from_secs(wait));
    let (user, message, attempts) = (due.user_id, due.message_id.0, due.attempts);
    match next_at {
        Some(_) => tracing::debug!(user = user.0, message, attempts, answer, "a receipt callback failed"),
        None => tracing::info!(user = user.0, message, attempts, answer, "a receipt callback was given up"),
    }
    FinishedCall { id: due.id, next_at }
}
