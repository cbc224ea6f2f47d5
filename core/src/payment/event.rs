//! Paystack's webhook: what it says is a reason to ask, and a record.
//!
//! `charge.success` makes a payment due and settles it, and is kept for a person when the database lost the payment;
//! refunds and disputes are kept, too, as money that was spent cannot be taken back by a machine; anything else is nothing
//! to us. The body was signed with our
//! key before a byte of it is read.

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use talkdrum_api::money::Amount;

use super::begin::PREFIX;
use super::provider::note;
use super::{Payment, Provider, paystack, wire};
use crate::error::{Error, Result};
use crate::payment::service::PaymentService;
use crate::store::money::payment as rows;
use crate::store::money::payment::NewPaymentEvent;
use crate::store::{Lane, Tx};

/// Events that are kept for a person.
const KEPT: [&str; 3] = ["refund.", "charge.dispute.", "bank.transfer.rejected"];
/// The longest name of an event that is kept.
const EVENT_MAX: usize = 100;

/// What became of a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaymentEventOutcome {
    /// Not signed with our key, or we have none: nothing was read.
    Unsigned,
    /// A payment of ours is said to be paid: it is due, and may be settled now.
    Paid(Box<Payment>),
    /// Kept for a person, or kept before.
    Kept,
    /// Nothing to us.
    Ignored,
}

impl PaymentService {
    /// Takes a delivery: the raw body and the value of `x-paystack-signature`.
    ///
    /// # Errors
    /// Of the database: Paystack then delivers it again.
    pub async fn hear_paystack(&self, body: &[u8], signature: &str) -> Result<PaymentEventOutcome> {
        let key = match self.known_paystack_key().await {
            Ok(Some(key)) => key,
            Ok(None) | Err(Error::Unreadable(_)) => return Ok(PaymentEventOutcome::Unsigned),
            Err(error) => return Err(error),
        };
        if !paystack::is_signed(&key, body, signature) {
            return Ok(PaymentEventOutcome::Unsigned);
        }
        let Ok(delivery) = serde_json::from_slice::<Value>(body) else {
            return Ok(PaymentEventOutcome::Ignored);
        };
        let event = delivery["event"].as_str().unwrap_or_default();
        let data = &delivery["data"];
        if event == "charge.success" {
            return self.hear_success(event, data, body).await;
        }
        if KEPT.iter().any(|kept| event.starts_with(kept)) {
            self.keep(event, data, body).await?;
            return Ok(PaymentEventOutcome::Kept);
        }
        Ok(PaymentEventOutcome::Ignored)
    }

    async fn hear_success(&self, event: &str, data: &Value, body: &[u8]) -> Result<PaymentEventOutcome> {
        let Some(reference) = data["reference"].as_str() else { return Ok(PaymentEventOutcome::Ignored) };
        let payment = rows::by_reference(&mut self.store.read().await?, reference).await?;
        if payment.is_none() && reference.starts_with(PREFIX) {
            // It was begun here, and the database does not know it: it went back in time.
            self.keep(event, data, body).await?;
            return Ok(PaymentEventOutcome::Kept);
        }
        let Some(payment) = payment.filter(|it| it.provider == Provider::Paystack) else {
            return Ok(PaymentEventOutcome::Ignored);
        };
        // Due even if this daemon dies before it has asked.
        let input = (payment.id, self.clock.now());
        self.store
            .write(Lane::Interactive, input, |tx, (id, now)| Box::pin(rows::hasten(tx, *id, *now)))
            .await?;
        Ok(PaymentEventOutcome::Paid(Box::new(payment)))
    }

    async fn keep(&self, event: &str, data: &Value, body: &[u8]) -> Result<()> {
        let new = NewPaymentEvent {
            provider: Provider::Paystack,
            event: event.chars().take(EVENT_MAX).collect(),
            reference: reference_of(data),
            payment_id: None,
            summary: summary(data),
            body_hash: Sha256::digest(body).to_vec(),
        };
        let input = (new, self.clock.now());
        let kept = self.store.write(Lane::Interactive, input, |tx, it| Box::pin(keep(tx, it))).await?;
        if kept {
            tracing::warn!(event, "an event of a payment is kept: a person has to look");
        }
        Ok(())
    }
}

async fn keep(tx: &mut Tx, (new, now): &(NewPaymentEvent, crate::Time)) -> Result<bool> {
    let payment = match &new.reference {
        Some(reference) => rows::by_reference(tx, reference).await?.map(|row| row.id),
        None => None,
    };
    rows::insert_event(tx, &NewPaymentEvent { payment_id: payment, ..new.clone() }, *now).await
}

/// The transaction's reference, which each kind of event has in another place.
fn reference_of(data: &Value) -> Option<String> {
    [&data["transaction_reference"], &data["transaction"]["reference"], &data["reference"]]
        .into_iter()
        .find_map(wire::text)
        .map(|text| note(&text))
}

/// What a person needs to know of it.
fn summary(data: &Value) -> String {
    let amount = [&data["amount"], &data["refund_amount"]]
        .into_iter()
        .find_map(wire::whole)
        .and_then(|kobo| kobo.checked_mul(10_000))
        .map(|micros| format!("{} {}", Amount(micros), data["currency"].as_str().unwrap_or("NGN")));
    let words = ["status", "resolution", "category", "message", "merchant_note", "customer_note"];
    let said = words.into_iter().filter_map(|name| Some(format!("{name}: {}", wire::text(&data[name])?)));
    note(&amount.into_iter().chain(said).collect::<Vec<_>>().join(", "))
}
