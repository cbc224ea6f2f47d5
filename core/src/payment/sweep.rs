//! The sweeper: checks payments whose customers did not come back from the provider's page.
//!
//! It takes what is due by moving the next look ahead, so that of several daemons one asks, and one that dies while it
//! asks costs a pause and no payment. The last look is the first that is answered after a payment has become too old to be
//! looked after.

use super::PaymentStatus;
use crate::error::Result;
use crate::model::money::payment::PaymentId;
use crate::payment::config::LATE_PAUSE;
use crate::payment::service::PaymentService;
use crate::store::money::payment as rows;
use crate::store::{Lane, Tx};
use crate::time::Time;

/// Payments of one tick.
const BATCH: i64 = 20;

impl PaymentService {
    /// Checks the payments that are due; returns how many.
    ///
    /// # Errors
    /// Of the database only: a provider that fails is asked again later.
    pub async fn sweep(&self) -> Result<usize> {
        let now = self.clock.now();
        let due = rows::due(&mut self.store.read().await?, now, BATCH).await?;
        let mut looked_at = 0;
        for payment in due {
            let next = self.config.next_check(payment.created_at, payment.checks, now);
            if !self.claim(payment.id, now, next.unwrap_or(now + LATE_PAUSE)).await? {
                continue;
            }
            looked_at += 1;
            let mut is_answered = false;
            match self.settle(&payment).await {
                Ok(_) => is_answered = true,
                Err(error) if error.is_passing() => {
                    tracing::warn!(
                        payment_id = payment.id.0,
                        code = error.code(),
                        "a payment was not looked at"
                    );
                }
                Err(error) => {
                    tracing::error!(payment_id = payment.id.0, %error, "a payment cannot be settled");
                }
            }
            if next.is_none() && (is_answered || self.config.is_abandoned(payment.created_at, now)) {
                self.give_up(payment.id, now).await?;
            }
        }
        Ok(looked_at)
    }

    async fn claim(&self, id: PaymentId, now: Time, next: Time) -> Result<bool> {
        self.store
            .write(Lane::Background, (id, now, next), |tx, (id, now, next)| {
                Box::pin(rows::claim(tx, *id, *now, *next))
            })
            .await
    }

    /// After the last look an open payment is expired, whether or not its provider ever answered.
    async fn give_up(&self, id: PaymentId, now: Time) -> Result<()> {
        self.store
            .write(Lane::Background, (id, now), |tx, (id, now)| Box::pin(expire_open(tx, *id, *now)))
            .await
    }
}

async fn expire_open(tx: &mut Tx, id: PaymentId, now: Time) -> Result<()> {
    rows::end_checks(tx, id).await?;
    let Some(payment) = rows::lock_unsettled(tx, id, now).await? else { return Ok(()) };
    match payment.status {
        PaymentStatus::Initiated | PaymentStatus::Pending => {
            rows::set_status(tx, id, PaymentStatus::Expired, "It was not paid in time").await
        }
        _ => Ok(()),
    }
}
