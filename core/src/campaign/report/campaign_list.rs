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
use crate::model::audience_chunk::Chunk;
use crate::model::message_id::MessageId;
use crate::model::page::{Page, Scope};
use crate::store::Tx;
use crate::store::campaign::list::Selection;
use crate::store::campaign::{list as table, resend};
use crate::time::Time;

/// Numbers in `contacts` and `failed_contacts` at most.
const NUMBERS_MAX: usize = 1_000;
/// Numbers of all campaigns of a list: of sixty of them all that one shows, which is the longest page of the console.
const NUMBERS_IN_ALL: i64 = 60 * 2 * NUMBERS_MAX as i64;
/// Recipients of the chunks with failures that are looked through for each campaign of a list: one full chunk.
const LOOKED_THROUGH: i64 = 4_096;

/// A page of campaigns, newest first unless sorted otherwise; with samples of their `numbers` if wanted.
pub async fn list(tx: &mut Tx, selection: &Selection, page: Page, numbers: bool) -> Result<Campaigns> {
    let (campaigns, total) = with_content(tx, selection, page, numbers).await?;
    Ok(Campaigns { campaigns: campaigns.into_iter().map(|(campaign, _)| campaign).collect(), total })
}

/// One campaign: with samples of its `numbers` if wanted, and how many of its messages can be sent again.
///
/// # Errors
/// [`Error::NotFound`] when there is none, or it is not in scope.
pub async fn campaign(tx: &mut Tx, scope: Scope, campaign: i64, numbers: bool) -> Result<Campaign> {
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
    selection: &Selection,
    page: Page,
    numbers: bool,
) -> Result<SentMessages> {
    let (campaigns, total) = with_content(tx, selection, page, numbers).await?;
    let messages = campaigns.into_iter().map(|(campaign, content)| sent_message(campaign, content)).collect();
    Ok(SentMessages { messages, total })
}

/// When a user's newest campaign started to send.
pub async fn last_sent_message(tx: &mut Tx, user: i64) -> Result<LastSentMessage> {
    let at = table::last_started(tx, user).await?;
    Ok(LastSentMessage { last_sent_message_time: at.map(Time::to_rfc3339) })
}

type Listed = (Campaign, Option<Content>);

/// A page of campaigns, each with what was written.
pub(super) async fn with_content(
    tx: &mut Tx,
    selection: &Selection,
    page: Page,
    numbers: bool,
) -> Result<(Vec<Listed>, i64)> {
    let total = table::count(tx, selection).await?;
    let ids = table::page(tx, selection, page).await?;
    let mut campaigns = progress::shown_all(tx, &ids).await?;
    let places: HashMap<i64, usize> = ids.iter().enumerate().map(|(place, id)| (*id, place)).collect();
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
    let mut chunks: Vec<i64> = rows.iter().map(|row| row.audience_chunk_id).collect();
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
    let mut samples: HashMap<i64, Sample> = HashMap::new();
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
        if let Some(sample) = samples.remove(&campaign.id) {
            campaign.contacts = sample.contacts.into_text();
            campaign.failed_contacts = sample.failed.into_text();
        }
    }
    Ok(())
}

/// The first campaigns whose samples have at most so many numbers together.
fn sampled(campaigns: &[Listed], numbers: i64) -> Vec<i64> {
    let mut left = numbers;
    let fits = |(campaign, _): &&Listed| {
        let of_one = |count: i64| count.clamp(0, NUMBERS_MAX as i64);
        left -= of_one(campaign.total_contacts) + of_one(campaign.no_of_failed_contacts);
        left >= 0
    };
    campaigns.iter().take_while(fits).map(|(campaign, _)| campaign.id).collect()
}

fn missing(chunk: i64) -> Error {
    Error::Corrupt(format!("the audience chunk {chunk} of a campaign is gone"))
}

/// The messages of `chunk` among ascending ids.
fn of_chunk(messages: &[MessageId], chunk: i64) -> &[MessageId] {
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
mod tests {
    use super::*;
    use crate::model::status::{CampaignStatus, MessageStatus as S};
    use crate::testing::builder::{Spot, build};
    use crate::testing::database::for_each_database;

    #[tokio::test]
    async fn a_list_shows_the_newest_first_with_numbers_and_counts() {
        for_each_database(|store| async move {
            let first = build(&store, "ada").chunk(&[Spot::Answered(S::Delivered)]).store().await;
            let second = build(&store, "ada")
                .chunk(&[Spot::Answered(S::Rejected), Spot::Tail])
                .chunk(&[Spot::Answered(S::Submitted), Spot::Answered(S::Expired)])
                .store()
                .await;
            let other = build(&store, "bola").chunk(&[Spot::Tail]).store().await;
            let mut tx = store.read().await.unwrap();
            let own = Selection::all(Scope::Own(first.user));
            let listed = list(&mut tx, &own, Page::first(), true).await.unwrap();
            assert_eq!(listed.total, 2);
            assert_eq!(
                listed.campaigns.iter().map(|c| c.id).collect::<Vec<_>>(),
                [second.campaign, first.campaign]
            );
            let newest = &listed.campaigns[0];
            let numbers: Vec<String> = second.numbers.iter().map(ToString::to_string).collect();
            assert_eq!(newest.contacts, numbers.join(","));
            assert_eq!(newest.failed_contacts, format!("{},{}", numbers[0], numbers[3]));
            assert_eq!((newest.no_of_failed_contacts, newest.no_of_sent_contacts), (2, 1));
            assert_eq!(newest.username, "ada");
            let all = list(&mut tx, &Selection::all(Scope::All), Page::new(1, 1), true).await.unwrap();
            assert_eq!((all.total, all.campaigns[0].id), (3, other.campaign));
            let beyond = list(&mut tx, &own, Page::new(9, 20), true).await.unwrap();
            assert_eq!((beyond.total, beyond.campaigns.len()), (2, 0));
            let one = campaign(&mut tx, Scope::Own(first.user), second.campaign, true).await.unwrap();
            assert_eq!((one.contacts.as_str(), one.resendable), (newest.contacts.as_str(), Some(2)));
            let one = campaign(&mut tx, Scope::Own(first.user), second.campaign, false).await.unwrap();
            assert_eq!((one.contacts.as_str(), one.no_of_failed_contacts), ("", 2));
            let brief = list(&mut tx, &own, Page::first(), false).await.unwrap();
            assert!(brief.campaigns.iter().all(|it| it.contacts.is_empty() && it.failed_contacts.is_empty()));
        })
        .await;
    }

    #[tokio::test]
    async fn a_list_is_searched_by_sender_text_and_user_and_filtered_by_status() {
        for_each_database(|store| async move {
            let sale = build(&store, "ada").text("Up to 50% off, Ada_1").chunk(&[Spot::Tail]).store().await;
            let plain =
                build(&store, "bola").text("Hello").sender("DRUMS").chunk(&[Spot::Tail]).store().await;
            let mut tx = store.read().await.unwrap();
            let mut found = async |scope, q: &str, status| {
                let query = Selection { q: q.into(), status, ..Selection::all(scope) };
                let listed = list(&mut tx, &query, Page::first(), true).await.unwrap();
                assert_eq!(listed.total, listed.campaigns.len() as i64);
                listed.campaigns.iter().map(|campaign| campaign.id).collect::<Vec<i64>>()
            };
            assert_eq!(found(Scope::All, "50% OFF", None).await, [sale.campaign]);
            assert!(found(Scope::All, "5_%", None).await.is_empty());
            assert_eq!(found(Scope::All, "drums", None).await, [plain.campaign]);
            assert_eq!(found(Scope::All, "bol", None).await, [plain.campaign]);
            assert!(found(Scope::All, "kind", None).await.is_empty());
            assert!(found(Scope::Own(sale.user), "hello", None).await.is_empty());
            assert_eq!(
                found(Scope::All, "", Some(CampaignStatus::Sending)).await,
                [plain.campaign, sale.campaign]
            );
            assert!(found(Scope::Own(sale.user), "", Some(CampaignStatus::Completed)).await.is_empty());
        })
        .await;
    }

    #[tokio::test]
    async fn lists_hold_one_kind_and_one_period_when_that_is_asked_for() {
        for_each_database(|store| async move {
            let text = build(&store, "ada").chunk(&[Spot::Tail]).store().await;
            let link = Content::WapPush { title: "News".into(), url: "http://n.example".into() };
            let link = build(&store, "ada").content(&link).chunk(&[Spot::Tail]).store().await;
            let mut tx = store.read().await.unwrap();
            let mut found = async |query: Selection| {
                let listed = list(&mut tx, &query, Page::first(), true).await.unwrap();
                assert_eq!(listed.total, listed.campaigns.len() as i64);
                listed.campaigns.iter().map(|campaign| campaign.id).collect::<Vec<i64>>()
            };
            let (all, made) = (Selection::all(Scope::All), crate::testing::builder::START);
            assert_eq!(found(Selection { kind: Some(Kind::WapPush), ..all.clone() }).await, [link.campaign]);
            assert_eq!(
                found(Selection { kind: Some(Kind::Text), scope: Scope::Own(text.user), ..all.clone() })
                    .await,
                [text.campaign]
            );
            let (both, none) = ([link.campaign, text.campaign], [0_i64; 0]);
            assert_eq!(found(Selection { from: Some(made), ..all.clone() }).await, both);
            assert_eq!(found(Selection { from: Some(Time(made.0 + 1)), ..all.clone() }).await, none);
            assert_eq!(found(Selection { to: Some(Time(made.0 + 1)), ..all.clone() }).await, both);
            assert_eq!(found(Selection { to: Some(made), scope: Scope::Own(text.user), ..all }).await, none);
        })
        .await;
    }

    #[tokio::test]
    async fn sent_messages_have_the_fields_of_the_specification() {
        for_each_database(|store| async move {
            let built = build(&store, "ada")
                .content(&Content::WapPush { title: "News".into(), url: "http://n.example".into() })
                .chunk(&[Spot::Answered(S::Rejected), Spot::Tail])
                .store()
                .await;
            let mut tx = store.read().await.unwrap();
            let sent = sent_messages(&mut tx, &Selection::all(Scope::Own(built.user)), Page::first(), true)
                .await
                .unwrap();
            let row = serde_json::to_value(&sent.messages[0]).unwrap();
            for field in [
                "type",
                "contacts",
                "msg",
                "status",
                "sms_shoot_id",
                "senderid",
                "espees_deducted",
                "failed_contacts",
                "wap_title",
                "wap_url",
                "first_name",
                "last_name",
                "company",
                "job_title",
                "telephone",
                "email",
            ] {
                assert!(row.get(field).is_some(), "{field}");
            }
            assert_eq!((row["type"].as_str(), row["wap_title"].as_str()), (Some("wap"), Some("News")));
            assert_eq!(row["failed_contacts"], built.numbers[0].to_string());
            let last = last_sent_message(&mut tx, built.user).await.unwrap();
            assert!(last.last_sent_message_time.is_some());
            assert_eq!(
                last_sent_message(&mut tx, built.user + 1).await.unwrap().last_sent_message_time,
                None
            );
        })
        .await;
    }

    #[tokio::test]
    async fn a_list_samples_its_first_campaigns_until_so_many_numbers() {
        for_each_database(|store| async move {
            let built = build(&store, "ada").chunk(&[Spot::Answered(S::Rejected), Spot::Tail]).store().await;
            let mut tx = store.read().await.unwrap();
            let (one, content) =
                with_content(&mut tx, &Selection::all(Scope::Own(built.user)), Page::first(), true)
                    .await
                    .unwrap()
                    .0
                    .remove(0);
            // Two recipients and one failure are three numbers.
            let campaigns: Vec<Listed> = (0..4)
                .map(|id| (Campaign { id, ..one.clone() }, content.clone()))
                .chain([(Campaign { id: 4, total_contacts: 5_000_000, ..one.clone() }, None)])
                .collect();
            assert_eq!(sampled(&campaigns, 3 * 3 + 2), [0, 1, 2]);
            assert_eq!(sampled(&campaigns, 4 * 3 + 1_001), [0, 1, 2, 3, 4]);
            assert_eq!(sampled(&campaigns, 4 * 3 + 1_000), [0, 1, 2, 3]);
        })
        .await;
    }

    #[test]
    fn at_most_a_thousand_numbers_are_shown() {
        let mut numbers = Numbers::default();
        numbers.extend(0..700);
        numbers.extend(0..700);
        assert_eq!(numbers.into_text().split(',').count(), 1_000);
    }
}
