//! Confirming a quote: reserves the money and makes the campaigns, in one transaction, once. The messages of a resend are
//! marked before it.
//!
//! Confirming a million recipients does the same work as confirming ten, except for a row per 4,096 of them; small
//! campaigns that are confirmed at the same time share one statement for each table. A quote is paid for
//! at most once, however often and however concurrently it is confirmed; a refused confirmation charges nothing and makes
//! no campaign.

pub mod create;
#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use futures::future::BoxFuture;
use talkdrum_api::campaign::Campaign;
use talkdrum_api::code;
use talkdrum_api::kind::Kind;

use super::quote::{Form, digests};
use crate::campaign::confirm::create::{LaunchRequest, launch};
use crate::campaign::report::progress;
use crate::campaign::resend::Marks;
use crate::campaign::service::{CampaignService, require_active};
use crate::campaign::spending_limit::{CampaignLimits, IN_REVIEW};
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::id::{CampaignId, QuoteId};
use crate::model::campaign::pause::ReviewCause;
use crate::model::platform::audit::AuditAction;
use crate::platform::audit::{self, Entry};
use crate::platform::run_to_end::run_to_end;
use crate::routing::Router;
use crate::store::campaign::quote::QuoteRow;
use crate::store::campaign::{confirm as table, quote as quotes};
use crate::store::operations::idempotency::{Claim, ClaimBatch};
use crate::store::{BatchWrite, Lane, Tx};
use crate::time::Time;

/// What the keys of confirmations are claimed for.
const OPERATION: &str = "confirm";

/// Which quote is meant.
#[derive(Debug)]
pub enum QuoteTarget {
    /// The one of this id.
    Quote(QuoteId),
    /// The newest one for the identical form, for clients that post the whole form again.
    Form(Box<Form>),
}

/// A confirmation as a client posted it.
#[derive(Debug)]
pub struct Confirmation {
    /// Whose quote it is.
    pub user_id: UserId,
    /// The administrator who confirms it for that user; `None` where its owner does.
    pub ordered_by: Option<UserId>,
    /// The kind in the call's path.
    pub kind: Kind,
    /// Which quote.
    pub target: QuoteTarget,
    /// The `Idempotency-Key`, if there was one.
    pub idempotency_key: Option<String>,
    /// What the key stands for where a request quotes and confirms in one: the hash of that request. Otherwise the key stands
    /// for the target.
    pub request_hash: Option<[u8; 32]>,
}

/// A confirmed quote.
#[derive(Clone, Debug)]
pub struct Confirmed {
    /// The quote.
    pub quote_id: QuoteId,
    /// The campaigns, one for each run, in the order of their starts.
    pub campaigns: Vec<CampaignId>,
    /// The same campaigns as they were shown then (see [`progress::views`]).
    pub shown: Vec<Campaign>,
    /// When the first run starts; `None` when it was to start at once.
    pub first_start: Option<Time>,
    /// Whether it had been confirmed before, so that nothing was charged now.
    pub was_confirmed: bool,
}

impl Confirmed {
    /// Whether it waits for an administrator.
    pub fn is_in_review(&self) -> bool {
        self.shown.iter().any(|campaign| campaign.held.as_deref() == Some(ReviewCause::FirstSend.code()))
    }

    /// The message for the customer: `SMS Sent`, or the time of sending.
    pub fn message(&self, now: Time) -> String {
        if self.is_in_review() {
            return IN_REVIEW.to_owned();
        }
        let is_voice = self.shown.iter().any(|campaign| campaign.sms_type == Kind::Voice.code());
        let what = if is_voice { "Voice SMS" } else { "SMS" };
        match self.first_start {
            Some(start) if start > now => format!("{what} scheduled for {start}"),
            _ => format!("{what} Sent"),
        }
    }
}

/// Which quote is confirmed, as the transaction looks it up.
#[derive(Clone, Copy, Debug)]
enum QuoteRef {
    Id(QuoteId),
    Form([u8; 32]),
}

/// What the transaction needs.
#[derive(Clone, Debug)]
struct ConfirmOrder {
    user: UserId,
    /// The administrator who confirms it for the user.
    ordered_by: Option<UserId>,
    kind: Kind,
    wanted: QuoteRef,
    claim: Option<Claim>,
    /// The marks of a resend; `None` as long as it is not known to be one, as in most orders.
    marks: Option<Marks>,
    refund_undelivered: bool,
    router: Arc<Router>,
    limits: CampaignLimits,
    now: Time,
}

impl CampaignService {
    /// Confirms a quote: reserves its price and makes its campaigns. Confirming again answers the same campaigns and
    /// charges nothing.
    ///
    /// # Errors
    /// 404 when there is no such quote or it belongs to another user; `quote_expired`, `quote_missing`, `quote_kind`,
    /// `insufficient_balance`, `codes_not_allowed`, `route_changed`, `resend_outdated`, `resend_superseded`, `resend_under_way`, the rules on user and sender.
    pub async fn confirm(&self, confirmation: Confirmation) -> Result<Confirmed> {
        let Confirmation { user_id: user, ordered_by, kind, target, idempotency_key, request_hash } =
            confirmation;
        let wanted = match target {
            QuoteTarget::Quote(id) => QuoteRef::Id(id),
            QuoteTarget::Form(form) => QuoteRef::Form(self.hash_of(*form).await?),
        };
        self.check_disk()?;
        let input_hash = request_hash.unwrap_or_else(|| wanted.hash());
        let claim = idempotency_key.map(|key| Claim { user_id: user, key, operation: OPERATION, input_hash });
        let order = ConfirmOrder {
            user,
            ordered_by,
            kind,
            wanted,
            claim,
            marks: None,
            refund_undelivered: self.refund_undelivered,
            router: self.router.now(),
            limits: self.limits,
            now: self.now(),
        };
        match (self.confirm_together(order.clone()).await, wanted) {
            (Err(Error::Unmarked), QuoteRef::Id(quote)) => {
                let (resend, service) = (self.resends.begin(quote).await, self.clone());
                run_to_end("confirming a resend", async move {
                    let _resend = resend;
                    service.confirm_resend(quote, order).await
                })
                .await
            }
            (other, _) => other,
        }
    }

    /// The quote that the same request confirmed before, by its key and hash.
    ///
    /// # Errors
    /// A conflict when the key was used for another request.
    pub async fn confirmed_by(
        &self,
        user_id: UserId,
        key: &str,
        request_hash: [u8; 32],
    ) -> Result<Option<QuoteId>> {
        let claim = Claim { user_id, key: key.to_owned(), operation: OPERATION, input_hash: request_hash };
        let quote = claim.look(&mut self.store.read().await?).await?;
        quote
            .map(|id| id.parse().map(QuoteId).map_err(|_| damaged("an idempotency key refers to no quote")))
            .transpose()
    }

    async fn confirm_together(&self, order: ConfirmOrder) -> Result<Confirmed> {
        self.store.write_together(Lane::Interactive, order).await
    }

    /// Confirms the quote of a resend. Marking means reading and writing whole lists: not in a transaction that others
    /// wait for, and for longer than some clients do.
    async fn confirm_resend(&self, quote: QuoteId, order: ConfirmOrder) -> Result<Confirmed> {
        let as_now =
            |marks| ConfirmOrder { marks, router: self.router.now(), now: self.now(), ..order.clone() };
        // The one before it may have confirmed it.
        match self.confirm_together(as_now(None)).await {
            Err(Error::Unmarked) => {}
            other => return other,
        }
        let marked = async {
            let marks = self.mark_resent(order.user, quote).await?;
            let confirmed = self.confirm_together(as_now(marks)).await;
            if let (Some(marks), Err(_)) = (marks, &confirmed) {
                self.give_up(marks).await;
            }
            confirmed
        };
        match marked.await {
            // Another daemon may have confirmed the same quote meanwhile.
            Err(refused @ Error::Conflict { .. }) => match self.confirm_together(as_now(None)).await {
                Err(Error::Unmarked) => Err(refused),
                other => other,
            },
            other => other,
        }
    }

    /// The hash of a form by which its quote is found.
    async fn hash_of(&self, form: Form) -> Result<[u8; 32]> {
        let mut tx = self.store.read().await?;
        require_active(&mut tx, form.user_id).await?;
        let (mut terms, sources) = form.read()?;
        terms.settle_purpose(&mut tx).await?;
        drop(tx);
        terms.hash(&digests(sources).await?)
    }
}

impl QuoteRef {
    /// What an idempotency key stands for.
    fn hash(self) -> [u8; 32] {
        match self {
            Self::Form(hash) => hash,
            Self::Id(id) => {
                let mut hash = [0; 32];
                hash[24..].copy_from_slice(&id.0.to_be_bytes());
                hash
            }
        }
    }
}

impl BatchWrite for ConfirmOrder {
    type Output = Confirmed;

    fn apply_batch<'a>(tx: &'a mut Tx, orders: &'a [Self]) -> BoxFuture<'a, Result<Vec<Confirmed>>> {
        Box::pin(confirm(tx, orders))
    }

    /// Turns of resends are locked one at a time: two batches that lock the same ones cannot wait for each other.
    fn is_small(&self) -> bool {
        self.marks.is_none()
    }
}

/// An order with its quote.
struct ConfirmItem<'a> {
    order: &'a ConfirmOrder,
    quote: QuoteRow,
    /// Whether the same request was done before.
    is_replay: bool,
    /// Whether this order is what confirms the quote.
    is_ours: bool,
    campaigns: Vec<CampaignId>,
}

impl ConfirmItem<'_> {
    fn request(&self) -> LaunchRequest<'_> {
        LaunchRequest {
            quote: &self.quote,
            router: &self.order.router,
            refund_undelivered: self.order.refund_undelivered,
            marks: self.order.marks,
            limits: self.order.limits,
            now: self.order.now,
        }
    }
}

async fn confirm(tx: &mut Tx, orders: &[ConfirmOrder]) -> Result<Vec<Confirmed>> {
    let now = orders.iter().map(|order| order.now).max().unwrap_or_default();
    let claims = orders.iter().map(|order| order.claim.as_ref()).collect();
    let claims = ClaimBatch::begin(tx, claims, now).await?;
    let mut items = find_all(tx, orders, &claims).await?;
    let open: BTreeSet<QuoteId> =
        items.iter().filter(|item| item.is_ours).map(|item| item.quote.id).collect();
    if open.len() < items.iter().filter(|item| item.is_ours).count() {
        return Err(Error::conflict("confirmed_twice_at_once", "One quote was confirmed twice at once"));
    }
    let claimed = if open.is_empty() { HashSet::new() } else { table::claim(tx, open, now).await? };
    for item in &mut items {
        item.is_ours &= claimed.contains(&item.quote.id);
    }
    let ours: Vec<LaunchRequest<'_>> =
        items.iter().filter(|item| item.is_ours).map(ConfirmItem::request).collect();
    let mut unpaid = None;
    if !ours.is_empty() {
        let (launched, bill) = launch(tx, &ours, now).await?;
        unpaid = Some(bill);
        let mut launched = launched.into_iter();
        for item in items.iter_mut().filter(|item| item.is_ours) {
            item.campaigns = launched.next().into_iter().flatten().map(|made| made.campaign).collect();
        }
    }
    let new = items.iter().enumerate().filter(|(_, item)| !item.is_replay);
    claims.finish(tx, new.map(|(place, item)| (place, item.quote.id.0))).await?;
    for item in items.iter().filter(|item| item.is_ours) {
        if let Some(admin) = item.order.ordered_by {
            let subject = format!("quote {} of user {}", item.quote.id, item.order.user);
            audit::record(tx, &Entry::new(admin, AuditAction::CampaignConfirm, subject), now).await?;
        }
    }
    if let Some(bill) = unpaid {
        bill.pay(tx, now).await?;
    }
    confirmed(tx, items).await
}

fn require_kind(quote: &QuoteRow, kind: Kind) -> Result<()> {
    let of_quote = quote.agreed.kind;
    if of_quote == kind {
        return Ok(());
    }
    let call = match of_quote.is_sms() {
        true => format!("confirm-send-{}-sms", of_quote.code()),
        false => "voice-call".to_owned(),
    };
    Err(Error::rule(
        "quote_kind",
        format!("Quote {} is for {} messages: confirm it with {call}", quote.id, of_quote.code()),
    ))
}

/// The orders with their quotes, those with an id in one statement.
async fn find_all<'a>(
    tx: &mut Tx,
    orders: &'a [ConfirmOrder],
    claims: &ClaimBatch<'_>,
) -> Result<Vec<ConfirmItem<'a>>> {
    let mut wanted = Vec::with_capacity(orders.len());
    for (place, order) in orders.iter().enumerate() {
        wanted.push(match claims.before(place)? {
            Some(id) => (QuoteRef::Id(QuoteId(id)), true),
            None => (order.wanted, false),
        });
    }
    let ids = wanted.iter().filter_map(|(wanted, _)| match wanted {
        QuoteRef::Id(id) => Some(*id),
        QuoteRef::Form(_) => None,
    });
    let rows = quotes::by_ids(tx, ids.collect()).await?;
    let rows: HashMap<QuoteId, QuoteRow> = rows.into_iter().map(|row| (row.id, row)).collect();
    let mut items = Vec::with_capacity(orders.len());
    for (order, (wanted, is_replay)) in orders.iter().zip(wanted) {
        let quote = match wanted {
            QuoteRef::Id(id) => rows.get(&id).filter(|row| row.agreed.user_id == order.user).cloned(),
            QuoteRef::Form(hash) => {
                let row = quotes::newest_of_form(tx, order.user, &hash).await?;
                Some(row.ok_or_else(quote_missing)?)
            }
        };
        let quote = quote.ok_or(Error::NotFound("quote"))?;
        if !is_replay {
            require_kind(&quote, order.kind)?;
        }
        items.push(ConfirmItem { order, quote, is_replay, is_ours: !is_replay, campaigns: Vec::new() });
    }
    Ok(items)
}

fn quote_missing() -> Error {
    Error::rule(
        "quote_missing",
        "There is no quote for this form: post it to send-{kind}-sms first, then confirm what it answers",
    )
}

/// The answers, with the campaigns as they are now.
async fn confirmed(tx: &mut Tx, mut items: Vec<ConfirmItem<'_>>) -> Result<Vec<Confirmed>> {
    for item in items.iter_mut().filter(|item| !item.is_ours) {
        item.campaigns = confirmed_before(tx, &item.quote).await?;
    }
    // Two orders may be answered with the same campaigns.
    let ids: BTreeSet<CampaignId> = items.iter().flat_map(|item| item.campaigns.iter().copied()).collect();
    let shown = progress::views(tx, &ids.into_iter().collect::<Vec<_>>()).await?;
    let shown: HashMap<CampaignId, Campaign> =
        shown.into_iter().map(|campaign| (CampaignId(campaign.id), campaign)).collect();
    let answers = items.into_iter().map(|item| Confirmed {
        quote_id: item.quote.id,
        shown: item.campaigns.iter().filter_map(|id| shown.get(id).cloned()).collect(),
        first_start: item.quote.agreed.runs.0.first().copied().flatten(),
        was_confirmed: !item.is_ours,
        campaigns: item.campaigns,
    });
    Ok(answers.collect())
}

/// The campaigns of a quote that could not be claimed: it was confirmed before, or it has expired.
async fn confirmed_before(tx: &mut Tx, quote: &QuoteRow) -> Result<Vec<CampaignId>> {
    let campaigns = table::campaigns_of(tx, quote.id).await?;
    if !campaigns.is_empty() {
        return Ok(campaigns);
    }
    Err(Error::rule(
        code::QUOTE_EXPIRED,
        format!(
            "Quote {} expired at {}; nothing was charged. Ask for a new one and confirm it within 30 minutes",
            quote.id, quote.agreed.expires_at
        ),
    ))
}

fn damaged(what: &'static str) -> Error {
    Error::Corrupt(what.into())
}
