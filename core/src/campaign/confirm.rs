//! Confirming a quote: the money is reserved and the campaigns are there, in one transaction, once.
//!
//! Confirming a million recipients does what confirming ten does, but for a row for each 4,096. The invariant: a quote
//! is paid for at most once, whoever confirms it, however often and however many at once; what was refused changed
//! nothing.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::desk::{Desk, inactive, require_active};
use super::quote::{Form, digests};
use super::resend;
use super::routing::Router;
use super::status::CampaignStatus;
use crate::clock::Time;
use crate::content::Kind;
use crate::error::{Error, Result};
use crate::ledger::{self, Code, Transfer};
use crate::money::{Amount, Currency, Money};
use crate::sender;
use crate::store::confirm::{self as table, Run};
use crate::store::idempotency::{Claim, begin_if_any, finish_if_any};
use crate::store::quote::{self as quotes, QuoteRow};
use crate::store::resend as resends;
use crate::store::{Lane, Tx, ledger as accounts};

/// Which quote is meant.
#[derive(Debug)]
pub enum Target {
    /// The one of this id.
    Quote(i64),
    /// The newest one for the identical form, for clients that post the whole form again.
    Form(Box<Form>),
}

/// A confirmation as a client posted it.
#[derive(Debug)]
pub struct Confirmation {
    /// Who confirms.
    pub user_id: i64,
    /// The kind in the call's path.
    pub kind: Kind,
    /// Which quote.
    pub target: Target,
    /// The `Idempotency-Key`, if there was one.
    pub idempotency_key: Option<String>,
}

/// A confirmed quote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirmed {
    /// The quote.
    pub quote_id: i64,
    /// The campaigns, one for each run, in the order of their starts.
    pub campaigns: Vec<i64>,
    /// When the first run starts; `None` when it was to start at once.
    pub first_start: Option<Time>,
    /// Whether it had been confirmed before, so that nothing was charged now.
    pub was_confirmed: bool,
}

impl Confirmed {
    /// What the customer is told: `SMS Sent`, or when it will be.
    pub fn message(&self, now: Time) -> String {
        match self.first_start {
            Some(start) if start > now => format!("SMS scheduled for {start}"),
            _ => "SMS Sent".to_owned(),
        }
    }
}

/// The quote that is meant, as the transaction looks for it.
#[derive(Clone, Copy, Debug)]
enum Wanted {
    Id(i64),
    Form([u8; 32]),
}

/// What the transaction needs.
#[derive(Debug)]
struct Order {
    user: i64,
    kind: Kind,
    wanted: Wanted,
    claim: Option<Claim>,
    /// The failed messages that a resend's quote covers.
    resent: Vec<i64>,
    refund_undelivered: bool,
    router: Arc<Router>,
    now: Time,
}

impl Desk {
    /// Confirms a quote: reserves its price and makes its campaigns. Confirming again answers the same campaigns and
    /// charges nothing.
    ///
    /// # Errors
    /// 404 when there is no such quote or it is somebody else's; `quote_expired`, `quote_missing`, `quote_kind`,
    /// `insufficient_balance`, `route_changed`, `resend_outdated`, the rules on user and sender.
    pub async fn confirm(&self, confirmation: Confirmation) -> Result<Confirmed> {
        let Confirmation { user_id: user, kind, target, idempotency_key } = confirmation;
        let wanted = match target {
            Target::Quote(id) => Wanted::Id(id),
            Target::Form(form) => Wanted::Form(self.hash_of(*form).await?),
        };
        self.check_disk()?;
        let claim = idempotency_key.map(|key| Claim {
            user_id: user,
            key,
            operation: "confirm",
            input_hash: wanted.hash(),
        });
        let resent = self.resent_by(user, wanted).await?;
        let order = Order {
            user,
            kind,
            wanted,
            claim,
            resent,
            refund_undelivered: self.refund_undelivered,
            router: Arc::clone(&self.router),
            now: self.now(),
        };
        self.store.write(Lane::Interactive, order, |tx, order| Box::pin(confirm(tx, order))).await
    }

    /// The hash of a form by which its quote is found.
    async fn hash_of(&self, form: Form) -> Result<[u8; 32]> {
        require_active(&mut self.store.read().await?, form.user_id).await?;
        let (terms, sources) = form.read()?;
        terms.hash(&digests(sources).await?)
    }

    /// The failed messages that the quote sends again, if it is a resend that is not confirmed yet.
    async fn resent_by(&self, user: i64, wanted: Wanted) -> Result<Vec<i64>> {
        let Wanted::Id(id) = wanted else { return Ok(Vec::new()) };
        let mut tx = self.store.read().await?;
        let row = quotes::by_id(&mut tx, id).await?.filter(|row| row.user_id == user);
        match row {
            Some(QuoteRow { resend_of: Some(campaign), audience_id, size, confirmed_at: None, .. }) => {
                resend::covered(&mut tx, campaign, audience_id, size).await
            }
            _ => Ok(Vec::new()),
        }
    }
}

impl Wanted {
    /// What an idempotency key stands for.
    fn hash(self) -> [u8; 32] {
        match self {
            Self::Form(hash) => hash,
            Self::Id(id) => {
                let mut hash = [0; 32];
                hash[24..].copy_from_slice(&id.to_be_bytes());
                hash
            }
        }
    }
}

async fn confirm(tx: &mut Tx, order: &Order) -> Result<Confirmed> {
    if let Some(before) = begin_if_any(tx, order.claim.as_ref(), order.now).await? {
        let id = before.parse().map_err(|_| damaged("an idempotency key refers to no quote"))?;
        let quote = find(tx, order.user, Wanted::Id(id)).await?;
        return confirmed(&quote, table::campaigns_of(tx, id).await?, true);
    }
    let quote = find(tx, order.user, order.wanted).await?;
    require_kind(&quote, order.kind)?;
    let is_ours = table::claim(tx, quote.id, order.now).await?;
    let campaigns =
        if is_ours { make_campaigns(tx, order, &quote).await? } else { confirmed_before(tx, &quote).await? };
    finish_if_any(tx, order.claim.as_ref(), &quote.id.to_string()).await?;
    confirmed(&quote, campaigns, !is_ours)
}

fn confirmed(quote: &QuoteRow, campaigns: Vec<i64>, was_confirmed: bool) -> Result<Confirmed> {
    let first_start = runs(quote)?.first().copied().flatten();
    Ok(Confirmed { quote_id: quote.id, campaigns, first_start, was_confirmed })
}

fn require_kind(quote: &QuoteRow, kind: Kind) -> Result<()> {
    if quote.kind == kind.code() {
        return Ok(());
    }
    Err(Error::rule(
        "quote_kind",
        format!("Quote {} is for {1} messages: confirm it with confirm-send-{1}-sms", quote.id, quote.kind),
    ))
}

async fn find(tx: &mut Tx, user: i64, wanted: Wanted) -> Result<QuoteRow> {
    match wanted {
        Wanted::Id(id) => {
            let row = quotes::by_id(tx, id).await?.filter(|row| row.user_id == user);
            row.ok_or(Error::NotFound("quote"))
        }
        Wanted::Form(hash) => quotes::newest_of_form(tx, user, &hash).await?.ok_or_else(|| {
            Error::rule(
                "quote_missing",
                "There is no quote for this form: post it to send-{kind}-sms first, then confirm what it answers",
            )
        }),
    }
}

/// The campaigns of a quote that could not be claimed: it was confirmed before, or it has expired.
async fn confirmed_before(tx: &mut Tx, quote: &QuoteRow) -> Result<Vec<i64>> {
    let campaigns = table::campaigns_of(tx, quote.id).await?;
    if !campaigns.is_empty() {
        return Ok(campaigns);
    }
    Err(Error::rule(
        "quote_expired",
        format!(
            "Quote {} expired at {}; nothing was charged. Ask for a new one and confirm it within 30 minutes",
            quote.id,
            Time(quote.expires_at)
        ),
    ))
}

async fn make_campaigns(tx: &mut Tx, order: &Order, quote: &QuoteRow) -> Result<Vec<i64>> {
    if !table::holds_active(tx, order.user).await? {
        return Err(inactive());
    }
    sender::check_and_hold(tx, order.user, &quote.sender).await?;
    let currency: Currency =
        quote.currency.parse().map_err(|_| damaged("a quote's currency cannot be read"))?;
    let (wallet, balance) = ledger::wallet(tx, order.user, currency).await?;
    let runs = runs(quote)?;
    require_balance(balance, quote, currency, runs.len() as u64)?;
    let mut campaigns = Vec::with_capacity(runs.len());
    for (number, start) in (0_i64..).zip(runs) {
        let is_due = start.is_none_or(|start| start <= order.now);
        let status = if is_due { CampaignStatus::Sending } else { CampaignStatus::Scheduled };
        let run = Run {
            quote,
            number,
            wallet,
            refund_undelivered: order.refund_undelivered,
            start,
            status: status.as_str(),
        };
        campaigns.push(make_campaign(tx, &run, currency, &order.router, order.now).await?);
    }
    mark_resent(tx, order, quote).await?;
    table::queue_numbers(tx, quote.audience_id).await?;
    Ok(campaigns)
}

/// Says what all runs together take; of a single run the ledger says the same itself.
fn require_balance(balance: Amount, quote: &QuoteRow, currency: Currency, runs: u64) -> Result<()> {
    let needed = Amount(quote.charge_micros).times(runs)?;
    if runs == 1 || balance >= needed {
        return Ok(());
    }
    let (short, label) = (needed.minus(balance)?, currency.label());
    Err(Error::rule(
        "insufficient_balance",
        format!(
            "The {label} balance of {balance} does not cover {needed} for {runs} runs: {short} {label} more is \
             needed. Fund the account, choose fewer times, or send to fewer contacts"
        ),
    ))
}

async fn make_campaign(
    tx: &mut Tx,
    run: &Run<'_>,
    currency: Currency,
    router: &Router,
    now: Time,
) -> Result<i64> {
    let quote = run.quote;
    let campaign = table::insert_campaign(tx, run, now).await?;
    let reserve = accounts::open_reserve(tx, quote.user_id, campaign, currency).await?;
    let charge = Amount(quote.charge_micros);
    if charge > Amount::ZERO {
        let transfer = Transfer {
            debit: run.wallet,
            credit: reserve,
            money: Money { amount: charge, currency },
            code: Code::Reserve,
            reference: format!("campaign:{campaign}"),
            narration: format!("Reserved for campaign {campaign}: {} {} messages", quote.size, quote.kind),
            campaign: Some(campaign),
        };
        ledger::post(tx, &transfer, now).await?;
    }
    let made = table::insert_chunks(tx, campaign, quote).await?;
    if let Some(gone) = made.carriers.iter().find(|name| !router.has(name)) {
        return Err(route_changed(gone));
    }
    for exit in router.exits().iter().filter(|exit| made.carriers.iter().any(|name| **name == *exit.name)) {
        if let Some(refund) = exit.refund_undelivered.filter(|refund| *refund != run.refund_undelivered) {
            table::freeze_refunds(tx, campaign, &exit.name, refund).await?;
        }
    }
    table::set_reserve(tx, campaign, reserve, made.chunks).await?;
    Ok(campaign)
}

fn route_changed(carrier: &str) -> Error {
    Error::rule(
        "route_changed",
        format!(
            "The carrier '{carrier}' was taken out of service since this quote; nothing was charged. Ask for a new one"
        ),
    )
}

async fn mark_resent(tx: &mut Tx, order: &Order, quote: &QuoteRow) -> Result<()> {
    if quote.resend_of.is_none() {
        return Ok(());
    }
    if order.resent.len() as i64 != quote.size {
        return Err(resends::outdated());
    }
    resends::mark(tx, quote.id, &order.resent).await
}

/// The start times of a quote's runs; `None` is at once.
fn runs(quote: &QuoteRow) -> Result<Vec<Option<Time>>> {
    let runs: Vec<Option<i64>> =
        serde_json::from_str(&quote.runs).map_err(|_| damaged("a quote's start times cannot be read"))?;
    Ok(runs.into_iter().map(|start| start.map(Time)).collect())
}

fn damaged(what: &'static str) -> Error {
    Error::Corrupt(what.into())
}
