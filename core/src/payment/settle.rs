//! Settling: ask the provider, compare, credit once.
//!
//! The network is asked outside any transaction; what follows from the answer is one transaction that locks the payment
//! first. However many requests settle it at once, and however long after, one of them posts the credit.

use talkdrum_api::code;

use super::kobo::to_kobo;
use super::provider::Verdict;
use super::{Payment, PaymentStatus, Provider, espees, paystack};
use crate::error::{Error, Result};
use crate::ledger;
use crate::model::account::id::UserId;
use crate::model::money::ledger::{Code, Posted, Transfer};
use crate::model::money::payment::PaymentId;
use crate::model::platform::audit::AuditAction;
use crate::payment::service::PaymentService;
use crate::platform::audit::{self, Entry};
use crate::store::money::payment as rows;
use crate::store::{Lane, Tx};
use crate::time::Time;

impl PaymentService {
    /// Asks the provider of a payment what became of it and acts on the answer; returns the payment as it is then.
    ///
    /// # Errors
    /// `provider_unavailable` when it does not answer, or not as it should: nothing changed then.
    pub async fn settle(&self, payment: &Payment) -> Result<Payment> {
        if payment.status == PaymentStatus::Settled {
            return Ok(payment.clone());
        }
        let verdict = self.ask(payment).await?;
        let input = (payment.id, verdict, self.clock.now());
        let (before, after) =
            self.store.write(Lane::Interactive, input, |tx, it| Box::pin(apply(tx, it))).await?;
        if before.is_some_and(|before| before != after.status) {
            tracing::info!(
                payment_id = after.id.0, user_id = after.user_id.0, provider = after.provider.code(),
                status = after.status.code(), amount = %after.money, note = after.note, "payment.status"
            );
        }
        Ok(after)
    }

    /// Settles a payment in whatever status it is, as an administrator asks for it, with an audit entry; returns the status that
    /// it had, and the payment as it is then. Who asked is noted before the provider is asked: what follows from its answer
    /// is not the administrator's doing.
    ///
    /// # Errors
    /// Not found; those of [`PaymentService::settle`].
    pub async fn recheck(&self, id: PaymentId, by: UserId) -> Result<(PaymentStatus, Payment)> {
        let before = self.by_id(id).await?;
        let entry = Entry::new(by, AuditAction::PaymentRecheck, format!("payment {id}"))
            .before(Some(before.status.code()));
        let noted = (entry, self.clock.now());
        self.store
            .write(Lane::Interactive, noted, |tx, (entry, now)| Box::pin(audit::record(tx, entry, *now)))
            .await?;
        Ok((before.status, self.settle(&before).await?))
    }

    async fn ask(&self, payment: &Payment) -> Result<Verdict> {
        match payment.provider {
            Provider::Paystack => {
                let key = self.paystack_key().await?;
                let kobo = to_kobo(payment.money.amount)
                    .ok_or_else(|| Error::Corrupt(format!("payment {} is no whole kobo", payment.id)))?;
                if paystack::mode(&key) != payment.mode {
                    return Ok(Verdict::Waiting(
                        "The Paystack key was changed between test and live".to_owned(),
                    ));
                }
                paystack::verify(&self.http, &self.config, &key, &payment.reference, kobo).await
            }
            Provider::Espees => {
                let Some(payment_ref) = &payment.provider_ref else {
                    return Ok(Verdict::Absent("ESPEES gave this payment no reference".to_owned()));
                };
                let key = self.espees_key().await?;
                let ours = espees::Ours {
                    sku: &payment.reference,
                    price: payment.money.amount,
                    nonce: &payment.nonce,
                };
                espees::confirm(&self.http, &self.config, &key, payment_ref, &ours).await
            }
        }
    }
}

/// What follows from a verdict; the status it had when it was locked (`None`: settled before), and the payment after.
async fn apply(
    tx: &mut Tx,
    (id, verdict, now): &(PaymentId, Verdict, Time),
) -> Result<(Option<PaymentStatus>, Payment)> {
    let mut before = None;
    if let Some(payment) = rows::lock_unsettled(tx, *id, *now).await? {
        before = Some(payment.status);
        if *verdict == Verdict::Paid {
            credit(tx, &payment, *now).await?;
        } else if let Some((status, note)) = payment.status.after(verdict, *now >= payment.expires_at) {
            rows::set_status(tx, *id, status, &note).await?;
            if status == PaymentStatus::Mismatch {
                rows::stop_checks(tx, *id).await?;
            }
        }
    }
    Ok((before, rows::by_id(tx, *id).await?.ok_or(Error::NotFound("payment"))?))
}

/// Credits a locked payment.
async fn credit(tx: &mut Tx, payment: &Payment, now: Time) -> Result<()> {
    let (wallet, _) = ledger::wallet(tx, payment.user_id, payment.money.currency).await?;
    let clearing = rows::clearing(tx, payment.provider, payment.money.currency)
        .await?
        .ok_or_else(|| Error::Corrupt(format!("{} has no clearing account", payment.provider)))?;
    let entry = Transfer {
        debit: clearing,
        credit: wallet,
        money: payment.money,
        code: Code::Payment,
        reference: format!("{}:{}", payment.provider, payment.known_as()),
        narration: payment.narration.clone(),
        campaign: None,
    };
    match ledger::post(tx, &entry, now).await? {
        Posted::Now { id, .. } => rows::set_settled(tx, payment.id, id, None, "Paid", now).await,
        Posted::Before => {
            Err(Error::Corrupt(format!("payment {} is in the ledger and not settled", payment.id)))
        }
    }
}

/// The refusal of a confirmation that comes too early or to nothing.
///
/// # Errors
/// `payment_pending`, `payment_failed`, `payment_expired`, `payment_mismatch`.
pub fn require_settled(payment: &Payment) -> Result<()> {
    let known_as = payment.known_as();
    Err(match payment.status {
        PaymentStatus::Settled => return Ok(()),
        PaymentStatus::Initiated | PaymentStatus::Pending => Error::rule(
            code::PAYMENT_PENDING,
            format!("The payment {known_as} is not completed yet: {}", sentence(&payment.note)),
        ),
        PaymentStatus::Failed => Error::rule(
            code::PAYMENT_FAILED,
            format!("The payment {known_as} failed: {}", sentence(&payment.note)),
        ),
        PaymentStatus::Expired => Error::rule(
            "payment_expired",
            format!("The payment {known_as} was not completed in time: start a new one"),
        ),
        PaymentStatus::Mismatch => Error::rule(
            "payment_mismatch",
            format!(
                "The payment {known_as} needs a look by the administrator: what was paid is not what was agreed. \
                 Please contact us with this reference"
            ),
        ),
    })
}

fn sentence(note: &str) -> &str {
    if note.is_empty() { "no reason was given" } else { note }
}
