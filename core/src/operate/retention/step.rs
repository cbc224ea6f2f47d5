//! A step of retention: what is due next is looked for in reads, and erased in one transaction that finds the mark as it was.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use super::terms::still_holds;
use super::verdict::{Verdict, is_from_the_future, judge};
use super::{day_of, edge};
use crate::content::Content;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::audience_chunk::{CHUNK_SIZE, Chunk};
use crate::model::campaign::id::{AudienceChunkId, AudienceId, CampaignId, QuoteId};
use crate::model::message::postings::NumberPosting;
use crate::model::platform::data_class::DataClass;
use crate::operate::sent_words;
use crate::store::account::legal_hold;
use crate::store::message::number_index;
use crate::store::retention::{self as table, Candidate, PassedCampaign, RetentionMark};
use crate::store::subject::erase::{self as subject, SentText};
use crate::store::webhook::campaign_events;
use crate::store::{Lane, Store, Tx};
use crate::time::Time;

/// Campaigns that are looked at together.
const CAMPAIGNS_AT_ONCE: i64 = 500;
/// Campaigns that were passed over and are looked at together: each step looks at them again.
const PASSED_AT_ONCE: i64 = 50;
/// Chunks of messages that are counted for them, roughly.
const CHUNKS_AT_ONCE: i64 = 2_500;
/// Campaigns whose texts are read together: each has some 16 KiB at most. Those of one audience, of which there may be 50, are
/// not parted.
const TEXTS_AT_ONCE: i64 = if cfg!(test) { 5 } else { 100 };
/// Recipients that are erased together.
const RECIPIENTS_AT_ONCE: i64 = CHUNK_SIZE as i64;
/// How long the mark waits for a campaign that is past its time and not over, before it passes over it.
const PATIENCE: Duration = Duration::from_hours(8 * 24);
/// When a campaign that was passed over is looked at again.
const AGAIN_AFTER: Duration = Duration::from_hours(24);

/// Where a step found what it erases.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// Behind a mark.
    Walk(RetentionMark),
    /// It was passed over.
    Passed(PassedCampaign),
}

/// Which campaigns a step erases, with their audiences.
#[derive(Clone, Debug, Default)]
enum Due {
    #[default]
    Nothing,
    /// These, which are small together.
    Whole(Vec<Candidate>),
    /// The next chunk of one that is larger than a step.
    Piece(Box<Candidate>),
}

impl Due {
    fn campaigns(&self) -> &[Candidate] {
        match self {
            Self::Nothing => &[],
            Self::Whole(all) => all,
            Self::Piece(one) => std::slice::from_ref(one),
        }
    }

    fn users(&self) -> Vec<UserId> {
        self.campaigns().iter().map(|it| it.user_id).collect()
    }
}

/// What a step does.
#[derive(Clone, Debug)]
struct Work {
    class: DataClass,
    /// Days that it is kept.
    days: u32,
    source: Source,
    now: Time,
    /// What is erased.
    due: Due,
    campaigns: Vec<(CampaignId, String)>,
    quotes: Vec<SentText<QuoteId>>,
    chunks: Vec<(AudienceChunkId, Vec<u8>)>,
    index: BTreeSet<NumberPosting>,
    /// Audiences whose numbers are gone with this step, and with them the digests of the forms that had them.
    forms: Vec<AudienceId>,
    /// Chunks of recipients, where the keys go that were pressed in their calls.
    pressed_keys: Vec<AudienceChunkId>,
    /// Campaigns that are not over.
    passed: Vec<CampaignId>,
    /// Campaigns that are done, and recipients.
    count: (i64, i64),
    /// The last campaign that was looked at, and the last chunk of the next one.
    to: (CampaignId, AudienceChunkId),
    is_end: bool,
}

impl Work {
    fn new((class, days): (DataClass, u32), source: Source, now: Time) -> Self {
        let to = match source {
            Source::Walk(mark) => (mark.upto, mark.chunk),
            Source::Passed(passed) => (passed.campaign_id, passed.chunk),
        };
        Self {
            class,
            days,
            source,
            now,
            due: Due::default(),
            campaigns: Vec::new(),
            quotes: Vec::new(),
            chunks: Vec::new(),
            index: BTreeSet::new(),
            forms: Vec::new(),
            pressed_keys: Vec::new(),
            passed: Vec::new(),
            count: (0, 0),
            to,
            is_end: false,
        }
    }
}

/// Erases the next of a class that is kept for so many days; false where nothing is past it.
///
/// # Errors
/// Errors of the database.
pub async fn tick(store: &Store, class: DataClass, days: u32, now: Time) -> Result<bool> {
    let marks = table::marks(&mut store.read().await?, class).await?;
    for mark in marks {
        if walk(store, (class, days), mark, now).await? {
            return Ok(true);
        }
    }
    look_again(store, (class, days), now).await
}

/// Goes on behind a mark; false where the next campaign is not past its time.
async fn walk(
    store: &Store,
    (class, days): (DataClass, u32),
    mark: RetentionMark,
    now: Time,
) -> Result<bool> {
    let mut work = Work::new((class, days), Source::Walk(mark), now);
    let edge = edge(days, now);
    let mut tx = store.read().await?;
    let mut found = table::candidates(&mut tx, mark, CAMPAIGNS_AT_ONCE).await?;
    work.is_end = mark.until.is_some() && found.is_empty();
    let mut chunks = 0;
    let fits = found.iter().take_while(|it| {
        let fits = chunks < CHUNKS_AT_ONCE;
        chunks += it.size / RECIPIENTS_AT_ONCE + 1;
        fits
    });
    let fits = fits.count();
    found.truncate(fits);
    let verdicts = judge(&mut tx, class, &found, (edge, now)).await?;
    drop(tx);
    let mut due: Vec<&Candidate> = Vec::new();
    let (mut recipients, mut texts) = (0, 0);
    for (it, verdict) in found.iter().zip(verdicts) {
        match verdict {
            Verdict::Young => break,
            // Of a customer's campaigns that are looked at again all are old.
            Verdict::Early
                if mark.until.is_none()
                    && it.created_at > edge - PATIENCE
                    && !is_from_the_future(it, now) =>
            {
                break;
            }
            Verdict::Early => work.passed.push(it.id),
            Verdict::Skipped => {}
            Verdict::Due { runs } => {
                let size = in_chunks(class, it);
                let is_full = class == DataClass::Texts && texts + runs > TEXTS_AT_ONCE
                    || recipients + size > RECIPIENTS_AT_ONCE;
                if is_full && !due.is_empty() {
                    break;
                }
                // One that is larger than a step is a step of its own.
                if size > RECIPIENTS_AT_ONCE {
                    if work.to.0 > mark.upto {
                        break;
                    }
                    work.due = Due::Piece(Box::new((*it).clone()));
                    return perform(store, work).await;
                }
                recipients += size;
                texts += runs;
                due.push(it);
            }
        }
        work.to = (it.id, AudienceChunkId::BEFORE_ALL);
    }
    if work.to.0 == mark.upto && !work.is_end {
        return Ok(false);
    }
    if !due.is_empty() {
        work.due = Due::Whole(due.into_iter().cloned().collect());
    }
    perform(store, work).await
}

/// Looks at campaigns that were passed over: those that are not over yet wait on, together, and the first other one is erased.
async fn look_again(store: &Store, (class, days): (DataClass, u32), now: Time) -> Result<bool> {
    let mut tx = store.read().await?;
    let passed = table::passed(&mut tx, class, now, PASSED_AT_ONCE).await?;
    let found = table::candidates_of(&mut tx, passed.iter().map(|it| it.campaign_id).collect()).await?;
    let verdicts = judge(&mut tx, class, &found, (edge(days, now), now)).await?;
    drop(tx);
    let verdicts: HashMap<CampaignId, (Candidate, Verdict)> =
        found.into_iter().zip(verdicts).map(|(it, verdict)| (it.id, (it, verdict))).collect();
    let is_early = |it: &PassedCampaign| {
        matches!(verdicts.get(&it.campaign_id), Some((_, Verdict::Early | Verdict::Young)))
    };
    let (early, others): (Vec<_>, Vec<_>) = passed.into_iter().partition(is_early);
    let waits_on = !early.is_empty();
    if waits_on {
        let early: Vec<CampaignId> = early.into_iter().map(|it| it.campaign_id).collect();
        store
            .write(Lane::Background, (class, early, now + AGAIN_AFTER), |tx, (class, early, at)| {
                Box::pin(table::pass_again(tx, *class, early.clone(), *at))
            })
            .await?;
    }
    let Some(first) = others.into_iter().next() else { return Ok(waits_on) };
    let mut work = Work::new((class, days), Source::Passed(first), now);
    work.is_end = true;
    if let Some((it, Verdict::Due { .. })) = verdicts.get(&first.campaign_id) {
        let is_large = in_chunks(class, it) > RECIPIENTS_AT_ONCE;
        work.is_end = !is_large;
        work.due = match is_large {
            true => Due::Piece(Box::new(it.clone())),
            false => Due::Whole(vec![it.clone()]),
        };
    }
    perform(store, work).await
}

/// Recipients of a campaign whose chunks are read or rewritten.
fn in_chunks(class: DataClass, it: &Candidate) -> i64 {
    if class != DataClass::Texts || has_own_texts(it) { it.size } else { 0 }
}

/// Whether each recipient has a text of their own: the message is a merge field and nothing else. What cannot be read is found when it
/// is to be erased.
fn has_own_texts(it: &Candidate) -> bool {
    it.own_texts.as_deref().is_some_and(|content| sent_words::is_one_field(content).unwrap_or(false))
}

/// Finds what is to be erased of these campaigns, which are small together.
async fn fill(tx: &mut Tx, work: &mut Work, due: &[Candidate]) -> Result<()> {
    let audiences: Vec<AudienceId> = due.iter().map(|it| it.audience_id).collect();
    work.count = (due.len() as i64, due.iter().map(|it| it.size).sum());
    if work.class == DataClass::Texts {
        let mut own = Vec::new();
        for it in due {
            if has_own_texts(it) {
                own.push(it.audience_id);
            }
        }
        if !own.is_empty() {
            let chunks = table::chunks_of(tx, own).await?;
            add_chunks(work, &chunks, false)?;
        }
        texts_of_campaigns(tx, work, audiences.clone()).await?;
        return texts_of_quotes(tx, work, audiences).await;
    }
    let chunks = table::chunks_of(tx, audiences.clone()).await?;
    add_chunks(work, &chunks, due.iter().any(|it| it.is_call))?;
    if work.class == DataClass::Numbers {
        previews(tx, work, audiences).await?;
    }
    Ok(())
}

async fn texts_of_campaigns(tx: &mut Tx, work: &mut Work, audiences: Vec<AudienceId>) -> Result<()> {
    for it in table::texts_of_campaigns(tx, audiences).await? {
        let bare = sent_words::changed(&it.content, Content::without_text)?;
        if bare != it.content {
            work.campaigns.push((it.id, bare));
        }
    }
    Ok(())
}

async fn texts_of_quotes(tx: &mut Tx, work: &mut Work, audiences: Vec<AudienceId>) -> Result<()> {
    for it in table::quotes_of(tx, audiences).await? {
        let content = sent_words::changed(&it.content, Content::without_text)?;
        let details = sent_words::without_preview(&it.details, |_| true)?;
        if content != it.content || details.is_some() {
            work.quotes.push(SentText { content, details: details.unwrap_or(it.details), ..it });
        }
    }
    Ok(())
}

/// The quotes' previews where they are a recipient's own: older ones do not say whose they are. The forms' digests go too.
async fn previews(tx: &mut Tx, work: &mut Work, audiences: Vec<AudienceId>) -> Result<()> {
    work.forms.clone_from(&audiences);
    for it in table::quotes_of(tx, audiences).await? {
        let has_fields = sent_words::has_fields(&it.content)?;
        if let Some(details) = sent_words::without_preview(&it.details, |to| to.is_some() || has_fields)? {
            work.quotes.push(SentText { details, ..it });
        }
    }
    Ok(())
}

fn add_chunks(work: &mut Work, chunks: &[(AudienceChunkId, Vec<u8>)], are_calls: bool) -> Result<()> {
    for (id, data) in chunks {
        if are_calls {
            work.pressed_keys.push(*id);
        }
        if work.class == DataClass::Texts {
            work.chunks.extend(Chunk::fields_erased(data)?.map(|bare| (*id, bare.data)));
        }
        if work.class != DataClass::Numbers {
            continue;
        }
        let Some(erased) = Chunk::all_erased(data)? else { continue };
        let first = id.recipient(0);
        let held = Chunk::decode_without_fields(data)?;
        for (number, recipient) in
            held.numbers().iter().zip(first..).filter(|(number, _)| !number.is_erased())
        {
            work.index.insert((number.digits().cast_signed(), recipient));
        }
        work.chunks.push((*id, erased.data));
    }
    Ok(())
}

/// Finds the next chunk of a campaign that is larger than a step, or ends it.
async fn fill_piece(tx: &mut Tx, work: &mut Work, it: &Candidate) -> Result<()> {
    let next = table::chunk_after(tx, it.audience_id, work.to.1).await?;
    if let Some((chunk, data)) = next {
        let recipients = Chunk::decode_without_fields(&data)?.len() as i64;
        if work.class == DataClass::Texts && work.to.1 == AudienceChunkId::BEFORE_ALL {
            // First, so that it is not sent again without its texts; the quote's last, as it says that there are some.
            texts_of_campaigns(tx, work, vec![it.audience_id]).await?;
        }
        add_chunks(work, &[(chunk, data)], it.is_call)?;
        work.count = (0, recipients);
        work.to.1 = chunk;
    } else {
        if work.class == DataClass::Numbers {
            previews(tx, work, vec![it.audience_id]).await?;
        }
        if work.class == DataClass::Texts {
            texts_of_quotes(tx, work, vec![it.audience_id]).await?;
        }
        work.count = (1, 0);
        work.to = (it.id, AudienceChunkId::BEFORE_ALL);
        work.is_end = matches!(work.source, Source::Passed(_));
    }
    Ok(())
}

/// Does a step; false where its time does not hold any more. Of campaigns that cannot be read the first is passed over as one that
/// is not over, so that it does not keep the others.
async fn perform(store: &Store, work: Work) -> Result<bool> {
    let error = match attempt(store, work.clone()).await {
        Err(error @ Error::Corrupt(_)) => error,
        done => return done,
    };
    let Some(first) = work.due.campaigns().first().cloned() else { return Err(error) };
    let mut alone = Work::new((work.class, work.days), work.source, work.now);
    alone.passed = work.passed.into_iter().filter(|it| *it < first.id).collect();
    if work.due.campaigns().len() > 1 {
        alone.to = (first.id, AudienceChunkId::BEFORE_ALL);
        alone.due = Due::Whole(vec![first]);
        return Box::pin(perform(store, alone)).await;
    }
    tracing::error!(campaign = first.id.0, class = work.class.code(), %error, "a campaign past its time cannot be erased");
    alone.passed.push(first.id);
    if let Source::Walk(_) = work.source {
        alone.to = (first.id, AudienceChunkId::BEFORE_ALL);
    }
    attempt(store, alone).await
}

/// Does a step, where no other daemon and no hold came before it; false where its time does not hold any more.
async fn attempt(store: &Store, work: Work) -> Result<bool> {
    // Rejected rows first, some at a time: what they belong to is found again until they are gone.
    for quote in rejects(store, &work).await? {
        let input = (work.clone(), quote);
        while store
            .write(Lane::Background, input.clone(), |tx, (work, quote)| {
                Box::pin(reject_step(tx, work, *quote))
            })
            .await?
        {}
    }
    store.write(Lane::Background, work, |tx, work| Box::pin(apply(tx, work))).await
}

/// The quotes whose rejected rows go with a step.
async fn rejects(store: &Store, work: &Work) -> Result<Vec<QuoteId>> {
    if work.class != DataClass::Numbers || work.due.campaigns().is_empty() {
        return Ok(Vec::new());
    }
    let mut tx = store.read().await?;
    let audiences = work.due.campaigns().iter().map(|it| it.audience_id).collect();
    let quotes = table::quotes_of(&mut tx, audiences).await?;
    table::with_rejects(&mut tx, quotes.iter().map(|it| it.id).collect()).await
}

/// Removes some rejected rows of a quote; whether there may be more.
async fn reject_step(tx: &mut Tx, work: &Work, quote: QuoteId) -> Result<bool> {
    table::lock(tx).await?;
    let holds = still_holds(tx, work.class, Some(work.days), work.now).await?;
    if !holds || !legal_hold::held_among(tx, work.due.users()).await?.is_empty() {
        return Ok(false);
    }
    subject::overwrite_removed(tx, true).await?;
    let removed = table::remove_rejects(tx, quote).await;
    subject::overwrite_removed(tx, false).await?;
    let removed = removed?;
    table::count(tx, work.class, day_of(work.now), (0, removed.cast_signed())).await?;
    Ok(removed == crate::store::PURGED_AT_ONCE)
}

/// What is rewritten is read under the lock: another step, or the erasing of a number, may have emptied it meanwhile.
async fn apply(tx: &mut Tx, work: &Work) -> Result<bool> {
    table::lock(tx).await?;
    if !still_holds(tx, work.class, Some(work.days), work.now).await? {
        return Ok(false);
    }
    if !legal_hold::held_among(tx, work.due.users()).await?.is_empty() {
        return Ok(true);
    }
    let mut work = work.clone();
    match work.due.clone() {
        Due::Nothing => {}
        Due::Whole(due) => fill(tx, &mut work, &due).await?,
        Due::Piece(one) => fill_piece(tx, &mut work, &one).await?,
    }
    let work = &work;
    if !advance(tx, work).await? {
        return Ok(true);
    }
    for campaign in &work.passed {
        table::pass(tx, work.class, *campaign, work.now + AGAIN_AFTER).await?;
    }
    if work.due.campaigns().is_empty() {
        return Ok(true);
    }
    subject::overwrite_removed(tx, true).await?;
    let erased = erase(tx, work).await;
    subject::overwrite_removed(tx, false).await?;
    erased?;
    table::count(tx, work.class, day_of(work.now), work.count).await?;
    Ok(true)
}

/// Moves the mark on; false where it is not where it was.
async fn advance(tx: &mut Tx, work: &Work) -> Result<bool> {
    match work.source {
        Source::Walk(mark) if work.is_end => {
            table::drop_mark(tx, work.class, mark.owner).await?;
            Ok(true)
        }
        Source::Walk(mark) => table::move_mark(tx, work.class, mark, work.to).await,
        Source::Passed(passed) if work.is_end => table::drop_passed(tx, work.class, passed.campaign_id).await,
        Source::Passed(passed) => table::move_passed(tx, work.class, passed, work.to.1).await,
    }
}

async fn erase(tx: &mut Tx, work: &Work) -> Result<()> {
    if !work.campaigns.is_empty() {
        table::set_campaigns(tx, work.campaigns.clone()).await?;
        campaign_events::look_again(tx, work.campaigns.iter().map(|(id, _)| *id).collect()).await?;
        sent_words::follow_in_events(tx, &work.campaigns).await?;
    }
    table::set_quotes(tx, work.quotes.clone()).await?;
    table::rewrite_chunks(tx, &work.chunks).await?;
    number_index::remove(tx, &work.index).await?;
    if !work.forms.is_empty() {
        table::clear_forms(tx, work.forms.clone()).await?;
    }
    if work.pressed_keys.is_empty() {
        return Ok(());
    }
    subject::clear_all_pressed_keys(tx, &work.pressed_keys).await
}
