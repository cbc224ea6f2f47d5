//! Deliveries: sends due events to their addresses, and acts on the answers.
//!
//! ```text
//! pending ──▶ delivered        any answer 2xx
//!    ▲  │
//!    └──┴───▶ failed           after the last attempt; 410 Gone also turns the address off
//! ```
//!
//! An attempt is claimed by moving its due time ahead: when the daemon dies in between, it becomes due again.
//! Deliveries are claimed as slots become free, not in rounds that wait for the slowest. Invariant: a failing address
//! gets no request between attempts and is turned off after five days of nothing but failures, so that it does not slow
//! down others.

use std::fmt;
use std::time::Duration;

use super::endpoint;
use crate::error::Result;
use crate::model::account::id::UserId;
use crate::model::webhook::id::{DeliveryId, WebhookId};
use crate::settings::Vault;
use crate::store::webhook::delivery as rows;
use crate::store::webhook::delivery::{DueDelivery, FinishedAttempt, Slots};
use crate::store::{Lane, Store};
use crate::time::Time;
use crate::webhook::http_client::{RequestOutcome, WebhookClient, WebhookRequest};
use crate::webhook::under_way::UnderWay;

/// Seconds from an attempt to the next, as Standard Webhooks suggests: about 28 hours in all.
pub const SCHEDULE_S: [u64; 8] = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000, 0];
/// Attempts of one delivery.
pub const ATTEMPTS: i64 = SCHEDULE_S.len() as i64;
/// An address that failed for this long is turned off.
const GIVEN_UP_AFTER: Duration = Duration::from_secs(5 * 24 * 3_600);
/// How long an address that failed gets no request, whatever else waits for it.
const PEACE: Duration = Duration::from_secs(5);
/// When an attempt counts as lost with the daemon that made it: longer than any request takes.
pub(super) const CLAIM: Duration = Duration::from_secs(120);
/// Attempts under way at once.
pub const AT_ONCE: i64 = 64;
/// Of them to one address.
pub const AT_ONCE_EACH: i64 = 8;
/// Of them to the addresses of one user.
pub const AT_ONCE_USER: i64 = 16;

/// Attempts under way. A finished one frees its slot, so a slow address only holds up its owner's deliveries.
pub struct Deliveries<'d> {
    store: &'d Store,
    vault: &'d Vault,
    client: &'d dyn WebhookClient,
    clock: &'d dyn crate::Clock,
    /// Held by a user and an address.
    under_way: UnderWay<'d, DeliveryId, (UserId, WebhookId), FinishedAttempt>,
}

impl fmt::Debug for Deliveries<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deliveries").field("under_way", &self.under_way).finish_non_exhaustive()
    }
}

impl<'d> Deliveries<'d> {
    /// None yet.
    pub fn new(
        store: &'d Store,
        vault: &'d Vault,
        client: &'d dyn WebhookClient,
        clock: &'d dyn crate::Clock,
    ) -> Self {
        Self { store, vault, client, clock, under_way: UnderWay::new() }
    }

    /// Whether no attempt is under way.
    pub fn is_idle(&self) -> bool {
        self.under_way.is_empty()
    }

    /// Claims what is due for the free slots and starts it; true when there was something.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn start(&mut self) -> Result<bool> {
        let now = self.clock.now();
        let busy = self.under_way.holders();
        let slots = Slots { total: AT_ONCE, each: AT_ONCE_EACH, user: AT_ONCE_USER, busy };
        let claimed = self
            .store
            .write(Lane::Background, (now, slots), |tx, (now, slots)| {
                Box::pin(rows::claim(tx, *now, *now + CLAIM, slots))
            })
            .await?;
        let found = !claimed.is_empty();
        for due in claimed {
            let holder = (due.webhook.user_id, due.webhook.id);
            self.under_way.start(due.id, holder, attempt(self.vault, self.client, due, self.clock));
        }
        Ok(found)
    }

    /// Waits until an attempt is over, and returns it with the others that are over by then; without an attempt under way it
    /// waits for ever. It may be dropped while it waits.
    pub async fn over(&mut self) -> Vec<FinishedAttempt> {
        self.under_way.over().await
    }

    /// Notes what came of attempts. What cannot be noted is due again when its claim ends.
    ///
    /// # Errors
    /// When the database fails. What an address does is no error.
    pub async fn note(&mut self, over: Vec<FinishedAttempt>) -> Result<()> {
        self.store
            .write(Lane::Background, over, |tx, over| {
                Box::pin(async move {
                    for finished in over.iter() {
                        rows::finish(tx, finished).await?;
                    }
                    Ok(())
                })
            })
            .await
    }
}

async fn attempt(
    vault: &Vault,
    client: &dyn WebhookClient,
    due: DueDelivery,
    clock: &dyn crate::Clock,
) -> FinishedAttempt {
    let outcome = match request(vault, &due, clock.now()) {
        Ok(request) => client.post(request).await,
        Err(error) => RequestOutcome::Failed(error.to_string()),
    };
    judge(&due, outcome, clock.now())
}

/// The request of an attempt: signed for each attempt, as the time is part of what is signed.
fn request(vault: &Vault, due: &DueDelivery, now: Time) -> Result<WebhookRequest> {
    let id = format!("msg_{}", due.event_id);
    let timestamp_s = now.millis() / 1_000;
    let signatures = endpoint::secrets(vault, &due.webhook, now)?
        .iter()
        .map(|secret| secret.sign(&id, timestamp_s, &due.body))
        .collect::<Result<Vec<_>>>()?;
    Ok(WebhookRequest {
        url: due.webhook.url.clone(),
        id,
        timestamp_s,
        signature: signatures.join(" "),
        body: due.body.clone(),
    })
}

/// What an attempt's outcome means for the delivery and its address.
fn judge(due: &DueDelivery, outcome: RequestOutcome, now: Time) -> FinishedAttempt {
    let (answer, note) = match outcome {
        RequestOutcome::Answered { status, excerpt } => (Some(status), excerpt),
        RequestOutcome::Failed(why) => (None, why),
    };
    let taken = answer.is_some_and(|status| (200..300).contains(&status));
    let wait_s = usize::try_from(due.attempts - 1).ok().and_then(|attempt| SCHEDULE_S.get(attempt)).copied();
    let next_at = wait_s.filter(|wait| !taken && *wait > 0).map(|wait| now + Duration::from_secs(wait));
    let failing_since = due.webhook.failing_since.unwrap_or(now);
    let off = if taken {
        None
    } else if answer == Some(410) {
        Some("The address answered 410 Gone")
    } else if now.since(failing_since) >= GIVEN_UP_AFTER {
        Some("Every delivery failed for five days")
    } else {
        None
    };
    FinishedAttempt {
        id: due.id,
        webhook_id: due.webhook.id,
        taken,
        next_at: next_at.filter(|_| off.is_none()),
        answer: answer.map(i64::from),
        note,
        failing_since: (!taken).then_some(failing_since),
        quiet_until: if taken { Time(0) } else { now + PEACE },
        turned_off: off,
        at: now,
    }
}

#[cfg(test)]
mod tests;
