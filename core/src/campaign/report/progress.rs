//! Where a campaign is: its counts, its money, and how fast it goes.
//!
//! The counts of a campaign add up to its recipients, whatever runs meanwhile, because they come from
//! one statement over its chunk rows.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use talkdrum_api::campaign::{Campaign, Progress};
use talkdrum_api::counts::Counts;

use super::{canary, poll_answers};
use crate::content::{Content, Poll, TEXT_ERASED, Template, no_values};
use crate::error::{Error, Result};
use crate::model::campaign::id::CampaignId;
use crate::model::message::status::{CampaignStatus, MessageStatus as S};
use crate::store::Tx;
use crate::store::campaign::list as table;
use crate::store::campaign::list::CampaignRow;
use crate::time::Time;

use crate::model::page::RecordScope;

impl From<&CampaignRow> for Counts {
    fn from(row: &CampaignRow) -> Self {
        let of = |status| row.counters.of(status);
        Self {
            queued: row.size - row.cursor - row.tail_cancelled + row.retries,
            submitting: row.cursor - row.answered - row.retries,
            submitted: of(S::Submitted),
            delivered: of(S::Delivered),
            undelivered: of(S::Undelivered),
            rejected: of(S::Rejected),
            expired: of(S::Expired),
            unknown: of(S::Unknown),
            cancelled: of(S::Cancelled) + row.tail_cancelled,
            suppressed: of(S::Suppressed),
        }
    }
}

/// Where a campaign's messages are.
///
/// # Errors
/// [`Error::NotFound`] when there is no such campaign.
pub async fn counts(tx: &mut Tx, campaign: CampaignId) -> Result<Counts> {
    let rows = table::campaigns(tx, vec![campaign]).await?;
    rows.first().map(Counts::from).ok_or(Error::NotFound("campaign"))
}

/// A campaign as progress events show it: without samples of its numbers (see [`crate::campaign::report::campaign_list::campaign`]).
///
/// # Errors
/// [`Error::NotFound`] when there is none, or it is not in scope.
pub async fn view(tx: &mut Tx, scope: RecordScope, campaign: CampaignId) -> Result<Campaign> {
    let row = table::campaigns(tx, vec![campaign]).await?.pop();
    let row = row.filter(|row| scope.sees(row.user_id)).ok_or(Error::NotFound("campaign"))?;
    let with_canary = row.has_canary.then_some(row.id).into_iter().collect();
    let mut campaigns = vec![shown(row)];
    canary::add(tx, with_canary, campaigns.iter_mut().map(|(campaign, _)| campaign)).await?;
    add_answers(tx, &mut campaigns).await?;
    campaigns.pop().map(|(campaign, _)| campaign).ok_or(Error::NotFound("campaign"))
}

/// Several campaigns as [`view`] shows them, in the order of `ids`; those that do not exist are left out.
pub async fn views(tx: &mut Tx, ids: &[CampaignId]) -> Result<Vec<Campaign>> {
    Ok(shown_all(tx, ids).await?.into_iter().map(|(campaign, _)| campaign).collect())
}

/// Several campaigns with what they say, in the order of `ids`.
pub(crate) async fn shown_all(tx: &mut Tx, ids: &[CampaignId]) -> Result<Vec<(Campaign, Option<Content>)>> {
    let rows = table::campaigns(tx, ids.to_vec()).await?;
    let with_canary = rows.iter().filter(|row| row.has_canary).map(|row| row.id).collect();
    let mut rows: HashMap<CampaignId, CampaignRow> = rows.into_iter().map(|row| (row.id, row)).collect();
    let mut campaigns: Vec<_> = ids.iter().filter_map(|id| rows.remove(id)).map(shown).collect();
    canary::add(tx, with_canary, campaigns.iter_mut().map(|(campaign, _)| campaign)).await?;
    add_answers(tx, &mut campaigns).await?;
    Ok(campaigns)
}

/// Fills what people answered to the questions of calls.
async fn add_answers(tx: &mut Tx, campaigns: &mut [(Campaign, Option<Content>)]) -> Result<()> {
    let asked: Vec<(CampaignId, &Poll)> = campaigns
        .iter()
        .filter_map(|(campaign, content)| {
            Some((CampaignId(campaign.id), content.as_ref()?.as_call()?.poll.as_ref()?))
        })
        .collect();
    if asked.is_empty() {
        return Ok(());
    }
    let mut answers = poll_answers::of(tx, &asked).await?;
    for (campaign, _) in campaigns {
        campaign.poll = answers.remove(&CampaignId(campaign.id));
    }
    Ok(())
}

fn shown(row: CampaignRow) -> (Campaign, Option<Content>) {
    // A list is not lost for one text that cannot be read: it shows that one as it is stored.
    let content = Content::from_json(&row.content).ok();
    let counts = Counts::from(&row);
    let campaign = Campaign {
        id: row.id.0,
        quote_id: row.quote_id.0,
        user_id: row.user_id.0,
        username: row.username,
        held: row.held.filter(|_| row.status == CampaignStatus::Paused).map(|held| held.code().to_owned()),
        status: row.status.to_string(),
        status_reason: row.status_reason,
        sms_type: row.kind.code().to_owned(),
        purpose: row.purpose,
        senderid: row.sender,
        msg: content.as_ref().map_or(row.content, words),
        currency: row.currency.to_string(),
        total_contacts: row.size,
        total_charges: row.charge,
        captured: row.captured,
        released: row.released,
        refunded: row.refunded,
        reserved: row.reserved,
        counts,
        created_at: row.created_at.to_rfc3339(),
        scheduled_at: row.scheduled_at.map(Time::to_rfc3339),
        started_at: row.started_at.map(Time::to_rfc3339),
        completed_at: row.completed_at.map(Time::to_rfc3339),
        contacts: String::new(),
        failed_contacts: String::new(),
        no_of_failed_contacts: counts.failed(),
        no_of_sent_contacts: counts.accepted(),
        messages_url: format!("/api/campaigns/{}/messages", row.id),
        resendable: None,
        canary: None,
        poll: None,
    };
    (campaign, content)
}

/// What a customer wrote, for lists: merge fields unfilled.
pub(crate) fn words(content: &Content) -> String {
    if content.is_erased() {
        return TEXT_ERASED.to_owned();
    }
    match content {
        Content::Text { text } | Content::Flash { text } | Content::Unicode { text } => read(text),
        Content::WapPush { title, url } => format!("{} {}", read(title), read(url)),
        Content::Vcard(card) => card.fields().map(|(_, value)| value).join(", "),
        Content::Voice(script) => script.summary().to_owned(),
    }
}

/// A text as people read it: without merge fields, doubled braces are braces.
pub(crate) fn read(text: &str) -> String {
    let template = Template::parse(text);
    let mut out = String::with_capacity(text.len());
    match template.is_plain() && template.render(no_values, &mut out).is_ok() {
        true => out,
        false => text.to_owned(),
    }
}

/// How far back the rate looks.
const WINDOW: Duration = Duration::from_secs(5);

/// How fast a campaign goes, from what successive looks at it saw.
#[derive(Clone, Debug, Default)]
pub struct Rate {
    seen: VecDeque<(Time, i64)>,
}

impl Rate {
    /// One more look at the campaign: what an event tells of it.
    pub fn observe(&mut self, campaign: Campaign, now: Time) -> Progress {
        let counts = campaign.counts;
        self.push(now, counts.handed_over());
        let rate = self.per_second();
        let remaining_s = remaining(counts.queued + counts.submitting, rate);
        Progress { campaign, rate, remaining_s }
    }

    fn push(&mut self, now: Time, handed_over: i64) {
        self.seen.push_back((now, handed_over));
        // One look older than the window stays, so that the window is always covered.
        while self.seen.get(1).is_some_and(|(at, _)| now.since(*at) >= WINDOW) {
            self.seen.pop_front();
        }
    }

    /// Messages handed over a second between the oldest and the newest look; 0 before there are two.
    #[expect(clippy::float_arithmetic, reason = "a rate is shown to people; it is no money")]
    fn per_second(&self) -> f64 {
        let (Some((start, before)), Some((end, after))) = (self.seen.front(), self.seen.back()) else {
            return 0.0;
        };
        let seconds = end.since(*start).as_secs_f64();
        if seconds > 0.0 { after.saturating_sub(*before).max(0) as f64 / seconds } else { 0.0 }
    }
}

#[expect(clippy::float_arithmetic, reason = "an estimate shown to people; it is no money")]
fn remaining(left: i64, rate: f64) -> Option<f64> {
    match left {
        0 => Some(0.0),
        _ if rate > 0.0 => Some(left as f64 / rate),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use talkdrum_api::money::Amount;

    use super::*;
    use crate::model::account::id::UserId;
    use crate::model::message::status::MessageStatus as S;
    use crate::testing::builder::{Spot, build};
    use crate::testing::database::for_each_database;

    #[tokio::test]
    async fn counts_follow_from_chunk_rows_and_retries_and_add_up() {
        for_each_database(|store| async move {
            let spots = [
                Spot::Answered(S::Delivered),
                Spot::Answered(S::Rejected),
                Spot::Retry,
                Spot::InFlight,
                Spot::Answered(S::Cancelled),
                Spot::Tail,
                Spot::Tail,
            ];
            let built = build(&store, "ada").chunk(&spots).cancelled_chunk(&spots).store().await;
            let mut tx = store.read().await.unwrap();
            let counts = counts(&mut tx, built.campaign).await.unwrap();
            let expected = Counts {
                queued: 4,
                submitting: 2,
                delivered: 2,
                rejected: 2,
                cancelled: 4,
                ..Counts::default()
            };
            assert_eq!(counts, expected);
            assert_eq!(counts.total(), 14);
            let campaign = view(&mut tx, RecordScope::Own(built.user), built.campaign).await.unwrap();
            assert_eq!((campaign.total_contacts, campaign.no_of_failed_contacts), (14, 2));
            assert_eq!(campaign.reserved, Amount(built.charge_micros));
            let stranger = view(&mut tx, RecordScope::Own(UserId(built.user.0 + 1)), built.campaign).await;
            assert!(matches!(stranger, Err(Error::NotFound(_))));
        })
        .await;
    }

    #[test]
    fn the_rate_is_that_of_the_last_seconds() {
        let mut rate = Rate::default();
        rate.push(Time(0), 0);
        assert_eq!(rate.per_second(), 0.0);
        for second in 1..=20 {
            rate.push(Time(second * 1_000), if second <= 10 { 0 } else { (second - 10) * 300 });
        }
        assert_eq!(rate.per_second(), 300.0);
        assert_eq!(remaining(600, rate.per_second()), Some(2.0));
        assert_eq!((remaining(0, 0.0), remaining(5, 0.0)), (Some(0.0), None));
    }
}
