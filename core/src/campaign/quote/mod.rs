//! Quoting: a form becomes an audience with a price, a contract until it expires.
//!
//! The recipients stream through intake, routing and measuring into chunks; then they are priced by their pages, and
//! the quote is stored in one transaction. What the quote says a campaign costs is what confirming it
//! reserves, to the micro-unit; a form that is refused leaves nothing behind.

mod answer;
mod canary;
mod check;
mod form;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use talkdrum_api::campaign::{Quote, Reject};
use talkdrum_api::code;
use talkdrum_api::money::{Amount, Currency};
use talkdrum_api::purpose::Purpose;
use tokio::runtime::Handle;

pub(super) use answer::{draw_up, line};
pub use canary::CanaryForm;
pub use form::{Form, read_purpose};
pub(crate) use form::{Terms, digests};

use super::audience::{
    AudienceDraft, AudienceTally, BufferedChunks, Collector, Named, Outlet, Packer, RecipientSource,
};
use crate::account::user::right_to_codes;
use crate::campaign::service::{CampaignService, require_active};
use crate::contact::recipients::{self, Reader};
use crate::contact::suppression::OptOutSnapshot;
use crate::content::{CallScript, FieldNames, Prepared};
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::account::user::UserStatus;
use crate::model::campaign::id::{AudienceId, CampaignId, QuoteId};
use crate::model::campaign::quote_details::{GroupsSentTo, QuoteDetails, RateLine, RunStarts};
use crate::model::contact::id::GroupId;
use crate::platform::quota::{Quotas, Room};
use crate::platform::run_to_end::run_to_end;
use crate::routing::Plan;
use crate::settings::{PageRates, PriceKey, RateId, RatesOf, UnitPrices};
use crate::store::campaign::quote::{Agreed, NewQuote, QuotePricing, QuoteRejectRow};
use crate::store::campaign::{audience, quote as table, resend as resends};
use crate::store::contact::group;
use crate::store::contact::suppression::ScopeRow;
use crate::store::operations::idempotency::{Claim, ClaimBatch};
use crate::store::{BatchWrite, Lane, Tx};
use crate::time::{Time, start};
use crate::{ledger, sender};

/// How long a quote can be confirmed.
pub const VALID_FOR: Duration = Duration::from_secs(30 * 60);
/// How long an expired quote still answers that it has expired.
pub const KEPT_FOR: Duration = Duration::from_secs(30 * 60);
// Versions without canaries take a quote with one for expired when it is made, and remove it so long after.
const _: () = assert!(KEPT_FOR.as_secs() >= VALID_FOR.as_secs());
/// Quotes removed by one call of [`expire_quotes`]: a few thousand chunks at most, so that other writes do not wait
/// long.
const EXPIRED_AT_ONCE: i64 = 8;
/// An audience without a quote is kept this long: the longest upload is over by then.
const ORPHAN_AFTER: Duration = Duration::from_secs(24 * 3600);

/// Everything that a quote depends on except its recipients.
#[derive(Debug)]
pub(super) struct QuoteInputs {
    pub(super) terms: Terms,
    pub(super) prepared: Arc<Prepared>,
    pub(super) plan: Arc<Plan>,
    /// The prices of a page, or of a pulse of a call.
    pub(super) rates: Arc<PageRates>,
    pub(super) resend_of: Option<CampaignId>,
    /// How many recipients its owner may quote.
    pub(super) room: Option<Room>,
    /// The groups among its recipients.
    pub(super) groups: GroupsSentTo,
}

impl CampaignService {
    /// Quotes a form. Once begun it runs to its end, even when the client goes away.
    ///
    /// # Errors
    /// The rules of the specification's section 5 in their order; sender, time, route and price; no usable recipient.
    pub async fn quote(&self, form: Form) -> Result<Quote> {
        let key = form.idempotency_key.clone();
        let (inputs, sources, opt_outs) = self.check(form).await?;
        if RecipientSource::are_small(&sources) {
            let opt_outs = self.opt_outs.at(&self.store, opt_outs).await?;
            // There is only one write, which the store completes even when the client goes away.
            let collected = self.collect(&inputs, sources, opt_outs).await?;
            return self.store_quote(inputs, collected, key).await;
        }
        let reading = self.readings.begin(inputs.terms.user).await;
        let service = self.clone();
        run_to_end("quoting", async move {
            let _reading = reading;
            let opt_outs = service.opt_outs.of(&service.store, inputs.terms.user).await?;
            let collected = service.collect(&inputs, sources, opt_outs).await?;
            service.store_quote(inputs, collected, key).await
        })
        .await
    }

    /// A quote of this user, with the balance as it is now.
    ///
    /// # Errors
    /// 404 when it does not exist or belongs to another user.
    pub async fn find_quote(&self, user_id: UserId, quote_id: QuoteId) -> Result<Quote> {
        answer::stored(&mut self.store.read().await?, user_id, quote_id).await
    }

    /// The first thousand rejects of a quote of this user.
    ///
    /// # Errors
    /// 404 when it does not exist or belongs to another user.
    pub async fn quote_rejects(&self, user_id: UserId, quote_id: QuoteId) -> Result<Vec<Reject>> {
        let mut tx = self.store.read().await?;
        let row = table::by_id(&mut tx, quote_id).await?.filter(|row| row.agreed.user_id == user_id);
        row.ok_or(Error::NotFound("quote"))?;
        let rejects = table::rejects(&mut tx, quote_id, i64::MAX).await?;
        Ok(rejects.into_iter().map(Reject::from).collect())
    }

    /// Everything that can be refused before the recipients are read; with the figures of both lists of opt-outs.
    async fn check(&self, form: Form) -> Result<(QuoteInputs, Vec<RecipientSource>, [ScopeRow; 2])> {
        let user = form.user_id;
        let read = form.read();
        let mut tx = self.store.read().await?;
        let Ok((mut terms, mut sources)) = read else {
            require_active(&mut tx, user).await?;
            return read.and_then(|_| Err(Error::Corrupt("a form was neither read nor refused".into())));
        };
        let (home, abroad) = (PriceKey::sms(terms.currency), PriceKey::sms_abroad(terms.currency));
        let pricing = table::pricing(&mut tx, (user, &terms.sender), (home.name(), abroad.name())).await?;
        let QuotePricing { status, price, abroad_price, rates_version, rate_plan, purpose, opt_outs } =
            pricing.ok_or(Error::NotFound("user"))?;
        terms.purpose.get_or_insert(purpose.unwrap_or_default());
        if status != UserStatus::Active {
            return Err(Error::inactive());
        }
        look_up(&mut tx, terms.user, &mut sources).await?;
        let of = RatesOf { plan: &rate_plan, purpose: terms.purpose() };
        let rates = match terms.content.as_call() {
            None => {
                let prices = UnitPrices {
                    home: price.map(|price| home.amount(&price)).transpose()?,
                    abroad: abroad_price.map(|price| abroad.amount(&price)).transpose()?,
                };
                self.rates.of_messages(&mut tx, prices, terms.currency, &rates_version, of).await?
            }
            call => self.rates.page_rates(&mut tx, of, call, terms.currency).await?,
        };
        let groups = GroupsSentTo {
            ids: sources.iter().filter_map(RecipientSource::group_id).collect(),
            are_all: sources.iter().all(|source| source.group_id().is_some()),
        };
        let inputs = self.inputs(&mut tx, terms, rates, None).await?;
        Ok((QuoteInputs { groups, ..inputs }, sources, opt_outs))
    }

    /// Sender, times, route, price and disk.
    pub(super) async fn inputs(
        &self,
        tx: &mut Tx,
        mut terms: Terms,
        rates: Option<PageRates>,
        resend_of: Option<CampaignId>,
    ) -> Result<QuoteInputs> {
        sender::check(tx, terms.user, &terms.sender).await?;
        if terms.purpose() == Purpose::Otp {
            right_to_codes::require(tx, terms.user).await?;
        }
        terms.times = start::check(std::mem::take(&mut terms.times), self.now())?;
        let prepared = Arc::new(terms.content.prepare()?);
        let router = self.router.now();
        let dnd = if router.minds_dnd() { Some(self.dnd.current(tx).await?) } else { None };
        let plan = Arc::new(router.plan(terms.kind, terms.purpose(), &terms.sender, dnd)?);
        if let Some(poll) = terms.content.as_call().and_then(|script| script.poll.as_ref()) {
            plan.check_question(poll.plays)?;
        }
        let rates = rates.ok_or_else(|| price_unset(terms.content.as_call(), terms.currency))?;
        self.check_disk()?;
        let room = self.quotas.room_for_recipients(tx, terms.user, self.now() - KEPT_FOR).await?;
        let groups = GroupsSentTo::default();
        Ok(QuoteInputs { terms, prepared, plan, rates: Arc::new(rates), resend_of, room, groups })
    }

    async fn collect(
        &self,
        inputs: &QuoteInputs,
        mut sources: Vec<RecipientSource>,
        opt_outs: OptOutSnapshot,
    ) -> Result<Collected> {
        let (prepared, plan) = (Arc::clone(&inputs.prepared), Arc::clone(&inputs.plan));
        let (networks, rates) = (Arc::clone(&self.networks), Arc::clone(&inputs.rates));
        let columns = FieldNames(prepared.fields().to_vec());
        let are_small = RecipientSource::are_small(&sources);
        if !columns.0.is_empty() {
            // A number that is both typed and in a file or a group is taken from there, which has its values.
            sources.sort_by_key(RecipientSource::rank);
        }
        let groups = Reader { store: self.store.clone(), runtime: Handle::current() };
        let opt_outs = (opt_outs, inputs.terms.purpose());
        let (room, callable) = (inputs.room, self.callable(inputs.terms.kind));
        let canary = inputs.terms.canary.clone();
        let key = self.now().0.cast_unsigned();
        let work = move |outlet: Outlet| {
            let packer = Packer::new(plan, networks, rates, prepared.fields().len(), outlet)
                .calling(callable)
                .with_canary(canary, key);
            let mut collector = Collector::new(prepared, packer, opt_outs, room);
            let digests = sources
                .into_iter()
                .map(|source| source.collect(&mut collector, &groups))
                .collect::<Result<Vec<_>>>()?;
            Ok((collector.finish()?, digests))
        };
        let (user, now) = (inputs.terms.user, self.now());
        let (draft, tally, digests) = if are_small {
            AudienceDraft::collect_here(&self.store, user, columns, now, work)?
        } else {
            AudienceDraft::collect(&self.store, user, columns, now, work).await?
        };
        match inputs.terms.hash(&digests) {
            Ok(form_hash) => Ok(Collected { draft, tally, form_hash }),
            Err(error) => {
                draft.discard().await;
                Err(error)
            }
        }
    }

    /// Prices the collected recipients and stores the quote. When either fails, the audience is discarded.
    pub(super) async fn store_quote(
        &self,
        inputs: QuoteInputs,
        collected: Collected,
        key: Option<String>,
    ) -> Result<Quote> {
        let Collected { mut draft, tally, form_hash } = collected;
        let user = inputs.terms.user;
        let stored = match self.price(inputs, tally, form_hash, key) {
            Ok(mut order) => {
                order.held = Some(draft.take_buffered());
                self.store.write_together(Lane::Interactive, order).await
            }
            Err(error) => Err(error),
        };
        match stored {
            Ok(StoredQuote::New(quote)) => Ok(*quote),
            Ok(StoredQuote::Before(id)) => {
                draft.discard().await;
                self.find_quote(user, id).await
            }
            Err(error) => {
                draft.discard().await;
                Err(error)
            }
        }
    }

    fn price(
        &self,
        inputs: QuoteInputs,
        tally: AudienceTally,
        form_hash: [u8; 32],
        key: Option<String>,
    ) -> Result<QuoteOrder> {
        if tally.recipients == 0 {
            return Err(no_recipients(&tally));
        }
        canary::require_receipts(&inputs, &tally)?;
        let now = self.now();
        let rates = Arc::clone(&inputs.rates);
        let lines: Vec<(RateId, RateLine)> = answer::lines(&rates, &tally);
        let charge = lines.iter().try_fold(Amount::ZERO, |sum, (_, line)| {
            sum.plus(line.unit_price.times(line.pages.cast_unsigned())?)
        })?;
        let abroad_price = rates.abroad().filter(|_| lines.iter().any(|(rate, _)| *rate == RateId::ABROAD));
        let rate_lines = lines.into_iter().map(|(_, line)| line).collect();
        let details = QuoteDetails { rates: rate_lines, ..answer::draw_up(self, &inputs, &tally, now) };
        let canary = canary::agreed(inputs.terms.canary.as_ref(), &tally);
        let purpose = inputs.terms.purpose();
        let Terms { user, kind, sender, currency, content, times, .. } = inputs.terms;
        let runs = if times.is_empty() { vec![None] } else { times.into_iter().map(Some).collect() };
        let claim = key.map(|key| Claim { user_id: user, key, operation: "quote", input_hash: form_hash });
        let agreed = Agreed {
            user_id: user,
            kind,
            purpose,
            sender,
            content,
            currency,
            unit_price: rates.home(),
            abroad_price,
            charge,
            size: tally.recipients.cast_signed(),
            runs: RunStarts(runs),
            resend_of: inputs.resend_of,
            canary,
            expires_at: now + VALID_FOR,
            confirmed_at: None,
        };
        let quote = NewQuote { agreed, details, form_hash, created_at: now };
        Ok(QuoteOrder { quote, rejects: tally.rejects, claim, held: None, quotas: self.quotas })
    }
}

/// Finds the groups, campaigns and imports among the sources, which must be the user's.
async fn look_up(tx: &mut Tx, user: UserId, sources: &mut [RecipientSource]) -> Result<()> {
    for named in sources.iter_mut().filter_map(RecipientSource::named) {
        match named {
            Named::Group(id, columns) => *columns = columns_of_group(tx, user, id).await?,
            Named::Campaign(id, columns) => {
                let row = resends::campaign(tx, id).await?.filter(|row| row.user_id == user);
                let names =
                    audience::columns(tx, row.ok_or(Error::NotFound("campaign"))?.audience_id).await?;
                *columns = names.0.into_iter().map(String::from).collect();
            }
            Named::Import(id, group, columns) => {
                *group = recipients::group_of_import(tx, user, id).await?;
                *columns = columns_of_group(tx, user, *group).await?;
            }
        }
    }
    Ok(())
}

async fn columns_of_group(tx: &mut Tx, user: UserId, id: GroupId) -> Result<Vec<String>> {
    let row = group::by_id(tx, id).await?.filter(|row| row.user_id == user);
    recipients::columns(&row.ok_or(Error::NotFound("group"))?.columns)
}

/// Recipients that were collected, and their counts.
#[derive(Debug)]
pub(super) struct Collected {
    pub(super) draft: AudienceDraft,
    pub(super) tally: AudienceTally,
    pub(super) form_hash: [u8; 32],
}

/// A quote to be stored, with its audience.
#[derive(Debug)]
struct QuoteOrder {
    quote: NewQuote,
    rejects: Vec<QuoteRejectRow>,
    claim: Option<Claim>,
    held: Option<BufferedChunks>,
    /// The same for all orders of a service.
    quotas: Quotas,
}

enum StoredQuote {
    New(Box<Quote>),
    /// The same request was done before and made this quote.
    Before(QuoteId),
}

impl BatchWrite for QuoteOrder {
    type Output = StoredQuote;

    fn apply_batch<'a>(tx: &'a mut Tx, orders: &'a [Self]) -> BoxFuture<'a, Result<Vec<StoredQuote>>> {
        Box::pin(store(tx, orders))
    }

    fn is_small(&self) -> bool {
        self.rejects.is_empty() && self.held.as_ref().is_some_and(BufferedChunks::is_small)
    }
}

async fn store(tx: &mut Tx, orders: &[QuoteOrder]) -> Result<Vec<StoredQuote>> {
    let now = orders.iter().map(|order| order.quote.created_at).max().unwrap_or_default();
    let claims = orders.iter().map(|order| order.claim.as_ref()).collect();
    let claims = ClaimBatch::begin(tx, claims, now).await?;
    let before: Vec<Option<i64>> =
        (0..orders.len()).map(|place| claims.before(place)).collect::<Result<_>>()?;
    let is_new = |place: &usize| before[*place].is_none();
    let places: Vec<usize> = (0..orders.len()).filter(is_new).collect();
    let new: Vec<&QuoteOrder> = places.iter().map(|place| &orders[*place]).collect();
    let held: Option<Vec<&BufferedChunks>> = new.iter().map(|order| order.held.as_ref()).collect();
    let held = held.ok_or_else(|| Error::Corrupt("a quote has no audience".into()))?;
    let audiences = BufferedChunks::store_all(tx, &held).await?;
    let rows: Vec<(AudienceId, &NewQuote)> =
        audiences.into_iter().zip(new.iter().map(|order| &order.quote)).collect();
    let ids = table::insert(tx, &rows).await?;
    for (id, order) in ids.iter().zip(&new) {
        table::insert_rejects(tx, *id, &order.rejects).await?;
    }
    claims.finish(tx, places.into_iter().zip(ids.iter().map(|id| id.0))).await?;
    if let Some(order) = new.first() {
        let users = new.iter().map(|order| order.quote.agreed.user_id).collect();
        order.quotas.check_quotes(tx, users, now - KEPT_FOR).await?;
    }
    let wallets = ledger::wallets(tx, new.iter().map(|order| order.quote.agreed.user_id)).await?;
    let mut ids = ids.into_iter();
    let answers = orders.iter().zip(before).map(|(order, before)| match before {
        Some(before) => Ok(StoredQuote::Before(QuoteId(before))),
        None => {
            let NewQuote { agreed, details, .. } = &order.quote;
            let (_, balance) = wallets.of(agreed.user_id, agreed.currency)?;
            let id = ids.next().ok_or_else(|| Error::Corrupt("a quote was not stored".into()))?;
            let quote = answer::answer(id, agreed, details.clone(), &order.rejects, balance)?;
            Ok(StoredQuote::New(Box::new(quote)))
        }
    });
    answers.collect()
}

pub(super) fn price_unset(call: Option<&CallScript>, currency: Currency) -> Error {
    let unit = if call.is_none() { "page" } else { "pulse of a call" };
    Error::rule(
        code::PRICE_UNSET,
        format!(
            "The price of a {unit} in {} is not set, so nothing can be quoted: an administrator must set {} \
             ('talkdrum prices set')",
            currency.label(),
            PriceKey::unit(call, currency).name()
        ),
    )
}

fn no_recipients(tally: &AudienceTally) -> Error {
    let entries = match tally.entries() {
        0 => return form::recipients_required(),
        1 => "1 entry was read and it is not usable".to_owned(),
        entries => format!("{entries} entries were read and none is usable"),
    };
    if tally.suppressed > 0 && tally.invalid == 0 {
        return Error::field(
            "contacts",
            code::ALL_OPTED_OUT,
            "Recipients are required: every number given has opted out of messages",
        );
    }
    let reasons: Vec<String> = tally
        .rejects
        .iter()
        .take(3)
        .map(|reject| format!("line {}, '{}': {}", reject.line, reject.value, reject.reason))
        .collect();
    Error::field(
        "contacts",
        "no_usable_recipients",
        format!("Recipients are required: {entries}. {}", reasons.join("; ")),
    )
}

/// Removes unconfirmed quotes that expired over [`KEPT_FOR`] ago, with their audiences and what a refused confirmation
/// has marked; returns how many quotes and pieces of marks. A few at a time: call it again while it removes some.
pub async fn expire_quotes(tx: &mut Tx, now: Time) -> Result<u64> {
    let mut removed = 0;
    for (quote, list) in table::expired(tx, now - KEPT_FOR, EXPIRED_AT_ONCE).await? {
        if resends::unmark(tx, quote).await? {
            return Ok(removed + 1);
        }
        if table::delete_unconfirmed(tx, quote).await? {
            audience::delete_unused(tx, list).await?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// Removes audiences that a crash left without a quote; returns how many. For the start of the daemon, and daily.
pub async fn remove_orphans(tx: &mut Tx, now: Time) -> Result<u64> {
    audience::delete_orphans(tx, now - ORPHAN_AFTER).await
}
