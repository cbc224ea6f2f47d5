//! Beginning a payment: the row first, then the provider.
//!
//! Whatever happens on the way to the provider and back, the reference it may know is stored.

use talkdrum_api::money::Amount;

use super::config::TEXT_MAX;
use super::kobo::to_kobo;
use super::provider::note;
use super::{Payment, PaymentStatus, Provider, espees, paystack};
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::account::user::UserStatus;
use crate::model::money::payment::PaymentId;
use crate::payment::service::PaymentService;
use crate::store::account::user;
use crate::store::money::payment as rows;
use crate::store::money::payment::NewPayment;
use crate::store::operations::idempotency::{Claim, once};
use crate::store::{Lane, Tx};
use crate::time::Time;

/// What every reference of ours begins with.
pub(super) const PREFIX: &str = "td-";

/// What a user wants to pay.
#[derive(Clone, Debug)]
pub struct PaymentRequest {
    /// Whose wallet it goes into.
    pub user: UserId,
    /// Through whom.
    pub provider: Provider,
    /// How much.
    pub amount: Amount,
    /// The name of the amount's field, for refusals.
    pub field: &'static str,
    /// The payer's words.
    pub narration: String,
    /// The client's label.
    pub product_sku: Option<String>,
    /// The client's key, so that a repeated request begins nothing new.
    pub claim: Option<Claim>,
}

impl PaymentService {
    /// Begins a payment and returns it with the page to pay at. The same claim again returns the same payment.
    ///
    /// # Errors
    /// Rules on amount and texts, `account_inactive`, `payment_not_set_up`, `provider_unavailable`, `provider_refused`.
    pub async fn begin(&self, order: PaymentRequest) -> Result<Payment> {
        let money = self.config.check(order.provider, order.amount, order.field)?;
        for (field, text) in
            [("narration", Some(&order.narration)), ("product_sku", order.product_sku.as_ref())]
        {
            if text.is_some_and(|text| text.chars().count() > TEXT_MAX) {
                return Err(Error::field(
                    field,
                    "text_too_long",
                    format!("{field} has at most {TEXT_MAX} characters"),
                ));
            }
        }
        let mode = self.mode(order.provider).await?;
        let now = self.clock.now();
        let new = NewPayment {
            user_id: order.user,
            provider: order.provider,
            reference: format!("{PREFIX}{}", self.hex(12)),
            money,
            narration: order.narration,
            product_sku: order.product_sku,
            nonce: self.hex(16),
            mode,
            note: "Begun",
            next_check_at: now + self.config.first_check,
            expires_at: now + self.config.expires_after,
        };
        let input = (new, order.claim, i64::from(self.config.open_max), now);
        let (payment, email) =
            self.store.write(Lane::Interactive, input, |tx, it| Box::pin(store(tx, it))).await?;
        if payment.checkout_url.is_some() || payment.status == PaymentStatus::Settled {
            return Ok(payment);
        }
        match self.open(&payment, &email).await {
            Ok((provider_ref, url)) => {
                // Sent twice at once, the provider opens two pages: both answers name the one that is noted.
                self.note_checkout(payment.id, provider_ref, url).await?;
                self.by_id(payment.id).await
            }
            Err(error) => {
                // The same request, sent twice at once, is refused by the provider the second time.
                let fresh = self.by_id(payment.id).await?;
                if fresh.checkout_url.is_some() {
                    return Ok(fresh);
                }
                self.note_refusal(payment.id, &error).await?;
                Err(error)
            }
        }
    }

    fn hex(&self, bytes: usize) -> String {
        let mut random = vec![0; bytes];
        self.entropy.fill(&mut random);
        hex::encode(random)
    }

    /// Begins the payment at its provider: its reference there, if it has its own, and the page.
    async fn open(&self, payment: &Payment, email: &str) -> Result<(Option<String>, String)> {
        let base = &self.config.public_url;
        match payment.provider {
            Provider::Paystack => {
                let kobo = to_kobo(payment.money.amount)
                    .ok_or_else(|| Error::Corrupt(format!("payment {} is no whole kobo", payment.id)))?;
                let begin = paystack::Begin {
                    reference: &payment.reference,
                    kobo,
                    email,
                    narration: &payment.narration,
                    callback_url: format!("{base}/dashboard/fund-with-paystack"),
                    cancel_url: format!("{base}/dashboard/fund-with-paystack?cancelled=1"),
                };
                let key = self.paystack_key().await?;
                Ok((None, paystack::initialize(&self.http, &self.config, &key, &begin).await?))
            }
            Provider::Espees => {
                let wallet = self.wallet_address().await?;
                let begin = espees::Begin {
                    sku: &payment.reference,
                    narration: &payment.narration,
                    price: payment.money.amount,
                    wallet: &wallet,
                    success_url: format!("{base}/dashboard/buy-sms-online?success=true"),
                    fail_url: format!("{base}/dashboard/buy-sms-online?failed=true"),
                    nonce: &payment.nonce,
                };
                let key = self.espees_key().await?;
                let begun = espees::product(&self.http, &self.config, &key, &begin).await?;
                Ok((Some(begun.payment_ref), begun.url))
            }
        }
    }

    async fn note_checkout(&self, id: PaymentId, provider_ref: Option<String>, url: String) -> Result<()> {
        let input = (id, provider_ref, url, self.clock.now() + self.config.first_check);
        self.store
            .write(Lane::Interactive, input, |tx, (id, provider_ref, url, next)| {
                let waiting = "Waiting for the payment";
                Box::pin(rows::set_checkout(tx, *id, provider_ref.as_deref(), url, waiting, *next))
            })
            .await
    }

    /// A refusal is the end, as far as anyone knows; silence is not: the sweeper asks again.
    async fn note_refusal(&self, id: PaymentId, error: &Error) -> Result<()> {
        let status = match error {
            Error::ProviderRefused(_) => PaymentStatus::Failed,
            _ => PaymentStatus::Initiated,
        };
        let input = (id, status, note(&error.for_people()), self.clock.now());
        self.store
            .write(Lane::Interactive, input, |tx, (id, status, note, now)| {
                Box::pin(async move {
                    match rows::lock_unsettled(tx, *id, *now).await? {
                        Some(payment) if payment.status == PaymentStatus::Initiated => {
                            if *status == PaymentStatus::Failed {
                                rows::stop_checks(tx, *id).await?;
                            }
                            rows::set_status(tx, *id, *status, note).await
                        }
                        _ => Ok(()),
                    }
                })
            })
            .await
    }
}

/// Stores a payment, or finds the one that the same request made; returns it with its payer's address.
async fn store(
    tx: &mut Tx,
    (new, claim, open_max, now): &(NewPayment, Option<Claim>, i64, Time),
) -> Result<(Payment, String)> {
    let payer = user::by_id(tx, new.user_id).await?.ok_or(Error::NotFound("user"))?;
    let reference = once(tx, claim.as_ref(), *now, async |tx| {
        if payer.status == UserStatus::Inactive {
            return Err(Error::inactive());
        }
        if rows::count_open(tx, new.user_id, *now).await? >= *open_max {
            return Err(Error::rule(
                "too_many_open_payments",
                format!("{open_max} payments wait to be paid: pay one of them, or wait until they expire"),
            ));
        }
        rows::insert(tx, new, *now).await?;
        Ok(new.reference.clone())
    })
    .await?;
    let payment = rows::by_reference(tx, &reference).await?.ok_or(Error::NotFound("payment"))?;
    Ok((payment, payer.email))
}
