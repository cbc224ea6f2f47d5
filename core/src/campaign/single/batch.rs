//! Single messages that wait for the writer at the same time, carried out together: a campaign for those that are alike.
//!
//! Invariant: a batch is all or nothing, and an order that is refused is refused alone (see [`BatchWrite`]); a number
//! is once in a campaign.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use futures::future::BoxFuture;
use sha2::{Digest as _, Sha256};
use talkdrum_api::money::{Amount, Currency, Money};

use super::{Sent, SingleOrder, SingleOutcome};
use crate::campaign::confirm::create::{LaunchRequest, Launched, launch};
use crate::campaign::quote::{VALID_FOR, line};
use crate::campaign::single::lookup::{BatchPricing, Due};
use crate::content::FieldNames;
use crate::error::{Error, Result};
use crate::ledger;
use crate::model::account::id::UserId;
use crate::model::campaign::audience_chunk::ChunkBuilder;
use crate::model::campaign::id::AudienceId;
use crate::model::campaign::quote_details::{QuoteDetails, RateLine, RunStarts};
use crate::model::message::id::MessageId;
use crate::phone::Msisdn;
use crate::settings::{PageRates, RateId};
use crate::store::campaign::audience::{self, CarrierChunk, NewAudience};
use crate::store::campaign::quote as quotes;
use crate::store::campaign::quote::{Agreed, NewQuote, QuoteRow};
use crate::store::chunk::FEW;
use crate::store::operations::idempotency::ClaimBatch;
use crate::store::webhook::receipt_callback::{self, NewCallback};
use crate::store::{BatchWrite, Tx};
use crate::time::Time;

/// The merge field of texts that differ, and the text that is nothing else.
const OWN: &str = "message";
pub(crate) const OWN_TEXT: &str = "{message}";

impl BatchWrite for SingleOrder {
    type Output = SingleOutcome;

    fn apply_batch<'a>(tx: &'a mut Tx, orders: &'a [Self]) -> BoxFuture<'a, Result<Vec<SingleOutcome>>> {
        Box::pin(send(tx, orders))
    }
}

async fn send(tx: &mut Tx, orders: &[SingleOrder]) -> Result<Vec<SingleOutcome>> {
    let now = orders.iter().map(|order| order.now).max().unwrap_or_default();
    let mut pricing = BatchPricing::read(tx, orders).await?;
    let mut outcomes: Vec<Option<SingleOutcome>> = Vec::with_capacity(orders.len());
    let mut due = Vec::with_capacity(orders.len());
    for (place, order) in orders.iter().enumerate() {
        // A rejected request does not block others and releases its idempotency key.
        outcomes.push(match pricing.price(tx, place, order).await {
            Ok(it) => {
                due.push(it);
                None
            }
            Err(error @ Error::Rule { .. }) => Some(SingleOutcome::Refused(error)),
            Err(error) => return Err(error),
        });
    }
    let mut claims = vec![None; orders.len()];
    due.iter().for_each(|it: &Due<'_>| claims[it.place] = it.order.claim.as_ref());
    let mut claims = ClaimBatch::begin(tx, claims, now).await?;
    let mut purse = Purse(ledger::wallets(tx, due.iter().map(|it| it.order.user)).await?, HashMap::new());
    let mut balances = Vec::with_capacity(due.len());
    for it in std::mem::take(&mut due) {
        let outcome = match claims.before(it.place)? {
            Some(message) => SingleOutcome::Before(MessageId(message)),
            None => match purse.take(&it)? {
                Ok(left) => {
                    due.push(it);
                    balances.push((it.place, left));
                    continue;
                }
                Err(error) => {
                    claims.release(tx, it.place).await?;
                    SingleOutcome::Refused(error)
                }
            },
        };
        outcomes[it.place] = Some(outcome);
    }
    let balances: HashMap<usize, Amount> = balances.into_iter().collect();
    let groups = grouped(&due);
    let groups = groups.into_iter().map(|due| Group::pack(due, &pricing)).collect::<Result<Vec<_>>>()?;
    let rows = agree(tx, &groups).await?;
    let requests: Vec<LaunchRequest<'_>> =
        groups.iter().zip(&rows).map(|(group, row)| group.request(row)).collect();
    let (launched, bill) = match requests.is_empty() {
        true => (Vec::new(), None),
        false => launch(tx, &requests, now).await.map(|(launched, bill)| (launched, Some(bill)))?,
    };
    let mut made = Vec::with_capacity(due.len());
    let mut callbacks: Vec<NewCallback<'_>> = Vec::new();
    for (group, runs) in groups.iter().zip(&launched) {
        let [campaign] = runs.as_slice() else { return Err(damaged("a single message has several runs")) };
        for (it, message) in group.messages(campaign)? {
            let order = it.order;
            made.push((it.place, message.0));
            let look_at = order.start.unwrap_or(now);
            let new = |callback| NewCallback { message, user_id: order.user, callback, look_at };
            callbacks.extend(order.callback.as_ref().map(new));
            let balance = balances.get(&it.place).copied();
            let balance = balance.ok_or_else(|| damaged("a single message was not paid for"))?;
            let mut row = order.row.clone();
            (row.id, row.campaign_id, row.price) = (message.0, campaign.campaign.0, it.charge);
            let text = order.details.message.clone();
            let delayed_start = order.details.delayed_start.map(Time::to_rfc3339);
            let is_in_review = campaign.is_in_review;
            let sent = Sent { message: row, text, balance, delayed_start, is_in_review, was_sent: false };
            outcomes[it.place] = Some(SingleOutcome::New(Box::new(sent)));
        }
    }
    receipt_callback::insert(tx, &callbacks).await?;
    claims.finish(tx, made).await?;
    if let Some(bill) = bill {
        bill.pay(tx, now).await?;
    }
    let outcomes: Option<Vec<SingleOutcome>> = outcomes.into_iter().collect();
    outcomes.ok_or_else(|| damaged("a single message was not made"))
}

/// What is left in the wallets of a batch as its messages are paid for, one by one.
struct Purse(ledger::Wallets, HashMap<(UserId, Currency), Amount>);

impl Purse {
    /// Pays for a message and tells what is left; the inner error is that of a wallet that does not hold its price.
    fn take(&mut self, it: &Due<'_>) -> Result<Result<Amount>> {
        let (user, currency) = (it.order.user, it.order.currency);
        let (_, held) = self.0.of(user, currency)?;
        let left = self.1.entry((user, currency)).or_insert(held);
        if *left < it.charge {
            return Ok(Err(ledger::insufficient(Money { amount: it.charge, currency }, *left)));
        }
        *left = left.minus(it.charge)?;
        Ok(Ok(*left))
    }
}

/// Stores the audiences and the quotes of all groups.
async fn agree(tx: &mut Tx, groups: &[Group<'_>]) -> Result<Vec<QuoteRow>> {
    let (own, none) = (FieldNames(vec![OWN.into()]), FieldNames::default());
    let new: Vec<NewAudience<'_>> = groups
        .iter()
        .map(|group| NewAudience {
            user: group.first.order.user,
            columns: if group.differ { &own } else { &none },
            made_at: group.first.order.now,
        })
        .collect();
    let audiences = audience::insert(tx, &new).await?;
    let chunks: Vec<(AudienceId, &CarrierChunk)> = groups
        .iter()
        .zip(&audiences)
        .flat_map(|(group, audience)| group.chunks.iter().map(|packed| (*audience, &packed.chunk)))
        .collect();
    audience::insert_chunks(tx, &chunks).await?;
    let agreed = groups.iter().map(Group::quote).collect::<Result<Vec<NewQuote>>>()?;
    let rows: Vec<(AudienceId, &NewQuote)> = audiences.iter().copied().zip(&agreed).collect();
    let ids = quotes::insert(tx, &rows).await?;
    let rows = agreed.into_iter().zip(ids).zip(audiences);
    Ok(rows.map(|((quote, id), audience_id)| QuoteRow { id, audience_id, agreed: quote.agreed }).collect())
}

/// Orders that may share a campaign.
#[derive(Debug, Default)]
struct AlikeOrders<'a> {
    due: Vec<Due<'a>>,
    numbers: HashSet<Msisdn>,
}

/// Puts orders together that may share a campaign, in their order.
fn grouped<'a>(due: &[Due<'a>]) -> Vec<AlikeOrders<'a>> {
    let mut groups: Vec<AlikeOrders<'_>> = Vec::new();
    for it in due {
        let open = groups.iter_mut().find(|group| group.takes(it.order));
        let group = match open {
            Some(group) => group,
            None => groups.push_mut(AlikeOrders::default()),
        };
        group.numbers.insert(it.order.number);
        group.due.push(*it);
    }
    groups
}

impl AlikeOrders<'_> {
    fn takes(&self, order: &SingleOrder) -> bool {
        let Some(Due { order: first, .. }) = self.due.first() else { return true };
        // A field that is a campaign's is compared; those that are a message's, or of a chunk, may differ.
        let SingleOrder {
            user,
            kind,
            purpose,
            sender,
            currency,
            refund_undelivered,
            router,
            content,
            text,
            number,
            network: _,
            rates: _,
            measure: _,
            carrier: _,
            decision: _,
            spares: _,
            details: _,
            row: _,
            max_charge: _,
            start,
            callback: _,
            claim: _,
            limits: _,
            now: _,
        } = order;
        let are_alike = first.user == *user
            && first.kind == *kind
            && first.purpose == *purpose
            && first.sender == *sender
            && first.currency == *currency
            && first.refund_undelivered == *refund_undelivered
            && first.start == *start
            && Arc::ptr_eq(&first.router, router);
        let texts_may_differ = first.text.is_some() && text.is_some();
        are_alike
            && (texts_may_differ || first.content == *content)
            && self.due.len() < usize::from(FEW)
            && !self.numbers.contains(number)
    }
}

/// Orders that share a campaign, with its chunks.
#[derive(Debug)]
struct Group<'a> {
    first: Due<'a>,
    rates: &'a PageRates,
    due: Vec<Due<'a>>,
    /// Whether their texts differ, so that each recipient has its own.
    differ: bool,
    chunks: Vec<Packed<'a>>,
}

/// A chunk, and the orders of its recipients.
#[derive(Debug)]
struct Packed<'a> {
    chunk: CarrierChunk,
    due: Vec<Due<'a>>,
}

impl<'a> Group<'a> {
    fn pack(AlikeOrders { due, .. }: AlikeOrders<'a>, pricing: &'a BatchPricing) -> Result<Self> {
        let first = *due.first().ok_or_else(|| damaged("a group of messages is empty"))?;
        let rates = pricing.of(first.order)?;
        let differ = due.iter().any(|it| it.order.content != first.order.content);
        let mut open: Vec<(ChunkBuilder, Vec<Due<'a>>)> = Vec::new();
        for it in &due {
            let fitting =
                open.iter_mut().find(|(_, due)| due.iter().all(|other| shares_chunk(rates, other, it)));
            let (builder, chunk) = match fitting {
                Some(chunk) => chunk,
                None => open.push_mut((ChunkBuilder::new(usize::from(differ)), Vec::new())),
            };
            let (pages, segments) = it.order.measure;
            builder.push(it.order.number, pages, segments, it.order.text.as_deref());
            chunk.push(*it);
        }
        let mut chunks = Vec::with_capacity(open.len());
        for (mut builder, due) in open {
            let chunk = builder.take()?.zip(due.first());
            let (chunk, Due { order, rate, .. }) =
                chunk.ok_or_else(|| damaged("a chunk of messages is empty"))?;
            let chunk = CarrierChunk {
                carrier: Arc::clone(&order.carrier),
                promotional: order.decision.promotional,
                minds_dnd: order.decision.minds_dnd,
                spares: order.spares.clone(),
                is_abroad: *rate == RateId::ABROAD,
                unit_price: rate.is_rate().then(|| rates.price(*rate)),
                chunk,
            };
            chunks.push(Packed { chunk, due });
        }
        Ok(Self { first, rates, due, differ, chunks })
    }

    /// What was agreed with each of them, as one quote that is confirmed.
    fn quote(&self) -> Result<NewQuote> {
        let first = self.first.order;
        let details = QuoteDetails { rates: self.lines(), ..together(&self.due)? };
        let is_abroad = self.due.iter().any(|it| it.rate == RateId::ABROAD);
        let own = if self.differ { first.content.with_text(OWN_TEXT.to_owned()) } else { None };
        let agreed = Agreed {
            user_id: first.user,
            kind: first.kind,
            purpose: first.purpose,
            sender: first.sender.clone(),
            content: own.unwrap_or_else(|| first.content.clone()),
            currency: first.currency,
            unit_price: self.rates.home(),
            abroad_price: self.rates.abroad().filter(|_| is_abroad),
            charge: self.due.iter().try_fold(Amount::ZERO, |sum, it| sum.plus(it.charge))?,
            size: self.due.len() as i64,
            runs: RunStarts(vec![first.start]),
            resend_of: None,
            canary: None,
            expires_at: first.now + VALID_FOR,
            confirmed_at: Some(first.now),
        };
        Ok(NewQuote { agreed, details, form_hash: self.hash(), created_at: first.now })
    }

    /// What its messages cost, a line for each price.
    fn lines(&self) -> Vec<RateLine> {
        let mut lines: BTreeMap<RateId, RateLine> = BTreeMap::new();
        for it in &self.due {
            let line = lines.entry(it.rate).or_insert_with(|| line(self.rates, it.rate));
            line.contacts += 1;
            line.pages += i64::from(it.order.measure.0);
        }
        lines.into_values().collect()
    }

    /// Different from the hash of every form: confirming a form by its content must not find it.
    fn hash(&self) -> [u8; 32] {
        let mut digest = Sha256::new_with_prefix(b"talkdrum messages 1");
        for it in &self.due {
            digest.update(it.order.number.digits().to_be_bytes());
        }
        digest.finalize().into()
    }

    fn request<'d>(&'d self, quote: &'d QuoteRow) -> LaunchRequest<'d> {
        LaunchRequest {
            quote,
            router: &self.first.order.router,
            refund_undelivered: self.first.order.refund_undelivered,
            marks: None,
            limits: self.first.order.limits,
            now: self.first.order.now,
        }
    }

    /// The messages of its orders.
    fn messages(&self, campaign: &Launched) -> Result<Vec<(Due<'a>, MessageId)>> {
        if campaign.chunks.len() != self.chunks.len() {
            return Err(damaged("a campaign has other chunks than its audience"));
        }
        let mut messages = Vec::with_capacity(self.due.len());
        for (packed, chunk) in self.chunks.iter().zip(&campaign.chunks) {
            messages
                .extend(packed.due.iter().zip(0..).map(|(it, place)| (*it, MessageId::new(*chunk, place))));
        }
        Ok(messages)
    }
}

/// Whether two messages go the same way at the same price of a page.
fn shares_chunk(rates: &PageRates, one: &Due<'_>, other: &Due<'_>) -> bool {
    one.order.decision == other.order.decision && rates.slot(one.rate) == rates.slot(other.rate)
}

/// What quotes for each of them would answer, as one quote for all. Its preview is the first one's, and says so.
fn together(due: &[Due<'_>]) -> Result<QuoteDetails> {
    let first = due.first().ok_or_else(|| damaged("a group of messages is empty"))?;
    let mut sum = first.order.details.clone();
    sum.message_to = Some(first.order.number.to_string());
    for Due { order: SingleOrder { details: one, .. }, .. } in &due[1..] {
        sum.pages = (sum.pages.0.min(one.pages.0), sum.pages.1.max(one.pages.1));
        sum.segments = (sum.segments.0.min(one.segments.0), sum.segments.1.max(one.segments.1));
        sum.total_pages += one.total_pages;
        sum.total_segments += one.total_segments;
        sum.abroad_contacts += one.abroad_contacts;
        sum.abroad_pages += one.abroad_pages;
        if !sum.route.split(", ").any(|route| route == one.route) {
            sum.route = format!("{}, {}", sum.route, one.route);
        }
        for (network, count) in &one.networks {
            *sum.networks.entry(network.clone()).or_default() += count;
        }
        if sum.delayed_start.is_none() {
            sum.delayed_start.clone_from(&one.delayed_start);
        }
        sum.delayed_contacts += one.delayed_contacts;
        for replaced in &one.replacements {
            match sum.replacements.iter_mut().find(|known| known.from == replaced.from) {
                Some(known) => known.count += replaced.count,
                None => sum.replacements.push(replaced.clone()),
            }
        }
    }
    Ok(sum)
}

fn damaged(what: &'static str) -> Error {
    Error::Corrupt(what.into())
}
