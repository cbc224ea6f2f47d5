//! Sending the failed messages of a campaign again: a fresh quote for them, confirmed like any other.
//!
//! Failed means undelivered, rejected or expired, or unknown until a person settled it as never sent. A
//! message is resent at most once. A confirmation marks the messages first, in pieces and only while they stand as failed
//! (see [`Marks`]); marks of a quote that is never confirmed mean nothing.

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use talkdrum_api::campaign::Quote;
use talkdrum_api::purpose::Purpose;

use crate::campaign::audience::{AudienceDraft, AudienceTally, Outlet, Packer};
use crate::campaign::erased::{recipients_erased, refuse_cut, refuse_erased};
use crate::campaign::quote::{Collected, QuoteInputs, Terms};
use crate::campaign::service::{CampaignService, require_active};
use crate::contact::suppression::OptOutSnapshot;
use crate::entropy::{Entropy, SystemEntropy};
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::audience_chunk::Chunk;
use crate::model::campaign::id::{AudienceChunkId, AudienceId, CampaignId, ChunkId, QuoteId};
use crate::model::message::id::MessageId;
use crate::phone::{Msisdn, SeenNumbers};
use crate::platform::run_to_end::run_to_end;
use crate::settings::{self, RatesOf};
use crate::store::campaign::quote::{self, Agreed, QuoteRow};
use crate::store::campaign::resend::{FailedChunk, ResendTurn, ResentCampaign};
use crate::store::campaign::{audience, resend as table};
use crate::store::{Lane, Store, Tx};

/// Chunks read at a time.
const CHUNKS_AT_ONCE: i64 = 8;

impl CampaignService {
    /// Quotes the failed messages of a campaign that were not sent again yet, with the same text, sender and payment
    /// method at today's price. `only` names the messages to take; the others are left alone.
    ///
    /// # Errors
    /// 404 when there is no such campaign, or it belongs to another user; `nothing_to_resend`; `text_erased` or
    /// `recipients_erased` where its time was over; the rules of [`CampaignService::quote`].
    pub async fn resend(
        &self,
        user_id: UserId,
        campaign_id: CampaignId,
        only: Option<Vec<MessageId>>,
        idempotency_key: Option<String>,
    ) -> Result<Quote> {
        let reading = self.readings.begin(user_id).await;
        let service = self.clone();
        run_to_end("quoting a resend", async move {
            let _reading = reading;
            let (inputs, campaign) = service.resend_inputs(user_id, campaign_id).await?;
            let collected = service.collect_failed(&inputs, &campaign, only).await?;
            service.store_quote(inputs, collected, idempotency_key).await
        })
        .await
    }

    async fn resend_inputs(
        &self,
        user_id: UserId,
        campaign_id: CampaignId,
    ) -> Result<(QuoteInputs, ResentCampaign)> {
        let mut tx = self.store.read().await?;
        let campaign = table::campaign(&mut tx, campaign_id).await?.filter(|row| row.user_id == user_id);
        let campaign = campaign.ok_or(Error::NotFound("campaign"))?;
        require_active(&mut tx, user_id).await?;
        let terms = terms_of(&campaign);
        refuse_erased(&terms.content)?;
        let plan = settings::plan_of(&mut tx, user_id).await?;
        let of = RatesOf { plan: &plan, purpose: terms.purpose() };
        let rates = self.rates.page_rates(&mut tx, of, terms.content.as_call(), terms.currency).await?;
        Ok((self.inputs(&mut tx, terms, rates, Some(campaign_id)).await?, campaign))
    }

    async fn collect_failed(
        &self,
        inputs: &QuoteInputs,
        campaign: &ResentCampaign,
        only: Option<Vec<MessageId>>,
    ) -> Result<Collected> {
        let form_hash = form_hash(campaign.id, only.as_deref());
        let only = only.map(HashSet::from_iter);
        let columns = audience::columns(&mut self.store.read().await?, campaign.audience_id).await?;
        let (plan, networks) = (Arc::clone(&inputs.plan), Arc::clone(&self.networks));
        let (rates, room) = (Arc::clone(&inputs.rates), inputs.room);
        let callable = self.callable(inputs.terms.kind);
        let (store, id, width) = (self.store.clone(), campaign.id, columns.0.len());
        let runtime = tokio::runtime::Handle::current();
        let opt_outs = (self.opt_outs.of(&self.store, campaign.user_id).await?, inputs.terms.purpose());
        let work = move |outlet: Outlet| {
            let packer = Packer::new(plan, networks, rates, width, outlet).within(room).calling(callable);
            let read = |after| runtime.block_on(failures_after(&store, id, after));
            Ok((pack_failed(packer, read, only.as_ref(), &opt_outs)?, ()))
        };
        let (draft, tally, ()) =
            AudienceDraft::collect(&self.store, campaign.user_id, columns, self.now(), work).await?;
        Ok(Collected { draft, tally, form_hash })
    }
}

/// A resend has no form; its hash is one that no form has.
fn form_hash(campaign: CampaignId, only: Option<&[MessageId]>) -> [u8; 32] {
    let mut digest = Sha256::new().chain_update(b"talkdrum resend 1").chain_update(campaign.0.to_be_bytes());
    for message in only.unwrap_or_default() {
        digest.update(message.0.to_be_bytes());
    }
    digest.finalize().into()
}

fn terms_of(campaign: &ResentCampaign) -> Terms {
    Terms {
        user: campaign.user_id,
        kind: campaign.kind,
        sender: campaign.sender.clone(),
        currency: campaign.currency,
        purpose: campaign.purpose,
        content: campaign.content.clone(),
        times: Vec::new(),
        canary: None,
    }
}

/// A chunk and its failed messages.
type Failures = (FailedChunk, Vec<MessageId>);

async fn failures_after(store: &Store, campaign: CampaignId, after: ChunkId) -> Result<Vec<Failures>> {
    let mut tx = store.read().await?;
    failures(&mut tx, campaign, after).await
}

async fn failures(tx: &mut Tx, campaign: CampaignId, after: ChunkId) -> Result<Vec<Failures>> {
    let mut found = Vec::new();
    for chunk in table::chunks_with_failures(tx, campaign, after, CHUNKS_AT_ONCE).await? {
        let messages = table::failed_messages(tx, chunk.id).await?;
        found.push((chunk, messages));
    }
    Ok(found)
}

fn pack_failed(
    mut packer: Packer,
    read: impl Fn(ChunkId) -> Result<Vec<Failures>>,
    only: Option<&HashSet<MessageId>>,
    opt_outs: &(OptOutSnapshot, Purpose),
) -> Result<AudienceTally> {
    let is_meant = |message| only.is_none_or(|only| only.contains(&message));
    let (mut after, mut line, mut erased) = (ChunkId::BEFORE_ALL, 0, 0_u64);
    loop {
        let batch = read(after)?;
        let Some((last, _)) = batch.last() else { break };
        after = last.id;
        for (chunk, messages) in &batch {
            let recipients = Chunk::decode(&chunk.data)?;
            let mut meant = messages.iter().copied().filter(|message| is_meant(*message)).peekable();
            if meant.peek().is_some() {
                refuse_cut(&recipients)?;
            }
            for message in meant {
                line += 1;
                if number_of(&recipients, message)?.is_erased() {
                    erased += 1;
                    continue;
                }
                pack_one(&mut packer, &recipients, message, line, opt_outs)?;
            }
        }
    }
    let tally = packer.finish()?;
    if tally.entries() == 0 && erased > 0 {
        return Err(recipients_erased());
    }
    if tally.entries() == 0 {
        return Err(Error::rule(
            "nothing_to_resend",
            "There is nothing to send again: no message of this campaign has failed, or all that have were sent again",
        ));
    }
    Ok(tally)
}

fn pack_one(
    packer: &mut Packer,
    recipients: &Chunk,
    message: MessageId,
    line: u64,
    opt_outs: &(OptOutSnapshot, Purpose),
) -> Result<()> {
    let recipient = recipients.recipient(usize::from(message.place())).ok_or_else(|| beyond(message))?;
    let (opt_outs, purpose) = opt_outs;
    if opt_outs.contains(recipient.number, *purpose) {
        packer.suppressed();
        return Ok(());
    }
    match packer.route_of(recipient.number, recipient.segments) {
        Ok(route) => {
            let values = recipient.fields().iter().map(|value| &**value);
            packer.push(route, recipient.number, (recipient.pages, recipient.segments), values)
        }
        Err(why) => {
            packer.reject_unusable(line, recipient.number, why);
            Ok(())
        }
    }
}

fn beyond(message: MessageId) -> Error {
    Error::Corrupt(format!("message {} lies beyond its chunk", message.0))
}

/// The messages of a quote, all marked as sent again by it. They are its own while its turn lasts, and for good once
/// it is confirmed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks(ResendTurn);

impl Marks {
    /// Makes sure, until the transaction ends, that the `size` messages of `quote` are still its own.
    ///
    /// # Errors
    /// `resend_superseded` when another confirmation took the turn; `resend_outdated` when these are another quote's, or
    /// not all.
    pub(crate) async fn lock(self, tx: &mut Tx, quote: QuoteId, size: i64) -> Result<()> {
        if self.0.quote != quote {
            return Err(table::outdated());
        }
        table::lock_turn(tx, self.0, size).await
    }
}

impl CampaignService {
    /// Marks the failed messages that a user's quote sends again, in transactions of
    /// [`MARKS_AT_ONCE`](table::MARKS_AT_ONCE); `None` when there is nothing to mark, as it is no resend, or is
    /// confirmed by now.
    ///
    /// # Errors
    /// `resend_outdated` when some of its messages do not stand as failed any more; `resend_superseded`.
    pub(crate) async fn mark_resent(&self, user: UserId, quote: QuoteId) -> Result<Option<Marks>> {
        let _reading = self.readings.begin(user).await;
        let (campaign, messages) = {
            let mut tx = self.store.read().await?;
            let row = quote::by_id(&mut tx, quote).await?.filter(|row| row.agreed.user_id == user);
            let Some(QuoteRow { audience_id, agreed, .. }) = row else { return Ok(None) };
            let Agreed { resend_of: Some(campaign), size, confirmed_at: None, .. } = agreed else {
                return Ok(None);
            };
            let messages = covered(&mut tx, campaign, audience_id).await?;
            if messages.len() as i64 != size {
                return Err(table::outdated());
            }
            (campaign, messages)
        };
        let turn = ResendTurn { campaign, quote, number: SystemEntropy.u64().cast_signed() };
        let lane = Lane::Interactive;
        let begun = (turn, self.now());
        self.store.write(lane, begun, |tx, (turn, now)| Box::pin(table::begin_turn(tx, *turn, *now))).await?;
        for slice in messages.chunks(table::MARKS_AT_ONCE) {
            let job = (turn, slice.to_vec(), self.now());
            let write = self
                .store
                .write(lane, job, |tx, (turn, slice, now)| Box::pin(table::mark(tx, *turn, slice, *now)));
            if let Err(refused) = write.await {
                self.give_up(Marks(turn)).await;
                return Err(refused);
            }
        }
        Ok(Some(Marks(turn)))
    }

    /// Lets the next confirmation of the same quote begin at once.
    pub(crate) async fn give_up(&self, marks: Marks) {
        let write =
            self.store.write(Lane::Interactive, marks, |tx, marks| Box::pin(table::end_turn(tx, marks.0)));
        if let Err(error) = write.await {
            tracing::debug!(%error, "a turn to mark messages ends by itself");
        }
    }
}

/// The failed messages of `campaign` whose numbers are in `list`, the audience that a quote made of them: what
/// confirming it marks. A number is in an audience once, so it names its message.
async fn covered(tx: &mut Tx, campaign: CampaignId, list: AudienceId) -> Result<Vec<MessageId>> {
    let wanted = numbers_of(tx, list).await?;
    let mut messages = Vec::with_capacity(wanted.len());
    let mut after = ChunkId::BEFORE_ALL;
    loop {
        let batch = failures(tx, campaign, after).await?;
        let Some((last, _)) = batch.last() else { return Ok(messages) };
        after = last.id;
        for (chunk, failed) in &batch {
            let recipients = Chunk::decode_without_fields(&chunk.data)?;
            for message in failed {
                let number = number_of(&recipients, *message)?;
                if !number.is_erased() && wanted.contains(number) {
                    messages.push(*message);
                }
            }
        }
    }
}

fn number_of(recipients: &Chunk, message: MessageId) -> Result<Msisdn> {
    recipients.numbers().get(usize::from(message.place())).copied().ok_or_else(|| beyond(message))
}

async fn numbers_of(tx: &mut Tx, list: AudienceId) -> Result<SeenNumbers> {
    let mut numbers = SeenNumbers::new();
    let mut after = AudienceChunkId::BEFORE_ALL;
    loop {
        let batch = audience::chunks_after(tx, list, after, CHUNKS_AT_ONCE).await?;
        let Some((last, _)) = batch.last() else { return Ok(numbers) };
        after = *last;
        for (_, data) in &batch {
            let recipients = Chunk::decode_without_fields(data)?;
            for number in recipients.numbers().iter().filter(|number| !number.is_erased()) {
                numbers.insert(*number);
            }
        }
    }
}
