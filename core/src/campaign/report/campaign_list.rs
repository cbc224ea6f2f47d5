//! Lists of campaigns: a user's own, or all users' for administrators; each with samples of its numbers.
//!
//! A list costs what its page holds. Numbers are sampled from a campaign's first chunks and from the
//! first chunks with failures, never from the whole campaign; counts beside them are whole.

use std::collections::HashMap;

use talkdrum_api::campaign::{Campaign, Campaigns, LastSentMessage, SentMessage, SentMessages};
use talkdrum_api::kind::Kind;
use talkdrum_api::money::Amount;

use super::progress;
use crate::content::Content;
use crate::error::{Error, Result};
use crate::model::account::id::UserId;
use crate::model::campaign::audience_chunk::Chunk;
use crate::model::campaign::id::{AudienceChunkId, CampaignId, ChunkId};
use crate::model::message::id::MessageId;
use crate::model::page::{Page, RecordScope};
use crate::store::Tx;
use crate::store::campaign::list::CampaignSelection;
use crate::store::campaign::{list as table, resend};
use crate::time::Time;

/// Numbers in `contacts` and `failed_contacts` at most.
const NUMBERS_MAX: usize = 1_000;
/// Numbers of all campaigns of a list: of sixty of them all that one shows, which is the longest page of the console.
const NUMBERS_IN_ALL: i64 = 60 * 2 * NUMBERS_MAX as i64;
/// Recipients of the chunks with failures that are looked through for each campaign of a list: one full chunk.
const LOOKED_THROUGH: i64 = 4_096;

/// A page of campaigns, newest first unless sorted otherwise; with samples of their `numbers` if wanted.
pub async fn list(
    tx: &mut Tx,
    selection: &CampaignSelection,
    page: Page,
    numbers: bool,
) -> Result<Campaigns> {
    let (campaigns, total) = with_content(tx, selection, page, numbers).await?;
    Ok(Campaigns { campaigns: campaigns.into_iter().map(|(campaign, _)| campaign).collect(), total })
}

/// One campaign: with samples of its `numbers` if wanted, and how many of its messages can be sent again.
///
/// # Errors
/// [`Error::NotFound`] when there is none, or it is not in scope.
pub async fn campaign(
    tx: &mut Tx,
    scope: RecordScope,
    campaign: CampaignId,
    numbers: bool,
) -> Result<Campaign> {
    let mut shown = progress::view(tx, scope, campaign).await?;
    shown.resendable = Some(resend::count(tx, campaign).await?);
    let mut campaigns = vec![(shown, None)];
    if numbers {
        add_numbers(tx, &mut campaigns).await?;
    }
    campaigns.pop().map(|(campaign, _)| campaign).ok_or(Error::NotFound("campaign"))
}

/// A page of campaigns in the form of `get-sent-messages`, in the same order.
pub async fn sent_messages(
    tx: &mut Tx,
    selection: &CampaignSelection,
    page: Page,
    numbers: bool,
) -> Result<SentMessages> {
    let (campaigns, total) = with_content(tx, selection, page, numbers).await?;
    let messages = campaigns.into_iter().map(|(campaign, content)| sent_message(campaign, content)).collect();
    Ok(SentMessages { messages, total })
}

/// When a user's newest campaign started to send.
pub async fn last_sent_message(tx: &mut Tx, user: UserId) -> Result<LastSentMessage> {
    let at = table::last_started(tx, user).await?;
    Ok(LastSentMessage { last_sent_message_time: at.map(Time::to_rfc3339) })
}

type Listed = (Campaign, Option<Content>);

/// A page of campaigns, each with what was written.
pub(super) async fn with_content(
    tx: &mut Tx,
    selection: &CampaignSelection,
    page: Page,
    numbers: bool,
) -> Result<(Vec<Listed>, i64)> {
    let total = table::count(tx, selection).await?;
    let ids = table::page(tx, selection, page).await?;
    let mut campaigns = progress::shown_all(tx, &ids).await?;
    let places: HashMap<i64, usize> = ids.iter().enumerate().map(|(place, id)| (id.0, place)).collect();
    campaigns.sort_by_key(|(campaign, _)| places.get(&campaign.id).copied());
    if numbers {
        add_numbers(tx, &mut campaigns).await?;
    }
    Ok((campaigns, total))
}

/// Fills `contacts` and `failed_contacts`, of the first campaigns until [`NUMBERS_IN_ALL`]; counts and links stand beside
/// those of all.
async fn add_numbers(tx: &mut Tx, campaigns: &mut [Listed]) -> Result<()> {
    let ids = sampled(campaigns, NUMBERS_IN_ALL);
    let rows = table::samples(tx, ids, NUMBERS_MAX as i64, LOOKED_THROUGH).await?;
    let mut chunks: Vec<AudienceChunkId> = rows.iter().map(|row| row.audience_chunk_id).collect();
    chunks.sort_unstable();
    chunks.dedup();
    let mut decoded = HashMap::new();
    for chunks in chunks.chunks(64) {
        for (id, data) in table::audience_chunks(tx, chunks.to_vec()).await? {
            decoded.insert(id, Chunk::decode_without_fields(&data)?);
        }
    }
    let failing = rows.iter().filter(|row| row.failing).map(|row| row.id).collect();
    let failed = table::failed(tx, failing).await?;
    let mut samples: HashMap<CampaignId, Sample> = HashMap::new();
    for row in &rows {
        let chunk = decoded.get(&row.audience_chunk_id).ok_or_else(|| missing(row.audience_chunk_id))?;
        let sample = samples.entry(row.campaign_id).or_default();
        if row.leading {
            sample.contacts.extend(chunk.numbers().iter().copied());
        }
        if row.failing {
            let messages = of_chunk(&failed, row.id);
            let places = messages.iter().map(|message| usize::from(message.place()));
            sample.failed.extend(places.filter_map(|place| chunk.numbers().get(place)));
        }
    }
    for (campaign, _) in campaigns {
        if let Some(sample) = samples.remove(&CampaignId(campaign.id)) {
            campaign.contacts = sample.contacts.into_text();
            campaign.failed_contacts = sample.failed.into_text();
        }
    }
    Ok(())
}

/// The first campaigns whose samples have at most so many numbers together.
fn sampled(campaigns: &[Listed], numbers: i64) -> Vec<CampaignId> {
    let mut left = numbers;
    let fits = |(campaign, _): &&Listed| {
        let of_one = |count: i64| count.clamp(0, NUMBERS_MAX as i64);
        left -= of_one(campaign.total_contacts) + of_one(campaign.no_of_failed_contacts);
        left >= 0
    };
    campaigns.iter().take_while(fits).map(|(campaign, _)| CampaignId(campaign.id)).collect()
}

fn missing(chunk: AudienceChunkId) -> Error {
    Error::Corrupt(format!("the audience chunk {chunk} of a campaign is gone"))
}

/// The messages of `chunk` among ascending ids.
fn of_chunk(messages: &[MessageId], chunk: ChunkId) -> &[MessageId] {
    let from = messages.partition_point(|message| message.chunk() < chunk);
    let to = messages.partition_point(|message| message.chunk() <= chunk);
    &messages[from..to]
}

fn sent_message(campaign: Campaign, content: Option<Content>) -> SentMessage {
    let kept = campaign.captured.0.saturating_sub(campaign.refunded.0);
    let deducted = Amount(kept.saturating_add(campaign.reserved.0));
    let in_currency = |code: &str| if campaign.currency == code { deducted } else { Amount::ZERO };
    let (espees_deducted, naira_deducted) = (in_currency("espees"), in_currency("naira"));
    let (wap_title, wap_url, card) = match content {
        Some(Content::WapPush { title, url }) => {
            (Some(progress::read(&title)), Some(progress::read(&url)), None)
        }
        Some(Content::Vcard(card)) => (None, None, Some(card)),
        _ => (None, None, None),
    };
    let kind = Kind::from_code(&campaign.sms_type).map_or("text", Kind::sent_type);
    let (first_name, last_name, company, job_title, telephone, email) = match card {
        Some(card) => (
            Some(card.first_name),
            Some(card.last_name),
            Some(card.company),
            Some(card.job_title),
            Some(card.telephone),
            Some(card.email),
        ),
        None => (None, None, None, None, None, None),
    };
    SentMessage {
        id: campaign.id,
        kind: kind.to_owned(),
        purpose: campaign.purpose,
        contacts: campaign.contacts,
        no_of_contacts: campaign.total_contacts,
        msg: campaign.msg,
        status: campaign.status,
        sms_shoot_id: campaign.id,
        senderid: campaign.senderid,
        espees_deducted,
        naira_deducted,
        failed_contacts: campaign.failed_contacts,
        no_of_failed_contacts: campaign.no_of_failed_contacts,
        no_of_sent_contacts: campaign.no_of_sent_contacts,
        wap_title,
        wap_url,
        first_name,
        last_name,
        company,
        job_title,
        telephone,
        email,
        created_at: campaign.created_at,
        messages_url: campaign.messages_url,
    }
}

/// The numbers shown of one campaign.
#[derive(Debug, Default)]
struct Sample {
    contacts: Numbers,
    failed: Numbers,
}

/// Up to 1,000 numbers, joined by commas.
#[derive(Debug, Default)]
struct Numbers {
    text: String,
    count: usize,
}

impl Numbers {
    fn extend<N: std::fmt::Display>(&mut self, numbers: impl Iterator<Item = N>) {
        use std::fmt::Write as _;
        for number in numbers.take(NUMBERS_MAX - self.count) {
            let comma = if self.count == 0 { "" } else { "," };
            // Writing to a String cannot fail.
            let _ = write!(self.text, "{comma}{number}");
            self.count += 1;
        }
    }

    fn into_text(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests;
