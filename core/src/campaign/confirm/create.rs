//! Makes campaigns of confirmed quotes: reserves the money and makes everything that workers need, with one statement
//! for all campaigns at a time.
//!
//! Invariant: a campaign is made with its chunks and its money or not at all; the caller ensures that each quote is
//! launched once.

use std::collections::{BTreeSet, HashMap};

use talkdrum_api::code;
use talkdrum_api::money::{Amount, Money};

use crate::campaign::resend::Marks;
use crate::campaign::spending_limit::{CampaignLimits, IN_REVIEW};
use crate::content::ClipSource;
use crate::error::{Error, Result};
use crate::ledger::{self, Bill};
use crate::model::account::id::UserId;
use crate::model::campaign::canary::AgreedCanary;
use crate::model::campaign::id::{CampaignId, ChunkId};
use crate::model::campaign::pause::ReviewCause;
use crate::model::message::status::CampaignStatus;
use crate::model::money::ledger::Reservation;
use crate::model::voice::id::RecordingId;
use crate::routing::Router;
use crate::sender;
use crate::store::Tx;
use crate::store::campaign::canary::{self, NewCanary};
use crate::store::campaign::confirm::{ChunkRefundPolicy, MadeChunk, Run};
use crate::store::campaign::quote::{Agreed, QuoteRow};
use crate::store::campaign::{confirm as table, spending};
use crate::store::voice::recording as recordings;
use crate::time::Time;

/// A quote to launch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaunchRequest<'a> {
    pub(crate) quote: &'a QuoteRow,
    /// The carriers as they are now.
    pub(crate) router: &'a Router,
    /// Whether accepted messages that are not delivered are refunded, where a carrier has no policy of its own.
    pub(crate) refund_undelivered: bool,
    /// The failed messages that it sends again, marked; `None` as long as it is not known to be a resend.
    pub(crate) marks: Option<Marks>,
    pub(crate) limits: CampaignLimits,
    pub(crate) now: Time,
}

impl LaunchRequest<'_> {
    fn user(&self) -> UserId {
        self.quote.agreed.user_id
    }

    fn needs_marks(&self) -> bool {
        self.quote.agreed.resend_of.is_some() && self.marks.is_none()
    }
}

/// A campaign that was made.
#[derive(Clone, Debug)]
pub(crate) struct Launched {
    pub(crate) campaign: CampaignId,
    /// Its chunks, in the order of its audience's.
    pub(crate) chunks: Vec<ChunkId>,
    /// Whether it waits for an administrator.
    pub(crate) is_in_review: bool,
}

/// Makes the campaigns of quotes, one for each run, for each quote in the order of its starts. The caller pays the bill
/// last, in the same transaction.
///
/// # Errors
/// The rules on user, sender, limit, balance and route; any of them refuses all.
pub(crate) async fn launch(
    tx: &mut Tx,
    requests: &[LaunchRequest<'_>],
    now: Time,
) -> Result<(Vec<Vec<Launched>>, Bill)> {
    let active = table::lock_active(tx, requests.iter().map(LaunchRequest::user).collect()).await?;
    if requests.iter().any(|request| !active.contains_key(&request.user())) {
        return Err(Error::inactive());
    }
    let senders: BTreeSet<(UserId, &str)> =
        requests.iter().map(|request| (request.user(), &*request.quote.agreed.sender)).collect();
    for (user, sender) in senders {
        sender::check_and_lock(tx, user, sender).await?;
    }
    lock_recordings(tx, requests, now).await?;
    let wallets = ledger::wallets(tx, requests.iter().map(LaunchRequest::user)).await?;
    let mut planned = Vec::with_capacity(requests.len());
    let mut charges = Vec::with_capacity(requests.len());
    let mut sends = Vec::with_capacity(requests.len());
    for (place, request) in requests.iter().enumerate() {
        let quote = request.quote;
        let Agreed { currency, charge, size, .. } = quote.agreed;
        let user = active.get(&request.user()).ok_or_else(Error::inactive)?;
        user.require_right_to(Some(quote.agreed.purpose))?;
        let (wallet, balance) = wallets.of(request.user(), currency)?;
        let runs = &quote.agreed.runs.0;
        require_balance(balance, &quote.agreed, runs.len() as u64)?;
        if request.needs_marks() {
            // Before they are made: marking means reading and writing whole lists.
            if balance < charge {
                return Err(ledger::insufficient(Money { amount: charge, currency }, balance));
            }
        }
        charges.push((user, currency, charge.times(runs.len() as u64)?));
        sends.push((user, size.saturating_mul(i64::try_from(runs.len()).unwrap_or(i64::MAX))));
        for (number, start) in (0_i64..).zip(runs.iter().copied()) {
            let is_due = start.is_none_or(|start| start <= request.now);
            let status = if is_due { CampaignStatus::Sending } else { CampaignStatus::Scheduled };
            // A call that is not answered costs nothing, whatever is agreed on for messages.
            let refund_undelivered = request.refund_undelivered || !quote.agreed.kind.is_sms();
            let run = Run { quote, number, wallet, refund_undelivered, start, status };
            planned.push(Planned { request: place, run, is_in_review: false });
        }
    }
    if let Some(request) = requests.first() {
        let in_review = request.limits.for_review(tx, sends.into_iter()).await?;
        for planned in &mut planned {
            planned.is_in_review = in_review.contains(&requests[planned.request].user());
        }
    }
    let (made, bill) = make(tx, requests, &planned, now).await?;
    table::queue_numbers(tx, requests.iter().map(|request| request.quote.audience_id).collect()).await?;
    // What a user has spent today is one row for all of their sends, as the wallet is.
    if let Some(request) = requests.first() {
        request.limits.spend(tx, charges.into_iter(), now).await?;
    }
    // Last, so that nothing is marked for what would be refused.
    for request in requests {
        lock_marks(tx, request).await?;
    }
    let mut launched: Vec<Vec<Launched>> = requests.iter().map(|_| Vec::new()).collect();
    for (planned, made) in planned.iter().zip(made) {
        launched[planned.request].push(made);
    }
    Ok((launched, bill))
}

/// Keeps the recordings that calls play from being deleted, and notes that they are used.
async fn lock_recordings(tx: &mut Tx, requests: &[LaunchRequest<'_>], now: Time) -> Result<()> {
    let mut wanted = BTreeSet::new();
    for agreed in requests.iter().map(|request| &request.quote.agreed).filter(|agreed| !agreed.kind.is_sms())
    {
        if let Some(ClipSource::Recording { id, .. }) = agreed.content.as_call().map(|script| &script.clip) {
            wanted.insert((RecordingId(*id), agreed.user_id));
        }
    }
    for (recording, user) in wanted {
        if !recordings::lock(tx, recording, user, now).await? {
            return Err(Error::rule(
                "recording_gone",
                "The recording was deleted since this quote; nothing was charged. Add it again and ask for a new quote",
            ));
        }
    }
    Ok(())
}

/// A run of one of the requests.
#[derive(Clone, Copy, Debug)]
struct Planned<'a> {
    /// The index of its request.
    request: usize,
    run: Run<'a>,
    is_in_review: bool,
}

/// Makes the rows of the runs, in their order.
async fn make(
    tx: &mut Tx,
    requests: &[LaunchRequest<'_>],
    planned: &[Planned<'_>],
    now: Time,
) -> Result<(Vec<Launched>, Bill)> {
    let runs: Vec<Run<'_>> = planned.iter().map(|it| it.run).collect();
    let campaigns = table::insert_campaigns(tx, &runs, now).await?;
    let reservations: Vec<Reservation> = planned
        .iter()
        .zip(&campaigns)
        .map(|(planned, campaign)| reservation(&planned.run, *campaign))
        .collect();
    let (reserves, bill) = ledger::open_reserves(tx, reservations, now).await?;
    let in_review: Vec<CampaignId> = planned
        .iter()
        .zip(&campaigns)
        .filter_map(|(it, campaign)| it.is_in_review.then_some(*campaign))
        .collect();
    if !in_review.is_empty() {
        spending::pause_for_review(tx, in_review, ReviewCause::FirstSend, IN_REVIEW).await?;
    }
    let quoted: Vec<(CampaignId, &QuoteRow)> =
        campaigns.iter().zip(&runs).map(|(campaign, run)| (*campaign, run.quote)).collect();
    let chunks = table::insert_chunks(tx, &quoted).await?;
    let routers: HashMap<CampaignId, (&Run<'_>, &Router)> = campaigns
        .iter()
        .zip(planned)
        .map(|(campaign, planned)| (*campaign, (&planned.run, requests[planned.request].router)))
        .collect();
    table::freeze_refunds(tx, &policies(&chunks, &routers)?).await?;
    table::set_reserves(tx, campaigns.clone(), &reserves).await?;
    let mut of_campaign: HashMap<CampaignId, Vec<ChunkId>> = HashMap::with_capacity(campaigns.len());
    for MadeChunk { campaign, id, .. } in &chunks {
        of_campaign.entry(*campaign).or_default().push(*id);
    }
    let mut canaries = Vec::new();
    for (campaign, planned) in campaigns.iter().zip(planned) {
        let chunks = of_campaign.get(campaign).map(Vec::as_slice).unwrap_or_default();
        canaries.extend(new_canary(*campaign, &planned.run.quote.agreed, chunks)?);
    }
    // It would send the rest at once.
    if !canaries.is_empty() && canary::is_unknown_to_any(tx).await? {
        return Err(Error::conflict(
            "canary_not_yet",
            "A daemon of an older version is still running, which does not wait for canaries; nothing was charged. Confirm \
             it again when the upgrade is over, or quote it without a canary",
        ));
    }
    canary::set(tx, &canaries).await?;
    let launched = campaigns.into_iter().zip(planned).map(|(campaign, planned)| Launched {
        campaign,
        chunks: of_campaign.remove(&campaign).unwrap_or_default(),
        is_in_review: planned.is_in_review,
    });
    Ok((launched.collect(), bill))
}

/// The canary of a campaign with these chunks: its last ones.
fn new_canary(campaign: CampaignId, agreed: &Agreed, chunks: &[ChunkId]) -> Result<Option<NewCanary>> {
    let Some(AgreedCanary { size, seeds: _, chunks: of_canary, delivery, wait_s }) = agreed.canary else {
        return Ok(None);
    };
    let of_canary = usize::try_from(of_canary).unwrap_or_default();
    let from = chunks.len().checked_sub(of_canary).and_then(|first| chunks.get(first));
    let from = *from.ok_or_else(|| damaged("a campaign has not the chunks of its canary"))?;
    Ok(Some(NewCanary { campaign, from, size, delivery, wait_s }))
}

/// Those of the carriers' own refund policies that differ from their campaign's.
fn policies<'a>(
    chunks: &'a [MadeChunk],
    made: &HashMap<CampaignId, (&Run<'_>, &Router)>,
) -> Result<Vec<ChunkRefundPolicy<'a>>> {
    let carriers: BTreeSet<(CampaignId, &str)> =
        chunks.iter().map(|it| (it.campaign, &*it.carrier)).collect();
    let mut policies = Vec::new();
    for (campaign, carrier) in carriers {
        let (run, router) = made.get(&campaign).ok_or_else(|| damaged("a chunk is of another campaign"))?;
        let target = router.carrier(carrier).ok_or_else(|| route_changed(carrier))?;
        // Calls that are not answered cost nothing, whatever a carrier says of messages.
        let differs = |refund: &bool| run.quote.agreed.kind.is_sms() && *refund != run.refund_undelivered;
        if let Some(refund_undelivered) = target.refund_undelivered.filter(differs) {
            policies.push(ChunkRefundPolicy { campaign, carrier, refund_undelivered });
        }
    }
    Ok(policies)
}

fn reservation(run: &Run<'_>, campaign: CampaignId) -> Reservation {
    let Agreed { user_id, charge, currency, size, kind, .. } = run.quote.agreed;
    Reservation {
        campaign,
        user: user_id,
        wallet: run.wallet,
        money: Money { amount: charge, currency },
        narration: format!("Reserved for campaign {campaign}: {size} {} messages", kind.code()),
    }
}

/// Checks the balance against all runs together; for a single run the ledger makes the same check.
fn require_balance(balance: Amount, agreed: &Agreed, runs: u64) -> Result<()> {
    let needed = agreed.charge.times(runs)?;
    if runs == 1 || balance >= needed {
        return Ok(());
    }
    let (short, label) = (needed.minus(balance)?, agreed.currency.label());
    Err(Error::rule(
        code::INSUFFICIENT_BALANCE,
        format!(
            "The {label} balance of {balance} does not cover {needed} for {runs} runs: {short} {label} more is \
             needed. Fund the account, choose fewer times, or send to fewer contacts"
        ),
    ))
}

fn route_changed(carrier: &str) -> Error {
    Error::rule(
        "route_changed",
        format!(
            "The carrier '{carrier}' was taken out of service since this quote; nothing was charged. Ask for a new one"
        ),
    )
}

async fn lock_marks(tx: &mut Tx, request: &LaunchRequest<'_>) -> Result<()> {
    if request.needs_marks() {
        return Err(Error::Unmarked);
    }
    match request.marks {
        Some(marks) => marks.lock(tx, request.quote.id, request.quote.agreed.size).await,
        None => Ok(()),
    }
}

fn damaged(what: &'static str) -> Error {
    Error::Corrupt(what.into())
}
