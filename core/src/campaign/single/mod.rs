//! A message to one number in one call, as programs send codes and alerts: quoted, confirmed and paid in one
//! transaction.
//!
//! Messages that a user sends at the same time by the same sender share a campaign, so that a hundred messages a second
//! are a few campaigns and not a hundred. Where their texts differ, each recipient has its own as a merge field. The
//! invariant: the text, the route and the price of a message do not depend on the messages that share its campaign.

mod batch;
mod lookup;
#[cfg(test)]
mod tests;

pub(crate) use batch::OWN_TEXT;

use std::sync::Arc;

use talkdrum_api::campaign::MessageRow;
use talkdrum_api::code;
use talkdrum_api::kind::Kind;
use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::purpose::Purpose;

use super::audience::{AudienceTally, RecipientSource};
use super::quote::{Form, QuoteInputs, Terms, draw_up};
use crate::campaign::report::explain;
use crate::campaign::service::CampaignService;
use crate::campaign::spending_limit::CampaignLimits;
use crate::content::Content;
use crate::error::{Error, Result};
use crate::ledger;
use crate::model::account::id::UserId;
use crate::model::campaign::quote_details::{GroupsSentTo, QuoteDetails};
use crate::model::message::id::MessageId;
use crate::model::message::status::MessageStatus;
use crate::model::page::RecordScope;
use crate::model::webhook::receipt_callback::ReceiptCallback;
use crate::phone::{self, Msisdn, NetworkId};
use crate::routing::{RouteDecision, Router};
use crate::settings::{PageRates, RateCache, RateId};
use crate::store::Lane;
use crate::store::operations::idempotency::Claim;
use crate::time::{Time, start};

/// A message to one number, as a client posted it.
#[derive(Debug)]
pub struct Single {
    /// Who sends it.
    pub user_id: UserId,
    /// The kind of message.
    pub kind: Kind,
    /// `senderid`.
    pub sender: Option<String>,
    /// `payment_method`: `espees`, or `paystack` (alias `naira`).
    pub payment_method: Option<String>,
    /// What [`read_purpose`](crate::campaign::quote::read_purpose) made of `purpose`; else the default of the API key.
    pub purpose: Result<Option<Purpose>>,
    /// `contacts`: one number, in any form.
    pub contact: String,
    /// What [`Content::parse`] made of the message, title and card fields. Braces are braces here.
    pub content: Result<Content>,
    /// The most it may cost, in the currency it is paid in.
    pub max_charge: Option<Amount>,
    /// When it goes out, if not at once.
    pub start: Option<Time>,
    /// Where its sender is called about it.
    pub callback: Option<ReceiptCallback>,
    /// The claim on its `Idempotency-Key`, if there was one.
    pub claim: Option<Claim>,
}

/// A message that was accepted for sending.
#[derive(Clone, Debug)]
pub struct Sent {
    /// The message; as it is by now, when it had been sent before.
    pub message: MessageRow,
    /// What it says: as it goes out, look-alikes replaced.
    pub text: String,
    /// The wallet that paid, now.
    pub balance: Amount,
    /// When it goes out, where it falls into the quiet hours.
    pub delayed_start: Option<String>,
    /// Whether it waits for an administrator.
    pub is_in_review: bool,
    /// Whether the same request was done before, so that nothing was charged now.
    pub was_sent: bool,
}

/// A message to be priced, paid and sent.
#[derive(Debug)]
struct SingleOrder {
    user: UserId,
    kind: Kind,
    purpose: Purpose,
    sender: String,
    currency: Currency,
    /// What it says, braces doubled.
    content: Content,
    /// The same text as it was written, of those kinds that have one.
    text: Option<String>,
    number: Msisdn,
    network: NetworkId,
    rates: RateCache,
    /// Billed pages and short messages.
    measure: (u8, u8),
    carrier: Arc<str>,
    decision: RouteDecision,
    /// The carriers that take over, by name, one a line.
    spares: Option<Arc<str>>,
    /// What a quote for it alone would answer, beside what is agreed.
    details: QuoteDetails,
    /// What the answer says of it, but for its price and ids.
    row: MessageRow,
    max_charge: Option<Amount>,
    start: Option<Time>,
    callback: Option<ReceiptCallback>,
    claim: Option<Claim>,
    router: Arc<Router>,
    refund_undelivered: bool,
    limits: CampaignLimits,
    now: Time,
}

/// What became of an order.
#[derive(Debug)]
enum SingleOutcome {
    New(Box<Sent>),
    /// The same request was done before and made this message.
    Before(MessageId),
    /// It was refused, and nothing was done for it.
    Refused(Error),
}

impl CampaignService {
    /// Sends a message to one number. The same request with the same key answers the same message and charges nothing,
    /// also when it would be refused by now.
    ///
    /// # Errors
    /// The rules of a quote and of its confirmation; `bad_number`, `opted_out`, `no_route`, `dnd`, `too_long`; `max_charge`
    /// when it costs more, `amount_negative` when that is below zero; `time_too_far` for a start over a year ahead.
    pub async fn send_single(&self, single: Single) -> Result<Sent> {
        let (user, claim) = (single.user_id, single.claim.clone());
        let outcome = match self.draft(single).await {
            Ok(order) => self.store.write_together(Lane::Interactive, order).await,
            Err(error) => Err(error),
        };
        let error = match outcome {
            Ok(SingleOutcome::New(sent)) => return Ok(*sent),
            Ok(SingleOutcome::Before(message)) => return self.sent_before(user, message).await,
            Ok(SingleOutcome::Refused(error)) | Err(error) => error,
        };
        let Some(claim) = claim else { return Err(error) };
        let before = claim.look(&mut self.store.read().await?).await?;
        match before {
            Some(reference) => self.sent_before(user, message_of(&reference)?).await,
            None => Err(error),
        }
    }

    /// Prepares a message and its route: what can be decided before the transaction that pays.
    async fn draft(&self, single: Single) -> Result<SingleOrder> {
        let Single {
            user_id,
            kind,
            sender,
            payment_method,
            purpose,
            contact,
            content,
            max_charge,
            start,
            callback,
            claim,
        } = single;
        if max_charge.is_some_and(|most| most < Amount::ZERO) {
            let message = "max_charge is the most that the message may cost: zero or more";
            return Err(Error::field("max_charge", "amount_negative", message));
        }
        let text = content.as_ref().ok().and_then(Content::as_text).map(str::to_owned);
        let form = Form {
            user_id,
            kind,
            sender,
            payment_method,
            purpose,
            canary: Ok(None),
            content: content.map(Content::literal),
            times: Ok(start.into_iter().collect()),
            sources: RecipientSource::text(contact.clone()).into_iter().collect(),
            idempotency_key: None,
        };
        let now = self.now();
        let (mut terms, _) = form.read()?;
        let purpose = match terms.purpose {
            Some(purpose) => purpose,
            None => self.purposes.of(&self.store, user_id, &terms.sender, now).await?.unwrap_or_default(),
        };
        terms.purpose = Some(purpose);
        terms.times = start::check(terms.times, now)?;
        let prepared = Arc::new(terms.content.prepare()?);
        let router = self.router.now();
        let dnd = match router.minds_dnd() {
            true => Some(self.dnd.current(&mut self.store.read().await?).await?),
            false => None,
        };
        let plan = Arc::new(router.plan(kind, purpose, &terms.sender, dnd)?);
        self.check_disk()?;
        let number = read_number(&contact)?;
        let measure = prepared.uniform();
        let measure = measure.ok_or_else(|| Error::Corrupt("a single message has merge fields".into()))?;
        let (pages, segments) = (measure.pages, measure.segments);
        let network = self.networks.lookup(number);
        let place = plan.decide(number, network, segments);
        let place = place.map_err(|refused| Error::field("contacts", refused.code(), refused.reason()))?;
        let decision = plan.decisions()[usize::from(place)];
        let carrier = Arc::clone(&plan.carriers()[usize::from(decision.carrier)].name);
        let spares = decision.spares.names(plan.carriers());
        // What it costs is read with what it is paid from.
        let rates = PageRates::only_home(Amount::ZERO);
        let mut tally = AudienceTally::of(&plan, &self.networks, rates.count());
        tally.count(decision, network, (pages, segments), (RateId::HOME, number.is_abroad()));
        let inputs = QuoteInputs {
            terms,
            prepared,
            plan,
            rates: Arc::new(rates),
            resend_of: None,
            room: None,
            groups: GroupsSentTo::default(),
        };
        let details = draw_up(self, &inputs, &tally, now);
        let Terms { sender, currency, content, .. } = inputs.terms;
        Ok(SingleOrder {
            user: user_id,
            row: MessageRow {
                id: 0,
                campaign_id: 0,
                purpose,
                to: number.to_string(),
                senderid: sender.clone(),
                network: self.networks.name(network).to_owned(),
                status: MessageStatus::Queued.code().to_owned(),
                reason: None,
                pages: i64::from(pages),
                price: Amount::ZERO,
                currency: currency.code().to_owned(),
                user_id: None,
                username: None,
                carrier: None,
                carrier_ref: None,
                submitted_at: None,
                done_at: None,
                call: None,
            },
            kind,
            purpose,
            sender,
            currency,
            content,
            text,
            number,
            network,
            rates: self.rates.clone(),
            measure: (pages, segments),
            carrier,
            decision,
            spares,
            details,
            max_charge,
            start,
            callback,
            claim,
            router,
            refund_undelivered: self.refund_undelivered,
            limits: self.limits,
            now,
        })
    }

    /// A message that was sent by the same request before, as it is now.
    async fn sent_before(&self, user: UserId, message: MessageId) -> Result<Sent> {
        let mut tx = self.store.read().await?;
        let why = explain::message(&mut tx, RecordScope::Own(user), message, &self.networks).await?;
        let (_, balance) = ledger::wallet(&mut tx, user, why.message.currency.parse()?).await?;
        let (message, text) = (why.message, why.text);
        Ok(Sent { message, text, balance, delayed_start: None, is_in_review: false, was_sent: true })
    }
}

/// The message that an idempotency key refers to.
fn message_of(reference: &str) -> Result<MessageId> {
    let id = reference.parse().map(MessageId);
    id.map_err(|_| Error::Corrupt("an idempotency key refers to no message".into()))
}

fn read_number(text: &str) -> Result<Msisdn> {
    phone::parse(text.trim()).map_err(|reason| {
        Error::field(
            "contacts",
            code::BAD_NUMBER,
            format!(
                "'{}' is no number: {reason}. This call sends to one number; send-{{kind}}-sms takes many",
                text.trim().chars().take(64).collect::<String>()
            ),
        )
    })
}
