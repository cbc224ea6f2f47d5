//! The messages of a campaign that are in a status for one reason, in the words of its breakdown.
//!
//! Nothing stores a reason's words, and how many each chunk has is in its tally. For every page all chunks that have
//! messages in the status are looked at, which costs at most what the breakdown costs; the messages of those alone are
//! read that the page lies in, or that were not tallied yet.

use talkdrum_api::campaign::Messages;

use super::{breakdown, reason, require, rows};
use crate::error::{Error, Result};
use crate::model::campaign::id::{CampaignId, ChunkId};
use crate::model::message::delivery_counts::{OTHER, Tally};
use crate::model::message::id::MessageId;
use crate::model::message::status::MessageStatus;
use crate::model::page::{Page, RecordScope};
use crate::phone::NetworkTable;
use crate::store::message::answered;
use crate::store::message::delivery_counts as table;
use crate::store::message::delivery_counts::TalliedWith;
use crate::store::{Store, Tx};

/// Tallies that are read at once.
const CHUNKS_AT_ONCE: i64 = 64;

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Because {
    status: MessageStatus,
    /// None: nothing was said.
    reason: Option<String>,
}

impl Because {
    /// Messages in `status` for `reason`, as [`super::breakdown`] shows it; without one, those of which nothing was said.
    ///
    /// # Errors
    /// When it is what the breakdown calls several reasons.
    pub fn new(status: MessageStatus, reason: Option<String>) -> Result<Self> {
        if reason.as_deref() == Some(breakdown::OTHER_REASONS) {
            let says = format!("'{}' are several: ask for all in the status", breakdown::OTHER_REASONS);
            return Err(Error::field("reason", "reason_of_many", says));
        }
        Ok(Self { status, reason })
    }

    fn takes(&self, recorded: Option<&str>) -> bool {
        self.status.has_reason() && reason::of(self.status, recorded) == self.reason
    }

    /// How many messages of a chunk it takes, by the chunk's tally; `None` where that does not tell.
    fn tallied(&self, chunk: &TalliedWith) -> Result<Option<i64>> {
        let Some(tally) = &chunk.tally else { return Ok(None) };
        let mut count = if self.takes_tail() { chunk.tail_cancelled } else { 0 };
        for (status, recorded, many) in Tally::from_json(tally)?.reasons {
            if status != self.status {
                continue;
            }
            if recorded.as_deref() == Some(OTHER) {
                return Ok(None);
            }
            if self.takes(recorded.as_deref()) {
                count += many;
            }
        }
        Ok(Some(count))
    }

    /// The places of a chunk that it takes, ascending.
    async fn places(&self, tx: &mut Tx, chunk: &TalliedWith) -> Result<Vec<u16>> {
        let rows = answered::in_statuses(tx, chunk.id, (self.status.number(), self.status.number())).await?;
        let taken = rows.into_iter().filter(|(_, recorded)| self.takes(recorded.as_deref()));
        let mut places: Vec<u16> = taken.map(|(place, _)| place).collect();
        if self.takes_tail() && chunk.tail_cancelled > 0 {
            places.retain(|place| i64::from(*place) < chunk.cursor);
            places.extend((chunk.cursor..chunk.size).filter_map(|place| u16::try_from(place).ok()));
        }
        Ok(places)
    }

    /// What a cancel gave up has no row of its own.
    fn takes_tail(&self) -> bool {
        self.status == MessageStatus::Cancelled && self.takes(None)
    }
}

/// A page of them, in order of sending.
///
/// # Errors
/// [`Error::NotFound`] when there is no such campaign, or it is not in scope.
pub async fn page(
    store: &Store,
    scope: RecordScope,
    campaign: CampaignId,
    because: &Because,
    page: Page,
    networks: &NetworkTable,
) -> Result<Messages> {
    let mut tx = store.snapshot().await?;
    require(&mut tx, scope, campaign).await?;
    let (from, to) = (page.skip(), page.skip() + page.size());
    let (mut total, mut after, mut picked) = (0, ChunkId::BEFORE_ALL, Vec::new());
    loop {
        let chunks = table::tallied_with(&mut tx, campaign, because.status, after, CHUNKS_AT_ONCE).await?;
        let Some(last) = chunks.last() else { break };
        after = last.id;
        for chunk in &chunks {
            let mut count = because.tallied(chunk)?;
            // Looked at where it is on the page, or its tally does not tell.
            if count.is_none_or(|count| count > 0 && total < to && total + count > from) {
                let places = because.places(&mut tx, chunk).await?;
                let within = |row: i64| usize::try_from(row - total).unwrap_or(0).min(places.len());
                let on_page = places[within(from)..within(to)].iter();
                picked.extend(on_page.map(|place| MessageId::new(chunk.id, *place)));
                count = i64::try_from(places.len()).ok();
            }
            total += count.unwrap_or(0);
        }
    }
    Ok(Messages { messages: rows(&mut tx, scope, &picked, networks).await?, total })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::both_databases;
    use crate::error::Error;
    use crate::model::account::id::UserId;
    use crate::model::message::status::MessageStatus as S;
    use crate::testing::builder::{Built, Spot, build};
    use crate::testing::tally::{change, count};

    const SWITCHED_OFF: &str =
        "UPDATE messages SET error = '027' WHERE id % 2 = 0 AND id >= $1 * 4096 AND id < ($1 + 1) * 4096";

    /// Every reason of the breakdown with the messages that its pages of two hold; they are as many as it says.
    async fn lists(store: &Store, built: &Built) -> BTreeSet<(String, Option<String>, Vec<i64>)> {
        let (own, networks) = (RecordScope::Own(built.user), NetworkTable::builtin());
        let breakdown = breakdown::of(store, own, built.campaign, networks).await.unwrap();
        let mut lists = BTreeSet::new();
        for shown in breakdown.reasons {
            let status = S::from_code(&shown.status).unwrap();
            let because = Because::new(status, shown.reason).unwrap();
            let mut ids = Vec::new();
            loop {
                let next = Page::new(1 + i64::try_from(ids.len() / 2).unwrap(), 2);
                let read = page(store, own, built.campaign, &because, next, networks).await.unwrap();
                assert_eq!(read.total, shown.count, "{because:?}");
                for row in &read.messages {
                    assert_eq!((&*row.status, row.reason.as_ref()), (status.code(), because.reason.as_ref()));
                }
                ids.extend(read.messages.iter().map(|row| row.id));
                if read.messages.len() < 2 {
                    break;
                }
            }
            assert_eq!(i64::try_from(ids.len()).unwrap(), shown.count, "{because:?}");
            assert!(ids.is_sorted());
            lists.insert((shown.status, because.reason, ids));
        }
        lists
    }

    both_databases! {
        async fn each_reason_leads_to_its_messages_before_and_after_they_are_tallied(store: Store) {
            let answered = |statuses: &[S]| statuses.iter().copied().map(Spot::Answered).collect::<Vec<_>>();
            let mut cancelled = answered(&[S::Undelivered; 4]);
            cancelled.extend([Spot::Tail, Spot::Tail, Spot::Tail]);
            let built = build(&store, "ada")
                .chunk(&answered(&[S::Rejected, S::Rejected, S::Delivered, S::Undelivered, S::Rejected, S::Unknown]))
                .cancelled_chunk(&cancelled)
                .chunk(&answered(&[S::Expired, S::Undelivered, S::Rejected]))
                .store()
                .await;
            for chunk in &built.chunks {
                change(&store, SWITCHED_OFF, *chunk).await;
            }
            let first = lists(&store, &built).await;
            let named = first.iter().map(|(status, reason, _)| (&**status, reason.as_deref())).collect::<BTreeSet<_>>();
            for known in [
                ("rejected", Some("The phone was switched off or out of reach (network error 027)")),
                ("rejected", Some("The carrier holds the number invalid")),
                ("undelivered", None),
                ("cancelled", Some("The campaign was cancelled before it was sent")),
            ] {
                assert!(named.contains(&known), "{named:?}");
            }
            for chunk in &built.chunks {
                change(&store, "UPDATE campaign_chunks SET sequence = 2, answered_at = 1000 WHERE id = $1", *chunk).await;
            }
            count(&store).await;
            assert_eq!(lists(&store, &built).await, first);
        }

        async fn a_stranger_and_another_reason_find_nothing(store: Store) {
            let built = build(&store, "ada").chunk(&[Spot::Answered(S::Rejected)]).store().await;
            let because = Because::new(S::Rejected, Some("The line was busy".into())).unwrap();
            let read = async |user| {
                let networks = NetworkTable::builtin();
                page(&store, RecordScope::Own(user), built.campaign, &because, Page::first(), networks).await
            };
            let found = read(built.user).await.unwrap();
            assert_eq!((found.total, found.messages.len()), (0, 0));
            assert!(matches!(read(UserId(built.user.0 + 1)).await, Err(Error::NotFound("campaign"))));
            let many = Because::new(S::Rejected, Some(breakdown::OTHER_REASONS.into()));
            assert_eq!(many.unwrap_err().code(), "reason_of_many");
        }
    }
}
